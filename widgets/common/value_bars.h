#pragma once

#include <QColor>
#include <QString>
#include <QWidget>
#include <optional>
#include <vector>

#include "widgets/common/painted_view.h"
#include "widgets/common/trust_mark.h"

namespace orrery {

struct Tokens;

/// One number of a row.
struct BarNumber {
    QString text;             ///< empty: there is none
    bool isPickable = false;  ///< a click or Enter asks about it
    QColor fill = {};         ///< of the cell behind it, for differences; invalid: none
};

/// One row: a name, a bar, numbers in columns.
struct ValueBar {
    QString name;
    double share = 0;  ///< length of the bar, in [0, 1]
    std::vector<BarNumber> numbers = {};
    QColor color = {};      ///< of the bar
    bool isStrong = false;  ///< the name is bold: the largest, or the current one
    bool hasFrame = false;  ///< a dashed goal frame in the bar's colour stands before the name
    bool isOthers = false;  ///< stands for many rows: its bar is hatched
    QString tip = {};

    /// The text of the first number.
    QString value() const { return numbers.empty() ? QString() : numbers.front().text; }
};

/// One column of numbers. Its format is the caller's: the same for all of its numbers.
struct BarColumn {
    QString symbol;       ///< "pi_r", over the numbers; empty: none
    QString suffix = {};  ///< plain text after the symbol, "(s′)"
    bool isBeforeBar = false;
    std::optional<TrustKind> mark = TrustKind::Exact;  ///< of all numbers, beside the symbol
    bool marksNumbers = false;                         ///< beside each number instead
};

/// Rows under each other: name, bar, numbers in columns. Mouse and keys (arrows, Enter) pick rows
/// and numbers.
class ValueBars : public PaintedWidget {
    Q_OBJECT

public:
    ValueBars(const QString& name, QWidget* parent);

    void setBars(std::vector<ValueBar> bars, std::vector<BarColumn> columns = {});
    const std::vector<ValueBar>& bars() const { return m_bars; }
    const std::vector<BarColumn>& columns() const { return m_columns; }
    /// Outlines the number that is being asked about; row -1: none.
    void setCurrentNumber(int row, int column);
    /// Rows without a bar leave its place to the numbers.
    void setHasBars(bool hasBars);
    /// Whole rows light up under the pointer and say so by picked().
    void setPicksRows(bool picksRows) { m_picksRows = picksRows; }

    QRect rowRect(int row) const;
    QRect numberRect(int row, int column) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return QSize(180, sizeHint().height()); }

    std::vector<NamedSpot> namedSpots() const override;
    QJsonObject spotFacts() const override;

Q_SIGNALS:
    void picked(int bar);
    void numberPicked(int bar, int column);
    void rowHovered(int bar);  ///< -1: none

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    struct Place {
        int row = -1, column = -1;  ///< column -1: the row itself
        bool operator==(const Place&) const = default;
    };
    /// Left and right end of a part of every row.
    struct Span {
        double left = 0, right = 0;
    };
    void layOut();
    Place placeAt(const QPointF& position) const;
    bool isPickable(const Place& place) const;
    void setHovered(const Place& place);
    void pick(const Place& place);
    void moveFocus(int rows, int columns);
    void paintHeads(QPainter& painter, const Tokens& tokens) const;
    void paintRow(QPainter& painter, int row, const Tokens& tokens) const;
    void paintBar(QPainter& painter, const ValueBar& bar, double centre,
                  const Tokens& tokens) const;
    void paintNumber(QPainter& painter, int row, int column, const Tokens& tokens) const;
    int headHeight() const;

    std::vector<ValueBar> m_bars;
    std::vector<BarColumn> m_columns;
    std::vector<Span> m_spans;  ///< of the columns
    Span m_name, m_track;
    bool m_hasBars = true;
    bool m_picksRows = false;
    bool m_showsFocus = false;  ///< the keyboard is being used
    Place m_hovered, m_focused, m_current;
};

}  // namespace orrery
