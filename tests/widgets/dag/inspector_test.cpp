#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "core/base/cpu.h"
#include "tests/support/test_program.h"
#include "tests/widgets/dag/solved_inspector.h"
#include "widgets/common/number_text.h"

using namespace orrery;

/// The sum behind each number of an inspector, with mouse and keys on solved worlds.
class InspectorTest : public QObject, private SolvedInspector {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { solveWorlds(); }
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

    void aWorldThatIsBeingSolvedOffersNoSolve() {
        makeBench(m_bridge, nullptr);
        auto* why = m_bench->child<QLabel>("whyNoValues");
        auto* solve = m_bench->child<QPushButton>("emptySolveButton");
        m_bench->panel->setSolvedNow(
            QString::fromStdString(m_bench->session.world().contentHash()));
        QVERIFY2(why->text().contains(QStringLiteral("is being solved")), qPrintable(why->text()));
        QVERIFY(!solve->isVisible());
        keep("inspector-solving");
        for (const char* hash : {"of another world", ""}) {
            m_bench->panel->setSolvedNow(QLatin1String(hash));
            QVERIFY(why->text().contains(QStringLiteral("is not solved")) && solve->isVisible());
        }
    }

    void aClickOnAnyNumberShowsItsSum() {
        // The most probable action's Q_r stands there unasked.
        QCOMPARE(m_bench->why().quantity.kind, Kind::Q_r);
        verifySum();
        m_bench->click("v_rValueCard");
        QCOMPARE(m_bench->why().quantity, (ValueOf{.kind = Kind::V_r}));
        verifySum();
        m_bench->click("u_rValueCard");
        QCOMPARE(m_bench->why().quantity, (ValueOf{.kind = Kind::U_r}));
        verifySum();
        m_bench->clickNumber("robotPolicyBars", 1, 0);
        QCOMPARE(m_bench->why().quantity.kind, Kind::Pi_r);
        verifySum();
        m_bench->clickNumber("robotPolicyBars", 1, 1);
        QCOMPARE(m_bench->why().quantity.kind, Kind::Q_r);
        verifySum();
        m_bench->clickNumber("goalBars_0", 1, 0);
        QCOMPARE(m_bench->why().quantity, (ValueOf{.kind = Kind::V_h_e, .human = 0, .goal = 1}));
        verifySum();
        m_bench->clickNumber("goalBars_0", 1, 1);
        QCOMPARE(m_bench->why().quantity, (ValueOf{.kind = Kind::V_h, .human = 0, .goal = 1}));
        verifySum();
        m_bench->clickNumber("x_hValue_0", 0, 0);
        QCOMPARE(m_bench->why().quantity, (ValueOf{.kind = Kind::X_h, .human = 0}));
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
        QCOMPARE(m_bench->why().quantity, (ValueOf{.kind = Kind::V_h_e, .human = 0, .goal = 1}));
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
        QCOMPARE(sumFloat()->sum().explanation()->quantity, (ValueOf{.kind = Kind::V_r}));
        QCOMPARE(m_bench->why().quantity, (ValueOf{.kind = Kind::V_r}));
        QVERIFY(m_bench->window.rect().contains(sumFloat()->geometry()));
        auto* card = m_bench->child<QWidget>("v_rValueCard");
        const QRect number(card->mapTo(&m_bench->window, QPoint()), card->size());
        QVERIFY(!sumFloat()->geometry().intersects(number));
        // The same number again, and another one: one float at a time.
        m_bench->clickNumber("goalBars_0", 1, 0);
        QCOMPARE(sumFloat()->sum().explanation()->quantity,
                 (ValueOf{.kind = Kind::V_h_e, .human = 0, .goal = 1}));
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
        QVERIFY(sumFloat()->sum().explanation()->quantity != (ValueOf{.kind = Kind::V_r}));
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
        QCOMPARE(m_bench->why().quantity, (ValueOf{.kind = Kind::V_h, .human = 0, .goal = 1}));
        QCOMPARE(m_bench->panel->saveState(), kept);
    }
};

ORRERY_WINDOW_TEST(InspectorTest)
#include "inspector_test.moc"
