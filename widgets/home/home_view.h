#pragma once

#include <QScrollArea>
#include <map>
#include <string>
#include <vector>

#include "core/history/records.h"
#include "core/run/archive/run_reach.h"
#include "widgets/bridge/world_loader.h"
#include "widgets/home/workspace_row.h"

class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace orrery {

class ExampleCard;
class StartButton;
class RowList;
class WorkspaceCard;

/// The first page: examples that run with one click, what was interrupted, what was done lately.
/// Asks nothing and sends nothing anywhere.
class HomeView : public QScrollArea {
    Q_OBJECT

public:
    explicit HomeView(QWidget* parent = nullptr);

    void setExamples(const std::vector<LoadedWorld>& examples);
    /// Newest first. Before the first call the page says that they are being read.
    /// @param reached  how far interrupted trainings came, by their ids
    /// @param runSeconds  what runs took, by their ids
    void setRuns(const std::vector<RunRecord>& runs,
                 const std::map<std::string, RunReach>& reached = {},
                 const std::map<std::string, double>& runSeconds = {});
    /// Why no runs can be shown, until setRuns().
    void setNoRuns(const QString& text);
    /// Latest first. The last ones opened; none hides the list.
    void setWorkspaces(const std::vector<WorkspaceRow>& workspaces);
    void setTours(const std::vector<TourRow>& tours);
    /// Scrolls to them and gives the first the focus.
    void showTours();
    /// Folder of the open workspace, or why there is none.
    void setPlace(const QString& text);

Q_SIGNALS:
    void exampleChosen(const QString& world);
    void exampleRunRequested(const QString& world);
    /// Show the example study in Compare.
    void studyRequested();
    /// Show the example's boards in Entities.
    void boardsRequested();
    /// Learn the example and show it in Train.
    void trainingRequested();
    void openRequested();
    void newWorldRequested();
    void workspaceRequested();
    void workspaceChosen(const QString& folder);
    /// Take one that is gone from the list.
    void workspaceForgotten(const QString& folder);
    void tourRequested(const QString& id);
    void runChosen(const QString& runId);
    /// Solve an interrupted run's world again with its parameters.
    void runContinued(const QString& runId);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    static constexpr int kAsideWidth = 316;  ///< of the right side, with its margin
    static constexpr int kAsideRight = 8;    ///< that margin

    QWidget* makeMain();
    QWidget* makeAside();
    void addStart(const QString& name, const QString& icon, const QString& title,
                  const QString& sentence, const QString& keys, void (HomeView::*signal)());
    void makeRecent(QVBoxLayout* column, QWidget* aside);
    int mainWidth() const;
    std::vector<ExampleCard*> allCards() const;
    void makeStudyCard();
    void makeTrainCard();
    void makeBoardsCard();
    void placeCards();
    void offerToForget(WorkspaceCard* card);
    void placeStarts();
    void placeTours();
    void refreshIcons();
    void showInterrupted(const std::vector<RunRecord>& runs,
                         const std::map<std::string, RunReach>& reached);
    void addInterrupted(const InterruptedRow& run);
    void showExperience();

    std::vector<LoadedWorld> m_examples;
    std::vector<RunRecord> m_runs;
    std::map<std::string, double> m_solvedIn;  ///< seconds by the hash of the world
    std::vector<ExampleCard*> m_cards;         ///< as m_examples
    ExampleCard* m_studyCard = nullptr;
    ExampleCard* m_trainCard = nullptr;
    ExampleCard* m_boardsCard = nullptr;
    int m_numColumns = 0, m_cardWidth = 0;
    QGridLayout* m_grid = nullptr;
    QWidget* m_morePart = nullptr;
    QGridLayout* m_moreGrid = nullptr;
    QGridLayout* m_starts = nullptr;
    std::vector<StartButton*> m_startButtons;
    QWidget* m_main = nullptr;
    QWidget* m_aside = nullptr;
    QVBoxLayout* m_continue = nullptr;
    QWidget* m_continuePart = nullptr;
    std::vector<InterruptedRow> m_interrupted;  ///< those that are shown
    std::vector<WorkspaceCard*> m_workspaceCards;
    QWidget* m_recentPart = nullptr;
    QVBoxLayout* m_recent = nullptr;
    QLabel* m_recentCount = nullptr;
    QWidget* m_toursPart = nullptr;
    QGridLayout* m_tours = nullptr;
    std::vector<QPushButton*> m_tourButtons;
    RowList* m_latest = nullptr;
    QLabel* m_noRuns = nullptr;
    QLabel* m_place = nullptr;
};

}  // namespace orrery
