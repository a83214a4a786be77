#include "widgets/plots/chart_geometry.h"

namespace orrery {

ChartGeometry::ChartGeometry(const QRectF& plot, const AxisView& x, const AxisView& y)
    : m_plot(plot),
      m_x(x),
      m_y(y),
      m_lowX(x.scale.place(x.low)),
      m_lowY(y.scale.place(y.low)),
      m_pixelsX(plot.width() / (x.scale.place(x.high) - m_lowX)),
      m_pixelsY(plot.height() / (y.scale.place(y.high) - m_lowY)) {}

}  // namespace orrery
