#pragma once

#include <QStandardItemModel>
#include <QWidget>
#include <vector>

#include "widgets/dag/band_quantity.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace orrery {

class BackgroundWorker;
class PathChart;
class PlanSession;
class RowList;

/// One step of the walk as a quantity sees it.
struct EpisodeStep {
    std::size_t moment = 0;  ///< of the walk, the one that the step led to
    double value = 0;        ///< in that moment
    double change = 0;       ///< since the moment before
    double expected = 0;     ///< mean change under both policies
    /// How much more (or, negative, less) came than both policies let expect.
    double surprise() const { return change - expected; }
};

/// A quantity along the whole walk: its curve and the steps that cost most against what the
/// policies let expect, the worst first. A click goes to a step. Values are exact; a worker reads
/// them.
class EpisodeValues : public QWidget {
    Q_OBJECT

public:
    explicit EpisodeValues(PlanSession* session, QWidget* parent = nullptr);
    ~EpisodeValues() override;

    /// In the order of the list.
    const std::vector<EpisodeStep>& steps() const { return m_steps; }
    bool isWorking() const;
    /// Curve and list as a table, for F8, in the order of the walk.
    QStandardItemModel* tableModel() { return &m_table; }

private:
    struct Read {
        double first = 0;
        std::vector<EpisodeStep> steps;
    };
    void refreshQuantities();
    void request();
    void take(Read read);
    void sortSteps();
    void showSteps();
    void showNothing(const QString& why);
    void fillTable();
    void goTo(std::size_t moment);
    void playToTheEnd();
    ValueOf quantity() const;

    PlanSession* m_session;
    BackgroundWorker* m_worker;
    QComboBox *m_quantities, *m_order;
    QLabel* m_remark;
    PathChart* m_chart;
    RowList* m_list;
    QPushButton* m_play;
    std::vector<ValueOf> m_offered;
    double m_first = 0;
    std::vector<EpisodeStep> m_steps;
    std::vector<std::size_t> m_moments;  ///< of the chart's points
    QStandardItemModel m_table;
};

}  // namespace orrery
