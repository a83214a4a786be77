#include "widgets/train/view_clock.h"

#include <QEvent>
#include <algorithm>

namespace orrery {

namespace {

constexpr int kSecondMs = 1000;
constexpr int kIdleMs = 100;    // between two moments while the views need them less often
constexpr int kUnseenMs = 250;  // while nobody looks

}  // namespace

ViewClock::ViewClock(QObject* parent) : QObject(parent) {
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &ViewClock::tell);
    m_clock.start();
}

void ViewClock::setRate(int hertz) {
    hertz = std::clamp(hertz, 0, kMostHertz);
    if (hertz == m_rate) return;
    m_rate = hertz;
    m_timer.stop();
    if (m_isDue) request();
    Q_EMIT rateChanged();
}

void ViewClock::addView(QWidget* view) {
    m_views.emplace_back(view);
    view->installEventFilter(this);
}

bool ViewClock::isWatched() const {
    return std::ranges::any_of(m_views, [](const QPointer<QWidget>& view) {
        return view && view->isVisible() && !view->window()->isMinimized();
    });
}

int ViewClock::pauseMs() const {
    if (!isWatched()) return kUnseenMs;
    // A little less than between two pictures, so that there is something new for each.
    return m_rate == 0 ? kIdleMs : std::min(kIdleMs, kSecondMs * 85 / 100 / m_rate);
}

void ViewClock::request() {
    m_isDue = true;
    if (m_timer.isActive() || isFrozen() || !isWatched()) return;
    const qint64 since = m_clock.elapsed() - m_lastMs;
    m_timer.start(static_cast<int>(std::max<qint64>(0, kSecondMs / m_rate - since)));
}

void ViewClock::drawNow() {
    m_timer.stop();
    tell();
}

void ViewClock::tell() {
    m_isDue = false;
    m_lastMs = m_clock.elapsed();
    std::erase_if(m_drawnMs, [this](qint64 at) { return m_lastMs - at >= kSecondMs; });
    m_drawnMs.push_back(m_lastMs);
    Q_EMIT due();
}

double ViewClock::drawnRate() const {
    const qint64 now = m_clock.elapsed();
    return static_cast<double>(
        std::ranges::count_if(m_drawnMs, [now](qint64 at) { return now - at < kSecondMs; }));
}

bool ViewClock::eventFilter(QObject* watched, QEvent* event) {
    // What happened while the view was behind another one or its window was minimised.
    const bool isSeen = event->type() == QEvent::Show || event->type() == QEvent::Paint;
    if (isSeen && m_isDue) request();
    return QObject::eventFilter(watched, event);
}

}  // namespace orrery
