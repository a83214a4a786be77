#pragma once

#include <QImage>
#include <QJsonObject>
#include <QWidget>
#include <filesystem>
#include <memory>
#include <optional>

#include "core/run/archive/largest_differences.h"
#include "widgets/common/draws_figure.h"
#include "widgets/common/painted_view.h"
#include "widgets/common/table_model.h"
#include "widgets/compare/compare_set.h"
#include "widgets/world/world_painter.h"

class QBoxLayout;
class QComboBox;
class QLabel;
class QTableView;

namespace orrery {

class BackgroundWorker;
class PlanSession;
class Selection;

/// The states in which two runs differ most: level, both values, A minus B.
class DifferenceModel : public TableModel {
    Q_OBJECT

public:
    enum Column { Level, Difference, ValueA, ValueB, kNumColumns };

    explicit DifferenceModel(QObject* parent = nullptr);

    void setRows(std::vector<StateDifference> rows);
    const std::vector<StateDifference>& rows() const { return m_rows; }

    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    int numRows() const override;
    QString text(int row, int column) const override;
    QVariant extra(int row, int column, int role) const override;

private:
    std::vector<StateDifference> m_rows;
};

/// One world with a heat over it.
class DifferenceCanvas : public PaintedWidget {
    Q_OBJECT

public:
    explicit DifferenceCanvas(QWidget* parent = nullptr);

    void setScene(std::optional<WorldScene> scene);
    const std::optional<WorldScene>& scene() const { return m_scene; }
    WorldLayout layoutNow() const;
    QSize sizeHint() const override { return QSize(240, 200); }
    QSize minimumSizeHint() const override { return QSize(160, 120); }

    std::vector<NamedSpot> namedSpots() const override;
    QString tipAt(const QPoint& point) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    std::optional<WorldScene> m_scene;
};

/// "Where they differ": run A minus run B on the world that both solved, as a heat about zero over
/// the current state, and the list of the states that differ most. A press on a line shows that
/// state here and, where the session has the same world open, makes it the current one.
class DifferenceView : public QWidget, public DrawsFigure {
    Q_OBJECT

public:
    static constexpr std::size_t kMostRows = 200;

    DifferenceView(Selection* selection, PlanSession* session, BackgroundWorker* worker,
                   QWidget* parent = nullptr);

    void show(const CompareSet& set, const std::filesystem::path& folder);
    bool isWorking() const { return m_numWorking > 0; }
    DifferenceCanvas* canvas() { return m_canvas; }
    DifferenceModel* model() { return &m_model; }
    QTableView* list() { return m_list; }
    /// A minus B over the cells; null while there is none.
    std::shared_ptr<const HeatField> heat() const { return m_heat; }
    /// "V_r, beta_r 5 minus beta_r 2"
    QString heading() const;
    QString remark() const;
    /// For a report; null without a heat.
    QImage picture(const QSize& size) const;

    QJsonObject saveState() const;
    void restoreState(const QJsonObject& state);

    QSize minimumSizeHint() const override;

    // difference_figure.cpp: both runs, the quantity and the state that is shown.
    QString figureId() const override { return QStringLiteral("difference"); }
    QString figureName() const override { return tr("Where two runs differ"); }
    QString figureTitle() const override { return m_heat ? heading() : QString(); }
    QSizeF figureSize() const override;
    bool hasFigure() const override;
    bool isFigureReady() const override { return !isWorking(); }
    QJsonObject figureState() const override;
    void restoreFigure(const QJsonObject& state) override;
    void paintFigure(QPainter& painter, const FigurePage& page) override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Side {
        QString id;
        std::shared_ptr<const Solution> solution;
    };

    void nameParts();
    void arrange();
    void refreshRuns();
    void listRuns();
    void reopen();
    void compareLearned(const QString& a, const QString& b);
    void refreshQuantities();
    void refreshAll();
    void computeField();
    void computeList();
    void showText(const QString& text);
    void followSession();
    void pickRow(int row);
    ValueOf quantity() const;
    bool isSessionsWorld() const;
    State stateNow() const;

    Selection* m_selection;
    PlanSession* m_session;
    BackgroundWorker* m_worker;
    CompareSet m_set;
    std::filesystem::path m_folder;
    bool m_areRunsChosen = false;  ///< by somebody, not by default
    QComboBox* m_boxA;
    QComboBox* m_boxB;
    QComboBox* m_quantity;
    QLabel* m_remark;
    QLabel* m_empty;
    DifferenceCanvas* m_canvas;
    QTableView* m_list;
    QBoxLayout* m_body;  ///< both of them, side by side or one above the other
    DifferenceModel m_model;
    Side m_a, m_b;
    std::optional<State> m_picked;  ///< a line of the list, where the session has another world
    std::optional<State> m_wanted;  ///< restored, until both runs are read
    std::shared_ptr<const HeatField> m_heat;
    std::vector<ValueOf> m_offered;  ///< in the box of quantities
    QString m_wantedQuantity;
    bool m_hasPair = false;  ///< both solutions are those of the boxes
    int m_generation = 0, m_fieldGeneration = 0, m_listGeneration = 0, m_numWorking = 0;
};

}  // namespace orrery
