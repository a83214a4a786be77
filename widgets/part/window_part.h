#pragma once

#include <QJsonObject>
#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/history/records.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/selection.h"
#include "widgets/frame/frame.h"
#include "widgets/frame/locator.h"
#include "widgets/part/workbench.h"

namespace orrery {

/// What the status line says: at work, at rest, or that somebody should look.
enum class StatusKind : std::uint8_t { Idle, Working, Waiting, Done };

struct StatusText {
    StatusKind kind = StatusKind::Idle;
    QString text;     ///< a word or two, may be rich text
    QString numbers;  ///< behind it: how far, how fast, how much
};

/// What the keys of a step do where the window is now, forward (F7) and back (Shift+F7).
struct StepKeys {
    QString forwardText, backText;  ///< as menu entries
    bool canForward = false, canBack = false;
    QString whyNotForward, whyNotBack;
    std::function<void()> forward, back;
};

/// What the keys of a run do where the window is now: pause or resume (F6), end (Shift+F5).
struct RunKeys {
    QString pauseText, endText;  ///< as menu entries
    bool canPause = false, canEnd = false;
    std::function<void()> pause = {}, end = {};
};

/// What is asked before the window is closed while a part has work that would end.
struct CloseQuestion {
    QString title, question, remark;
    QString endText;          ///< of the button that ends it
    QString finishText = {};  ///< of that which waits for it; empty: as for one thing
    bool canFinish = true;    ///< it would come to its end by itself
};

/// One thing that a window can do, with all that it needs for that: views, commands, what it finds,
/// what it keeps. The window has a list of them and asks each in its order; it knows none of them.
/// A part may know those that stand before it. Where one answer is wanted, the last part that has
/// one gives it. GUI thread only.
class WindowPart : public QObject {
    Q_OBJECT

public:
    explicit WindowPart(Workbench& bench);
    ~WindowPart() override;

    /// Its views, for the frame that is not set up yet.
    virtual void addViews() {}
    /// Its perspectives, which may name views of any part. Each has a number of its own: its place
    /// on the rail. Its key stands with the command "view.ID".
    virtual std::vector<PerspectiveSpec> perspectives() { return {}; }
    /// What its commands do.
    virtual void bindCommands() {}
    /// Enables and names its commands as things are now: see Workbench::refresh.
    virtual void refreshCommands() {}
    /// A preference was changed, or is there from the start.
    virtual void applyPreference(const QString& key) { Q_UNUSED(key) }
    /// What the search field finds by it.
    virtual std::vector<LocatorSource> locatorSources() { return {}; }

    /// Adds to the session file what the next start shall find.
    virtual void saveSession(QJsonObject& session) const { Q_UNUSED(session) }
    /// Takes what the last session kept, before anything is opened.
    /// @param hasOtherWorld  a world was asked for: what belongs to that of the session stays away
    virtual void restoreSession(const QJsonObject& session, bool hasOtherWorld) {
        Q_UNUSED(session)
        Q_UNUSED(hasOtherWorld)
    }
    /// Whether all of the last session is back that will come.
    virtual bool isRestored() const { return true; }

    /// False while it loads or computes something for the views.
    virtual bool isSettled() const { return true; }
    /// True while something is searched for that nothing waits for: paths, what led to a state.
    virtual bool isSearching() const { return false; }

    /// What the window says of where it is, as far as this part is what it shows.
    virtual std::optional<StatusText> status() const { return {}; }
    virtual QString windowTitle() const { return {}; }
    virtual QStringList crumbs() const { return {}; }
    virtual std::optional<StepKeys> stepKeys() { return {}; }
    virtual std::optional<RunKeys> runKeys() { return {}; }

    /// Shows a stored run.
    /// @param run  until a dialog is asked or the list is read again
    /// @return false if it is none of its own
    virtual bool opensRun(const RunRecord& run) {
        Q_UNUSED(run)
        return false;
    }
    /// Resumes a stored run that was interrupted. @return false if it is none of its own
    virtual bool continuesRun(const RunRecord& run) {
        Q_UNUSED(run)
        return false;
    }

    /// What must be asked before the window is closed now.
    virtual std::optional<CloseQuestion> closeQuestion() const { return {}; }
    /// The window closes for good.
    virtual void prepareToClose() {}

protected:
    Workbench& bench() const { return m_bench; }
    Frame& frame() const { return m_bench.frame(); }
    Commands& commands() const { return frame().commands(); }
    QUndoStack& undoStack() const { return frame().undoStack(); }
    JobList& jobs() const { return frame().jobs(); }
    MessageStrip& strip() const { return frame().strip(); }
    Selection& selection() const { return m_bench.selection(); }
    PlanSession& session() const { return m_bench.session(); }
    BackgroundWorker& worker() const { return m_bench.worker(); }
    Archive& archive() const { return m_bench.archive(); }
    LiveRuns& live() const { return m_bench.live(); }
    QueueBridge& queue() const { return m_bench.queue(); }
    Preferences& preferences() const { return m_bench.preferences(); }

    QString perspective() const { return frame().perspective(); }
    void showPerspective(const QString& id) const { frame().showPerspective(id); }
    /// From Home, which has no place for it, to where there is one.
    void leaveHome(const QString& perspective) const;
    void showView(const QString& id) const { frame().showView(id); }
    void say(MessageKind kind, const QString& text) const { frame().say(kind, text); }
    void say(MessageKind kind, const QString& text, const QString& actionText,
             std::function<void()> action) const {
        frame().say(kind, text, actionText, std::move(action));
    }
    /// Says what went wrong, as what a background job calls.
    std::function<void(const QString&)> sayError() const;

private:
    Workbench& m_bench;
};

/// What the last part that has an answer says; nothing if none has.
/// @param ask  gives an optional
template <typename Ask>
auto lastAnswer(const std::vector<std::unique_ptr<WindowPart>>& parts, const Ask& ask)
    -> decltype(std::invoke(ask, *parts.front())) {
    for (auto part = parts.rbegin(); part != parts.rend(); ++part)
        if (auto answer = std::invoke(ask, **part)) return answer;
    return {};
}

}  // namespace orrery
