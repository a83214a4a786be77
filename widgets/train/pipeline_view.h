#pragma once

#include <QWidget>

class QAbstractItemModel;
class QLabel;
class QStackedWidget;

namespace orrery {

class PipelineCanvas;
class PipelineModel;
class TrainSession;

/// From the actors through queue and buffer to the learner: rates, fills and who waits for whom.
/// Drawn by OpenGL, or as a table with the reason where there is none. The canvas is made when the
/// view is shown for the first time, because it changes how the whole window is painted.
class PipelineView : public QWidget {
    Q_OBJECT

public:
    explicit PipelineView(TrainSession* session, QWidget* parent = nullptr);

    /// Null without OpenGL, and before the view is shown.
    PipelineCanvas* canvas() const { return m_canvas; }
    QAbstractItemModel* tableModel();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void makePages();
    QWidget* makeTablePage(const QString& reason);
    void refresh();

    TrainSession* m_session;
    PipelineModel* m_model;
    QLabel* m_verdict;
    QStackedWidget* m_pages;
    QLabel* m_empty;
    QWidget* m_full = nullptr;  ///< null before the first show
    PipelineCanvas* m_canvas = nullptr;
};

}  // namespace orrery
