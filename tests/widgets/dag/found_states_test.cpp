#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <cmath>

#include "core/solve/solution.h"
#include "tests/support/test_program.h"
#include "tests/widgets/dag/plan_views_bench.h"
#include "widgets/common/style.h"
#include "widgets/dag/hit_list.h"
#include "widgets/dag/hit_model.h"
#include "widgets/dag/path_chart.h"
#include "widgets/dag/predicate_bar.h"

using namespace orrery;

/// States that a question or a path finds, listed, tinted and walked.
class FoundStatesTest : public QObject, private PlanViewsBench {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { solveExample(); }
    void cleanup() { m_bench.reset(); }

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
        // Nothing is found yet: the title keeps to the top.
        QVERIFY(list.findChild<QWidget*>(QStringLiteral("hitEmpty"))->isVisible());
        QVERIFY(list.findChild<QWidget*>(QStringLiteral("hitTitle"))->y() < 20);
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
        QTest::keyClick(chart, Qt::Key_Right);
        m_bench->settle();
        QCOMPARE(now(), path.states[4].state);
        const std::vector<NamedSpot> spots = chart->namedSpots();
        QCOMPARE(spots.size(), path.states.size());
        QCOMPARE(spots[4].name, QStringLiteral("level 4"));
        QVERIFY(spots[4].rect.contains(chart->placeOf(4).toPoint()));
        QCOMPARE(spots[4].facts.value(QStringLiteral("current")).toBool(), true);
        QCOMPARE(chart->tipAt(chart->placeOf(4).toPoint()), spots[4].tip);
        QTest::keyClick(chart, Qt::Key_Left);
        m_bench->settle();
        QCOMPARE(now(), path.states[3].state);
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
};

ORRERY_WINDOW_TEST(FoundStatesTest)
#include "found_states_test.moc"
