#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <algorithm>

#include "core/empo/snapshot.h"
#include "core/run/jobs/train_job.h"
#include "tests/support/small_room.h"
#include "tests/support/test_program.h"
#include "tests/widgets/learned/learned_bench.h"
#include "widgets/frame/table_twin.h"
#include "widgets/history/runs_panel.h"
#include "widgets/learned/error_bars.h"
#include "widgets/learned/learned_desk.h"
#include "widgets/learned/profile_view.h"
#include "widgets/learned/span_panel.h"
#include "widgets/learned/stage_times.h"
#include "widgets/plots/cell_table.h"
#include "widgets/train/train_form.h"
#include "widgets/train/train_session.h"

using namespace orrery;

/// The profile of trainings and the training at work, in the whole window.
class ProfileWindowTest : public QObject, private LearnedBench {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { makeRuns(); }
    void init() { open(); }
    void cleanup() { m_window.reset(); }

    void theProfilesNumbersAreTabsWhereTheyHaveNoRoom() {
        m_window->showView(QStringLiteral("profile"));
        const QSize before = m_window->size();
        auto* tabs = child<QTabBar>("profileTabs");
        auto* table = child<CellTable>("profileTable");
        auto* durations = child<ErrorBars>("profileDurations");
        m_window->resize(1280, 800);
        QTRY_VERIFY_WITH_TIMEOUT(tabs->isVisible(), kPatience);
        QVERIFY(table->isVisible() && !durations->isVisible());
        QCOMPARE(table->horizontalScrollBar()->maximum(), 0);
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
        QVERIFY(!table->isVisible() && durations->isVisible());
        m_window->resize(1800, 1000);
        QTRY_VERIFY_WITH_TIMEOUT(!tabs->isVisible(), kPatience);
        QVERIFY(table->isVisible() && durations->isVisible());
        tabs->setCurrentIndex(0);
        m_window->resize(before);
    }

    void twoProfilesAreCompared() {
        m_window->showView(QStringLiteral("profile"));
        auto* second = child<QComboBox>("profileSecond");
        second->setFocus();
        QTest::keyClick(second, Qt::Key_Down);
        auto* table = child<CellTable>("profileTable");
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->columnCount(), 7, kPatience);
        // The stages, what was done between steps, and the sum.
        QVERIFY(table->model()->rowCount() > static_cast<int>(kProfileStages.size()) + 1);
        const double all = table->cellModel()->rows().back().cells[1].number;
        QVERIFY2(all > 0 && all < 100, qPrintable(QString::number(all)));
        QVERIFY(child<StageTimes>("profileBars")->namedSpots().size() > 4);
        qInfo("a training step takes %.3f ms", all);
    }

    void profilesAreLimitedToARangeEach() {
        m_window->showView(QStringLiteral("profile"));
        auto* view = m_window->view<ProfileView>(QStringLiteral("profile"));
        QTRY_VERIFY_WITH_TIMEOUT(view->firstPanel()->timeline() != nullptr, kPatience);
        QVERIFY(!view->secondPanel()->isVisible());
        auto* table = child<CellTable>("profileTable");
        // One run: the spread of the recorded steps stands beside the means of all.
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->columnCount(), 6, kPatience);
        const auto all = [&](int column) {
            return table->cellModel()->rows().back().cells[static_cast<std::size_t>(column)].number;
        };
        const double mean = all(1);
        QVERIFY(mean > 0 && all(3) > 0 && all(5) >= all(4) && all(4) >= all(3));
        auto* memory = child<CellTable>("profileMemory");
        QCOMPARE(memory->model()->rowCount(), 6);
        QVERIFY(memory->cellModel()->rows()[0].cells[1].number > 1000);  // the buffer
        QVERIFY(memory->cellModel()->rows()[1].cells[1].number > 1000);  // tables
        QCOMPARE(memory->cellModel()->rows()[2].cells[1].number, 0.0);   // no networks
        QVERIFY(memory->cellModel()->rows()[5].cells[1].number > 10'000'000);
        // A range of one recorded step has exactly its times.
        const auto timeline = view->firstPanel()->timeline();  // it is read anew later
        const SpanLane& lane = *timeline->lanes[0];
        const SpanBurst* burst = nullptr;
        for (const auto& each : lane.bursts)
            if (each->stepEnds.size() > 3) burst = each.get();
        QVERIFY(burst != nullptr);
        const StageSpan& begin = burst->spans[burst->stepEnds[0]];
        const StageSpan& end = burst->spans[burst->stepEnds[1] - 1];
        const auto rows = burst->stepEnds[1] - burst->stepEnds[0];
        view->firstPanel()->setRange(SpanRange{begin.beginNs(), end.endNs()});
        QVERIFY(qAbs(all(1) - static_cast<double>(end.endNs() - begin.beginNs()) * 1e-6) < 1e-6);
        // The other run with a range of its own, and the difference.
        auto* second = child<QComboBox>("profileSecond");
        second->setFocus();
        QTest::keyClick(second, Qt::Key_Down);
        QTest::keyClick(second, Qt::Key_Down);
        QTRY_VERIFY_WITH_TIMEOUT(view->secondPanel()->timeline() != nullptr, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->columnCount(), 7, kPatience);
        QVERIFY(view->secondPanel()->isVisible());
        const double other = all(3);
        const SpanLane& theirs = *view->secondPanel()->timeline()->lanes[0];
        const SpanRange whole = wholeOf(theirs);
        view->secondPanel()->setRange(
            SpanRange{whole.beginNs + whole.lengthNs() / 4, whole.endNs - whole.lengthNs() / 4});
        QVERIFY(all(3) > 0 && all(3) != other);
        QVERIFY(qAbs(all(5) - (all(3) - all(1))) < 1e-9);
        QVERIFY(qAbs(all(6) - 100 * (all(3) - all(1)) / all(1)) < 1e-6);
        // How the durations of a part spread: a bar is a number of steps.
        view->firstPanel()->setRange(std::nullopt);
        auto* durations = child<ErrorBars>("profileDurations");
        const auto counted = [&] {
            qint64 steps = 0;
            for (const NamedSpot& bar : durations->namedSpots())
                steps += bar.facts.value(u"visited").toInteger();
            return steps;
        };
        const qint64 recorded = counted();
        QVERIFY2(recorded > 5, qPrintable(QString::number(recorded)));
        auto* kind = child<QComboBox>("profileKind");
        const QString before = durations->accessibleDescription();
        kind->setFocus();
        QTest::keyClick(kind, Qt::Key_Down);
        QCOMPARE(counted(), recorded);
        QVERIFY(durations->accessibleDescription() != before);
        view->firstPanel()->setRange(SpanRange{begin.beginNs(), end.endNs()});
        QCOMPARE(counted(), 1);
        // F8: the spans of the range.
        QTest::keyClick(m_window.get(), Qt::Key_F8);
        TableTwin* twin = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((twin = m_window->findChild<TableTwin*>()) != nullptr, kPatience);
        QCOMPARE(twin->findChild<QTableView*>()->model()->rowCount(), static_cast<int>(rows));
        QVERIFY(twin->findChild<QTableView*>()->model() == view->firstPanel()->tableModel());
        delete twin;
        // In the other timeline: its spans.
        QWidget* inside = view->secondPanel()->findChild<QPushButton*>();
        inside->setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(inside->hasFocus(), kPatience);
        QTest::keyClick(m_window.get(), Qt::Key_F8);
        QTRY_VERIFY_WITH_TIMEOUT((twin = m_window->findChild<TableTwin*>()) != nullptr, kPatience);
        QVERIFY(twin->findChild<QTableView*>()->model() == view->secondPanel()->tableModel());
        twin->close();
    }

    void aStoredTrainingThatIsOpenedHasItsProfile() {
        m_window->showView(QStringLiteral("profile"));
        auto* view = m_window->view<ProfileView>(QStringLiteral("profile"));
        QTRY_VERIFY_WITH_TIMEOUT(view->firstPanel()->timeline() != nullptr, kPatience);
        auto* first = child<QComboBox>("profileFirst");
        const QString id = first->itemData(first->count() - 1).toString();
        QVERIFY(first->currentData().toString() != id);
        Q_EMIT m_window->findChild<RunsPanel*>()->reopenRequested(id);
        QTRY_COMPARE_WITH_TIMEOUT(first->currentData().toString(), id, kPatience);
        const auto hasSteps = [&] {
            const auto timeline = view->firstPanel()->timeline();
            return timeline != nullptr && !timeline->isEmpty();
        };
        QTRY_VERIFY_WITH_TIMEOUT(hasSteps(), kPatience);
    }

    void theTrainingAtWorkShowsItself() {
        QTest::keyClick(m_window.get(), Qt::Key_T, Qt::ControlModifier);
        auto* form = child<TrainForm>("trainForm");
        QTRY_VERIFY_WITH_TIMEOUT(form->isVisible(), kPatience);
        RunSpec spec = form->spec();
        EmpoSpec& empo = spec.job.as<TrainJob>().empo;
        tabular(empo, 3000);
        form->setSpec(spec);
        QTest::mouseClick(child<QPushButton>("trainStart"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(view()->runId(), QString("r00005"), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->training().record().isLive(), kPatience);
        m_window->showView(QStringLiteral("learned"));
        QTRY_VERIFY_WITH_TIMEOUT(view()->pairs() != nullptr, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(child<QLabel>("learnedStates")->text().contains("3\u202f000") ||
                                     child<QLabel>("learnedStates")->text().contains("3 000"),
                                 kPatience);
    }

    void aTrainingThatBeginsIsWhatTrainShows() {
        pickRun("learned small");
        QTRY_VERIFY_WITH_TIMEOUT(view()->pairs() != nullptr, kPatience);
        const QString former = view()->runId();
        QTest::keyClick(m_window.get(), Qt::Key_T, Qt::ControlModifier);
        auto* form = child<TrainForm>("trainForm");
        QTRY_VERIFY_WITH_TIMEOUT(form->isVisible(), kPatience);
        RunSpec spec = form->spec();
        spec.name = "Just begun";
        tabular(spec.job.as<TrainJob>().empo, 2'000'000);
        form->setSpec(spec);
        QTest::mouseClick(child<QPushButton>("trainStart"), Qt::LeftButton);
        TrainRecord& training = m_window->training().record();
        QTRY_VERIFY_WITH_TIMEOUT(training.isLive() && empoOf(training.numbers()) != nullptr,
                                 kPatience);
        training.pauseOrResume();
        QTRY_VERIFY_WITH_TIMEOUT(training.isPaused() && !training.runId().isEmpty(), kPatience);
        const QString id = training.runId();
        QVERIFY(id != former);
        QTRY_COMPARE_WITH_TIMEOUT(view()->runId(), id, kPatience);
        // Nothing of the other training stays on show.
        auto* mean = child<QLabel>("learnedMean");
        const auto showsIt = [&] { return !mean->isVisible() || view()->errors()->runId == id; };
        QTRY_VERIFY_WITH_TIMEOUT(showsIt(), kPatience);
        m_window->showView(QStringLiteral("profile"));
        QTRY_COMPARE_WITH_TIMEOUT(child<QComboBox>("profileFirst")->currentData().toString(), id,
                                  kPatience);
        // It is named, whatever world is open.
        const QString title = QStringLiteral("Just begun · ") + id;
        m_window->openWorld(QStringLiteral("builtin:two_in_niches"));
        QTRY_COMPARE_WITH_TIMEOUT(m_window->session().loaded().name,
                                  std::string("builtin:two_in_niches"), kPatience);
        QVERIFY2(m_window->windowTitle().startsWith(title), qPrintable(m_window->windowTitle()));
        QVERIFY(child<QLabel>("breadcrumb")->text().contains(title));
        QVERIFY(child<QLabel>("breadcrumb")->text().contains(training.worldTitle()));
        QVERIFY(!child<QLabel>("breadcrumb")->text().contains(m_window->session().loaded().title));
        const auto isNamed = [&](const QTabBar* bar) {
            for (int i = 0; i < bar->count(); ++i)
                if (bar->tabText(i) == QStringLiteral("Training: ") + title) return true;
            return false;
        };
        QVERIFY(std::ranges::any_of(m_window->findChildren<QTabBar*>(), isNamed));
        QCOMPARE(child<QLabel>("trainRun")->text(), title);
        m_window->showPerspective(QStringLiteral("world"));
        QVERIFY(m_window->windowTitle().startsWith(m_window->session().loaded().title));
        training.stop();
        QTRY_VERIFY_WITH_TIMEOUT(!training.isLive(), kPatience);
    }

    void aTrainingThatEndsBeforeItIsListedIsShownToo() {
        QTest::keyClick(m_window.get(), Qt::Key_T, Qt::ControlModifier);
        auto* form = child<TrainForm>("trainForm");
        QTRY_VERIFY_WITH_TIMEOUT(form->isVisible(), kPatience);
        RunSpec spec = form->spec();
        tabular(spec.job.as<TrainJob>().empo, 1);
        form->setSpec(spec);
        const auto listed = [&] { return child<QComboBox>("learnedRun")->count(); };
        const int before = listed();
        QTest::mouseClick(child<QPushButton>("trainStart"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(listed(), before + 1, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(
            view()->runId(), child<QComboBox>("learnedRun")->itemData(0).toString(), kPatience);
    }
};

ORRERY_WINDOW_TEST(ProfileWindowTest)
#include "profile_window_test.moc"
