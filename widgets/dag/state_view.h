#pragma once

#include <QWidget>

#include "widgets/common/draws_figure.h"
#include "widgets/dag/neighbour_model.h"
#include "widgets/dag/state_canvas.h"

class QComboBox;
class QLabel;

namespace orrery {

class MessageStrip;

/// A StateCanvas with its title, the chip that says how much of the graph is shown, and the
/// controls for edges and hops.
class StateView : public QWidget, public DrawsFigure {
    Q_OBJECT

public:
    explicit StateView(PlanSession* session, QWidget* parent = nullptr);

    StateCanvas* canvas() { return m_canvas; }
    /// The shown edges as a table, for F8.
    NeighbourModel* tableModel() { return &m_table; }

    QString figureId() const override { return QStringLiteral("states"); }
    QString figureName() const override;
    QString figureTitle() const override;
    QSizeF figureSize() const override;
    bool hasFigure() const override { return !m_canvas->graph().nodes().empty(); }
    bool isFigureReady() const override { return !m_canvas->isWorking(); }
    QJsonObject figureState() const override { return m_canvas->saveShown(); }
    void restoreFigure(const QJsonObject& state) override { m_canvas->restoreShown(state); }
    void paintFigure(QPainter& painter, const FigurePage& page) override;

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void colorChip();

    PlanSession* m_session;
    NeighbourModel m_table;
    StateCanvas* m_canvas;
    QLabel *m_title, *m_chip;
    QComboBox *m_rule, *m_hops;
    MessageStrip* m_message;
};

}  // namespace orrery
