#pragma once

#include <QFrame>
#include <QPointer>
#include <QTimer>
#include <functional>

class QLabel;
class QPushButton;
class QToolButton;

namespace orrery {

enum class MessageKind { Info, Ok, Warning, Error };

/// A line of text that says what happened and what can be done. Hidden while there is nothing to
/// say; it never interrupts, and a click on it leaves the keyboard where it is.
///
/// One that floats lies over the foot of a view, so that it moves nothing. Of those of a window one
/// shows, the newest; older ones come back when it goes. A success, and a note that nothing can be
/// done about, leave by themselves unless the pointer or the keyboard is on them.
class MessageStrip : public QFrame {
    Q_OBJECT

public:
    static constexpr int kStayMs = 8000;

    explicit MessageStrip(QWidget* parent = nullptr);

    /// Lies over the foot of its parent, or of a part of it, from now on; it must be in no layout.
    void floatOver(QWidget* area);
    bool floats() const { return !m_area.isNull(); }
    /// After this time one leaves that leaves by itself, after twice as long one that has a
    /// question.
    void setStay(int milliseconds) { m_stayMs = milliseconds; }
    /// Whether it is on its way out.
    bool isLeaving() const { return m_leaving.isActive(); }

    /// Shows a message in place of the former one. With `actionText` a button stands at its right
    /// that emits acted().
    void show(MessageKind kind, const QString& text, const QString& actionText = {});
    /// The same with what the button does, in place of acted().
    void show(MessageKind kind, const QString& text, const QString& actionText,
              std::function<void()> act);
    /// A note that stays until what it says is over and clear() is called.
    void showWhileTrue(const QString& text, const QString& actionText = {});
    void clear();
    QString text() const { return m_said; }
    MessageKind kind() const { return m_kind; }

Q_SIGNALS:
    void acted();
    /// The person closed it.
    void closed();
    /// Something was said that does not stand there already.
    void told();

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void say(MessageKind kind, const QString& text, const QString& actionText);
    static void showNewest(const QWidget* window);
    void showNewestSoon();
    void place();
    void watchLeaving();
    void noteFocus(QWidget* before, QWidget* now);
    bool hasFocusInside() const;
    void refreshIcon();

    MessageKind m_kind = MessageKind::Info;
    QString m_said;
    int m_number = 0;  ///< higher is newer
    int m_stayMs = kStayMs;
    bool m_leaves = false;     ///< by itself
    bool m_isAsking = false;   ///< something can be done about it
    bool m_isBelow = false;    ///< the button stands below the text
    QPointer<QWidget> m_area;  ///< null: it stands in a layout
    QPointer<QWidget> m_hadFocus;
    QTimer m_leaving;
    QLabel* m_icon;
    QLabel* m_text;
    QPushButton* m_action;
    std::function<void()> m_act;  ///< empty: acted() is emitted
    QToolButton* m_close;
};

}  // namespace orrery
