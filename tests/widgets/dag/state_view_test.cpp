#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QTest>
#include <cmath>

#include "core/solve/solution.h"
#include "tests/support/test_program.h"
#include "tests/widgets/dag/plan_views_bench.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/dag/card_pictures.h"

using namespace orrery;

/// The graph of states around the current one, driven with mouse and keys.
class StateViewTest : public QObject, private PlanViewsBench {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { solveExample(); }
    void cleanup() { m_bench.reset(); }

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
        pictures.restart(thumbnailsOf(m_solution->graphPointer()), 1);
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
};

ORRERY_WINDOW_TEST(StateViewTest)
#include "state_view_test.moc"
