#pragma once

#include <QFrame>
#include <QPointer>

namespace orrery {

class InspectorState;
class InspectorSum;

/// The sum behind a number, beside the number that was picked. It lies over the window and takes
/// the keys; Escape, a click beside it or going elsewhere closes it, and Escape gives the keys back
/// to the number. A term's own value opens in its place. Shown once; it deletes itself.
class SumFloat : public QFrame {
    Q_OBJECT

public:
    /// @param by      the widget with the number; its window is the parent
    /// @param number  the number's place in `by`
    SumFloat(InspectorState* state, QWidget* by, const QRect& number);

    const InspectorSum& sum() const { return *m_sum; }

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void place();
    void takeFocus();
    void leave();

    QPointer<QWidget> m_by;
    QRect m_number;
    InspectorState* m_state;
    InspectorSum* m_sum;
};

}  // namespace orrery
