#pragma once

#include <QWidget>
#include <array>
#include <vector>

#include "core/empo/batch_profile.h"
#include "widgets/common/names_spots.h"
#include "widgets/learned/learned_desk.h"

class QAbstractItemModel;
class QComboBox;
class QLabel;
class QStackedWidget;

namespace orrery {

class CellTable;

/// The parts of a training step side by side, one row a run; idle is hatched.
class StageTimes : public QWidget, public NamesSpots {
    Q_OBJECT

public:
    explicit StageTimes(QWidget* parent = nullptr);

    void show(std::vector<StageProfile> profiles);
    QSize sizeHint() const override { return {500, 50}; }
    QSize minimumSizeHint() const override { return {240, 50}; }
    std::vector<NamedSpot> namedSpots() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Part {
        QRectF place;
        std::size_t profile = 0;
        int stage = 0;
    };
    std::vector<Part> parts() const;
    QString tipOf(const Part& part) const;

    std::vector<StageProfile> m_profiles;
};

/// Where the time of a training step goes, by stage, of one training or of two with their
/// difference. The live training is read from its snapshots, stored ones from their curves.
class ProfileView : public QWidget {
    Q_OBJECT

public:
    explicit ProfileView(LearnedDesk* desk, QWidget* parent = nullptr);

    /// The newest numbers of the training at work; an empty id: none is.
    void setLive(const QString& runId, const QString& name, const BatchProfileStats& stats);
    QAbstractItemModel* tableModel();

private:
    void fillRuns();
    void read();
    void refresh();

    LearnedDesk* m_desk;
    StageProfile m_live;
    QStackedWidget* m_pages;
    QWidget *m_empty, *m_full;
    QComboBox *m_first, *m_second;
    QLabel* m_remark;
    StageTimes* m_bars;
    CellTable* m_table;
};

/// "collect", "encode", ...: a stage's name for people.
QString stageName(ProfileStage stage);

}  // namespace orrery
