#pragma once

#include <QWidget>
#include <memory>

#include "widgets/imgui/work_columns.h"

class QAbstractItemModel;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace orrery {

class PlanSession;
class WorkCanvas;

/// What each thread of a run did when: WorkCanvas with its controls. Without OpenGL the same as a
/// table, with the reason above it. The canvas is made when the view is shown for the first time,
/// because it changes how the whole window is painted.
class SolverTimeline : public QWidget {
    Q_OBJECT

public:
    explicit SolverTimeline(PlanSession* session, QWidget* parent = nullptr);

    /// @param timeline  null: there is none
    /// @param isLive    its run goes on
    void setTimeline(std::shared_ptr<const SpanTimeline> timeline, bool isLive);
    const std::shared_ptr<const SpanTimeline>& timeline() const { return m_timeline; }

    /// Null without OpenGL, and before the view is shown.
    WorkCanvas* canvas() const { return m_canvas; }
    QAbstractItemModel* tableModel();

Q_SIGNALS:
    void solveRequested();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void makePages();
    QWidget* makeEmptyPage();
    QWidget* makeTablePage(const QString& reason);
    void refresh();
    void pickLevel(int step);
    void pickRow(int row);

    PlanSession* m_session;
    std::shared_ptr<const SpanTimeline> m_timeline;
    bool m_isLive = false;
    bool m_isTableUsed = false;  ///< somebody looks at the model
    TraceModel m_model{workColumns(), false};
    QLabel* m_facts;
    QStackedWidget* m_pages;
    QWidget* m_empty = nullptr;
    QWidget* m_full = nullptr;  ///< the page with the timeline; null before the first show
    WorkCanvas* m_canvas = nullptr;
    QTableView* m_table = nullptr;
    QList<QPushButton*> m_zoomButtons;
};

}  // namespace orrery
