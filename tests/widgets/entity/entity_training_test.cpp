#include <QLabel>
#include <QListView>
#include <QTest>
#include <algorithm>

#include "core/run/jobs/entity_job.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "tests/widgets/train/train_window_bench.h"
#include "widgets/common/row_list.h"
#include "widgets/spec/field_slider.h"
#include "widgets/train/live_world.h"

using namespace orrery;

/// A training that is started from the gallery, watched, steered, paused and stepped.
class EntityTrainingTest : public QObject, private TrainWindowBench {
    Q_OBJECT

    const EntitySpec& entity() { return training().job().as<EntityJob>().entity; }
    void openGallery() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_window = std::make_unique<MainWindow>(windowOptions());
        showSettled(*m_window, {1600, 1000});
        press(Qt::Key_6, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->perspective(), QStringLiteral("entities"), kPatience);
    }
    void choose(const QString& title) {
        auto* list = child<RowList>("environments");
        const auto& rows = list->rowModel()->rows();
        const auto row = std::ranges::find(rows, title, &Row::title);
        QVERIFY(row != rows.end());
        const QModelIndex index = list->model()->index(static_cast<int>(row - rows.begin()), 0);
        list->scrollTo(index);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(index).center());
    }

private Q_SLOTS:
    void init() { openGallery(); }
    void cleanup() { closeWindow(); }

    void aTrainingBeginsInTheGalleryAndLearns() {
        choose(QStringLiteral("Not hot dog"));
        const double before = processCpuMs();
        click("trainEnvironment");
        QTRY_COMPARE_WITH_TIMEOUT(m_window->perspective(), QStringLiteral("train"), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(
            chart("entity/reward") != nullptr && chart("entity/reward")->content().numPoints() > 0,
            kPatience);
        const double seconds = (processCpuMs() - before) / 1000;
        QVERIFY2(seconds < 10, qPrintable(QString::number(seconds)));
        QCOMPARE(entity().env.id, std::string("NotHotdog"));
        QTRY_VERIFY_WITH_TIMEOUT(!training().isLive(), kPatience);
        const Series& reward = chart("entity/reward")->content().series.front().points;
        QVERIFY2(reward.y(reward.size() - 1) > 0.95,
                 qPrintable(QString::number(reward.y(reward.size() - 1))));
        QVERIFY(child<QLabel>("trainState")->text() == QStringLiteral("Done") ||
                !training().isLive());
    }

    void stepsAreUpdatesAndRatesAreWhatTheyAreNow() {
        choose(QStringLiteral("Treasure hunt"));
        click("trainEnvironment");
        QTRY_VERIFY_WITH_TIMEOUT(training().isLive() && training().step() > 0, kPatience);
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(training().isPaused(), kPatience);
        const std::int64_t frames = entity().rollout.frames(), halted = training().step();
        QCOMPARE(halted % frames, std::int64_t{0});
        click("tool_run.trainStep");
        QTRY_COMPARE_WITH_TIMEOUT(training().step(), halted + frames, kPatience);
        // The environments are seen.
        QVERIFY(!child<LiveWorld>("liveWorld")->picture().layers.empty());

        auto* spin = child<FieldSpin>("steer_spin_optim.lr");
        spin->setFocus();
        spin->selectAll();
        QTest::keyClicks(spin, QStringLiteral("0.001"));
        QTest::keyClick(spin, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(training().training()->changes.size() == 1, kPatience);
        const AppliedChange change = training().training()->changes.front();
        QVERIFY2(change.problem.empty(), change.problem.c_str());
        QCOMPARE(change.now, std::string("0.001"));
        const double now = *rateNow(entity(), "optim.lr", change.change.step);
        QVERIFY(std::abs(now - 0.001) < 1e-9);
        press(Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(entity().optim.lr, Schedule(0.005), kPatience);
    }
};

ORRERY_WINDOW_TEST(EntityTrainingTest)
#include "entity_training_test.moc"
