#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QVariant>
#include <memory>

class QWidget;

namespace orrery {

class ActionLog;
class Archive;
class BackgroundWorker;
class Frame;
class LiveRuns;
class PlanSession;
class Preferences;
class QueueBridge;
class Selection;

/// What the parts of a window share: the frame around them, the open world and what is selected in
/// it, the workspace and what runs, what a person prefers. GUI thread only.
class Workbench : public QObject {
    Q_OBJECT

public:
    /// @param frame  outlives the workbench
    /// @param preferencesFile  empty: the user's
    /// @param keepsPreferences  whether what is done in the window changes them
    Workbench(Frame* frame, const QString& preferencesFile, bool keepsPreferences);
    ~Workbench() override;

    Frame& frame() const { return *m_frame; }
    Selection& selection() const { return *m_selection; }
    PlanSession& session() const { return *m_session; }
    /// Jobs that may take long; they wait for each other.
    BackgroundWorker& worker() const { return *m_worker; }
    Archive& archive() const { return *m_archive; }
    /// The runs that this window started, at work and waiting.
    LiveRuns& live() const { return *m_live; }
    /// A sweep.
    QueueBridge& queue() const { return *m_queue; }
    Preferences& preferences() const { return *m_preferences; }
    /// What was done, for the view Log.
    ActionLog& actions() const { return *m_actions; }

    /// Notes what was done.
    /// @param arguments  the command line that does the same; empty: there is none
    void note(const QString& what, const QStringList& arguments);
    /// The folder of the runs as a command line names it; empty: the default one, or none.
    QString workspaceText() const;
    /// The same as the session keeps it; empty: none is open.
    QString workspaceFolder() const;
    /// Puts a text on the clipboard and says so in the status line.
    void copy(const QString& text, const QString& said);
    /// Tells of the end of long work to somebody who looks at another window.
    void tellOutside(const QString& title, const QString& text);
    /// Sets a preference, if this window keeps them.
    void prefer(const QString& key, const QVariant& value);
    bool keepsPreferences() const { return m_keepsPreferences; }

    /// Commands, title and status line are told anew what is true now.
    void refresh() { Q_EMIT refreshWanted(); }
    /// Shows a stored run by the part whose kind it is.
    void openRun(const QString& id) { Q_EMIT runWanted(id); }
    /// Resumes one that was interrupted.
    void continueRun(const QString& id) { Q_EMIT continueWanted(id); }
    /// Shows one of the live runs by the part whose kind it is.
    void showLive(int number) { Q_EMIT liveWanted(number); }
    /// Puts what a widget draws on paper.
    void offerFigure(QWidget* drawer) { Q_EMIT figureWanted(drawer); }
    /// Keeps the session now, not when its time has come: something in it must not be lost.
    void keepSession() { Q_EMIT keepWanted(); }

Q_SIGNALS:
    // From a part to those that it does not know.
    void refreshWanted();
    void runWanted(const QString& id);
    void continueWanted(const QString& id);
    void liveWanted(int number);
    void figureWanted(QWidget* drawer);
    void keepWanted();
    void numberAsked();  ///< a person opened the sum behind a number
    void liveShown();    ///< how far live runs are was shown anew

private:
    Frame* m_frame;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<PlanSession> m_session;
    std::unique_ptr<BackgroundWorker> m_worker;  // before what uses it
    std::unique_ptr<Archive> m_archive;
    std::unique_ptr<LiveRuns> m_live;
    std::unique_ptr<QueueBridge> m_queue;
    std::unique_ptr<Preferences> m_preferences;
    ActionLog* m_actions;
    bool m_keepsPreferences;
};

}  // namespace orrery
