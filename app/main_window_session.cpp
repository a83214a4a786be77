#include <QGuiApplication>
#include <QJsonArray>
#include <QScreen>
#include <QTimer>

#include "app/main_window.h"
#include "widgets/frame/session_file.h"
#include "widgets/settings/preferences.h"

namespace orrery {

namespace {

constexpr int kMsPerSecond = 1000;

QScreen* screenAround(const QRect& frame) {
    QScreen* screen = QGuiApplication::screenAt(frame.center());
    return screen ? screen : QGuiApplication::primaryScreen();
}

}  // namespace

QJsonObject MainWindow::sessionState() const {
    const QRect frame = normalGeometry();
    QJsonObject state{{QStringLiteral("frame"), saveFrame()},
                      {QStringLiteral("geometry"), QJsonArray{frame.x(), frame.y(), frame.width(),
                                                              frame.height(), isMaximized()}},
                      {QStringLiteral("theme"), nameOf(m_theme)},
                      {QStringLiteral("recent"), QJsonArray::fromStringList(m_locator->recent())}};
    if (m_session.isOpen()) {
        state.insert(QStringLiteral("world"), QString::fromStdString(m_session.loaded().name));
        state.insert(QStringLiteral("address"), m_selection.address());
    }
    return state;
}

void MainWindow::restoreSession() {
    if (!m_options.restoresSession) return;
    QString trouble;
    const QJsonObject state = readSession(sessionFileName(), trouble);
    if (!trouble.isEmpty()) say(MessageKind::Warning, trouble);
    m_keeping = new QTimer(this);
    connect(m_keeping, &QTimer::timeout, this, &MainWindow::keepSession);
    m_keeping->start(m_preferences->value(QStringLiteral("advanced/keepSeconds")).toInt() *
                     kMsPerSecond);
    if (state.isEmpty()) return;
    const QJsonArray place = state.value(QLatin1String("geometry")).toArray();
    QRect frame(place[0].toInt(), place[1].toInt(), place[2].toInt(), place[3].toInt());
    const QRect screen = screenAround(frame)->availableGeometry();
    frame.setSize(frame.size().boundedTo(screen.size()).expandedTo(minimumSizeHint()));
    if (!screen.contains(frame)) frame.moveCenter(screen.center());
    setGeometry(frame);
    if (place[4].toBool()) setWindowState(windowState() | Qt::WindowMaximized);
    if (m_options.theme == ThemeChoice::System)
        m_theme = themeChoiceOf(state.value(QLatin1String("theme")).toString())
                      .value_or(ThemeChoice::System);
    QStringList recent;
    for (const QJsonValue name : state.value(QLatin1String("recent")).toArray())
        recent << name.toString();
    m_locator->setRecent(recent);
    restoreFrame(state.value(QLatin1String("frame")).toObject());
    if (!m_options.world.isEmpty()) {
        showPerspective(QStringLiteral("world"));
    } else {
        m_options.world = state.value(QLatin1String("world")).toString();
        m_pendingAddress = state.value(QLatin1String("address")).toString();
    }
    m_keptSession = state;
}

void MainWindow::keepSession() {
    if (!m_options.restoresSession || !m_session.isOpen()) return;
    const QJsonObject state = sessionState();
    if (state == m_keptSession) return;
    QString trouble;
    if (writeSession(sessionFileName(), state, trouble)) {
        m_keptSession = state;
    } else if (m_keeping && m_keeping->isActive()) {
        m_keeping->stop();  // it will not get better; say it once
        say(MessageKind::Warning, tr("The session cannot be kept: %1").arg(trouble));
    }
}

}  // namespace orrery
