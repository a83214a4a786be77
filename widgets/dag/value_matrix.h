#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

#include "widgets/common/painted_view.h"

namespace orrery {

struct NumberFormat;
struct Tokens;

/// A matrix of values as a heat map with its numbers. With differences the colours are theirs,
/// about zero, and each cell tells A, B and B - A. Mouse and keys (arrows, Enter) pick cells.
class ValueMatrix : public PaintedWidget {
    Q_OBJECT

public:
    struct Content {
        QStringList rows, columns;
        std::vector<double> values;    ///< [row x columns + column]
        std::vector<double> compared;  ///< A's values; empty: none
    };

    ValueMatrix(const QString& name, QWidget* parent);

    void setContent(Content content);
    const Content& content() const { return m_content; }
    /// Outlines a cell (row x columns + column); -1: none.
    void setCurrentCell(int cell);

    QRect cellRect(int cell) const;
    /// What is painted on a cell.
    QColor cellColor(int cell) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return QSize(160, sizeHint().height()); }

    std::vector<NamedSpot> namedSpots() const override;
    QJsonObject spotFacts() const override;

Q_SIGNALS:
    void picked(int cell);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    int numColumns() const { return static_cast<int>(m_content.columns.size()); }
    double headWidth() const;
    int cellAt(const QPointF& position) const;
    bool compares() const { return !m_content.compared.empty(); }
    void paintCell(QPainter& painter, int cell, const Tokens& tokens) const;
    QStringList linesOf(int cell, const NumberFormat& format) const;
    NumberFormat formatFor(double width) const;

    Content m_content;
    double m_low = 0, m_high = 1, m_most = 0;
    int m_current = -1, m_hovered = -1, m_focused = 0;
    bool m_showsFocus = false;
};

}  // namespace orrery
