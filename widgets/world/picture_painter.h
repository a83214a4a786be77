#pragma once

#include <QRectF>
#include <vector>

#include "core/env/picture.h"
#include "widgets/common/painted_view.h"

class QPainter;

namespace orrery {

struct Tokens;
struct WorldScene;

/// Where the cells of a picture lie.
struct PictureLayout {
    QRectF area;      ///< of the whole picture
    double cell = 0;  ///< pixels

    QRectF rect(const PicturePoint& corner, double width, double height) const {
        return {area.left() + corner.x * cell, area.top() + corner.y * cell, width * cell,
                height * cell};
    }
};

/// Fits a picture into an area, as large as it can be in whole pixels a cell from 8 on.
PictureLayout layoutPicture(const QRectF& area, const Picture& picture);

/// Draws a picture in the colours of a theme. Sprites of a book that is known are drawn by it,
/// others as their shapes. Vectors and text only, so it works for SVG too.
void paintPicture(QPainter& painter, const Picture& picture, const PictureLayout& layout,
                  const Tokens& tokens);

/// Sprites that have a label, by name and label: "agent A".
std::vector<NamedSpot> spotsOf(const Picture& picture, const PictureLayout& layout);

}  // namespace orrery
