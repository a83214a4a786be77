#include "app/window/window_door.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>
#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QSocketNotifier>
#include <cstring>
#include <utility>

#include "widgets/frame/session_file.h"

namespace orrery {

namespace {

constexpr qsizetype kMostBytes = 8192;
constexpr int kPatienceSeconds = 2, kWaiting = 8;
const char kAnswer[] = "ok\n";

/// In the runtime folder of the user, of a name that belongs to the session's file.
std::string socketPath() {
    const QString folder = qEnvironmentVariable("XDG_RUNTIME_DIR");
    if (folder.isEmpty() || !QFileInfo(folder).isDir()) return {};
    const QByteArray session = QFileInfo(sessionFileName()).absoluteFilePath().toUtf8();
    const QByteArray name =
        QCryptographicHash::hash(session, QCryptographicHash::Sha1).toHex().left(16);
    return QDir(folder)
        .filePath(QStringLiteral("orrery-%1.socket").arg(QLatin1String(name)))
        .toStdString();
}

bool fill(sockaddr_un& address, const std::string& path) {
    address.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof address.sun_path) return false;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    return true;
}

/// A connection to the window; -1 if there is none. Reads and writes end after two seconds.
int connected(const std::string& path) {
    sockaddr_un address{};
    if (!fill(address, path)) return -1;
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket < 0) return -1;
    const timeval patience{.tv_sec = kPatienceSeconds, .tv_usec = 0};
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
        return socket;
    close(socket);
    return -1;
}

/// What arrives until a line end; nothing else is waited for.
QByteArray lineFrom(int socket) {
    QByteArray line;
    char byte = 0;
    while (line.size() < kMostBytes && recv(socket, &byte, 1, 0) == 1 && byte != '\n')
        line.append(byte);
    return line;
}

}  // namespace

bool askOpenWindow(const QString& what) {
    const int socket = connected(socketPath());
    if (socket < 0) return false;
    const QByteArray question = what.toUtf8().replace('\n', ' ') + '\n';
    const bool isAsked =
        send(socket, question.constData(), static_cast<std::size_t>(question.size()),
             MSG_NOSIGNAL) == static_cast<ssize_t>(question.size());
    const bool isAnswered = isAsked && lineFrom(socket) == "ok";
    close(socket);
    return isAnswered;
}

WindowDoor::WindowDoor(std::function<void(const QString& what)> asked)
    : m_asked(std::move(asked)), m_path(socketPath()) {
    sockaddr_un address{};
    if (!fill(address, m_path)) return;
    if (const int other = connected(m_path); other >= 0) {
        close(other);
        return;
    }
    unlink(m_path.c_str());  // of a program that did not end by itself
    m_socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (m_socket < 0) return;
    if (bind(m_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        chmod(m_path.c_str(), S_IRUSR | S_IWUSR) != 0 || listen(m_socket, kWaiting) != 0) {
        close(std::exchange(m_socket, -1));
        return;
    }
    m_notifier = new QSocketNotifier(m_socket, QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, [this] { answer(); });
}

WindowDoor::~WindowDoor() {
    if (m_socket < 0) return;
    unlink(m_path.c_str());
    close(m_socket);
}

void WindowDoor::answer() {
    const int socket = accept4(m_socket, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) return;
    // Who asks has its line ready; somebody else's silence must not hold up the window.
    const timeval patience{.tv_sec = 0, .tv_usec = 20'000};
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    char first = 0;
    const bool hasAsked = recv(socket, &first, 1, MSG_PEEK) == 1;
    const QByteArray what = lineFrom(socket);
    if (hasAsked) {
        send(socket, kAnswer, sizeof kAnswer - 1, MSG_NOSIGNAL);
        m_asked(QString::fromUtf8(what));
    }
    close(socket);
}

}  // namespace orrery
