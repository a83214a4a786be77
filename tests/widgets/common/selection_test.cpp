#include "widgets/common/selection.h"

#include "tests/support/test_program.h"
#include "widgets/common/selection_address.h"

#include <QSignalSpy>
#include <QTest>
#include <random>

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

    void aFilledSetThatChangesIsAPlace() {
        Selection selection;
        const auto runs = [&] { return selection.set(SelectionKind::Run).size(); };
        selection.setCurrent(state(0, 1));
        selection.setSet(SelectionKind::Run, {RunItem{"r1"}, RunItem{"r2"}});
        QVERIFY(!selection.canGoBack());  // there was nothing before
        selection.setSet(SelectionKind::Run, {RunItem{"r1"}});
        selection.setCurrent(state(1, 1));
        selection.setSet(SelectionKind::Run, {});
        selection.goBack();
        QCOMPARE(runs(), std::size_t{1});
        QCOMPARE(selection.current<StateItem>()->step, 1);
        selection.goBack();
        QCOMPARE(runs(), std::size_t{1});
        QCOMPARE(selection.current<StateItem>()->step, 0);
        selection.goBack();
        QCOMPARE(runs(), std::size_t{2});
        QVERIFY(!selection.canGoBack());
        while (selection.canGoForward()) selection.goForward();
        QCOMPARE(runs(), std::size_t{0});
        QCOMPARE(selection.current<StateItem>()->step, 1);
    }

    void whatIsHeldIsToldOnceAndTheStateFirst() {
        Selection selection;
        selection.setCurrent({RunItem{"r1"}, state(0, 1)});
        std::vector<SelectionKind> told;
        connect(&selection, &Selection::currentChanged, this, [&](SelectionKind kind) {
            QCOMPARE(selection.current<StateItem>()->step, 3);
            told.push_back(kind);
        });
        selection.hold();
        selection.setCurrent({RunItem{"r2"}, state(2, 1)});
        selection.setCurrent(state(3, 1));
        QVERIFY(told.empty());
        selection.tellHeld();
        QCOMPARE(told, (std::vector{SelectionKind::State, SelectionKind::Run}));
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
        QTest::newRow("a joint action and a goal")
            << QStringLiteral("orrery:t6/s1204/action/12/goal/0.1");
    }
    void addressesAreReadBack() {
        QFETCH(QString, text);
        const auto address = parseAddress(text);
        QVERIFY(address.has_value());
        Selection selection;
        if (!address->run.empty())
            selection.setCurrent(RunItem{QString::fromStdString(address->run)});
        selection.setCurrent(StateItem{address->step, address->words, address->stateIndex});
        selection.setCurrent(itemsOf(*address).current);
        QCOMPARE(selection.address(), text);
    }

    /// Whatever is selected, its address selects the same again. Items are drawn at random, of
    /// every kind, current and as sets.
    void anySelectionIsFoundAgainByItsAddress() {
        std::mt19937 random(7);
        const auto below = [&](int n) {
            return static_cast<int>(random() % static_cast<unsigned>(n));
        };
        const auto drawn = [&](std::size_t kind) -> SelectionItem {
            switch (static_cast<SelectionKind>(kind)) {
                case SelectionKind::Run:
                    return RunItem{QStringLiteral("r%1-x.y_z").arg(below(99999))};
                case SelectionKind::State:
                    return below(2)
                               ? StateItem{below(50), {}, below(100000)}
                               : StateItem{below(50), {random(), ~std::uint64_t{random()}}, -1};
                case SelectionKind::Step:
                    return StepItem{below(50)};
                case SelectionKind::Level:
                    return LevelItem{below(50)};
                case SelectionKind::JointAction:
                    return JointActionItem{static_cast<std::uint32_t>(random())};
                case SelectionKind::Agent:
                    return AgentItem{below(9)};
                case SelectionKind::Human:
                    return HumanItem{below(9)};
                case SelectionKind::Goal:
                    return GoalItem{below(9), below(30)};
                case SelectionKind::Cell:
                    return CellItem{below(40), below(40)};
                case SelectionKind::Env:
                    return EnvItem{below(200)};
                case SelectionKind::Entity:
                    return EntityItem{below(200), below(60)};
            }
            return {};
        };
        std::array<int, kNumSelectionKinds> numCurrent{}, numSets{};
        for (int trial = 0; trial < 400; ++trial) {
            Selection selection;
            for (std::size_t kind = 0; kind < kNumSelectionKinds; ++kind) {
                if (below(2)) selection.setCurrent(drawn(kind));
                std::vector<SelectionItem> set;
                for (int i = below(4); i > 0; --i) set.push_back(drawn(kind));
                selection.setSet(static_cast<SelectionKind>(kind), std::move(set));
            }
            const auto address = parseAddress(selection.address());
            if (!address) {
                QCOMPARE(selection.address(), QStringLiteral("orrery:"));
                continue;
            }
            Selection again;
            if (!address->run.empty())
                again.setCurrent(RunItem{QString::fromStdString(address->run)});
            if (address->hasState())
                again.setCurrent(StateItem{address->step, address->words, address->stateIndex});
            if (address->step >= 0) again.setCurrent(StepItem{address->step});
            const AddressedItems items = itemsOf(*address);
            again.setCurrent(items.current);
            for (std::size_t kind = 0; kind < kNumSelectionKinds; ++kind)
                again.setSet(static_cast<SelectionKind>(kind), items.sets[kind]);
            QCOMPARE(again.address(), selection.address());
            const auto wanted = selection.picked(), found = again.picked();
            for (std::size_t kind = 0; kind < kNumSelectionKinds; ++kind) {
                QVERIFY(found.sets[kind] == wanted.sets[kind]);
                numSets[kind] += !wanted.sets[kind].empty();
                // The step and level of a state, the human of a goal, the environment of a thing,
                // follow from them.
                const auto which = static_cast<SelectionKind>(kind);
                const bool mayFollow = which == SelectionKind::Step ||
                                       which == SelectionKind::Level ||
                                       which == SelectionKind::Human || which == SelectionKind::Env;
                if (!mayFollow) QVERIFY(found.current[kind] == wanted.current[kind]);
                numCurrent[kind] += wanted.current[kind].has_value();
            }
        }
        for (std::size_t kind = 0; kind < kNumSelectionKinds; ++kind)
            QVERIFY(numCurrent[kind] > 100 && numSets[kind] > 100);
    }

    void aSearchIsToldByItsQuestion() {
        Selection selection;
        selection.setStateMarks(std::shared_ptr<const StateMarks>(std::make_shared<int>(),
                                                                  reinterpret_cast<StateMarks*>(1)),
                                QStringLiteral("human0.at(2,2) and V_r < -4 % ü"),
                                {StateItem{1, {5}, 3}});
        const QString text = selection.address();
        QVERIFY2(!text.contains(u' '), qPrintable(text));
        QCOMPARE(QString::fromStdString(parseAddress(text)->where), selection.stateMarksText());
        QVERIFY(parseAddress(text)->states.empty());
    }

    void aViewsSelectionShowsAndHandsOnUntilItIsFrozen() {
        Selection common;
        Selection view(&common, nullptr);
        QSignalSpy told(&view, &Selection::currentChanged);
        common.setCurrent({StateItem{1, {1}, 7}, GoalItem{0, 1}});
        QCOMPARE(view.current<StateItem>()->step, 1);
        QCOMPARE(told.size(), 2);
        view.setCurrent(LevelItem{4});
        QCOMPARE(common.current<LevelItem>()->step, 4);
        view.setHover(CellItem{1, 2});
        QVERIFY(common.hover() == SelectionItem(CellItem{1, 2}));

        view.setFrozen(true);
        told.clear();
        common.setCurrent({StateItem{2, {2}, 8}, GoalItem{0, 2}});
        QCOMPARE(told.size(), 0);
        QCOMPARE(view.current<StateItem>()->step, 1);
        QCOMPARE(view.current<GoalItem>()->goal, 1);
        // Places that are picked are shown elsewhere, what belongs to the view stays.
        view.setCurrent({StateItem{3, {3}, 9}, AgentItem{1}, RunItem{QStringLiteral("r1")}});
        QCOMPARE(common.current<StateItem>()->step, 3);
        QCOMPARE(view.current<StateItem>()->step, 1);
        QVERIFY(!common.current<AgentItem>());
        QCOMPARE(view.current<AgentItem>()->agent, 1);
        QCOMPARE(common.current<RunItem>()->id, QStringLiteral("r1"));
        view.setReachesCommon(false);
        view.setCurrent(StateItem{4, {4}, 1});
        QCOMPARE(common.current<StateItem>()->step, 3);

        told.clear();
        view.setFrozen(false);
        QCOMPARE(view.current<StateItem>()->step, 3);
        QVERIFY(!view.current<AgentItem>());
        QVERIFY(told.size() >= 3);
    }

    void textsThatAreNoAddressAreRefused_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"",
                                 "orrery:",
                                 "http://t6",
                                 "orrery:t6/x1",
                                 "orrery:run/",
                                 "orrery:run/../../t6",
                                 "orrery:t-1/s2",
                                 "orrery:t6/s",
                                 "t6/s2",
                                 "orrery:t6/s12/more",
                                 "orrery:t99999999999/s1",
                                 "orrery:s12",
                                 "orrery:t1/t2",
                                 "orrery:goal/1",
                                 "orrery:goal/1.2.3",
                                 "orrery:goal/0.1/goal/0.1",
                                 "orrery:cell/-1.2",
                                 "orrery:action/99999999999",
                                 "orrery:levels/",
                                 "orrery:levels/1,",
                                 "orrery:where/",
                                 "orrery:where/%2",
                                 "orrery:where/a b",
                                 "orrery:nothing/1",
                                 "orrery:run/..",
                                 "orrery:states/s1"})
            QTest::newRow(text) << QString::fromLatin1(text);
    }
    void textsThatAreNoAddressAreRefused() {
        QFETCH(QString, text);
        QVERIFY(!parseAddress(text).has_value());
    }
};

ORRERY_APPLICATION_TEST(SelectionTest)
#include "selection_test.moc"
