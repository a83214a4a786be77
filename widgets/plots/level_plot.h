#pragma once

#include <QImage>
#include <QSize>
#include <QString>
#include <cstdint>
#include <vector>

namespace orrery {

struct Tokens;

/// One solved level of a run.
struct LevelPoint {
    int step = 0;
    std::int64_t states = 0;
    double meanV_r = 0;  ///< over the states of the level; < 0
};

/// A chart of level sizes (bars, logarithmic where they differ much) over a chart of the mean V_r
/// (line), both by step. Needs a QApplication; GUI thread only.
/// @param points  in any order; empty gives empty axes
QImage levelPlot(const QString& title, std::vector<LevelPoint> points, const Tokens& tokens,
                 const QSize& size = {900, 560}, double pixelRatio = 2);

}  // namespace orrery
