#pragma once

#include <QScrollArea>
#include <vector>

#include "core/history/records.h"
#include "widgets/bridge/world_loader.h"

class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace orrery {

class ExampleCard;
class RowList;

/// The first page: examples that run with one click, what was interrupted, what was done lately.
/// Asks nothing and sends nothing anywhere.
class HomeView : public QScrollArea {
    Q_OBJECT

public:
    explicit HomeView(QWidget* parent = nullptr);

    void setExamples(const std::vector<LoadedWorld>& examples);
    /// Newest first.
    void setRuns(const std::vector<RunRecord>& runs);
    /// Folder of the open workspace, or why there is none.
    void setPlace(const QString& text);

Q_SIGNALS:
    void exampleChosen(const QString& world);
    void exampleRunRequested(const QString& world);
    void openRequested();
    void workspaceRequested();
    void runChosen(const QString& runId);
    /// Solve an interrupted run's world again with its parameters.
    void runContinued(const QString& runId);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeMain();
    QWidget* makeAside();
    QWidget* makeStart(const QString& name, const QString& icon, const QString& title,
                       const QString& sentence, const QString& keys, void (HomeView::*signal)());
    void placeCards();
    void showInterrupted(const std::vector<RunRecord>& runs);
    void showExperience(const std::vector<RunRecord>& runs);

    std::vector<LoadedWorld> m_examples;
    std::vector<RunRecord> m_runs;
    std::vector<ExampleCard*> m_cards;
    int m_numColumns = 0;
    QGridLayout* m_grid = nullptr;
    QWidget* m_aside = nullptr;
    QVBoxLayout* m_continue = nullptr;
    QWidget* m_continuePart = nullptr;
    RowList* m_latest = nullptr;
    QLabel* m_noRuns = nullptr;
    QLabel* m_place = nullptr;
};

}  // namespace orrery
