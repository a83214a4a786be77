#pragma once

#include <QFrame>
#include <QTimer>
#include <functional>
#include <vector>

#include "widgets/plots/cell_table.h"

class QLabel;
class QToolButton;

namespace orrery {

class ChartScene;
struct ChartContent;

/// What stands at one x: a row for each line, the nearest in pixels first.
struct ChartReading {
    struct Line {
        int series = -1, group = -1;
        QPointF at;           ///< of the bold value, pixels
        double distance = 0;  ///< to the pointer, pixels
        int color = 0;
    };
    double x = 0;
    std::vector<Line> lines;
    QStringList headers;
    std::vector<CellModel::Row> rows;  ///< as lines
};

/// Reads all lines of a scene at the x nearest to the pointer where the nearest line has a point.
/// Empty without lines. @param content  of the scene
ChartReading readChart(ChartScene& scene, ChartContent& content, const QPointF& pointer);
/// Reads at a given x.
ChartReading readChartAt(ChartScene& scene, ChartContent& content, double x,
                         const QPointF& pointer);

/// The small window beside the crosshair: a real table of a reading. Pinned it stays, is sorted by
/// a click on a header and copied by Ctrl+C.
class ChartReadout : public QFrame {
    Q_OBJECT

public:
    explicit ChartReadout(QWidget* parent);

    /// Shows a reading beside its crosshair, in the corner of the plot that is farthest from lines.
    /// @param note  after the step: "98.7 s"
    void show(const ChartReading& reading, const ChartScene& scene, const QString& xName,
              const QString& note);
    /// The second click of a double click is the chart's: what was pinned by the first one takes
    /// none until then.
    void setPinned(bool isPinned);
    /// Takes clicks from now on, if it is pinned.
    void takeClicks();
    bool isPinned() const { return m_isPinned; }
    CellTable* table() { return m_table; }

Q_SIGNALS:
    void unpinned();

private:
    void fit(const QSize& chart);
    void place(const ChartReading& reading, const ChartScene& scene);

    QLabel* m_step;
    QLabel* m_hint;
    QToolButton* m_close;
    CellTable* m_table;
    bool m_isPinned = false;
    QTimer m_waiting;  ///< since it was pinned
};

}  // namespace orrery
