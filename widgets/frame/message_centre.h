#pragma once

#include <QPointer>
#include <QToolButton>

namespace orrery {

class JobList;
class MessageLog;

/// A button for the status line that tells how many jobs run and how many warnings and errors
/// nobody has looked at. It opens the jobs and the messages of the session above itself, whatever
/// panels the window shows.
class MessageCentre : public QToolButton {
    Q_OBJECT

public:
    MessageCentre(JobList* jobs, MessageLog* messages, QWidget* parent = nullptr);

    /// Opens the lists, which counts as a look at all messages.
    void open();

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void placeLists();
    void noteMessages(int first, int last);

    JobList* m_jobs;
    MessageLog* m_messages;
    QPointer<QWidget> m_lists;  ///< made when they are opened first
    int m_numUnseen = 0;
};

}  // namespace orrery
