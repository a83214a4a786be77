#pragma once

#include <QTest>
#include <QVBoxLayout>

#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/value_bars.h"
#include "widgets/dag/inspector_panel.h"
#include "widgets/dag/inspector_state.h"
#include "widgets/dag/inspector_sum.h"
#include "widgets/world/joint_action_panel.h"

namespace orrery {

/// An inspector with a session of its own, as a window would hold it.
struct InspectorBench {
    BackgroundWorker worker;
    Selection selection;
    PlanSession session{&selection};
    QWidget window;
    InspectorPanel* panel;

    explicit InspectorBench(int width = 340) {
        window.setObjectName(QStringLiteral("central"));
        auto* layout = new QVBoxLayout(&window);
        layout->setContentsMargins(0, 0, 0, 0);
        panel = new InspectorPanel(&session, &worker, &window);
        panel->setJointActionPart(new JointActionPanel(&session));
        layout->addWidget(panel);
        window.resize(width, 2300);
    }
    template <typename T>
    T* child(const char* name) {
        T* found = window.findChild<T*>(QLatin1String(name));
        if (!found) qFatal("no widget %s", name);
        return found;
    }
    void open(const LoadedWorld& loaded, const std::shared_ptr<const Solution>& solution) {
        session.open(loaded);
        if (solution) session.attach(solution, QStringLiteral("20260301-1200"));
    }
    bool isWorking() const { return panel->sum().isWorking() || worker.numOpenJobs() > 0; }
    InspectorState& inspected() { return panel->inspected(); }
    const Explanation& why() { return *panel->sum().explanation(); }
    void clickNumber(const char* name, int row, int column) {
        auto* bars = child<ValueBars>(name);
        QTest::mouseClick(bars, Qt::LeftButton, {}, bars->numberRect(row, column).center());
    }
    void clickRow(const char* name, int row) {
        auto* bars = child<ValueBars>(name);
        QTest::mouseClick(bars, Qt::LeftButton, {}, QPoint(10, bars->rowRect(row).center().y()));
    }
    void click(const char* name) { QTest::mouseClick(child<QWidget>(name), Qt::LeftButton); }
};

}  // namespace orrery
