#pragma once

#include <QApplication>
#include <QDir>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "core/history/history_reader.h"
#include "core/history/workspace.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/run.h"
#include "tests/widgets/quiet.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/icons.h"
#include "widgets/common/selection.h"
#include "widgets/common/style.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/run_row_delegate.h"
#include "widgets/compare/runs_table.h"
#include "widgets/plots/chart.h"

namespace orrery {

/// Keeps a picture for people if a folder for them was named.
inline void keep(QWidget* window, const char* name) {
    const QString folder = qEnvironmentVariable("ORRERY_TEST_PICTURES");
    if (folder.isEmpty()) return;
    QDir().mkpath(folder);
    const auto charts = window->findChildren<Chart*>();
    QVERIFY(becomesQuiet([&] { return std::ranges::all_of(charts, &Chart::isSettled); }));
    window->grab().save(QDir(folder).filePath(QLatin1String(name) + QStringLiteral(".png")));
}

inline void solveInto(Workspace& workspace, double beta_r, std::uint64_t seed) {
    RunSpec spec;
    spec.name = QStringLiteral("steps - beta_r %1 - seed %2").arg(beta_r).arg(seed).toStdString();
    spec.seed = seed;
    SolveJob job;
    job.world.name = "builtin:slippery_bridge";
    job.solve.beta_r = beta_r;
    job.solve.threads = 2;
    spec.job = job;
    const auto run = Run::start(spec, {.workspace = &workspace});
    QCOMPARE(run->wait().exitStatus, 0);
}

/// The whole view on a real workspace of solved runs, driven with mouse and keys.
class CompareBench {
protected:
    QTemporaryDir m_folder;
    std::unique_ptr<BackgroundWorker> m_worker;
    std::unique_ptr<Archive> m_archive;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<PlanSession> m_session;
    std::unique_ptr<QUndoStack> m_undo;
    std::unique_ptr<CompareView> m_view;

    std::filesystem::path workspace() const {
        return m_folder.filePath(QStringLiteral("w.orrery")).toStdString();
    }
    RunTableModel* model() const { return m_view->table()->model(); }
    QTableView* rows() const { return m_view->table()->view(); }
    void settle() const {
        QVERIFY(
            becomesQuiet([this] { return !m_view->isWorking() && m_worker->numOpenJobs() == 0; }));
    }
    void show(const QSize& size) const {
        m_view->resize(size);
        m_view->show();
        m_view->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_view.get(), kPatience));
        settle();
    }
    void clickCheck(int line) const {
        const QModelIndex index = model()->index(line, 0);
        const bool isGroup = model()->rowOf(line) < 0;
        const QRect cell = rows()->visualRect(index);
        QTest::mouseClick(
            rows()->viewport(), Qt::LeftButton, {},
            RunRowDelegate::checkRect(cell, !model()->group().isEmpty(), isGroup).center());
        settle();
    }
    RunRecord record(const QString& id) const {
        return *HistoryReader(workspace() / "workspace.db").run(id.toStdString());
    }

    void makeRuns() {
        loadIcons();
        applyTheme(*qApp, ThemeChoice::Light);
        const auto made = Workspace::open(workspace(), Workspace::Mode::Create);
        for (const double beta_r : {2.0, 5.0})
            for (std::uint64_t seed = 1; seed <= 3; ++seed) solveInto(*made, beta_r, seed);
    }
    void makeView() {
        m_worker = std::make_unique<BackgroundWorker>();
        m_archive = std::make_unique<Archive>(m_worker.get());
        m_selection = std::make_unique<Selection>();
        m_session = std::make_unique<PlanSession>(m_selection.get());
        m_undo = std::make_unique<QUndoStack>();
        m_view = std::make_unique<CompareView>(m_archive.get(), m_selection.get(), m_session.get(),
                                               m_worker.get(), m_undo.get());
        m_archive->open(workspace());
        show(QSize(1600, 900));
    }
    void endView() {
        m_view.reset();
        m_worker.reset();
    }
};

}  // namespace orrery
