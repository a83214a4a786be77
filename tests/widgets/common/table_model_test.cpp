#include "widgets/common/table_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/test_program.h"

using namespace orrery;

class TableModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyChangeKeepsThePromisesOfAModel() {
        ReadyTable table;
        const QAbstractItemModelTester tester(
            &table, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QStringList two{QStringLiteral("a"), QStringLiteral("b")};
        table.setContent(two, {two, two}, 1);
        table.setContent(two, {two}, 1);
        table.setContent({QStringLiteral("a")}, {}, 1);
        table.setContent(two, {two, two, two}, 0);
        QCOMPARE(table.rowCount(), 3);
        QCOMPARE(table.columnCount(), 2);
        QCOMPARE(table.rowCount(table.index(0, 0)), 0);
    }

    void rowsOfTheSameNumberAreChangedInPlace() {
        ReadyTable table({{QStringLiteral("what")}, {QStringLiteral("n"), CellFace::Number}});
        table.setRows({{QStringLiteral("x"), QStringLiteral("1")}});
        QSignalSpy resets(&table, &ReadyTable::modelReset);
        QSignalSpy changes(&table, &ReadyTable::dataChanged);
        table.setRows({{QStringLiteral("x"), QStringLiteral("2")}});
        QCOMPARE(resets.count(), 0);
        QCOMPARE(changes.count(), 1);
        QCOMPARE(table.index(0, 1).data().toString(), QStringLiteral("2"));
        table.setRows({});
        QCOMPARE(resets.count(), 1);
    }

    void aColumnSaysHowItsCellsStand() {
        ReadyTable table({{QStringLiteral("what")},
                          {QStringLiteral("n"), CellFace::Digits, QStringLiteral("how many")}});
        table.setRows({{QStringLiteral("x"), QStringLiteral("1")}});
        const auto alignment = [&](int column) {
            return table.index(0, column).data(Qt::TextAlignmentRole).toInt();
        };
        QVERIFY((alignment(0) & Qt::AlignLeft) != 0);
        QVERIFY((alignment(1) & Qt::AlignRight) != 0);
        QVERIFY(!table.index(0, 0).data(Qt::FontRole).isValid());
        QVERIFY(table.index(0, 1).data(Qt::FontRole).isValid());
        QCOMPARE(table.headerData(1, Qt::Horizontal, Qt::ToolTipRole).toString(),
                 QStringLiteral("how many"));
        QVERIFY(!table.headerData(0, Qt::Horizontal, Qt::ToolTipRole).isValid());
        QVERIFY(!table.headerData(5, Qt::Horizontal).isValid());
        // A short row has empty cells.
        table.setRows({{QStringLiteral("x")}});
        QCOMPARE(table.index(0, 1).data().toString(), QString());
    }
};

ORRERY_WINDOW_TEST(TableModelTest)
#include "table_model_test.moc"
