#pragma once

#include <QObject>
#include <QString>
#include <functional>

class QSocketNotifier;

namespace orrery {

/// Asks the window that keeps this user's session, if there is one, to come to the front and to
/// show something: a file, a folder of runs, an address, or "" for nothing else.
/// @return true if a window answered that it does, within two seconds
bool askOpenWindow(const QString& what);

/// Where such questions arrive: a socket beside the session that only this user may reach. Only the
/// first window of a session has it. GUI thread only.
class WindowDoor : public QObject {
public:
    /// @param asked  called for each question, in the GUI thread
    explicit WindowDoor(std::function<void(const QString& what)> asked);
    ~WindowDoor() override;

    /// False if another window has the door, or the system gave none.
    bool isOpen() const { return m_socket >= 0; }

private:
    void answer();

    std::function<void(const QString&)> m_asked;
    std::string m_path;
    int m_socket = -1;
    QSocketNotifier* m_notifier = nullptr;
};

}  // namespace orrery
