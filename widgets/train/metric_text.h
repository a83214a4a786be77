#pragma once

#include <QString>

namespace orrery {

struct RunKind;

/// What a metric is called in the charts of a kind: "Loss · Vₕᵉ" for "Loss/v_h_e"; one that no
/// chart shows is given back.
QString metricTitle(const RunKind& kind, const QString& metric);
/// The metric of such a title; any other text is given back.
QString metricOfTitle(const RunKind& kind, const QString& title);

}  // namespace orrery
