#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "widgets/common/names_spots.h"
#include "widgets/learned/learned_errors.h"

namespace orrery {

/// Mean errors side by side: a bar for the states that were visited, a hatched one for those that
/// never were. The arrow keys go through the bars, Return or a click picks one.
class ErrorBars : public QWidget, public NamesSpots {
    Q_OBJECT

public:
    /// @param axis  under the bars: "step"
    ErrorBars(const QString& name, const QString& axis, QWidget* parent = nullptr);

    void setBins(std::vector<ErrorBin> bins);
    /// Marks a bar; -1: none.
    void setCurrent(int bin);

    QSize sizeHint() const override { return {260, 130}; }
    QSize minimumSizeHint() const override { return {140, 96}; }
    std::vector<NamedSpot> namedSpots() const override;

Q_SIGNALS:
    void picked(int bin);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    QRectF plot() const;
    QRectF placeOf(std::size_t bin) const;  ///< its column, as high as the plot
    std::optional<std::size_t> binAt(const QPointF& at) const;
    void paintBar(QPainter& painter, std::size_t bin) const;

    QString m_axis;
    std::vector<ErrorBin> m_bins;
    double m_most = 0;
    int m_current = -1;
};

}  // namespace orrery
