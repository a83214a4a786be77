#pragma once

#include <QPointer>
#include <QTimer>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace orrery {

/// A card that points with an arrow at a control of its window and puts a ring around it. It
/// follows the control, takes no click beside itself and leaves the keyboard where it is.
class Callout : public QWidget {
    Q_OBJECT

public:
    explicit Callout(QWidget* window);
    ~Callout() override;

    /// @param title  a quiet line above the text: "Step 2 of 6"
    void setText(const QString& title, const QString& html);
    /// Object name of the control, which is scrolled into view; empty: the card stands in the
    /// middle.
    void setTarget(const QString& name);
    /// A button at the foot, from left to right.
    QPushButton* addButton(const char* name, const QString& text);

    /// The control that it points at; null while it is not shown.
    QWidget* target() const { return m_target; }
    /// The tip of the arrow in the window's coordinates.
    QPoint tip() const;

Q_SIGNALS:
    void escaped();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Side { None, Left, Right, Top, Bottom };  ///< where the arrow is on the card
    void follow();
    void findTarget();
    void place(const QRect& target);
    QRect cardRect() const;

    QWidget* m_window;
    QString m_name;
    QPointer<QWidget> m_target;
    bool m_isRevealed = false;  ///< the target was scrolled into view once
    QPointer<QWidget> m_ring;   ///< a sibling: the window may delete it first
    QLabel* m_title;
    QLabel* m_text;
    QHBoxLayout* m_buttons;
    QTimer m_timer;
    QRect m_seen;  ///< where the target was last, in the window
    Side m_side = Side::None;
    int m_tip = 0;  ///< of the arrow, along its side
};

}  // namespace orrery
