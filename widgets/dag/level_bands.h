#pragma once

#include <QWidget>
#include <memory>

#include "widgets/common/draws_figure.h"
#include "widgets/dag/bands_canvas.h"
#include "widgets/dag/level_model.h"

class QComboBox;
class QLabel;
class QTimer;

namespace orrery {

class BackgroundWorker;
class MessageStrip;
class PlanSession;

/// Which relatives of the current state are tinted.
enum class Kin { None, Descendants, Ancestors };

/// Every state by level and by a quantity, as columns whose shade is the number of states. A worker
/// counts: a sample first, then all. The current level is framed, the current state a dot; a bar
/// under each level is the share of the selected set.
class LevelBands : public QWidget, public DrawsFigure {
    Q_OBJECT

public:
    explicit LevelBands(PlanSession* session, QWidget* parent = nullptr);
    ~LevelBands() override;

    /// The sizes of the levels of a graph that is not solved yet; the next solution replaces it.
    void showGraph(std::shared_ptr<const StateGraph> graph);
    void setQuantity(const BandQuantity& quantity);
    BandQuantity quantity() const { return m_quantity; }
    /// Tints the cells that hold descendants or ancestors of the current state, instead of those of
    /// the selected set.
    void setKin(Kin kin);

    BandsCanvas* canvas() { return m_canvas; }
    /// The same as a table, for F8.
    LevelModel* tableModel() { return &m_table; }
    /// True until every state was counted.
    bool isWorking() const;

    // level_bands_figure.cpp. The set of found states is the selection's, not part of the state.
    QString figureId() const override { return QStringLiteral("levelBands"); }
    QString figureName() const override;
    QString figureTitle() const override;
    QSizeF figureSize() const override { return QSizeF(640, 300); }
    bool hasFigure() const override;
    bool isFigureReady() const override;
    QJsonObject figureState() const override;
    void restoreFigure(const QJsonObject& state) override;
    void paintFigure(QPainter& painter, const FigurePage& page) override;

Q_SIGNALS:
    /// Another picture is shown; `isComplete` if it counts every state.
    void shown(bool isComplete);

private:
    using Density = std::shared_ptr<const LevelDensity>;

    void refreshSolution();
    void refreshState();
    void refreshSet();
    void requestDensity();
    void requestTint();
    void take(const Density& density);
    void fail(const QString& text);

    PlanSession* m_session;
    BackgroundWorker *m_worker, *m_tintWorker;
    std::shared_ptr<const Solution> m_solution;
    std::shared_ptr<const StateGraph> m_graph;
    BandQuantity m_quantity;
    Kin m_kin = Kin::None;
    QJsonObject m_wantedZoom;  ///< restored, until every state was counted
    LevelModel m_table;
    std::shared_ptr<const StateMarks> m_marks;
    BandsCanvas* m_canvas;
    QComboBox* m_quantities;
    QLabel *m_remark, *m_chip;
    MessageStrip* m_message;
    QTimer* m_skeleton;
};

}  // namespace orrery
