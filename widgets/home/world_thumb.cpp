#include "widgets/home/world_thumb.h"

#include <QEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <utility>

#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr double kRadius = 7;

}  // namespace

WorldThumb::WorldThumb(WorldScene scene, QWidget* parent)
    : QWidget(parent), m_scene(std::move(scene)) {
    m_scene.isThumbnail = true;
    m_scene.showCoordinates = false;
    m_scene.showGoals = false;
    setAttribute(Qt::WA_TransparentForMouseEvents);
}

void WorldThumb::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) m_drawn = {};
    QWidget::changeEvent(event);
}

void WorldThumb::paintEvent(QPaintEvent*) {
    const double ratio = devicePixelRatioF();
    if (m_drawn.size() != size() * ratio) {
        m_drawn = QPixmap(size() * ratio);
        m_drawn.setDevicePixelRatio(ratio);
        m_drawn.fill(Qt::transparent);
        QPainter painter(&m_drawn);
        painter.setRenderHint(QPainter::Antialiasing);
        QPainterPath clip;  // the card's round corners are above, its text below
        clip.addRoundedRect(QRectF(0, 0, width(), height() + kRadius), kRadius, kRadius);
        painter.setClipPath(clip);
        const bool isWalled = std::ranges::any_of(m_scene.pieces, [](const Piece& piece) {
            return piece.kind == PieceKind::Wall && piece.x == 0 && piece.y == 0;
        });
        painter.fillRect(rect(), isWalled ? currentTokens().wall : currentTokens().canvas);
        const WorldLayout fitted = layoutWorld(QRectF(rect()).adjusted(4, 4, -4, -4), m_scene);
        paintWorld(painter, m_scene, fitted, currentTokens());
    }
    QPainter(this).drawPixmap(0, 0, m_drawn);
}

}  // namespace orrery
