#include "widgets/common/row_model.h"

#include <QAbstractItemModelTester>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/test_program.h"

using namespace orrery;

namespace {

std::vector<Row> rows(int count, const QString& word) {
    std::vector<Row> made;
    for (int i = 0; i < count; ++i) {
        Row row;
        row.title = QStringLiteral("%1 %2").arg(word).arg(i);
        row.subtitle = QStringLiteral("under");
        row.value = QString::number(i);
        made.push_back(row);
    }
    return made;
}

}  // namespace

class RowModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyChangeKeepsThePromisesOfAModel() {
        RowModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        for (const int count : {0, 3, 3, 1, 5, 0}) {
            model.setRows(rows(count, QStringLiteral("row")));
            QCOMPARE(model.rowCount(), count);
        }
    }

    void rowsOfTheSameNumberAreChangedInPlace() {
        RowModel model;
        model.setRows(rows(2, QStringLiteral("old")));
        QSignalSpy resets(&model, &RowModel::modelReset);
        QSignalSpy changes(&model, &RowModel::dataChanged);
        model.setRows(rows(2, QStringLiteral("new")));
        QCOMPARE(resets.count(), 0);
        QCOMPARE(changes.count(), 1);
        QCOMPARE(model.index(1).data().toString(), QStringLiteral("new 1"));
        model.setRows(rows(3, QStringLiteral("more")));
        QCOMPARE(resets.count(), 1);
    }

    void askedForNoRowItSaysNothing() {  // as a view does on Ctrl+C where none is chosen
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".")));
        RowModel model;
        model.setRows(rows(1, QStringLiteral("row")));
        QVERIFY(!model.data({}, Qt::DisplayRole).isValid());
    }

    void theAccessibleTextHoldsTheWholeRow() {
        RowModel model;
        model.setRows(rows(1, QStringLiteral("row")));
        QCOMPARE(model.index(0).data(Qt::AccessibleTextRole).toString(),
                 QStringLiteral("row 0 under 0"));
    }
};

ORRERY_APPLICATION_TEST(RowModelTest)
#include "row_model_test.moc"
