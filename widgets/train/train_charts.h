#pragma once

#include <QHash>
#include <QWidget>
#include <vector>

#include "widgets/frame/view_spec.h"
#include "widgets/plots/chart_content.h"

class QAbstractItemModel;
class QComboBox;
class QLabel;
class QPushButton;
class QSlider;
class QStackedWidget;

namespace orrery {

class Chart;
class ChartGrid;
class StageBar;
class TrainFacts;
class TrainSession;

/// Is it learning? The curves of a training as it runs: error to exact, losses, predictions beside
/// their targets, exploration, speed. Above them the stages, how far the run is, and its buttons.
/// All charts share their x axis: training steps, or seconds of training.
class TrainCharts : public QWidget, public KeepsState {
    Q_OBJECT

public:
    explicit TrainCharts(TrainSession* session, QWidget* parent = nullptr);

    ChartGrid* grid() const { return m_grid; }
    /// How far the run is, as a table.
    QAbstractItemModel* tableModel();

    QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;

Q_SIGNALS:
    void trainRequested();
    void exampleRequested();

private:
    /// One line of a chart.
    struct Line {
        QString metric;
        Chart* chart = nullptr;
        SeriesHandle series = 0;
        std::size_t drawn = 0;  ///< points that the chart has
    };

    QWidget* makeEmptyPage();
    QWidget* makeFullPage();
    QWidget* makeStatusRow();
    QWidget* makeStageRow();
    void makeCharts();
    void fillCharts();
    void appendPoints();
    void refreshMarks();
    void refreshStatus();
    void setSmoothing(int place);
    double xOf(double step) const;
    bool isByTime() const;

    TrainSession* m_session;
    TrainFacts* m_facts;
    QStackedWidget* m_pages;
    QWidget* m_empty = nullptr;
    QWidget* m_full = nullptr;
    ChartGrid* m_grid = nullptr;
    StageBar* m_stages = nullptr;
    QLabel* m_state = nullptr;
    QLabel* m_numbers = nullptr;
    QLabel* m_smoothingText = nullptr;
    QSlider* m_smoothing = nullptr;
    QComboBox* m_axis = nullptr;
    QPushButton *m_pause = nullptr, *m_step = nullptr, *m_steps = nullptr, *m_stop = nullptr,
                *m_checkpoint = nullptr;
    std::vector<Line> m_lines;
    int m_serial = 0;
};

}  // namespace orrery
