#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <cmath>

#include "core/base/cpu.h"
#include "tests/support/test_program.h"
#include "tests/widgets/dag/inspector_bench.h"
#include "tests/widgets/dag/solved.h"
#include "tests/widgets/quiet.h"
#include "widgets/bridge/world_loader.h"
#include "widgets/common/color_map.h"
#include "widgets/common/icons.h"
#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/dag/inspector_spread.h"
#include "widgets/dag/sum_float.h"
#include "widgets/dag/value_colors.h"
#include "widgets/dag/value_histogram.h"
#include "widgets/dag/value_matrix.h"

using namespace orrery;

namespace {

using Kind = SolutionQuantity::Kind;

const char* const kTwoRobots = R"(metadata: {name: Two robots}
map: |
  We We We We We We
  We Ay Un .. Ae We
  We Ae .. .. .. We
  We We We We We We
max_steps: 3
orientations: [e, w, e]
possible_goals: ["1,1, 2,2", "3,1", "4,2"]
)";

LoadedWorld twoRobots() {
    return loadWorld(WorldRef{.name = "two_robots.yaml", .text = kTwoRobots});
}

}  // namespace

/// Drives an inspector with mouse and keys on solved worlds.
class InspectorTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<InspectorBench> m_bench;
    LoadedWorld m_bridge, m_robots;
    std::shared_ptr<const Solution> m_bridgeSolution, m_robotsSolution;

    void makeBench(const LoadedWorld& loaded, const std::shared_ptr<const Solution>& solution) {
        m_bench.reset();
        m_bench = std::make_unique<InspectorBench>();
        m_bench->open(loaded, solution);
        m_bench->window.show();
        m_bench->window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&m_bench->window, kPatience));
        QTRY_VERIFY_WITH_TIMEOUT(!m_bench->isWorking(), kPatience);
    }
    void keep(const char* name) {
        const QString folder = qEnvironmentVariable("ORRERY_TEST_PICTURES");
        if (folder.isEmpty()) return;
        QDir().mkpath(folder);
        QVERIFY(becomesQuiet(
            [this] { return !m_bench->isWorking() && !m_bench->panel->spread().isWorking(); }));
        for (const auto& [theme, suffix] :
             {std::pair(ThemeChoice::Dark, "dark"), std::pair(ThemeChoice::Light, "light")}) {
            applyTheme(*qApp, theme);
            finishEvents();
            m_bench->window.grab().save(
                QDir(folder).filePath(QStringLiteral("%1-%2.png").arg(name, suffix)));
        }
        applyTheme(*qApp, ThemeChoice::Dark);
    }
    /// Everything shown about the current question adds up.
    void verifySum() {
        const Explanation& e = m_bench->why();
        QVERIFY(e.agrees);
        QCOMPARE(e.shown, *m_bench->inspected().number(e.quantity));
        QVERIFY(m_bench->child<QLabel>("whyAgrees")->text().contains(QStringLiteral("agrees to")));
        const std::size_t rows = m_bench->child<ValueBars>("whyTerms")->bars().size();
        QCOMPARE(rows, e.terms.size() + (e.numTerms > e.terms.size() ? 1 : 0));
    }

    /// The one that is shown; null: none.
    SumFloat* sumFloat() {
        for (SumFloat* each : m_bench->window.findChildren<SumFloat*>())
            if (each->isVisible()) return each;
        return nullptr;
    }
    ValueBars* sumTerms() { return sumFloat()->findChild<ValueBars*>(QStringLiteral("sumTerms")); }

private Q_SLOTS:
    void initTestCase() {
        loadIcons();
        applyTheme(*qApp, ThemeChoice::Dark);
        m_bridge = loadWorld("builtin:slippery_bridge");
        m_bridgeSolution = test::solved(m_bridge);
        m_robots = twoRobots();
        QVERIFY2(m_robots.world, qPrintable(m_robots.problems.join(u'\n')));
        m_robotsSolution = test::solved(m_robots);
    }
    void init() { makeBench(m_bridge, m_bridgeSolution); }
    void cleanup() { m_bench.reset(); }

    void theHeaderNamesTheStateAndItsReach() {
        QCOMPARE(m_bench->child<QLabel>("stateTitle")->text(), QStringLiteral("State t 0, s 0"));
        QTRY_VERIFY_WITH_TIMEOUT(m_bench->inspected().reach().has_value(), kPatience);
        QCOMPARE(*m_bench->inspected().reach(), 1.0);
        const QString subtitle = m_bench->child<QLabel>("stateSubtitle")->text();
        QVERIFY2(subtitle.contains(QStringLiteral("level 0 of 12")), qPrintable(subtitle));
        QVERIFY2(subtitle.contains(QStringLiteral("reach 1.000")), qPrintable(subtitle));
        const StateValues& values = *m_bench->session.values();
        QCOMPARE(m_bench->child<QLabel>("v_rValue")->text(), valueText(values.v_r));
        QCOMPARE(m_bench->child<QLabel>("u_rValue")->text(), valueText(values.u_r));
        keep("inspector-one-robot");
    }

    void anUnsolvedWorldOffersTheSolve() {
        makeBench(m_bridge, nullptr);
        QSignalSpy asked(m_bench->panel, &InspectorPanel::solveRequested);
        m_bench->click("emptySolveButton");
        QCOMPARE(asked.count(), 1);
        QVERIFY(!m_bench->panel->sum().isVisible());
        keep("inspector-unsolved");
    }

    void aClickOnAnyNumberShowsItsSum() {
        // The most probable action's Q_r stands there unasked.
        QCOMPARE(m_bench->why().quantity.kind, Kind::Q_r);
        verifySum();
        m_bench->click("v_rValueCard");
        QCOMPARE(m_bench->why().quantity, (SolutionQuantity{.kind = Kind::V_r}));
        verifySum();
        m_bench->click("u_rValueCard");
        QCOMPARE(m_bench->why().quantity, (SolutionQuantity{.kind = Kind::U_r}));
        verifySum();
        m_bench->clickNumber("robotPolicyBars", 1, 0);
        QCOMPARE(m_bench->why().quantity.kind, Kind::Pi_r);
        verifySum();
        m_bench->clickNumber("robotPolicyBars", 1, 1);
        QCOMPARE(m_bench->why().quantity.kind, Kind::Q_r);
        verifySum();
        m_bench->clickNumber("goalBars_0", 1, 0);
        QCOMPARE(m_bench->why().quantity,
                 (SolutionQuantity{.kind = Kind::V_h_e, .human = 0, .goal = 1}));
        verifySum();
        m_bench->clickNumber("goalBars_0", 1, 1);
        QCOMPARE(m_bench->why().quantity,
                 (SolutionQuantity{.kind = Kind::V_h, .human = 0, .goal = 1}));
        verifySum();
        m_bench->clickNumber("x_hValue_0", 0, 0);
        QCOMPARE(m_bench->why().quantity, (SolutionQuantity{.kind = Kind::X_h, .human = 0}));
        verifySum();
        m_bench->clickNumber("humanPolicyBars", 0, 0);
        QCOMPARE(m_bench->why().quantity.kind, Kind::Pi_h);
        verifySum();
        m_bench->clickNumber("humanPolicyBars", 0, 1);
        QCOMPARE(m_bench->why().quantity.kind, Kind::Marginal);
        verifySum();
    }

    void aTermLeadsToItsSuccessorOrItsOwnSum() {
        m_bench->click("v_rValueCard");
        const auto& terms = m_bench->why().terms;
        int row = 0;
        while (terms[static_cast<std::size_t>(row)].inner->kind != Kind::Q_r) ++row;
        m_bench->clickRow("whyTerms", row);
        QCOMPARE(m_bench->why().quantity.kind, Kind::Q_r);
        const State successor = *m_bench->why().terms[0].successor;
        auto* bars = m_bench->child<ValueBars>("whyTerms");
        QTest::mouseMove(bars, QPoint(12, bars->rowRect(0).center().y()));
        QTRY_VERIFY_WITH_TIMEOUT(m_bench->selection.hover(), kPatience);
        QCOMPARE(std::get<StateItem>(*m_bench->selection.hover()).index,
                 std::int64_t{successor.config});
        m_bench->clickRow("whyTerms", 0);
        QCOMPARE(m_bench->selection.current<StateItem>()->index, std::int64_t{successor.config});
        QCOMPARE(m_bench->session.graphState(), std::optional<State>(successor));
        verifySum();
        m_bench->selection.goBack();
        QCOMPARE(m_bench->session.state().step, 0);
    }

    void numbersArePickedByKeys() {
        auto* bars = m_bench->child<ValueBars>("goalBars_0");
        bars->setFocus(Qt::TabFocusReason);
        QTest::keyClick(bars, Qt::Key_Down);
        QTest::keyClick(bars, Qt::Key_Right);
        QTest::keyClick(bars, Qt::Key_Return);
        QCOMPARE(m_bench->why().quantity,
                 (SolutionQuantity{.kind = Kind::V_h_e, .human = 0, .goal = 1}));
        QTest::keyClick(bars, Qt::Key_Left);
        QTest::keyClick(bars, Qt::Key_Space);
        QCOMPARE(m_bench->selection.current<GoalItem>()->goal, 1);
        auto* card = m_bench->child<QWidget>("u_rValueCard");
        card->setFocus(Qt::TabFocusReason);
        QTest::keyClick(card, Qt::Key_Return);
        QCOMPARE(m_bench->why().quantity.kind, Kind::U_r);
    }

    void aClickOnANumberOpensItsSumBesideIt() {
        m_bench->window.resize(900, 700);
        m_bench->click("v_rValueCard");
        QVERIFY(sumFloat());
        QCOMPARE(sumFloat()->sum().explanation()->quantity, (SolutionQuantity{.kind = Kind::V_r}));
        QCOMPARE(m_bench->why().quantity, (SolutionQuantity{.kind = Kind::V_r}));
        QVERIFY(m_bench->window.rect().contains(sumFloat()->geometry()));
        auto* card = m_bench->child<QWidget>("v_rValueCard");
        const QRect number(card->mapTo(&m_bench->window, QPoint()), card->size());
        QVERIFY(!sumFloat()->geometry().intersects(number));
        // The same number again, and another one: one float at a time.
        m_bench->clickNumber("goalBars_0", 1, 0);
        QCOMPARE(sumFloat()->sum().explanation()->quantity,
                 (SolutionQuantity{.kind = Kind::V_h_e, .human = 0, .goal = 1}));
        keep("inspector-sum-float");
        m_bench->click("stateTitle");
        QVERIFY(!sumFloat());
        m_bench->clickNumber("goalBars_0", 1, 0);
        QVERIFY(sumFloat());
    }

    void theSumBesideANumberIsReachedAndLeftByKeys() {
        auto* card = m_bench->child<QWidget>("v_rValueCard");
        card->setFocus(Qt::TabFocusReason);
        QTest::keyClick(card, Qt::Key_Return);
        QVERIFY(sumFloat());
        ValueBars* terms = sumTerms();
        QVERIFY(terms->hasFocus());
        // A term's own value takes the place of the number's.
        QTest::keyClick(terms, Qt::Key_Return);
        QVERIFY(sumFloat()->sum().explanation()->quantity != (SolutionQuantity{.kind = Kind::V_r}));
        QTest::keyClick(terms, Qt::Key_Escape);
        QVERIFY(!sumFloat());
        QVERIFY(card->hasFocus());
        QTest::keyClick(card, Qt::Key_Return);
        QVERIFY(sumFloat());
        m_bench->child<QWidget>("u_rValueCard")->setFocus(Qt::TabFocusReason);
        QVERIFY(!sumFloat());
    }

    void theGoalsPolicyIsChosenByTheLists() {
        auto* goals = m_bench->child<QComboBox>("goalChoice");
        QCOMPARE(goals->currentIndex(), 0);
        QTest::keyClick(goals, Qt::Key_Down);
        QCOMPARE(m_bench->selection.current<GoalItem>()->goal, 1);
        const auto& bars = m_bench->child<ValueBars>("humanPolicyBars")->bars();
        double sum = 0;
        for (const ValueBar& bar : bars) sum += bar.share;
        QVERIFY(std::abs(sum - 1) < 1e-12);
        const auto& pi = m_bench->session.values()->pi_h[0][1];
        QCOMPARE(bars[0].share, *std::ranges::max_element(pi));
        // From elsewhere: the selection decides.
        m_bench->selection.setCurrent({HumanItem{0}, GoalItem{0, 0}});
        QCOMPARE(goals->currentIndex(), 0);
    }

    void twoRobotsHaveAMatrix() {
        makeBench(m_robots, m_robotsSolution);
        auto* matrix = m_bench->child<ValueMatrix>("robotMatrix");
        QVERIFY(matrix->isVisible());
        const StateValues& values = *m_bench->session.values();
        QCOMPARE(matrix->content().values, values.q_r);
        const auto best =
            static_cast<int>(std::ranges::max_element(values.q_r) - values.q_r.begin());
        QCOMPARE(matrix->cellColor(best), viridis(1));
        const QImage image = matrix->grab().toImage();
        const QPoint corner = matrix->cellRect(best).topLeft() + QPoint(6, 6);
        QCOMPARE(image.pixelColor(corner), viridis(1));
        QTest::mouseClick(matrix, Qt::LeftButton, {}, matrix->cellRect(6).center());
        QCOMPARE(m_bench->why().quantity, (SolutionQuantity{.kind = Kind::Q_r, .action = 6}));
        QTest::keyClick(matrix, Qt::Key_Down);
        QTest::keyClick(matrix, Qt::Key_Return);
        QCOMPARE(m_bench->why().quantity, (SolutionQuantity{.kind = Kind::Q_r, .action = 10}));
        verifySum();
        double sum = 0;
        const auto& bars = m_bench->child<ValueBars>("robotPolicyBars")->bars();
        for (const ValueBar& bar : bars) sum += bar.share;
        QVERIFY(std::abs(sum - 1) < 1e-12);
        QCOMPARE(bars.size(), std::size_t{9});
        QCOMPARE(bars.back().name, QStringLiteral("8 others"));
        keep("inspector-two-robots");
    }

    void aPinnedStateIsComparedNumberByNumber() {
        m_bench->click("inspectorPin");
        QVERIFY(m_bench->child<QWidget>("pinnedRow")->isVisible());
        QVERIFY(!m_bench->inspected().compares());
        const StateValues a = *m_bench->session.values();
        m_bench->clickRow("whyTerms", 0);
        QVERIFY(m_bench->inspected().compares());
        const StateValues b = *m_bench->session.values();
        QVERIFY(a.v_r != b.v_r);
        const auto& goals = m_bench->child<ValueBars>("goalBars_0")->bars();
        std::vector<double> shown, differences;
        double most = 0;
        for (std::size_t g = 0; g < goals.size(); ++g) {
            shown.insert(shown.end(), {a.v_h_e[0][g], b.v_h_e[0][g]});
            differences.push_back(b.v_h_e[0][g] - a.v_h_e[0][g]);
            most = std::max(most, std::abs(differences.back()));
        }
        QVERIFY(most > 0);
        for (std::size_t g = 0; g < goals.size(); ++g) {
            QCOMPARE(goals[g].numbers[0].text, valueText(a.v_h_e[0][g], columnFormat(shown)));
            QCOMPARE(goals[g].numbers[1].text, valueText(b.v_h_e[0][g], columnFormat(shown)));
            QCOMPARE(goals[g].numbers[2].text,
                     signedText(differences[g], columnFormat(differences)));
            if (differences[g] != 0)
                QCOMPARE(goals[g].numbers[2].fill, divergingColor(differences[g] / most));
        }
        QVERIFY(m_bench->child<ValueBars>("robotQBars")->isVisible());
        QVERIFY(m_bench->child<QLabel>("v_rValueCompared")->isVisible());
        const QString tsv = m_bench->panel->tsv();
        QVERIFY(tsv.contains(QStringLiteral("\tA\tB\tB - A")));
        keep("inspector-pinned");
        m_bench->click("pinnedGo");
        QCOMPARE(m_bench->session.state().step, 0);
        QVERIFY(!m_bench->inspected().compares());
        m_bench->click("inspectorUnpin");
        QVERIFY(!m_bench->child<QWidget>("pinnedRow")->isVisible());
    }

    void nothingIsComparedOnTheWayToAnotherWorld() {
        m_bench->click("inspectorPin");
        m_bench->clickRow("whyTerms", 0);
        InspectorState& state = m_bench->inspected();
        QVERIFY(state.compares());
        int seen = 0;
        connect(&state, &InspectorState::worldChanged, this, [&] {
            ++seen;
            QVERIFY(!state.pinned() && !state.pinnedValues() && !state.compares());
        });
        LoadedWorld edited = m_bench->session.loaded();
        m_bench->session.replaceWorld(edited);
        QCOMPARE(seen, 1);
    }

    void aPinnedStateIsComparedInTheMatrixToo() {
        makeBench(m_robots, m_robotsSolution);
        m_bench->click("inspectorPin");
        m_bench->clickRow("whyTerms", 0);
        auto* matrix = m_bench->child<ValueMatrix>("robotMatrix");
        QCOMPARE(matrix->content().compared, m_robotsSolution->values({0, 0}).q_r);
        keep("inspector-matrix-pinned");
    }

    void allNumbersAreCopiedAsATable() {
        QGuiApplication::clipboard()->clear();
        auto* bars = m_bench->child<ValueBars>("goalBars_0");
        bars->setFocus(Qt::TabFocusReason);
        QTest::keyClick(bars, Qt::Key_C, Qt::ControlModifier);
        const QString text = QGuiApplication::clipboard()->text();
        QCOMPARE(text, m_bench->panel->tsv());
        const StateValues& values = *m_bench->session.values();
        int numbers = 0;
        for (const QString& line : text.split(u'\n')) {
            const QStringList cells = line.split(u'\t');
            if (cells.size() != 6 || cells[4] != QStringLiteral("exact")) continue;
            ++numbers;
            if (cells[0] == QStringLiteral("V_r")) QCOMPARE(cells[5].toDouble(), values.v_r);
            if (cells[0] == QStringLiteral("X_h")) QCOMPARE(cells[5].toDouble(), values.x_h[0]);
        }
        const std::size_t actions = values.pi_h[0][0].size(), goals = values.v_h[0].size();
        QCOMPARE(std::size_t(numbers),
                 2 + 2 * values.q_r.size() + 1 + goals * (2 + actions) + actions);
        QVERIFY(text.contains(QStringLiteral("\nwhy\tQ_r\t")));
        m_bench->click("inspectorLink");
        QCOMPARE(QGuiApplication::clipboard()->text(), m_bench->selection.address());
    }

    void aColumnHasOneFormat() {
        for (const char* name : {"goalBars_0", "robotPolicyBars", "humanPolicyBars", "whyTerms"}) {
            m_bench->session.showLevel(10);
            const auto& bars = m_bench->child<ValueBars>(name)->bars();
            for (std::size_t column = 0; column < bars.front().numbers.size(); ++column) {
                int scientific = 0, present = 0;
                for (const ValueBar& bar : bars) {
                    const QString text = bar.numbers[column].text;
                    present += !text.isEmpty();
                    scientific += text.contains(u'e');
                }
                QVERIFY2(scientific == 0 || scientific == present, name);
            }
        }
        const NumberFormat mixed = columnFormat({0.001, 8.48e-05, 0});
        QVERIFY(!mixed.isScientific);
        QCOMPARE(valueText(8.48e-05, mixed), QStringLiteral("<0.001"));
        QCOMPARE(valueText(-8.48e-05, mixed), QStringLiteral(">−0.001"));
        QCOMPARE(valueText(0, mixed), QStringLiteral("0.000"));
        const NumberFormat tiny = columnFormat({1e-4, 8.48e-05, 0});
        QVERIFY(tiny.isScientific);
        QCOMPARE(valueText(8.48e-05, tiny), QStringLiteral("8.48e−05"));
        QVERIFY(!columnFormat({0.0005, 0, -4}).isScientific);
    }

    void theLevelsDistributionIsCounted() {
        m_bench->click("v_rValueCard");
        m_bench->session.showLevel(6);
        QTRY_VERIFY_WITH_TIMEOUT(m_bench->panel->spread().spread().has_value(), kPatience);
        const ValueSpread& spread = *m_bench->panel->spread().spread();
        const StateGraph& graph = m_bridgeSolution->graph();
        QCOMPARE(spread.n, graph.levelSize(6));
        double sum = 0;
        for (const State state : statesOfLevel(graph, 6)) sum += m_bridgeSolution->v_r(state);
        QVERIFY(std::abs(spread.mean - sum / static_cast<double>(spread.n)) < 1e-9);
        auto* histogram = m_bench->child<ValueHistogram>("spreadHistogram");
        const auto most = std::ranges::max_element(spread.count) - spread.count.begin();
        const QImage image = histogram->grab().toImage();
        QCOMPARE(image.pixelColor(histogram->binRect(int(most)).center().toPoint()),
                 currentTokens().data[0]);
        keep("inspector-distribution");
    }

    void theSetsDistributionFollowsTheSelection() {
        auto* scope = m_bench->child<QComboBox>("spreadScope");
        QTest::keyClick(scope, Qt::Key_Down);
        QVERIFY(
            m_bench->child<QLabel>("spreadRemark")->text().startsWith(QStringLiteral("No set")));
        std::vector<SelectionItem> set;
        for (const State state : statesOfLevel(m_bridgeSolution->graph(), 3))
            set.emplace_back(m_bench->inspected().itemOf(state));
        const auto size = std::ssize(set);
        m_bench->selection.setSet(SelectionKind::State, std::move(set));
        QTRY_VERIFY_WITH_TIMEOUT(m_bench->panel->spread().spread().has_value(), kPatience);
        QCOMPARE(m_bench->panel->spread().spread()->n, size);
    }

    void formulasAreSetWithSubscripts() {
        QCOMPARE(
            formulaHtml(QStringLiteral("Q_r = gamma_r Σ p(s') V_h^e(s')")),
            QStringLiteral("Q<sub>r</sub> = γ<sub>r</sub> Σ p(s') V<sub>h</sub><sup>e</sup>(s')"));
        QCOMPARE(formulaHtml(QStringLiteral("e^(-rho_r D) X_h^-xi")),
                 QStringLiteral("e<sup>−ρ<sub>r</sub> D</sup> X<sub>h</sub><sup>−ξ</sup>"));
    }

    void theEndHasNoSum() {
        m_bench->click("u_rValueCard");
        m_bench->session.showLevel(12);
        QVERIFY(m_bench->session.isTerminal());
        QVERIFY(!m_bench->panel->sum().explanation());
        QCOMPARE(m_bench->child<QLabel>("u_rValue")->text(), QStringLiteral("–"));
        m_bench->click("v_rValueCard");
        QVERIFY(m_bench->why().agrees);
        QVERIFY(!m_bench->child<QLabel>("whyRemark")->text().isEmpty());
        keep("inspector-end");
    }

    void aChangeOfStateIsShownQuickly() {
        std::vector<double> times;
        for (int i = 0; i < 21; ++i) {
            const double begin = threadCpuMs();
            m_bench->session.showLevel(1 + i % 10);
            m_bench->window.grab();
            times.push_back(threadCpuMs() - begin);
        }
        std::ranges::nth_element(times, times.begin() + 10);
        qInfo("a change of state, shown and drawn: %.1f ms of CPU (median)", times[10]);
        QVERIFY(times[10] < 100);
    }

    void theChoicesAreKept() {
        m_bench->clickNumber("goalBars_0", 1, 1);
        m_bench->child<QComboBox>("spreadScope")->setCurrentIndex(1);
        const QJsonObject kept = m_bench->panel->saveState();
        makeBench(m_bridge, m_bridgeSolution);
        m_bench->panel->restoreState(kept);
        QCOMPARE(m_bench->why().quantity,
                 (SolutionQuantity{.kind = Kind::V_h, .human = 0, .goal = 1}));
        QCOMPARE(m_bench->panel->saveState(), kept);
    }

    void durationsHaveADiscountColumn() {
        const LoadedWorld loaded = loadWorld("builtin:slow_moves");
        makeBench(loaded, test::solved(loaded));
        m_bench->window.resize(308, 2000);
        m_bench->session.showLevel(2);
        m_bench->clickNumber("robotPolicyBars", 0, 1);
        QCOMPARE(m_bench->why().factor, 1.0);
        verifySum();
        const auto& columns = m_bench->child<ValueBars>("whyTerms")->columns();
        QCOMPARE(columns.size(), std::size_t{4});
        QCOMPARE(columns[1].symbol, QStringLiteral("discount"));
        keep("inspector-durations");
    }

    void severalHumansHaveAPartEach() {
        const LoadedWorld loaded = loadWorld("builtin:two_in_niches");
        makeBench(loaded, test::solved(loaded));
        const auto humans = static_cast<int>(loaded.world->goals().size());
        for (int h = 0; h < humans; ++h) {
            const QByteArray name = "x_hValue_" + QByteArray::number(h);
            m_bench->clickNumber(name.constData(), 0, 0);
            QCOMPARE(m_bench->why().quantity, (SolutionQuantity{.kind = Kind::X_h, .human = h}));
            verifySum();
        }
        m_bench->click("u_rValueCard");
        QCOMPARE(m_bench->why().terms.size(), static_cast<std::size_t>(humans));
        verifySum();
        keep("inspector-humans");
    }

    void phaseOneAloneIsShown() {
        SolveSpec spec;
        spec.phase1Only = true;
        makeBench(m_bridge, test::solved(m_bridge, spec));
        QVERIFY(!m_bench->child<ValueBars>("robotPolicyBars")->isVisible());
        m_bench->clickNumber("goalBars_0", 0, 0);
        QCOMPARE(m_bench->why().quantity.kind, Kind::V_h);
        verifySum();
    }
};

ORRERY_WINDOW_TEST(InspectorTest)
#include "inspector_test.moc"
