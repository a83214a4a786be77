#pragma once

#include <QColor>
#include <QImage>
#include <vector>

#include "core/world/piece.h"

class QPainter;

namespace orrery {

struct Tokens;
struct WorldLayout;

/// Whether a painter draws pixels, so that what was drawn once can be copied; not for SVG and PDF.
bool drawsPixels(const QPainter& painter);

/// Draws the pieces of a world of many cells on a screen: each look is drawn once and copied into
/// its cells, or stands for itself by its mean colour where cells are a few pixels. Agents are not
/// drawn so.
class PieceStamps {
public:
    /// Whether a painter and a layout are worth it.
    static bool isFor(const QPainter& painter, const WorldLayout& layout);

    PieceStamps(QPainter& painter, const WorldLayout& layout, const Tokens& tokens);
    /// Puts a piece into its cell; nothing is on the screen before flush().
    void put(const Piece& piece, bool onHeat);
    void flush();

private:
    struct Stamp {
        Piece piece;  ///< in cell 0,0
        bool onHeat = false;
        QImage picture;
        QColor mean;
    };
    const Stamp& stampOf(const Piece& piece, bool onHeat);

    QPainter& m_painter;
    const WorldLayout& m_layout;
    const Tokens& m_tokens;
    double m_ratio;  ///< pixels of the device per point
    bool m_isFar;    ///< cells are drawn by their mean colours
    QRectF m_area;   ///< of the layer
    QImage m_layer;  ///< in pixels of the device; null: nothing was put
    std::vector<Stamp> m_stamps;
    std::size_t m_last = 0;  ///< most pieces look like the one before
};

}  // namespace orrery
