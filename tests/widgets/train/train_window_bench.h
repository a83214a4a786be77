#pragma once

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>

#include "app/window/main_window.h"
#include "core/base/fault.h"
#include "core/run/jobs/train_job.h"
#include "tests/support/small_room.h"
#include "tests/widgets/shown_window.h"
#include "widgets/plots/chart.h"
#include "widgets/plots/chart_grid.h"
#include "widgets/train/pipeline_canvas.h"
#include "widgets/train/train_form.h"
#include "widgets/train/train_session.h"

namespace orrery {

/// Trainings of a small world in the whole window, with the real learner and a real workspace;
/// started by its form and driven by mouse and keys.
class TrainWindowBench {
protected:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<MainWindow> m_window;

    template <typename T>
    T* child(const char* name) {
        T* found = m_window->findChild<T*>(QLatin1String(name));
        if (!found) qFatal("no widget %s", name);
        return found;
    }
    TrainRecord& training() { return m_window->training().record(); }
    TrainSession& trainSession() { return m_window->training(); }
    const EmpoSpec& liveEmpo() { return training().job().as<TrainJob>().empo; }
    WindowOptions windowOptions() const {
        WindowOptions options;
        options.theme = ThemeChoice::Dark;
        options.workspace = m_folder->filePath(QStringLiteral("test.orrery")).toStdString();
        options.preferencesFile = m_folder->filePath(QStringLiteral("orrery.ini"));
        options.restoresSession = false;
        return options;
    }
    Chart* chart(const char* id) { return child<ChartGrid>("trainGrid")->chart(QLatin1String(id)); }
    /// Without a window manager nobody makes the window active again after a dialog. As long as a
    /// dialog that was hidden has the focus, the window counts as active and gets no shortcuts.
    void activate() {
        m_window->activateWindow();
        QTRY_COMPARE_WITH_TIMEOUT(QApplication::activeWindow(), m_window.get(), kPatience);
    }
    void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        activate();
        QTest::keyClick(m_window.get(), static_cast<Qt::Key>(key), modifiers);
    }
    void click(const char* name) {
        auto* widget = child<QWidget>(name);
        QVERIFY2(widget->isVisible() && widget->isEnabled(), name);
        QTest::mouseClick(widget, Qt::LeftButton);
    }
    void typeInto(const char* name, const char* text) {
        auto* edit = child<QLineEdit>(name);
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, QLatin1String(text));
    }
    /// A training in tables that ends only when it is stopped. Rates have an effect where the
    /// tables are not adaptive.
    void startTraining(bool isAdaptive = true, const std::function<void(TrainJob&)>& change = {}) {
        press(Qt::Key_T, Qt::ControlModifier);
        auto* form = child<TrainForm>("trainForm");
        QTRY_VERIFY_WITH_TIMEOUT(form->isVisible(), kPatience);
        RunSpec spec = form->spec();
        auto& job = spec.job.as<TrainJob>();
        EmpoSpec& empo = job.empo;
        empo.adaptiveTables = isAdaptive;
        empo.tableRateFloor = 0.2;
        for (const Quantity quantity : kQuantities) {
            empo.of(quantity).targetCopySteps = 5;
            empo.of(quantity).warmupSteps = 400;
        }
        empo.rampSteps = 1000;
        empo.goalResampleProbability = 1;
        empo.epsilonStart_h = empo.epsilonEnd_h = 0;
        empo.epsilonStart_r = empo.epsilonEnd_r = 0.5;
        if (change) change(job);
        form->setSpec(spec);
        auto* kind = child<QComboBox>("trainKind");
        kind->setFocus();
        QTest::keyClick(kind, Qt::Key_Home);
        Q_EMIT kind->activated(0);
        typeInto("train_num_training_steps", "200000");
        typeInto("train_batch_size", "16");
        QVERIFY(child<QPushButton>("trainStart")->isEnabled());
        click("trainStart");
        QVERIFY(!form->isVisible());
        QCOMPARE(m_window->perspective(), QString("train"));
        QTRY_VERIFY_WITH_TIMEOUT(training().isLive() && training().step() > 0, kPatience);
    }
    void stopTraining() {
        if (!training().isLive()) return;
        click("tool_run.cancel");
        QTRY_VERIFY_WITH_TIMEOUT(!training().isLive(), kPatience);
    }
    void stepOnce() {
        const std::int64_t step = training().step();
        click("tool_run.trainStep");
        QTRY_COMPARE_WITH_TIMEOUT(training().step(), step + 1, kPatience);
    }
    /// Of a training that is paused. @return its step
    std::int64_t checkpointHere() {
        const std::int64_t step = training().step();
        click("trainCheckpoint");
        const auto isThere = [&] {
            const auto& kept = training().training()->checkpoints;
            return std::ranges::find(kept, step, &KeptCheckpoint::step) != kept.end();
        };
        if (!QTest::qWaitFor(isThere, kPatience)) qFatal("no checkpoint");
        return step;
    }
    std::size_t numMarks(Chart* of, ChartEventKind kind) {
        return static_cast<std::size_t>(
            std::ranges::count(of->content().events, kind, &ChartEvent::kind));
    }

    /// Opens a window in Train.
    void showTrain(const WindowOptions& options) {
        m_window = std::make_unique<MainWindow>(options);
        showSettled(*m_window, {1600, 1000});
        press(Qt::Key_4, Qt::ControlModifier);
    }
    /// Shows Train with the pipeline below the charts.
    void openWindow() {
        m_folder = std::make_unique<QTemporaryDir>();
        const QString name = m_folder->filePath(QStringLiteral("small.yaml"));
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(smallRoomFile().c_str());
        file.close();
        WindowOptions options = windowOptions();
        options.world = name;
        showTrain(options);
        QCOMPARE(m_window->perspective(), QString("train"));
        m_window->showView(QStringLiteral("pipeline"));
        m_window->splitView(Qt::Vertical);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<PipelineCanvas*>() != nullptr, kPatience);
        m_window->showView(QStringLiteral("trainCharts"));
    }
    void closeWindow() {
        setFaults("");
        if (m_window) stopTraining();
        m_window.reset();
        m_folder.reset();
    }
};

}  // namespace orrery
