#pragma once

#include <QHash>
#include <QJsonObject>
#include <QTimer>
#include <QWidget>
#include <vector>

#include "widgets/frame/view_spec.h"
#include "widgets/plots/chart_content.h"

class QAbstractItemModel;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QSlider;
class QStackedWidget;

namespace orrery {

class Chart;
class ChartGrid;
struct CurveChart;
struct RunKind;
class StageBar;
class TrainFacts;
struct StoredCurve;
class TrainSession;

/// Is it learning? The curves of a training as it runs: error to exact, losses, predictions beside
/// their targets, exploration, speed. Above them the stages and how far the run is.
/// All charts share their x axis: training steps, or seconds of training. They are made one after
/// the other in turns of the event loop, and drawn anew at the rate of the session's clock.
class TrainCharts : public QWidget, public KeepsState {
    Q_OBJECT

public:
    explicit TrainCharts(TrainSession* session, QWidget* parent = nullptr);

    ChartGrid* grid() const { return m_grid; }
    /// The newest of the stored trainings, which the page without one offers; empty: none is.
    void setNewestStored(const QString& title);
    /// How far the run is, as a table.
    QAbstractItemModel* tableModel();

    QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;

Q_SIGNALS:
    void trainRequested();
    void exampleRequested();
    void newestRequested();
    void goBackRequested();  ///< the live one shall end and go on from its newest checkpoint
    void forkRequested(const QString& field);  ///< the live one shall end and be forked

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
    QWidget* makeStatusRow(QWidget* page);
    QWidget* makeStageRow(QWidget* page);
    void makeRateParts(QWidget* bar, QHBoxLayout* row);
    void takeKind();
    void makeNextChart();
    void fillCharts();
    void forgetViews();
    void fillChart(const CurveChart& plan);
    void appendPoints();
    void appendPoints(const CurveChart& plan);
    void addHistory(const CurveChart& plan);
    void append(Chart& chart, SeriesHandle series, const StoredCurve& curve,
                std::size_t from) const;
    void draw();
    void refreshMarks();
    void refreshRate();
    void refreshErrorHint();
    void refreshStatus();
    void setSmoothing(int place);
    void showSmoothing();
    SmoothingSpec smoothingOf(const CurveChart& plan) const;
    double xOf(double step) const;
    bool isByTime() const;
    const std::vector<CurveChart>& plans() const;
    QJsonObject presentGrid() const;
    QString nameOfKind() const;

    TrainSession* m_session;
    const RunKind* m_kind;  ///< whose charts these are
    TrainFacts* m_facts;
    QStackedWidget* m_pages;
    QWidget* m_empty = nullptr;
    QLabel *m_emptyTitle = nullptr, *m_emptyText = nullptr;
    QPushButton* m_newest = nullptr;
    QWidget* m_full = nullptr;
    ChartGrid* m_grid = nullptr;
    StageBar* m_stages = nullptr;
    QLabel* m_run = nullptr;
    QLabel* m_state = nullptr;
    QLabel* m_numbers = nullptr;
    QLabel* m_smoothingText = nullptr;
    QSlider* m_rate = nullptr;
    QLabel* m_rateText = nullptr;
    QTimer m_making;  ///< of the charts that are missing
    std::size_t m_numMade = 0;
    QJsonObject m_keptGrid;  ///< restored, until all charts are made
    QJsonObject m_grids;     ///< by kind: of those that are not shown, as they were
    QString m_viewedRun;     ///< that zoom and cursors were set for; empty: one that is not stored
    bool m_areMarksNew = false;
    QSlider* m_smoothing = nullptr;
    QComboBox* m_axis = nullptr;
    QPushButton *m_steps = nullptr, *m_checkpoint = nullptr;
    std::vector<Line> m_lines;
    int m_serial = 0;
};

}  // namespace orrery
