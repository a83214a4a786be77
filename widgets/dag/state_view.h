#pragma once

#include <QWidget>

#include "widgets/dag/neighbour_model.h"
#include "widgets/dag/state_canvas.h"

class QComboBox;
class QLabel;

namespace orrery {

class MessageStrip;

/// A StateCanvas with its title, the chip that says how much of the graph is shown, and the
/// controls for edges and hops.
class StateView : public QWidget {
    Q_OBJECT

public:
    explicit StateView(PlanSession* session, QWidget* parent = nullptr);

    StateCanvas* canvas() { return m_canvas; }
    /// The shown edges as a table, for F8.
    NeighbourModel* tableModel() { return &m_table; }

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
