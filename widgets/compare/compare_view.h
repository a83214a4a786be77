#pragma once

#include <QJsonObject>
#include <QSet>
#include <QWidget>
#include <memory>

#include "widgets/compare/compare_set.h"
#include "widgets/compare/setting_colors.h"
#include "widgets/frame/view_spec.h"

class QPushButton;
class QFrame;
class QSplitter;
class QTabWidget;
class QUndoStack;

namespace orrery {

class Archive;
class BackgroundWorker;
class ConfigDiff;
class DifferenceView;
class IntervalPlot;
class MessageStrip;
class MetricCharts;
class OutcomeChart;
class OutcomeHeat;
class ParallelPlot;
class PlanSession;
struct ReportDraft;
class RunActions;
class RunsTable;
class Selection;

/// The centre of the perspective Compare: which run is better, by how much, and is that sure. The
/// runs table, the config diff and the interval at the left; charts, the world in which two runs
/// differ and parallel coordinates at the right.
///
/// The compared set is the Selection's set of runs, the current run its current one. Lists runs
/// again whenever the archive does. All reading and writing is the worker's.
class CompareView : public QWidget, public KeepsState {
    Q_OBJECT

public:
    /// @param undo  takes renames, notes, tags and the trash; may be null
    CompareView(Archive* archive, Selection* selection, PlanSession* session,
                BackgroundWorker* worker, QUndoStack* undo, QWidget* parent = nullptr);
    ~CompareView() override;

    RunsTable* table() { return m_table; }
    ConfigDiff* configDiff() { return m_diff; }
    IntervalPlot* intervalPlot() { return m_interval; }
    MetricCharts* charts() { return m_charts; }
    DifferenceView* difference() { return m_difference; }
    ParallelPlot* parallel() { return m_parallel; }
    OutcomeChart* outcome() { return m_outcome; }
    OutcomeHeat* outcomeHeat() { return m_heat; }
    const CompareSet& compareSet() const { return m_set; }

    /// Writes the report of the compared runs, asking for a file name.
    void makeReport();
    /// @throws Error if the file cannot be written
    void writeReport(const QString& file) const;

    /// True while something is being read.
    bool isWorking() const;
    /// "12 runs · 10 chosen · 2 settings", for a status bar.
    QString statusText() const;

    QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;

Q_SIGNALS:
    /// A run is to be opened with its values in the other perspectives.
    void reopenRequested(const QString& runId);
    void statusChanged();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeLowerParts();
    void arrangeColumns();
    void buildLayout();
    void connectTable();
    void connectActions();
    void readRuns();
    void takeSheet(std::shared_ptr<const RunSheet> sheet);
    void checkFirst();
    void checkAgain();
    void publishChecked(const QSet<QString>& runIds);
    void refreshSet();
    void refreshCurrent();
    ReportDraft reportDraft() const;

    Archive* m_archive;
    Selection* m_selection;
    PlanSession* m_session;
    BackgroundWorker* m_worker;
    RunActions* m_actions;
    // Parts are made within what holds them: moving them there would resolve the style of all that
    // they hold once more.
    QSplitter* m_columns;
    QFrame* m_leftPanel;
    QSplitter* m_left;
    QSplitter* m_right;
    QSplitter* m_below;
    RunsTable* m_table;
    ConfigDiff* m_diff;
    IntervalPlot* m_interval;
    MetricCharts* m_charts;
    DifferenceView* m_difference;
    QTabWidget* m_parameters;  ///< parallel coordinates, outcome, heat table
    ParallelPlot* m_parallel;
    OutcomeChart* m_outcome;
    OutcomeHeat* m_heat;
    MessageStrip* m_strip;
    QPushButton* m_report;
    CompareSet m_set;
    SettingColors m_colors;
    bool m_isReading = false, m_isStale = false;
    QSet<QString> m_checked;    ///< compared last; opening a world empties every set
    bool m_wasChecked = false;  ///< a compared set was chosen or restored
    bool m_hasEmptiedTrash = false;
};

}  // namespace orrery
