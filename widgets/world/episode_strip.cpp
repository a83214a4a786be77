#include "widgets/world/episode_strip.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/world/world_painter.h"

namespace orrery {

namespace {

constexpr double kLeft = 16, kTop = 24, kWidth = 88, kHeight = 58, kGap = 8;

}  // namespace

EpisodeStrip::EpisodeStrip(PlanSession* session, QWidget* parent)
    : QWidget(parent), m_session(session) {
    setObjectName(QStringLiteral("episodeStrip"));
    setAccessibleName(tr("Walk"));
    setToolTip(tr("The states you walked through; click one to go back to it"));
    setFixedHeight(92);
    setFocusPolicy(Qt::StrongFocus);
    connect(session, &PlanSession::stateChanged, this, qOverload<>(&QWidget::update));
    connect(session, &PlanSession::worldChanged, this, [this] { m_thumbnails.clear(); });
}

std::size_t EpisodeStrip::firstShown() const {
    const auto fits =
        static_cast<std::size_t>(std::max(1.0, (width() - 2 * kLeft + kGap) / (kWidth + kGap)));
    const std::size_t count = m_session->walk().size();
    if (count <= fits) return 0;
    // The current moment stands at two thirds, so that what follows it is seen too.
    const std::size_t before = fits * 2 / 3;
    const std::size_t at = m_session->walkIndex();
    return std::min(at > before ? at - before : 0, count - fits);
}

QRectF EpisodeStrip::momentRect(std::size_t index) const {
    const std::size_t first = firstShown();
    if (index < first) return {};
    const QRectF box(kLeft + static_cast<double>(index - first) * (kWidth + kGap), kTop, kWidth,
                     kHeight);
    return box.right() <= width() ? box : QRectF();
}

const QPixmap& EpisodeStrip::pictureOf(std::size_t index) {
    if (m_thumbnails.size() <= index) m_thumbnails.resize(index + 1);
    Thumbnail& thumbnail = m_thumbnails[index];
    const StateItem& state = m_session->walk()[index].state;
    if (!thumbnail.picture.isNull() && thumbnail.state == state) return thumbnail.picture;
    WorldScene scene = sceneOf(m_session->world(), state.words);
    scene.isThumbnail = true;
    scene.showCoordinates = false;
    scene.showGoals = false;
    const Tokens& tokens = currentTokens();
    QPixmap picture((QSizeF(kWidth - 4, kHeight - 4) * devicePixelRatioF()).toSize());
    picture.setDevicePixelRatio(devicePixelRatioF());
    picture.fill(tokens.canvas);
    QPainter painter(&picture);
    paintWorld(painter, scene, layoutWorld(QRectF(0, 0, kWidth - 4, kHeight - 4), scene), tokens);
    thumbnail = {state, picture};
    return thumbnail.picture;
}

void EpisodeStrip::paintEvent(QPaintEvent*) {
    if (!m_session->isOpen()) return;
    const Tokens& t = currentTokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto& walk = m_session->walk();
    for (std::size_t i = firstShown(); i < walk.size(); ++i) {
        const QRectF box = momentRect(i);
        if (box.isNull()) break;
        const bool isCurrent = i == m_session->walkIndex();
        painter.setFont(numberFont(10, isCurrent ? QFont::DemiBold : QFont::Normal));
        painter.setPen(isCurrent ? t.text : t.text2);
        const QRectF line(box.left(), 6, box.width(), 14);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                         QStringLiteral("t %1").arg(walk[i].state.step));
        painter.setFont(interfaceFont(10));
        painter.setPen(t.text3);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter,
                         isCurrent ? tr("now")
                         : i == 0  ? tr("start")
                                   : QStringLiteral("p %1").arg(walk[i].probability, 0, 'f', 2));
        painter.setPen(isCurrent ? QPen(t.accent, 3) : QPen(t.border, 1));
        painter.setBrush(t.canvas);
        painter.drawRoundedRect(box, 4, 4);
        painter.drawPixmap(box.topLeft() + QPointF(2, 2), pictureOf(i));
        if (isCurrent) {
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(box, 4, 4);
        }
    }
    if (hasFocus()) {
        painter.setPen(QPen(t.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

void EpisodeStrip::mousePressEvent(QMouseEvent* event) {
    for (std::size_t i = firstShown(); i < m_session->walk().size(); ++i)
        if (momentRect(i).contains(event->position())) return m_session->showMoment(i);
}

void EpisodeStrip::keyPressEvent(QKeyEvent* event) {
    const std::size_t at = m_session->walkIndex();
    if (event->key() == Qt::Key_Left && at > 0)
        m_session->showMoment(at - 1);
    else if (event->key() == Qt::Key_Right)
        m_session->showMoment(at + 1);
    else
        QWidget::keyPressEvent(event);
}

void EpisodeStrip::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) m_thumbnails.clear();
    QWidget::changeEvent(event);
}

}  // namespace orrery
