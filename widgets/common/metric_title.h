#pragma once

#include <QString>

namespace orrery {

/// "V_r" and "mean of a level" for "solve/v_r_mean"; the key itself for metrics without a name.
struct MetricTitle {
    QString title, unit;
};
MetricTitle titleOf(const QString& key);

}  // namespace orrery
