#pragma once

#include <QFrame>

#include "core/solve/explain.h"

class QLabel;

namespace orrery {

class InspectorState;

/// One large number of the inspected state; a click, Enter or Space asks for its sum. While a state
/// is pinned, A's number and the difference stand below.
class NumberCard : public QFrame {
    Q_OBJECT

public:
    /// @param name  object name of the label with the number
    NumberCard(InspectorState* state, const ValueOf& quantity, const QString& name,
               QWidget* parent);

    void refresh();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    InspectorState* m_state;
    ValueOf m_quantity;
    QLabel *m_value, *m_compared;
};

}  // namespace orrery
