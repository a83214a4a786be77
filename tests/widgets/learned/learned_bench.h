#pragma once

#include <QComboBox>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <memory>
#include <string>

#include "app/window/main_window.h"
#include "core/history/workspace.h"
#include "core/run/jobs/train_job.h"
#include "core/run/run.h"
#include "tests/support/small_room.h"
#include "tests/widgets/shown_window.h"
#include "widgets/learned/learned_view.h"

namespace orrery {

/// The whole window with small trainings in tables that the real learner made and a real workspace;
/// driven by mouse and keys.
class LearnedBench {
protected:
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

    template <typename T>
    T* child(const char* name) {
        T* found = m_window->findChild<T*>(QLatin1String(name));
        if (!found) qFatal("no widget %s", name);
        return found;
    }
    std::filesystem::path workspaceFolder() {
        return m_folder.filePath(QStringLiteral("test.orrery")).toStdString();
    }
    static void tabular(EmpoSpec& empo, std::int64_t steps) {
        for (const Quantity quantity : kQuantities) {
            if (empo.isUsed(quantity)) empo.of(quantity).kind = Approximator::Table;
            empo.of(quantity).targetCopySteps = 5;
            empo.of(quantity).warmupSteps = 200;
        }
        empo.adaptiveTables = true;
        empo.tableRateFloor = 0.2;
        empo.trainingSteps = steps;
        empo.batchSize = 16;
        empo.rampSteps = 500;
        empo.goalResampleProbability = 1;
        empo.epsilonStart_r = empo.epsilonEnd_r = 1;
    }
    /// A training with two checkpoints; `exactStates` 0 leaves its world unsolved.
    void train(const std::string& name, std::int64_t exactStates, const std::string& world = {},
               std::int64_t steps = 4000) {
        RunSpec spec;
        spec.name = name;
        TrainJob job;
        job.worlds = {world.empty() ? m_folder.filePath(QStringLiteral("small.yaml")).toStdString()
                                    : world};
        job.exactStates = exactStates;
        tabular(job.empo, steps);
        job.cadence.checkpointSteps = steps / 2;
        job.cadence.checkpointSeconds = 0;  // and at no other moments
        spec.job = std::move(job);
        const auto workspace = Workspace::open(workspaceFolder(), Workspace::Mode::Create);
        const auto run = Run::start(spec, {.workspace = workspace.get()});
        QCOMPARE(run->wait().state, RunState::Finished);
    }
    LearnedView* view() { return m_window->view<LearnedView>(QStringLiteral("learned")); }
    void open() {
        WindowOptions options;
        options.world = m_folder.filePath(QStringLiteral("small.yaml"));
        options.theme = ThemeChoice::Dark;
        options.workspace = workspaceFolder();
        options.preferencesFile = m_folder.filePath(QStringLiteral("orrery.ini"));
        options.restoresSession = false;
        m_window = std::make_unique<MainWindow>(options);
        showSettled(*m_window, {1600, 1000});
        QTest::keyClick(m_window.get(), Qt::Key_4, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->perspective(), QString("train"), kPatience);
        m_window->showView(QStringLiteral("learned"));
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), kPatience));
        QTRY_VERIFY_WITH_TIMEOUT(child<QComboBox>("learnedRun")->count() >= 2, kPatience);
    }
    void pickRun(const char* part) {
        auto* runs = child<QComboBox>("learnedRun");
        runs->setFocus();
        if (!runs->currentText().contains(QLatin1String(part))) QTest::keyClick(runs, Qt::Key_Home);
        for (int i = 0; i < runs->count() && !runs->currentText().contains(QLatin1String(part));
             ++i)
            QTest::keyClick(runs, Qt::Key_Down);
        QVERIFY(runs->currentText().contains(QLatin1String(part)));
        // Arrow keys on a closed list change and activate it.
    }

    void makeRuns() {
        QFile file(m_folder.filePath(QStringLiteral("small.yaml")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(smallRoomFile().c_str());
        file.close();
        train("learned small", 200'000);
        train("unsolved small", 0);
        train("unsolved large", 0, "builtin:building_site", 40);
        train("hardly learned", 200'000, {}, 60);
    }
};

}  // namespace orrery
