#pragma once

#include <QFrame>
#include <functional>

class QLabel;
class QPushButton;
class QToolButton;

namespace orrery {

enum class MessageKind { Info, Ok, Warning, Error };

/// A line of text at the top of a view that says what happened and what can be done. Hidden while
/// there is nothing to say; it never interrupts.
class MessageStrip : public QFrame {
    Q_OBJECT

public:
    explicit MessageStrip(QWidget* parent = nullptr);

    /// Shows a message in place of the former one. With `actionText` a button stands at its right
    /// that emits acted().
    void show(MessageKind kind, const QString& text, const QString& actionText = {});
    /// The same with what the button does, in place of acted().
    void show(MessageKind kind, const QString& text, const QString& actionText,
              std::function<void()> act);
    void clear();
    QString text() const;
    MessageKind kind() const { return m_kind; }

Q_SIGNALS:
    void acted();

protected:
    void changeEvent(QEvent* event) override;

private:
    void refreshIcon();

    MessageKind m_kind = MessageKind::Info;
    QLabel* m_icon;
    QLabel* m_text;
    QPushButton* m_action;
    std::function<void()> m_act;  ///< empty: acted() is emitted
    QToolButton* m_close;
};

}  // namespace orrery
