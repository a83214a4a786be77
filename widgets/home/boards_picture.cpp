#include "widgets/home/boards_picture.h"

#include <QPainter>
#include <QPainterPath>

#include "widgets/common/tokens.h"
#include "widgets/entity/example_boards.h"
#include "widgets/world/picture_painter.h"

namespace orrery {

void BoardsPicture::paintEvent(QPaintEvent*) {
    const Tokens& t = currentTokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath clip;  // the card's round corners are above, its text below
    clip.addRoundedRect(QRectF(0, 0, width(), height() + 7), 7, 7);
    painter.setClipPath(clip);
    painter.fillRect(rect(), t.canvas);
    const std::vector<Picture>& pictures = exampleBoardPictures();
    const double across = (width() - 24.0) / static_cast<double>(pictures.size());
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        const QRectF box(12 + static_cast<double>(i) * across, 12, across - 6, height() - 24.0);
        paintPicture(painter, pictures[i], layoutPicture(box, pictures[i]), t);
    }
}

}  // namespace orrery
