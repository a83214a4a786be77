#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QTest>
#include <cmath>

#include "tests/support/test_program.h"
#include "tests/widgets/dag/solved.h"
#include "tests/widgets/dag/solved_inspector.h"
#include "widgets/bridge/world_loader.h"
#include "widgets/common/color_map.h"
#include "widgets/common/number_text.h"
#include "widgets/common/tokens.h"
#include "widgets/dag/value_histogram.h"
#include "widgets/dag/value_matrix.h"

using namespace orrery;

/// The numbers of an inspector: matrix, pinned state, table and distributions.
class InspectorNumbersTest : public QObject, private SolvedInspector {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { solveWorlds(); }
    void init() { makeBench(m_bridge, m_bridgeSolution); }
    void cleanup() { m_bench.reset(); }

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
        QCOMPARE(m_bench->why().quantity, (ValueOf{.kind = Kind::Q_r, .action = 6}));
        QTest::keyClick(matrix, Qt::Key_Down);
        QTest::keyClick(matrix, Qt::Key_Return);
        QCOMPARE(m_bench->why().quantity, (ValueOf{.kind = Kind::Q_r, .action = 10}));
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
        const std::vector<NamedSpot> bins = histogram->namedSpots();
        QCOMPARE(bins.size(), spread.count.size());
        qint64 states = 0;
        for (const NamedSpot& bin : bins)
            states += bin.facts.value(QStringLiteral("states")).toInteger();
        QCOMPARE(states, spread.n);
        const QPoint inMost = histogram->binRect(int(most)).center().toPoint();
        QCOMPARE(histogram->tipAt({inMost.x(), 1}), bins[std::size_t(most)].tip);
        QVERIFY2(bins[std::size_t(most)].tip.endsWith(
                     tr(": %1 states").arg(countText(spread.count[std::size_t(most)]))),
                 qPrintable(bins[std::size_t(most)].tip));
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
            QCOMPARE(m_bench->why().quantity, (ValueOf{.kind = Kind::X_h, .human = h}));
            verifySum();
        }
        m_bench->click("u_rValueCard");
        QCOMPARE(m_bench->why().terms.size(), static_cast<std::size_t>(humans));
        verifySum();
        keep("inspector-humans");
    }

    /// Making them takes longer than all else that opening a world does.
    void partsOfHumansAndAgentsAreMadeOnce() {
        const LoadedWorld loaded = loadWorld("builtin:two_in_niches");
        const auto solution = test::solved(loaded);
        makeBench(loaded, nullptr);
        const auto find = [this](const char* name) {
            return QPointer(m_bench->window.findChild<QWidget*>(QLatin1String(name)));
        };
        QVERIFY(!find("goalBars_0"));  // there are no numbers to show
        const QPointer<QWidget> action = find("action_2_0");
        QVERIFY(action);
        m_bench->open(loaded, solution);
        const QPointer<QWidget> bars = find("goalBars_1");
        QVERIFY(bars && action);
        m_bench->click("action_2_1");
        m_bench->open(loaded, solution);
        QVERIFY(bars && action);
        QVERIFY(find("goalBars_1") == bars && find("action_2_0") == action);
        QVERIFY(m_bench->child<QPushButton>("action_2_0")->isChecked());
        m_bench->open(m_bridge, m_bridgeSolution);
        QVERIFY(!bars && !action);
        QVERIFY(find("goalBars_0") && !find("goalBars_1") && !find("action_2_0"));
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

ORRERY_WINDOW_TEST(InspectorNumbersTest)
#include "inspector_numbers_test.moc"
