#pragma once

#include <QJsonObject>
#include <QMap>
#include <QScrollArea>
#include <optional>
#include <vector>

#include "widgets/plots/chart.h"

class QFrame;
class QMenu;

namespace orrery {

/// Charts whose x axes and crosshairs move together.
enum class LinkGroup { None, A, B };

/// "none", "A", "B".
QString nameOf(LinkGroup group);
std::optional<LinkGroup> linkGroupOf(const QString& name);

/// Charts in rows of equal columns. A chart is moved by dragging its title onto another one's place
/// (keys: Ctrl+Shift+Left, Ctrl+Shift+Right), fills the grid after a double click on its title and
/// goes back after another, and is linked in x and crosshair with those of its group. Rows are as
/// high as lets whole rows fill the grid. What lies between a chart's cursors stands below all of
/// them. The whole arrangement is one JSON object.
class ChartGrid : public QScrollArea {
    Q_OBJECT

public:
    explicit ChartGrid(QWidget* parent = nullptr);

    /// Adds an empty chart at the end, or where restored state had it, with the view that it had.
    /// Ids are unique in a grid. The grid owns it.
    /// @throws Error if there is a chart with this id
    Chart* addChart(const QString& id, LinkGroup link = LinkGroup::A);
    void removeChart(const QString& id);
    void clear();
    /// Null if there is none.
    Chart* chart(const QString& id) const;
    /// In their order, row by row.
    std::vector<Chart*> charts() const;

    int columns() const { return m_columns; }
    void setColumns(int columns);  ///< 1-6
    void setSpan(const QString& id, int span);
    int span(const QString& id) const;
    void setLink(const QString& id, LinkGroup link);
    LinkGroup link(const QString& id) const;
    /// Lets one chart fill the grid; empty: all are shown.
    void setPinned(const QString& id);
    const QString& pinned() const { return m_pinned; }
    /// Puts a chart before the one now at `place`; the last place is past the end.
    void moveChart(const QString& id, int place);
    /// One smoothing for all charts, one kind of band.
    void setSmoothing(const SmoothingSpec& smoothing);
    void setBands(BandKind bands);
    /// Everything in view, and no cursors: another run is shown.
    void resetRanges();

    /// {"columns", "pinned", "charts": [{"id", "span", "link", "view"}]}.
    QJsonObject saveState() const;
    /// Takes what it knows; charts that are added later find their place and view by their id.
    void restoreState(const QJsonObject& state);

Q_SIGNALS:
    void layoutChanged();                                 ///< order, spans, columns or links
    void viewChanged();                                   ///< of a chart
    void crosshairMoved(const std::optional<double>& x);  ///< by pointer or keys, of a linked chart
    void momentPicked(double x);
    void figureRequested(const QString& id);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Cell {
        Chart* chart = nullptr;
        LinkGroup link = LinkGroup::A;
        int span = 1;
    };

    std::size_t indexOf(const QString& id) const;  ///< m_cells.size() if there is none
    std::size_t indexOf(const Chart* chart) const;
    void connectChart(Chart* chart);
    void layOut();
    void layOutRows(const QSize& room);
    void shareX(Chart* from, const AxisView& x);
    void shareCrosshair(const Chart* from, const std::optional<double>& x);
    void requestExtents();
    void requestRemarkRows();
    void shareRemarkRows();
    void shareExtents();
    std::size_t placeAt(const QPoint& global) const;
    void showDropMark(const QPoint& global);
    void drop(Chart* chart, const QPoint& global);
    void sortByRestored();
    void showStatistics(Chart* changed);
    int statisticsHeight() const;
    void placeStatistics();
    void showAboveStatistics();
    Cell* pinnedCell();

    QWidget* m_inner = nullptr;
    QFrame* m_dropMark;
    ChartStatistics* m_statistics;
    std::vector<Cell> m_cells;
    int m_columns = 3;
    QString m_pinned;                       ///< id
    QMap<QString, QJsonObject> m_restored;  ///< by id, until the chart is added
    QStringList m_restoredOrder;
    bool m_isExtentDue = false;
    bool m_areRemarkRowsDue = false;
};

}  // namespace orrery
