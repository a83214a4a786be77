#pragma once

#include <QHBoxLayout>
#include <QTest>
#include <QVBoxLayout>
#include <QWidget>
#include <memory>

#include "core/solve/solution.h"
#include "tests/widgets/quiet.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/bridge/world_loader.h"
#include "widgets/dag/level_bands.h"
#include "widgets/dag/level_table.h"
#include "widgets/dag/path_list.h"
#include "widgets/dag/predicate_bar.h"
#include "widgets/dag/state_view.h"

namespace orrery {

/// All views of the perspective around one session, as a window would hold them.
struct Bench {
    Selection selection;
    PlanSession session{&selection};
    QWidget window;
    PredicateBar* bar;
    LevelBands* bands;
    StateView* states;
    PathList* paths;
    LevelTable* levels;

    Bench() {
        window.setObjectName(QStringLiteral("central"));
        window.setProperty("look", "canvas");
        bar = new PredicateBar(&session, &window);
        bands = new LevelBands(&session, &window);
        states = new StateView(&session, &window);
        paths = new PathList(&session, &window);
        levels = new LevelTable(&session, &window);
        levels->setFixedWidth(200);
        auto* below = new QHBoxLayout;
        below->addWidget(states, 3);
        below->addWidget(paths, 2);
        auto* right = new QVBoxLayout;
        right->setSpacing(4);
        right->addWidget(bar);
        right->addWidget(bands);
        right->addLayout(below, 1);
        bands->setFixedHeight(196);
        auto* all = new QHBoxLayout(&window);
        all->addWidget(levels);
        all->addLayout(right, 1);
        QObject::connect(bar, &PredicateBar::kinChanged, bands, &LevelBands::setKin);
        QObject::connect(paths, &PathList::wantedInGraph, &window,
                         [this] { states->canvas()->showPath(paths->path().states); });
    }

    bool isWorking() const {
        return bar->isWorking() || bands->isWorking() || states->canvas()->isWorking() ||
               paths->isWorking() || states->canvas()->isMoving();
    }
    void open(const LoadedWorld& loaded, const std::shared_ptr<const Solution>& solution) {
        session.open(loaded);
        if (solution) session.attach(solution, QStringLiteral("20260301-1200"));
    }
    void show(const QSize& size) {
        window.resize(size);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window, kPatience));
    }
    void settle() {
        QVERIFY(becomesQuiet([this] { return !isWorking(); }));
    }
};

}  // namespace orrery
