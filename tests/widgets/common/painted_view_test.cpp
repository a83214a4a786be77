#include "widgets/common/painted_view.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QLineEdit>
#include <QTest>
#include <QToolTip>
#include <memory>

#include "tests/support/test_program.h"

using namespace orrery;

namespace {

/// Paints bars of ten pixels; says of each how long it is. Has a field, too.
class Bars : public PaintedWidget {
public:
    Bars() : m_field(new QLineEdit(this)) { resize(200, 100); }
    void show(std::vector<int> lengths) { m_lengths = std::move(lengths); }

    std::vector<NamedSpot> namedSpots() const override {
        std::vector<NamedSpot> spots;
        spots.reserve(m_lengths.size());
        for (int i = 0; i < static_cast<int>(m_lengths.size()); ++i)
            spots.push_back({QStringLiteral("bar %1").arg(i),
                             QRect(0, 50 + 10 * i, m_lengths[i], 10),
                             {{QStringLiteral("length"), m_lengths[i]},
                              {QStringLiteral("color"), QStringLiteral("#123456")}},
                             QStringLiteral("bar %1").arg(i)});
        return spots;
    }
    QJsonObject spotFacts() const override {
        return {{QStringLiteral("bars"), static_cast<int>(m_lengths.size())}};
    }

private:
    QLineEdit* m_field;
    std::vector<int> m_lengths;
};

/// A row with a part that has a number, which says nothing of itself.
class Row : public PaintedWidget {
public:
    std::vector<NamedSpot> namedSpots() const override {
        return {{.name = QStringLiteral("row"),
                 .rect = QRect(0, 0, 100, 20),
                 .tip = QStringLiteral("whole")},
                {.name = QStringLiteral("part"),
                 .rect = QRect(0, 0, 50, 20),
                 .tip = QStringLiteral("part")},
                {.name = QStringLiteral("number"), .rect = QRect(0, 0, 10, 20)}};
    }
};

QAccessibleInterface* access(QWidget& widget) {
    return QAccessible::queryAccessibleInterface(&widget);
}

}  // namespace

class PaintedViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { describePaintedViews(); }

    void spotsAreChildrenBesideWidgets() {
        Bars bars;
        bars.move(30, 40);
        bars.show({60, 20});
        bars.QWidget::show();
        QVERIFY(QTest::qWaitForWindowExposed(&bars));
        QAccessibleInterface* view = access(bars);
        QCOMPARE(view->childCount(), 3);
        QVERIFY(view->child(0)->object() != nullptr);  // the field
        QAccessibleInterface* second = view->child(2);
        QCOMPARE(second->text(QAccessible::Name), QStringLiteral("bar 1"));
        QCOMPARE(second->text(QAccessible::Description), QStringLiteral("length 20"));
        QCOMPARE(second->rect(), QRect(bars.mapToGlobal(QPoint(0, 60)), QSize(20, 10)));
        QCOMPARE(second->parent(), view);
        QCOMPARE(view->indexOfChild(second), 2);
        const QPoint inFirst = bars.mapToGlobal(QPoint(50, 55));
        QCOMPARE(view->childAt(inFirst.x(), inFirst.y()), view->child(1));
        QCOMPARE(view->text(QAccessible::UserText), QStringLiteral("{\"bars\":2}"));
    }

    void aSpotLivesAsLongAsItIsPainted() {
        auto bars = std::make_unique<Bars>();
        bars->show({60, 20});
        QCOMPARE(access(*bars)->childCount(), 3);
        const QAccessible::Id first = QAccessible::uniqueId(access(*bars)->child(1));
        QCOMPARE(access(*bars)->childCount(), 3);
        QCOMPARE(QAccessible::uniqueId(access(*bars)->child(1)), first);  // nothing has changed
        bars->show({30});
        QCOMPARE(access(*bars)->childCount(), 2);
        QVERIFY(QAccessible::accessibleInterface(first) == nullptr);
        const QAccessible::Id last = QAccessible::uniqueId(access(*bars)->child(1));
        bars.reset();
        QVERIFY(QAccessible::accessibleInterface(last) == nullptr);
    }

    void ofSpotsOverEachOtherTheLastThatHasATipIsTold() {
        const Row row;
        QCOMPARE(row.tipAt({5, 5}), QStringLiteral("part"));
        QCOMPARE(row.tipAt({70, 5}), QStringLiteral("whole"));
        QCOMPARE(row.tipAt({150, 5}), QString());
    }

    void theTipIsThatOfTheSpot() {
        Bars bars;
        bars.show({60});
        bars.QWidget::show();
        QVERIFY(QTest::qWaitForWindowExposed(&bars));
        const auto ask = [&](const QPoint& at) {
            QHelpEvent event(QEvent::ToolTip, at, bars.mapToGlobal(at));
            QApplication::sendEvent(&bars, &event);
        };
        ask(QPoint(10, 55));
        QTRY_COMPARE(QToolTip::text(), QStringLiteral("bar 0"));
        ask(QPoint(10, 95));
        QTRY_VERIFY(!QToolTip::isVisible());
        bars.setToolTip(QStringLiteral("bars by length"));
        ask(QPoint(10, 95));
        QTRY_COMPARE(QToolTip::text(), QStringLiteral("bars by length"));
    }
};

ORRERY_WINDOW_TEST(PaintedViewTest)
#include "painted_view_test.moc"
