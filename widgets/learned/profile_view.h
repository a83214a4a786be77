#pragma once

#include <QWidget>
#include <array>
#include <memory>
#include <vector>

#include "widgets/learned/learned_desk.h"

class QAbstractItemModel;
class QComboBox;
class QLabel;
class QSplitter;
class QTabBar;
class QVBoxLayout;

namespace orrery {

class CellTable;
class ErrorBars;
class SpanPanel;
class StageTimes;

/// Where the time of a training goes: what its threads did when, the parts of a training step, and
/// where its memory is; of one training, or of two with their difference, each limited to a range
/// that was marked in its timeline. The live training is read from its snapshots, stored ones from
/// what they kept with their checkpoints.
class ProfileView : public QWidget {
    Q_OBJECT

public:
    explicit ProfileView(LearnedDesk* desk, QWidget* parent = nullptr);

    /// What is newest of the training at work; without statistics.
    void setLive(StageProfile live);
    /// The recorded spans of the training whose timeline has the focus, else of the first.
    QAbstractItemModel* tableModel();

    SpanPanel* firstPanel() const { return m_panels[0]; }
    SpanPanel* secondPanel() const { return m_panels[1]; }

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void nameParts();
    void layOut();
    void fillRuns();
    void read();
    void refresh();
    const StageProfile* profileOf(const QString& id) const;
    void showTimelines();
    void showStages();
    void fillKinds();
    void showDurations();
    QWidget* makeNumbers();
    void arrangeNumbers();
    void placeDurations(bool isBelow);
    QWidget* makeDurations(QWidget* parent);
    void showMemory();
    std::vector<StageProfile> limited() const;
    void markKind(const SpanWords& kind);

    LearnedDesk* m_desk;
    StageProfile m_live;
    bool m_isStale = false;  ///< news came while nothing was seen
    QWidget *m_empty, *m_full;
    QComboBox* m_runs[2];
    QLabel* m_remark;
    StageTimes* m_bars;
    QSplitter* m_split;
    QVBoxLayout* m_numbers = nullptr;
    QVBoxLayout* m_times = nullptr;
    QTabBar* m_tabs = nullptr;  ///< of m_parts, where they stand below the timeline
    QLabel* m_memoryTitle = nullptr;
    std::array<QWidget*, 3> m_parts = {};
    SpanPanel* m_panels[2];
    QString m_shown[2];  ///< ids of the runs in the panels
    CellTable *m_table, *m_memory;
    QComboBox* m_kind = nullptr;  ///< what m_durations is of
    QStringList m_kinds;          ///< in it
    ErrorBars* m_durations = nullptr;
};

}  // namespace orrery
