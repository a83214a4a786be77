#pragma once

#include <QFileSystemWatcher>
#include <QJsonArray>
#include <QObject>
#include <QString>
#include <QTimer>

namespace orrery {

class EventWatch;
class MainWindow;

/// Writes a window's parts to a file whenever a test asks for it. A request is a file FILE.request
/// with one line, "TOKEN" or "TOKEN settled [MS]"; the second waits until nothing has been loaded,
/// solved or computed for that time (100 ms). The answer has the token as "request"; the request is
/// removed after it.
///
/// "focusTrail" lists what has got the keyboard since the last answer: id, name and kind as below
/// "widgets", the view around it, where it was then.
class DumpUi : public QObject {
public:
    /// @param watch  of the thread: what the dump takes is left out of it
    DumpUi(MainWindow& window, const QString& file, EventWatch& watch);

    /// Writes at once. False, with a word on the standard error, if the file cannot be written.
    bool write(const QString& token = {});

private:
    void look();
    void answer();
    void noteFocus(const QWidget* now);

    MainWindow& m_window;
    EventWatch& m_watch;
    QString m_file;
    QString m_request;  ///< its file
    QString m_token;
    QFileSystemWatcher m_watcher;
    QTimer m_settling;
    QJsonArray m_focusTrail;
    int m_numSettled = 0;
};

}  // namespace orrery
