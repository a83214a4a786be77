#pragma once

#include <optional>
#include <vector>

#include "core/solve/explain_spread.h"
#include "widgets/common/painted_view.h"

namespace orrery {

/// A small histogram of a quantity with its quartiles and the values of the current (B) and the
/// pinned state (A).
class ValueHistogram : public PaintedWidget {
    Q_OBJECT

public:
    ValueHistogram(const QString& name, QWidget* parent);

    void setSpread(ValueSpread spread, std::optional<double> current, std::optional<double> pinned);
    void setMarks(std::optional<double> current, std::optional<double> pinned);
    const ValueSpread& spread() const { return m_spread; }
    /// Where a bin is drawn, down to the axis.
    QRectF binRect(int bin) const;
    QSize sizeHint() const override { return {260, 92}; }
    QSize minimumSizeHint() const override { return {160, 92}; }
    std::vector<NamedSpot> namedSpots() const override;
    QJsonObject spotFacts() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double xOf(double value) const;

    ValueSpread m_spread;
    std::optional<double> m_current, m_pinned;
};

}  // namespace orrery
