#pragma once

#include <QObject>
#include <vector>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/selection.h"
#include "widgets/frame/frame.h"
#include "widgets/frame/locator.h"
#include "widgets/part/workbench.h"

namespace orrery {

/// One thing that a window can do, with all that it needs for that: views, commands, what it finds,
/// what it keeps. The window has a list of them and asks each in its order; it knows none of them.
/// A part may know those that stand before it. GUI thread only.
class WindowPart : public QObject {
    Q_OBJECT

public:
    explicit WindowPart(Workbench& bench);
    ~WindowPart() override;

    /// Its views and perspectives, for the frame that is not set up yet.
    virtual void addViews() {}
    /// What its commands do; all views of all parts are known.
    virtual void bindCommands() {}
    /// A preference was changed, or is there from the start.
    virtual void applyPreference(const QString& key) { Q_UNUSED(key) }
    /// What the search field finds by it.
    virtual std::vector<LocatorSource> locatorSources() { return {}; }

protected:
    Workbench& bench() { return m_bench; }
    Frame& frame() { return m_bench.frame(); }
    Commands& commands() { return frame().commands(); }
    Selection& selection() { return m_bench.selection(); }
    PlanSession& session() { return m_bench.session(); }
    BackgroundWorker& worker() { return m_bench.worker(); }
    Archive& archive() { return m_bench.archive(); }
    Preferences& preferences() { return m_bench.preferences(); }

private:
    Workbench& m_bench;
};

}  // namespace orrery
