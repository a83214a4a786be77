#pragma once

#include <QString>

namespace orrery {

/// What a metric is called in the charts: "Loss · Vₕᵉ" for "Loss/v_h_e"; one that no chart shows is
/// given back.
QString metricTitle(const QString& metric);
/// The metric of such a title; any other text is given back.
QString metricOfTitle(const QString& title);

}  // namespace orrery
