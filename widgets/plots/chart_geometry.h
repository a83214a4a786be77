#pragma once

#include <QRectF>

#include "widgets/plots/chart_view.h"

namespace orrery {

/// Where values lie on a surface: the plot's rectangle and what its edges stand for.
class ChartGeometry {
public:
    ChartGeometry() = default;
    /// @param x, y  with ranges that are not empty
    ChartGeometry(const QRectF& plot, const AxisView& x, const AxisView& y);

    const QRectF& plot() const { return m_plot; }
    const AxisView& x() const { return m_x; }
    const AxisView& y() const { return m_y; }

    double pixelX(double value) const {  ///< NaN without a place
        return m_plot.left() + (m_x.scale.place(value) - m_lowX) * m_pixelsX;
    }
    double pixelY(double value) const {
        return m_plot.bottom() - (m_y.scale.place(value) - m_lowY) * m_pixelsY;
    }
    double valueX(double pixel) const {
        return m_x.scale.value(m_lowX + (pixel - m_plot.left()) / m_pixelsX);
    }

private:
    QRectF m_plot{0, 0, 1, 1};
    AxisView m_x, m_y;
    double m_lowX = 0, m_lowY = 0;        ///< places of the edges
    double m_pixelsX = 1, m_pixelsY = 1;  ///< a unit of place
};

}  // namespace orrery
