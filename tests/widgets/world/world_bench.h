#pragma once

#include <QApplication>
#include <QDir>
#include <QHBoxLayout>
#include <QTest>
#include <QUndoStack>
#include <QVBoxLayout>

#include "core/solve/solution.h"
#include "tests/widgets/quiet.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/world/agents_panel.h"
#include "widgets/world/edit_panel.h"
#include "widgets/world/edit_view.h"
#include "widgets/world/episode_strip.h"
#include "widgets/world/joint_action_panel.h"
#include "widgets/world/play_mode.h"
#include "widgets/world/timeline.h"
#include "widgets/world/world_editor.h"
#include "widgets/world/world_panel.h"
#include "widgets/world/world_view.h"

namespace orrery {

inline std::shared_ptr<const Solution> solvedBy(const LoadedWorld& loaded) {
    SolveSpec spec;
    spec.threads = 2;
    return solve(explore(loaded.world, {.threads = 2}), spec);
}

/// The views of the World perspective around one session, as a window holds them.
struct WorldBench {
    Selection selection;
    PlanSession session{&selection};
    QUndoStack undo;
    WorldEditor editor{&session, &undo};
    QWidget window;
    AgentsPanel* agents;
    WorldPanel* panel;
    EpisodeStrip* strip;
    Timeline* timeline;
    JointActionPanel* actions;
    EditPanel* editPanel;

    WorldBench() {
        window.setObjectName(QStringLiteral("central"));
        agents = new AgentsPanel(&session, &window);
        editPanel = new EditPanel(&session, &editor, agents);
        agents->addBelow(editPanel);
        agents->setFixedWidth(240);
        panel = new WorldPanel(&session, &editor, &window);
        strip = new EpisodeStrip(
            &session,
            [this](auto configuration) { return sceneOf(session.world(), configuration); }, panel);
        panel->addBelow(strip);
        timeline = new Timeline(&session, &window);
        actions = new JointActionPanel(&session, &window);
        actions->setFixedWidth(332);
        auto* middle = new QVBoxLayout;
        middle->setSpacing(0);
        middle->addWidget(panel, 1);
        middle->addWidget(timeline);
        auto* row = new QHBoxLayout(&window);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(1);
        row->addWidget(agents);
        row->addLayout(middle, 1);
        row->addWidget(actions, 0, Qt::AlignTop);
    }

    WorldView* view() const { return panel->view(); }
    EditView* map() const { return panel->editView(); }
    PlayMode* play() const { return panel->play(); }

    void open(const LoadedWorld& loaded, bool isSolved) {
        session.open(loaded);
        if (isSolved) session.attach(solvedBy(loaded), QStringLiteral("20260301-1200"));
    }
    void show(const QSize& size = {1220, 716}) {
        window.resize(size);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window, kPatience));
    }
    void settle() const {
        QVERIFY(becomesQuiet([this] {
            return !view()->isComputingHeat() && !strip->isWorking() && !editor.isEstimating();
        }));
    }
    /// The middle of a cell in the view that shows the world now.
    QPoint cell(int x, int y) const {
        const WorldLayout layout = editor.isOn() ? map()->worldLayout() : view()->worldLayout();
        return layout.cellRect(x, y).center().toPoint();
    }
    template <typename T>
    T* child(const char* name) const {
        T* found = window.findChild<T*>(QLatin1String(name));
        if (!found) qFatal("no widget %s", name);
        return found;
    }
    void click(const char* name) const { QTest::mouseClick(child<QWidget>(name), Qt::LeftButton); }
    /// Keeps a picture for people if a folder for them was named.
    void keep(const char* name) {
        const QString folder = qEnvironmentVariable("ORRERY_TEST_PICTURES");
        if (folder.isEmpty()) return;
        QDir().mkpath(folder);
        finishEvents();
        window.grab().save(QDir(folder).filePath(QLatin1String(name) + QStringLiteral(".png")));
    }
};

}  // namespace orrery
