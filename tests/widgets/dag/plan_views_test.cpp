#include <QAbstractItemModelTester>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QSignalSpy>
#include <QSplitter>
#include <QTableView>
#include <QTest>
#include <QVBoxLayout>
#include <cmath>

#include "core/solve/solution.h"
#include "tests/support/test_program.h"
#include "tests/widgets/dag/plan_bench.h"
#include "tests/widgets/dag/solved.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/bridge/world_loader.h"
#include "widgets/common/icons.h"
#include "widgets/common/number_text.h"
#include "widgets/common/row_list.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/dag/card_pictures.h"
#include "widgets/dag/density_colors.h"
#include "widgets/dag/hit_list.h"
#include "widgets/dag/hit_model.h"
#include "widgets/dag/level_bands.h"
#include "widgets/dag/level_table.h"
#include "widgets/dag/path_chart.h"
#include "widgets/dag/path_list.h"
#include "widgets/dag/predicate_bar.h"
#include "widgets/dag/solve_panel.h"
#include "widgets/dag/state_view.h"

using namespace orrery;

namespace {

void keep(QWidget* window, const char* name) {
    const QString folder = qEnvironmentVariable("ORRERY_TEST_PICTURES");
    if (folder.isEmpty()) return;
    QDir().mkpath(folder);
    // What is painted first asks for the pictures on the cards.
    const auto pictures = window->findChildren<CardPictures*>();
    QVERIFY(becomesQuiet([&] { return std::ranges::none_of(pictures, &CardPictures::isWorking); }));
    window->grab().save(QDir(folder).filePath(QLatin1String(name) + QStringLiteral(".png")));
}

}  // namespace

/// Drives the views with mouse and keys on a solved example.
class PlanViewsTest : public QObject {
    Q_OBJECT

private:
    LoadedWorld m_loaded;
    std::shared_ptr<const Solution> m_solution;
    std::unique_ptr<Bench> m_bench;

    void makeBench(bool isSolved = true) {
        m_bench = std::make_unique<Bench>();
        m_bench->open(m_loaded, isSolved ? m_solution : nullptr);
        m_bench->show(QSize(1280, 860));
        m_bench->settle();
    }
    const StateGraph& graph() const { return m_solution->graph(); }
    /// A state in the middle with several neighbours.
    State middle() const {
        const int step = graph().numLevels() / 2;
        return {step, graph().levelMember(step, graph().levelSize(step) / 2)};
    }
    void select(State state) {
        const auto words = graph().configuration(state.config);
        m_bench->selection.setCurrent(
            {StateItem{
                 state.step, {words.begin(), words.end()}, static_cast<std::int64_t>(state.config)},
             StepItem{state.step}, LevelItem{state.step}});
        m_bench->settle();
    }
    State now() const { return *m_bench->session.graphState(); }
    void type(const char* text) {
        QLineEdit* edit = m_bench->bar->edit();
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, QLatin1String(text));
        QTest::keyClick(edit, Qt::Key_Return);
        m_bench->settle();
    }
    static void clickAt(QWidget* widget, const QPointF& at) {
        QTest::mouseMove(widget, at.toPoint());
        QTest::mouseClick(widget, Qt::LeftButton, {}, at.toPoint());
    }

private Q_SLOTS:
    void initTestCase() {
        loadIcons();
        applyTheme(*qApp, ThemeChoice::Dark);
        m_loaded = loadWorld("builtin:slippery_bridge");
        m_solution = test::solved(m_loaded);
    }
    void cleanup() { m_bench.reset(); }

    void withoutASolutionEachViewSaysWhatToDo() {
        makeBench(false);
        keep(&m_bench->window, "plan-empty");
        QCOMPARE(m_bench->levels->model()->rowCount(), 0);
        QVERIFY(!m_bench->bands->canvas()->density());
        QVERIFY(m_bench->states->canvas()->graph().nodes().empty());
        type("step < 3");
        QVERIFY(m_bench->bar->problemText().contains(QStringLiteral("Solve the world")));
        // A graph without values still shows its levels.
        m_bench->bands->showGraph(m_solution->graphPointer());
        m_bench->settle();
        QCOMPARE(m_bench->bands->canvas()->density()->total(), graph().counts().states);
        keep(&m_bench->window, "plan-histogram");
    }

    void aCellOfTheBandsHasTheColourOfItsCount() {
        makeBench();
        BandsCanvas* canvas = m_bench->bands->canvas();
        select({0, 0});
        const QImage image = canvas->grab().toImage();
        const double ratio = image.devicePixelRatio();
        int numChecked = 0;
        for (int step = 3; step < graph().numLevels(); ++step) {
            const QRectF column = canvas->columnRect(step);
            for (double y = column.top() + 3; y < column.bottom(); y += 5) {
                const QPoint at = (QPointF(column.center().x(), y) * ratio).toPoint();
                const QColor drawn = image.pixelColor(at);
                const double part = (column.bottom() - y) / column.height();
                const auto& density = *canvas->density();
                const double value = density.low + part * (density.high - density.low);
                // A point on the edge of two cells may show either.
                const double off = 1.2 / column.height() * (density.high - density.low);
                if (canvas->colorAt(step, value + off) != canvas->colorAt(step, value - off))
                    continue;
                QCOMPARE(drawn, canvas->colorAt(step, value));
                numChecked += drawn != currentTokens().canvas;
            }
        }
        QVERIFY(numChecked > 20);
    }

    void aPressInACellPicksAStateOfThatValue() {
        makeBench();
        BandsCanvas* canvas = m_bench->bands->canvas();
        const State wanted = middle();
        const double value = m_solution->v_r(wanted);
        clickAt(canvas, QPointF(canvas->columnRect(wanted.step).center().x(), canvas->yOf(value)));
        m_bench->settle();
        QCOMPARE(now().step, wanted.step);
        const auto& density = *canvas->density();
        const double cell = (density.high - density.low) / canvas->plotRect().height() * 6;
        QVERIFY2(std::abs(m_solution->v_r(now()) - value) < cell,
                 qPrintable(QString::number(m_solution->v_r(now()) - value)));
        QCOMPARE(m_bench->selection.current<LevelItem>()->step, wanted.step);
        // Under the columns a press picks the level.
        clickAt(canvas,
                QPointF(canvas->columnRect(2).center().x(), canvas->plotRect().bottom() + 12));
        QCOMPARE(now(), (State{2, graph().levelMember(2, 0)}));
        QTest::mouseMove(canvas, canvas->columnRect(4).center().toPoint());
        QTRY_VERIFY_WITH_TIMEOUT(canvas->readout().contains(QStringLiteral("level 4")), kPatience);
        QCOMPARE(std::get<LevelItem>(*m_bench->selection.hover()).step, 4);
    }

    void keysWalkThroughLevelsAndValues() {
        makeBench();
        select(middle());
        BandsCanvas* canvas = m_bench->bands->canvas();
        canvas->setFocus();
        const State start = now();
        QTest::keyClick(canvas, Qt::Key_Up);
        QVERIFY(m_solution->v_r(now()) >= m_solution->v_r(start));
        QVERIFY(now() != start);
        QTest::keyClick(canvas, Qt::Key_Down);
        QCOMPARE(now(), start);
        QTest::keyClick(canvas, Qt::Key_Right);
        QCOMPARE(now().step, start.step + 1);
        double least = 1e9;
        for (std::int64_t k = 0; k < graph().levelSize(now().step); ++k)
            least = std::min(
                least, std::abs(m_solution->v_r({now().step, graph().levelMember(now().step, k)}) -
                                m_solution->v_r(start)));
        QVERIFY(std::abs(std::abs(m_solution->v_r(now()) - m_solution->v_r(start)) - least) < 1e-6);
        QTest::keyClick(canvas, Qt::Key_Home);
        QCOMPARE(now().step, 0);
        const double pitch = canvas->columnRect(0).width();
        QTest::keyClick(canvas, Qt::Key_Plus);
        QVERIFY(canvas->columnRect(0).width() > 1.4 * pitch);
        QTest::keyClick(canvas, Qt::Key_0);
        QCOMPARE(canvas->columnRect(0).width(), pitch);
    }

    void theGraphShowsTheNeighboursUnderThePolicies() {
        makeBench();
        select(middle());
        StateCanvas* canvas = m_bench->states->canvas();
        canvas->setFocus();
        keep(&m_bench->window, "plan-dark");
        const auto chain = m_solution->inducedChain(now());
        std::size_t numForward = 0;
        for (const CanvasEdge& edge : canvas->graph().edges()) {
            const auto& nodes = canvas->graph().nodes();
            const State from = nodes[static_cast<std::size_t>(edge.from)].state;
            const State to = nodes[static_cast<std::size_t>(edge.to)].state;
            double expected = 0;
            for (const Successor& next : m_solution->inducedChain(from))
                if (next.state == to) expected = next.probability;
            QVERIFY(std::abs(edge.probability - expected) < 1e-12);
            numForward += from == now();
        }
        QCOMPARE(numForward, std::min<std::size_t>(chain.size(), 6));
        const auto* chip = m_bench->states->findChild<QLabel*>(QStringLiteral("showingChip"));
        QVERIFY(chip->text().contains(QString::number(canvas->graph().nodes().size())));
        const QAbstractItemModelTester tester(
            m_bench->states->tableModel(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(m_bench->states->tableModel()->rowCount(),
                 static_cast<int>(canvas->graph().edges().size()));
    }

    void enterFollowsTheLikeliestSuccessorAndAltLeftWouldGoBack() {
        makeBench();
        select({0, 0});
        StateCanvas* canvas = m_bench->states->canvas();
        canvas->setFocus();
        const State start = now();
        const auto chain = m_solution->inducedChain(start);
        double most = 0;
        for (const Successor& next : chain) most = std::max(most, next.probability);
        QTest::keyClick(canvas, Qt::Key_Return);
        m_bench->settle();
        QCOMPARE(now().step, start.step + 1);
        double followed = 0;
        for (const Successor& next : chain)
            if (next.state == now()) followed = next.probability;
        QCOMPARE(followed, most);
        QVERIFY(canvas->graph().isOpen(now(), true));
        QVERIFY(canvas->graph().find(start).has_value());
        m_bench->selection.goBack();
        m_bench->settle();
        QCOMPARE(now(), start);
    }

    void enterOnAnEdgeOfAnotherActionGoesOnWithTheWalk() {
        makeBench();
        select({0, 0});
        StateCanvas* canvas = m_bench->states->canvas();
        canvas->setFocus();
        m_bench->session.step();
        m_bench->settle();
        const State second = now();
        const std::uint32_t chosen = m_bench->session.profile();
        // A successor under the policies that the chosen joint action never leads to.
        const auto follows = [&](State state) {
            return std::ranges::any_of(m_bench->session.successors(), [&](const SuccessorRow& row) {
                return row.state.index == static_cast<std::int64_t>(state.config);
            });
        };
        const auto& nodes = canvas->graph().nodes();
        const auto isOther = [&](const State& state) {
            return state.step == second.step + 1 && !follows(state);
        };
        QVERIFY(std::ranges::any_of(nodes, isOther, &CanvasNode::state));
        for (int i = 0; i < 20 && !isOther(*canvas->highlighted()); ++i)
            QTest::keyClick(canvas, i < 10 ? Qt::Key_Down : Qt::Key_Up);
        const State wanted = *canvas->highlighted();
        QVERIFY(isOther(wanted));
        QTest::keyClick(canvas, Qt::Key_Return);
        m_bench->settle();
        QCOMPARE(now(), wanted);
        QCOMPARE(m_bench->session.walk().size(), std::size_t{3});
        QVERIFY(m_bench->session.walk().back().profile != chosen);
        m_bench->selection.goBack();
        m_bench->settle();
        QCOMPARE(now(), second);
        QCOMPARE(m_bench->session.walk().size(), std::size_t{3});
    }

    void theGraphIsWholeAtEverySize() {
        makeBench();
        select(middle());
        StateCanvas* canvas = m_bench->states->canvas();
        m_bench->paths->hide();
        double zoom = 0;
        for (const QSize& size : {QSize(1000, 520), QSize(1100, 700), QSize(1500, 950),
                                  QSize(1900, 1060), QSize(3800, 2100), QSize(1000, 520)}) {
            m_bench->window.resize(size);
            finishEvents();
            m_bench->settle();
            const QRectF all = QRectF(canvas->rect()).adjusted(-1, -1, 1, 1);
            for (int node = 0; node < std::ssize(canvas->graph().nodes()); ++node)
                QVERIFY2(all.contains(canvas->cardRect(node)),
                         qPrintable(QStringLiteral("%1x%2: node %3 is cut")
                                        .arg(size.width())
                                        .arg(size.height())
                                        .arg(node)));
            zoom = std::max(zoom, canvas->zoom());
        }
        QVERIFY2(zoom > 1.2, qPrintable(QString::number(zoom)));
        // One step on everything is still there to see.
        QTest::keyClick(canvas, Qt::Key_Return);
        m_bench->settle();
        for (const CanvasEdge& edge : canvas->graph().edges()) {
            if (canvas->graph().nodes()[static_cast<std::size_t>(edge.from)].state != now())
                continue;
            QVERIFY(
                QRectF(canvas->rect()).adjusted(-1, -1, 1, 1).contains(canvas->cardRect(edge.to)));
        }
    }

    void fieldsEndWhereTheSolveButtonEnds() {
        SolvePanel panel;
        auto* field = panel.findChild<QWidget*>(QStringLiteral("field_beta_r"));
        auto* solve = panel.findChild<QWidget*>(QStringLiteral("solveButton"));
        panel.resize(240, 300);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel, kPatience));
        const auto right = [&](const QWidget* widget) {
            return widget->mapTo(&panel, QPoint(widget->width(), 0)).x();
        };
        for (const int height : {300, 1600}) {  // with the scroll bar, and without
            panel.resize(240, height);
            QTRY_COMPARE_WITH_TIMEOUT(right(field), right(solve), kPatience);
        }
        // It is never so narrow that its numbers are cut.
        const QWidget* area = panel.findChild<QScrollArea*>()->viewport();
        for (const int height : {300, 1600}) {
            panel.resize(60, height);
            QTRY_VERIFY_WITH_TIMEOUT(
                field->mapTo(area, QPoint(field->width(), 0)).x() <= area->width(), kPatience);
        }
    }

    void aPresetOfTheSolveFillsItsFields() {
        SolvePanel panel;
        auto* preset = panel.findChild<QComboBox*>(QStringLiteral("solvePreset"));
        auto* power = panel.findChild<QLineEdit*>(QStringLiteral("field_beta_r"));
        QCOMPARE(preset->currentText(), QStringLiteral("original"));
        QSignalSpy changed(&panel, &SolvePanel::specChanged);
        QTest::keyClick(preset, Qt::Key_Down);
        QCOMPARE(preset->currentText(), QStringLiteral("sharp"));
        QCOMPARE(power->text(), QStringLiteral("inf"));
        QVERIFY(!changed.isEmpty());
        power->selectAll();
        QTest::keyClicks(power, QStringLiteral("3"));
        QCOMPARE(preset->currentIndex(), -1);
    }

    void fieldsOfPhase2AreGreyWherePhase1IsSolvedAlone() {
        SolvePanel panel;
        auto* power = panel.findChild<QWidget*>(QStringLiteral("field_beta_r"));
        auto* human = panel.findChild<QWidget*>(QStringLiteral("field_beta_h"));
        QVERIFY(power->isEnabled() && human->isEnabled());
        panel.findChild<QCheckBox*>(QStringLiteral("field_phase1_only"))->click();
        QVERIFY(!power->isEnabled() && human->isEnabled());
        QVERIFY2(power->toolTip().startsWith("No effect: phase1_only is on.\n"),
                 qPrintable(power->toolTip()));
    }

    void aStatesNameCarriesItsStep() {
        makeBench();
        select({6, graph().levelMember(6, 0)});
        const QString name = stateText(6, now().config);
        QVERIFY(name.startsWith(QStringLiteral("t 6, s ")));
        QCOMPARE(m_bench->states->findChild<QLabel*>(QStringLiteral("stateViewTitle"))->text(),
                 QStringLiteral("Around ") + name);
        QAbstractItemModel* table = m_bench->states->tableModel();
        bool isNamed = false;
        for (int row = 0; row < table->rowCount(); ++row)
            isNamed = isNamed || table->index(row, NeighbourModel::From).data().toString() == name;
        QVERIFY(isNamed);
    }

    void aThumbnailLeavesTheWallAllRoundOut() {
        CardPictures pictures(QSize(120, 80));
        pictures.restart(m_solution->graphPointer(), 1);
        QVERIFY(pictures.cellRect(QPoint(0, 0)).isEmpty());
        const QRectF first = pictures.cellRect(QPoint(1, 1));
        const int inner = std::max(m_loaded.world->width() - 2, 1);
        QVERIFY(QRectF(0, 0, 120, 80).contains(first));
        const double fits = std::min(120.0 / inner, 80.0 / (m_loaded.world->height() - 2));
        QVERIFY(first.width() >= std::floor(fits));
    }

    void eOpensAndClosesAndKeepsTheOrder() {
        makeBench();
        select(middle());
        StateCanvas* canvas = m_bench->states->canvas();
        canvas->setFocus();
        const State root = now();
        const auto before = canvas->graph().nodes();
        const State lit = *canvas->highlighted();
        QCOMPARE(lit.step, root.step + 1);
        QTest::keyClick(canvas, Qt::Key_E);
        m_bench->settle();
        QVERIFY(canvas->graph().isOpen(lit, true));
        QVERIFY(canvas->graph().nodes().size() > before.size());
        for (const CanvasNode& a : before)
            for (const CanvasNode& b : before) {
                if (a.state.step != b.state.step) continue;
                const auto& nodes = canvas->graph().nodes();
                const double newA =
                    nodes[static_cast<std::size_t>(*canvas->graph().find(a.state))].y;
                const double newB =
                    nodes[static_cast<std::size_t>(*canvas->graph().find(b.state))].y;
                QCOMPARE(newA < newB, a.y < b.y);
            }
        keep(&m_bench->window, "plan-expanded");
        // The other way of asking: a double click on its card closes it again.
        const QPointF at = canvas->cardRect(*canvas->graph().find(lit)).center();
        QTest::mouseDClick(canvas, Qt::LeftButton, {}, at.toPoint());
        m_bench->settle();
        QVERIFY(!canvas->graph().isOpen(lit, true));
        QCOMPARE(canvas->graph().nodes().size(), before.size());
        // A press makes the state current.
        clickAt(canvas, canvas->cardRect(*canvas->graph().find(lit)).center());
        m_bench->settle();
        QCOMPARE(now(), lit);
        QCOMPARE(canvas->graph().nodes().size(), before.size());
    }

    void hopsOpenEverythingWithinReachUpToTheLimit() {
        makeBench();
        select(middle());
        auto* hops = m_bench->states->findChild<QComboBox*>(QStringLiteral("hops"));
        hops->setFocus();
        QTest::keyClick(hops, Qt::Key_Down);  // two hops
        m_bench->settle();
        StateCanvas* canvas = m_bench->states->canvas();
        NeighbourhoodSpec spec;
        spec.forward = spec.backward = 2;
        const auto expected =
            neighbourhood(graph(), now(), spec, edgesOf(m_solution, EdgeRule::Policies, 0));
        QCOMPARE(std::ssize(canvas->graph().nodes()), expected->numStates);
        keep(&m_bench->window, "plan-hops");
        auto* rule = m_bench->states->findChild<QComboBox*>(QStringLiteral("edgeRule"));
        rule->setFocus();
        QTest::keyClick(rule, Qt::Key_Up);  // the chosen joint action
        m_bench->settle();
        QCOMPARE(canvas->rule(), EdgeRule::JointAction);
        double sum = 0;
        for (const CanvasEdge& edge : canvas->graph().edges())
            if (canvas->graph().nodes()[static_cast<std::size_t>(edge.from)].state == now())
                sum += edge.probability;
        QVERIFY(std::abs(sum - 1) < 1e-9);
    }

    void aQuestionIsAnsweredAndItsMistakesAreShownAtTheCaret() {
        makeBench();
        select(middle());
        type("step >= 3 and V_r < -2");
        const auto marks = m_bench->selection.stateMarks();
        QVERIFY(marks && marks->total() > 0);
        std::int64_t expected = 0;
        for (int step = 3; step < graph().numLevels(); ++step)
            for (std::int64_t k = 0; k < graph().levelSize(step); ++k)
                expected += m_solution->v_r({step, graph().levelMember(step, k)}) < -2;
        QCOMPARE(marks->total(), expected);
        QVERIFY(m_bench->bar->resultText().contains(QStringLiteral("states · ")));
        QCOMPARE(std::ssize(m_bench->selection.set(SelectionKind::State)),
                 std::min<std::int64_t>(expected, PredicateBar::kListed));
        QCOMPARE(m_bench->bands->tableModel()
                     ->index(m_bench->bands->tableModel()->rowOf(0), LevelModel::InSet)
                     .data()
                     .toString(),
                 QStringLiteral("0"));
        keep(&m_bench->window, "plan-search");
        type("step >= 3 and V_r < ");
        QVERIFY(!m_bench->bar->problemText().isEmpty());
        QCOMPARE(m_bench->bar->edit()->cursorPosition(), 20);
        QVERIFY(!m_bench->selection.stateMarks());  // what is tinted answers no other question
        keep(&m_bench->window, "plan-problem");
        QTest::keyClick(m_bench->bar->edit(), Qt::Key_Up);  // the mistake itself
        QTest::keyClick(m_bench->bar->edit(), Qt::Key_Up);
        QCOMPARE(m_bench->bar->edit()->text(), QStringLiteral("step >= 3 and V_r < -2"));
        QTest::keyClick(m_bench->bar->edit(), Qt::Key_Escape);
        QVERIFY(!m_bench->selection.stateMarks());
        QVERIFY(m_bench->selection.set(SelectionKind::State).empty());
    }

    void theFoundStatesAreListedSortedAndWalked() {
        makeBench();
        HitModel model(&m_bench->session);
        HitList list(&model, &m_bench->window);
        list.setGeometry(m_bench->window.width() - 340, 60, 330, 500);
        list.show();
        select(middle());
        type("step >= 3 and V_r < -2");
        QTRY_VERIFY_WITH_TIMEOUT(!model.isWorking(), kPatience);
        const auto marks = m_bench->selection.stateMarks();
        QCOMPARE(std::int64_t{model.rowCount()}, marks->total());
        QCOMPARE(model.stateAt(0).step, 3);
        keep(&m_bench->window, "plan-hits");
        // A press on the heading of the values: the worst first, then the best.
        QHeaderView* heads = list.table()->horizontalHeader();
        const QPoint value(heads->sectionViewportPosition(HitModel::Value) + 20, 10);
        for (const bool isUpward : {true, false}) {
            QTest::mouseClick(heads->viewport(), Qt::LeftButton, {}, value);
            QTRY_VERIFY_WITH_TIMEOUT(!model.isWorking(), kPatience);
            for (int row = 1; row < model.rowCount(); ++row) {
                const double before = m_solution->v_r(model.stateAt(row - 1));
                const double here = m_solution->v_r(model.stateAt(row));
                QVERIFY(isUpward ? before <= here : before >= here);
            }
        }
        model.walk(true);
        const int first = model.rowOf(now());
        QVERIFY(first >= 0);
        model.walk(true);
        QCOMPARE(now(), model.stateAt((first + 1) % model.rowCount()));
        QCOMPARE(list.table()->currentIndex().row(), (first + 1) % model.rowCount());
        model.walk(false);
        QCOMPARE(now(), model.stateAt(first));
        // A row goes to its state; so do the arrow keys.
        list.table()->scrollToTop();
        QTest::mouseClick(list.table()->viewport(), Qt::LeftButton, {},
                          list.table()->visualRect(model.index(1, 1)).center());
        QCOMPARE(now(), model.stateAt(1));
        QTest::keyClick(list.table(), Qt::Key_Up);
        QCOMPARE(now(), model.stateAt(0));
        model.walk(false);  // from the first to the last
        QCOMPARE(now(), model.stateAt(model.rowCount() - 1));
        type("step < 0");
        QTRY_COMPARE_WITH_TIMEOUT(model.rowCount(), 0, kPatience);
    }

    void aCellIsTintedByTheShareOfItsStates() {
        makeBench();
        select({0, 0});
        BandsCanvas* canvas = m_bench->bands->canvas();
        // The fullest cell of a level in the middle.
        const auto step = static_cast<std::size_t>(graph().numLevels() / 2);
        const LevelDensity& density = *canvas->density();
        const auto& counts = density.levels[step].count;
        const auto bin = std::ranges::max_element(counts) - counts.begin();
        QVERIFY(counts[static_cast<std::size_t>(bin)] > 1);
        const double value = density.low + (density.high - density.low) *
                                               (static_cast<double>(bin) + 0.5) /
                                               LevelDensity::kBins;
        const QPointF at(canvas->columnRect(static_cast<int>(step)).center().x() + 8,
                         canvas->yOf(value));
        const auto colour = [&] {
            const QImage image = canvas->grab().toImage();
            return image.pixelColor((at * image.devicePixelRatio()).toPoint());
        };
        const QColor plain = colour();
        const auto distance = [&plain](const QColor& tinted) {
            return std::abs(tinted.red() - plain.red()) + std::abs(tinted.green() - plain.green()) +
                   std::abs(tinted.blue() - plain.blue());
        };
        std::vector<std::vector<std::uint32_t>> tint;
        for (const auto& level : density.levels) tint.push_back(level.count);
        canvas->setTint(tint);
        const int ofAll = distance(colour());
        for (auto& level : tint) std::ranges::fill(level, 0U);
        tint[step][static_cast<std::size_t>(bin)] = 1;
        canvas->setTint(tint);
        const int ofOne = distance(colour());
        QVERIFY(ofOne > 0);
        QVERIFY2(ofOne * 2 < ofAll, qPrintable(QStringLiteral("%1, %2").arg(ofOne).arg(ofAll)));
    }

    void namesAreCompleted() {
        makeBench();
        QLineEdit* edit = m_bench->bar->edit();
        edit->setFocus();
        edit->clear();
        QTest::keyClicks(edit, QStringLiteral("step < 3 and human0.a"));
        auto* words = QApplication::activePopupWidget();
        QVERIFY(words);
        // Readable in either theme: the text stands out from what is behind it.
        for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
            applyTheme(*qApp, theme);
            finishEvents();
            const QImage image = words->grab().toImage();
            const int corner = image.pixelColor(image.width() / 2, image.height() - 4).lightness();
            QVERIFY(theme == ThemeChoice::Light ? corner > 200 : corner < 80);
        }
        QTest::keyClick(words, Qt::Key_Down);
        QTest::keyClick(words, Qt::Key_Return);
        QCOMPARE(edit->text(), QStringLiteral("step < 3 and human0.at("));
    }

    void kinOfTheStateIsTinted() {
        makeBench();
        select(middle());
        BandsCanvas* canvas = m_bench->bands->canvas();
        const QImage before = canvas->grab().toImage();
        auto* button = m_bench->bar->findChild<QPushButton*>(QStringLiteral("descendantsButton"));
        QTest::mouseClick(button, Qt::LeftButton);
        m_bench->settle();
        keep(&m_bench->window, "plan-descendants");
        const QImage after = canvas->grab().toImage();
        // The cell of the likeliest successor is tinted now, that of a state before is not.
        const double ratio = after.devicePixelRatio();
        const auto pixel = [&](const QImage& image, State state) {
            const QPointF at(canvas->columnRect(state.step).center().x(),
                             canvas->yOf(m_solution->v_r(state)));
            return image.pixelColor((at * ratio).toPoint());
        };
        const State successor = m_solution->inducedChain(now()).front().state;
        QVERIFY(pixel(after, successor) != pixel(before, successor));
        const State earlier{1, graph().levelMember(1, 0)};
        QCOMPARE(pixel(after, earlier), pixel(before, earlier));
        QTest::mouseClick(button, Qt::LeftButton);
        m_bench->settle();
        QCOMPARE(canvas->grab().toImage(), before);
    }

    void thePathIsTheMostProbableOneAndItsRowsLead() {
        makeBench();
        select({0, 0});
        const StatePath path = m_bench->paths->path();
        QCOMPARE(std::ssize(path.states), std::ptrdiff_t{graph().numLevels()});
        double product = 1;
        for (std::size_t i = 1; i < path.states.size(); ++i)
            for (const Successor& next : m_solution->inducedChain(path.states[i - 1].state))
                if (next.state == path.states[i].state) product *= next.probability;
        QVERIFY(std::abs(product - path.probability) < 1e-12);
        auto* chart = m_bench->paths->findChild<PathChart*>(QStringLiteral("pathChart"));
        QCOMPARE(chart->points().size(), path.states.size());
        QTest::mouseClick(chart, Qt::LeftButton, {}, chart->placeOf(3).toPoint());
        m_bench->settle();
        QCOMPARE(now(), path.states[3].state);
        QCOMPARE(m_bench->paths->path().states.size(), path.states.size());
        type("step = 4 and V_r > -1000");
        auto* kind = m_bench->paths->findChild<QComboBox*>(QStringLiteral("pathKind"));
        kind->setFocus();
        QTest::keyClick(kind, Qt::Key_Down);
        m_bench->settle();
        QCOMPARE(m_bench->paths->path().states.size(), std::size_t{2});
        auto* inGraph = m_bench->paths->findChild<QPushButton*>(QStringLiteral("pathInGraph"));
        QTest::mouseClick(inGraph, Qt::LeftButton);
        m_bench->settle();
        QVERIFY(m_bench->states->canvas()
                    ->graph()
                    .find(m_bench->paths->path().states.back().state)
                    .has_value());
    }

    void theLevelTableFollowsAndLeads() {
        makeBench();
        QTableView* table = m_bench->levels->table();
        LevelModel* model = m_bench->levels->model();
        QCOMPARE(model->rowCount(), graph().numLevels());
        const QModelIndex row = model->index(model->rowOf(5), 0);
        table->scrollTo(row);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(row).center());
        QCOMPARE(now().step, 5);
        QTest::keyClick(table, Qt::Key_Down);
        QCOMPARE(now().step, 6);
        select({7, graph().levelMember(7, 0)});
        QCOMPARE(model->stepOf(table->currentIndex().row()), 7);
    }

    void anotherWorldIsShownWhole() {
        const LoadedWorld pantry = loadWorld("builtin:locked_pantry");
        m_bench = std::make_unique<Bench>();
        const auto solution = test::solved(pantry);
        m_bench->open(pantry, solution);
        m_bench->show(QSize(1280, 860));
        m_bench->settle();
        const StateGraph& states = solution->graph();
        QCOMPARE(m_bench->bands->canvas()->density()->total(), states.counts().states);
        for (int k = 0; k < 3; ++k) {
            m_bench->states->canvas()->setFocus();
            QTest::keyClick(m_bench->states->canvas(), Qt::Key_Down);
            QTest::keyClick(m_bench->states->canvas(), Qt::Key_Return);
            m_bench->settle();
        }
        QCOMPARE(m_bench->session.state().step, 3);
        keep(&m_bench->window, "plan-pantry-dark");
        applyTheme(*qApp, ThemeChoice::Light);
        m_bench->settle();
        keep(&m_bench->window, "plan-pantry-light");
        applyTheme(*qApp, ThemeChoice::Dark);
    }

    void theLightThemeIsTakenOverWhileTheViewsAreOpen() {
        makeBench();
        select(middle());
        applyTheme(*qApp, ThemeChoice::Light);
        m_bench->settle();
        keep(&m_bench->window, "plan-light");
        const QImage image = m_bench->bands->canvas()->grab().toImage();
        QCOMPARE(image.pixelColor(3, 3), lightTokens().canvas);
        bool hasDense = false;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                hasDense =
                    hasDense || image.pixelColor(x, y) == densityColor(lightTokens(), 1000, 1000);
        QVERIFY(hasDense);
        applyTheme(*qApp, ThemeChoice::Dark);
    }
};

ORRERY_WINDOW_TEST(PlanViewsTest)
#include "plan_views_test.moc"
