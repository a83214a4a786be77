#pragma once

#include <QJsonObject>
#include <QStringList>
#include <QWidget>
#include <filesystem>
#include <vector>

#include "widgets/compare/compare_set.h"
#include "widgets/plots/series.h"

class QLabel;
class QPushButton;

namespace orrery {

class BackgroundWorker;
class Chart;
class ChartGrid;

/// One stored curve of a run.
struct MetricCurve {
    QString key;     ///< of its chart
    QString stored;  ///< in the history
    int row = 0;     ///< of the sheet
    Series points;
    std::int64_t lastSeq = 0;  ///< of the newest point, in the order of recording
};

/// The stored metrics of the compared runs over steps, one chart a metric; runs that differ in the
/// seed alone are one band. Reading is the worker's; of a run at work only what is new.
class MetricCharts : public QWidget {
    Q_OBJECT

public:
    static constexpr int kMostRuns = 200;

    explicit MetricCharts(BackgroundWorker* worker, QWidget* parent = nullptr);

    /// @param folder  of the workspace
    void show(const CompareSet& set, const std::filesystem::path& folder);
    ChartGrid* grid() { return m_grid; }
    const QStringList& metrics() const { return m_metrics; }
    void setMetrics(const QStringList& keys);
    bool isWorking() const { return m_isWorking; }
    /// Something was written: reads what the runs at work have added.
    void follow();
    /// Dims all runs but one; empty: none is dimmed.
    void emphasize(const QString& runId);

    QJsonObject saveState() const;
    void restoreState(const QJsonObject& state);

Q_SIGNALS:
    void runPicked(const QString& runId);
    void changed();
    void failed(const QString& text);

private:
    struct Shown {
        QString chart;
        int series = 0;
        int row = 0;
    };

    void receive(std::vector<MetricCurve> curves, const QStringList& known);
    static QStringList usualMetrics(const QStringList& known);
    void rebuild();
    void takeNew(std::vector<MetricCurve> news);
    void dim();
    void fill(Chart* chart, const QString& key);
    QString emptyText() const;
    void showEmptyText();
    void showMenu();

    BackgroundWorker* m_worker;
    ChartGrid* m_grid;
    QPushButton* m_choose;
    QLabel* m_remark;
    CompareSet m_set;
    std::filesystem::path m_folder;
    std::vector<MetricCurve> m_curves;
    std::vector<Shown> m_shown;
    QStringList m_metrics{QStringLiteral("solve/v_r_mean"), QStringLiteral("solve/seconds"),
                          QStringLiteral("solve/states")};
    QStringList m_known;  ///< keys that the runs have
    int m_generation = 0;
    QString m_emphasized;  ///< run id
    bool m_isWorking = false, m_isFollowing = false;
};

}  // namespace orrery
