#include "widgets/world/state_picture.h"

#include <QPainter>
#include <algorithm>

#include "widgets/common/style.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr int kCaptionHeight = 20, kTallest = 240;

}  // namespace

StatePicture::StatePicture(const QString& name, QWidget* parent) : QWidget(parent), m_name(name) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setMinimumWidth(90);
    setAccessibleName(name);
}

void StatePicture::setScene(const WorldScene& scene, const QString& caption) {
    m_scene = scene;
    m_scene.showCoordinates = false;
    m_caption = caption;
    setAccessibleDescription(caption);
    setToolTip(caption);
    updateGeometry();
    update();
}

void StatePicture::clear() {
    m_scene = {};
    m_caption.clear();
    update();
}

int StatePicture::heightForWidth(int width) const {
    if (m_scene.width == 0) return kCaptionHeight + 90;
    return kCaptionHeight + std::min(kTallest, width * m_scene.height / m_scene.width);
}

void StatePicture::paintEvent(QPaintEvent*) {
    const Tokens& t = currentTokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(interfaceFont(12, QFont::DemiBold));
    painter.setPen(t.text);
    const QRectF line(0, 0, width(), kCaptionHeight - 4);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, m_name);
    const double nameWidth = painter.fontMetrics().horizontalAdvance(m_name) + 8;
    painter.setFont(numberFont(11));
    painter.setPen(t.text2);
    const QRectF rest = line.adjusted(nameWidth, 0, 0, 0);
    painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(m_caption, Qt::ElideRight,
                                                      static_cast<int>(rest.width())));
    if (m_scene.width == 0) return;
    const QRectF area(0, kCaptionHeight, width(), height() - kCaptionHeight);
    paintWorld(painter, m_scene, layoutWorld(area, m_scene), t);
}

}  // namespace orrery
