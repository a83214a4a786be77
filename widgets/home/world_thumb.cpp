#include "widgets/home/world_thumb.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr double kRadius = 7;
constexpr int kMostInTurn = 8;  ///< of the event loop: at 3840x2160 one takes 1 to 3 ms

/// Whether one more is drawn in this turn.
bool takesTurn() {
    static int numDrawn = 0;
    if (numDrawn == 0) QTimer::singleShot(0, qApp, [] { numDrawn = 0; });
    return ++numDrawn <= kMostInTurn;
}

}  // namespace

WorldThumb::WorldThumb(WorldScene scene, QWidget* parent)
    : QWidget(parent), m_scene(std::move(scene)) {
    m_scene.isThumbnail = true;
    m_scene.showCoordinates = false;
    m_scene.showGoals = false;
    setAttribute(Qt::WA_TransparentForMouseEvents);
}

void WorldThumb::paintEvent(QPaintEvent*) {
    const QSizeF wanted = QSizeF(size()) * devicePixelRatioF();
    if (m_drawn.size() != wanted.toSize() || m_theme != &currentTokens()) {
        if (takesTurn())
            draw(wanted.toSize());
        else
            QTimer::singleShot(0, this, qOverload<>(&QWidget::update));
    }
    QPainter(this).drawPixmap(rect(), m_drawn);
}

void WorldThumb::draw(const QSize& pixels) {
    m_theme = &currentTokens();
    m_drawn = QPixmap(pixels);
    m_drawn.setDevicePixelRatio(devicePixelRatioF());
    m_drawn.fill(Qt::transparent);
    QPainter painter(&m_drawn);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath clip;  // the card's round corners are above, its text below
    clip.addRoundedRect(QRectF(0, 0, width(), height() + kRadius), kRadius, kRadius);
    painter.setClipPath(clip);
    const bool isWalled = std::ranges::any_of(m_scene.pieces, [](const Piece& piece) {
        return piece.kind == PieceKind::Wall && piece.x == 0 && piece.y == 0;
    });
    painter.fillRect(rect(), isWalled ? m_theme->wall : m_theme->canvas);
    const WorldLayout fitted = layoutWorld(QRectF(rect()).adjusted(4, 4, -4, -4), m_scene);
    paintWorld(painter, m_scene, fitted, *m_theme);
}

}  // namespace orrery
