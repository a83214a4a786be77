#include "widgets/common/selection.h"

#include <QSignalSpy>
#include <QTest>

using namespace orrery;

namespace {

StateItem state(int step, std::uint64_t word, std::int64_t index = -1) {
    return {step, {word}, index};
}

}  // namespace

class SelectionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachKindHasItsOwnCurrentItem() {
        Selection selection;
        selection.setCurrent({RunItem{QStringLiteral("r00001")}, state(2, 7), CellItem{3, 4}});
        QCOMPARE(selection.current<RunItem>()->id, QStringLiteral("r00001"));
        QCOMPARE(selection.current<StateItem>()->step, 2);
        QCOMPARE(selection.current<CellItem>()->y, 4);
        QVERIFY(!selection.current<GoalItem>());
        selection.clearCurrent(SelectionKind::Cell);
        QVERIFY(!selection.current<CellItem>());
        QVERIFY(selection.current<StateItem>());
    }

    void aChangeIsToldOnceAndEqualPicksAreSilent() {
        Selection selection;
        QSignalSpy spy(&selection, &Selection::currentChanged);
        selection.setCurrent(GoalItem{0, 1});
        selection.setCurrent(GoalItem{0, 1});
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy.first().first().value<SelectionKind>(), SelectionKind::Goal);
    }

    void backAndForwardWalkThroughPlaces() {
        Selection selection;
        for (int step = 0; step < 3; ++step) selection.setCurrent(state(step, 10));
        QVERIFY(selection.canGoBack());
        QVERIFY(!selection.canGoForward());
        selection.goBack();
        QCOMPARE(selection.current<StateItem>()->step, 1);
        selection.goBack();
        QCOMPARE(selection.current<StateItem>()->step, 0);
        QVERIFY(!selection.canGoBack());
        selection.goForward();
        QCOMPARE(selection.current<StateItem>()->step, 1);
    }

    void itemsPickedTogetherAreOnePlace() {
        Selection selection;
        selection.setCurrent(state(0, 1));
        selection.setCurrent({state(4, 2), LevelItem{4}});
        selection.goBack();
        QCOMPARE(selection.current<StateItem>()->step, 0);
        QVERIFY(!selection.current<LevelItem>());
    }

    void actionsAndCellsChangeThePresentPlace() {
        Selection selection;
        selection.setCurrent(state(0, 1));
        selection.setCurrent(JointActionItem{5});
        QVERIFY(!selection.canGoBack());
        selection.setCurrent(state(1, 2));
        selection.goBack();
        QCOMPARE(selection.current<JointActionItem>()->profile, 5u);
    }

    void aNewPickCutsWhatWasAhead() {
        Selection selection;
        for (int step = 0; step < 3; ++step) selection.setCurrent(state(step, 1));
        selection.goBack();
        selection.goBack();
        selection.setCurrent(state(9, 1));
        QVERIFY(!selection.canGoForward());
        selection.goBack();
        QCOMPARE(selection.current<StateItem>()->step, 0);
    }

    void hoverAndSetsAreApartFromTheCurrentItem() {
        Selection selection;
        QSignalSpy hovers(&selection, &Selection::hoverChanged);
        selection.setHover(CellItem{1, 1});
        selection.setHover(CellItem{1, 1});
        QCOMPARE(hovers.count(), 1);
        QVERIFY(!selection.current<CellItem>());
        selection.setSet(SelectionKind::State, {state(1, 1), state(1, 2)});
        QCOMPARE(selection.set(SelectionKind::State).size(), std::size_t{2});
        QVERIFY(selection.set(SelectionKind::Cell).empty());
    }

    void addressesAreReadBack_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("run, step, state") << QStringLiteral("orrery:run/r00012/t6/s1204");
        QTest::newRow("no run") << QStringLiteral("orrery:t6/s1204");
        QTest::newRow("state outside a graph") << QStringLiteral("orrery:t3/k1f-a0");
    }
    void addressesAreReadBack() {
        QFETCH(QString, text);
        const auto address = parseAddress(text);
        QVERIFY(address.has_value());
        Selection selection;
        if (!address->run.isEmpty()) selection.setCurrent(RunItem{address->run});
        selection.setCurrent(StateItem{address->step, address->words, address->stateIndex});
        QCOMPARE(selection.address(), text);
    }

    void textsThatAreNoAddressAreRefused_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"", "orrery:", "http://t6", "orrery:t6/x1", "orrery:run/",
                                 "orrery:run/../../t6", "orrery:t-1/s2", "orrery:t6/s", "t6/s2",
                                 "orrery:t6/s12/more", "orrery:t99999999999/s1"})
            QTest::newRow(text) << QString::fromLatin1(text);
    }
    void textsThatAreNoAddressAreRefused() {
        QFETCH(QString, text);
        QVERIFY(!parseAddress(text).has_value());
    }
};

QTEST_GUILESS_MAIN(SelectionTest)
#include "selection_test.moc"
