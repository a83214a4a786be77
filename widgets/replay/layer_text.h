#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "core/empo/net_activations.h"

namespace orrery {

/// "shared encoder · convolution 2", "Q_r · hidden 1": a layer for people.
QString layerTitle(const LayerNumbers& layer);
/// "64 maps of 3 × 3", "256 units".
QString layerShapeText(const LayerNumbers& layer);

/// Counts of one layer; a unit is a number, or a whole map.
struct LayerCounts {
    int units = 0;
    int inactive = 0;  ///< 0 for this state
    int dead = 0;      ///< 0 for all states that were looked at
    float least = 0, mean = 0, greatest = 0;
};
LayerCounts countsOf(const LayerNumbers& layer);
/// Numbers of one unit: cells of a map, else 1.
std::size_t unitSize(const LayerNumbers& layer);

/// One line a layer: title, shape, least, mean, greatest, inactive, dead.
QStringList layerHeadings();
std::vector<QStringList> layerRows(const NetActivations& net);

}  // namespace orrery
