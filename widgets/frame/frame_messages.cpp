// What the window and its views have to say.
#include <QEvent>

#include "widgets/frame/frame.h"
#include "widgets/frame/message_log.h"

namespace orrery {

namespace {

/// Keeps what a strip says, each time that it appears.
class StripKeeper : public QObject {
public:
    StripKeeper(MessageStrip* strip, MessageLog* log, QString where)
        : QObject(strip), m_strip(strip), m_log(log), m_where(std::move(where)) {
        strip->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        // A view that is shown again shows its strip again: that is nothing new.
        if (event->type() == QEvent::ShowToParent && m_strip->text() != m_kept) {
            m_kept = m_strip->text();
            m_log->add(m_strip->kind(), m_kept, {}, m_where);
        }
        if (event->type() == QEvent::HideToParent) m_kept.clear();
        return QObject::eventFilter(watched, event);
    }

private:
    MessageStrip* m_strip;
    MessageLog* m_log;
    QString m_where, m_kept;
};

}  // namespace

void Frame::say(MessageKind kind, const QString& text) {
    say(kind, text, {}, {});
}

void Frame::say(MessageKind kind, const QString& text, const QString& actionText,
                std::function<void()> action) {
    m_stripAction = action;
    m_strip->show(kind, text, actionText);
    m_messages->add(kind, text, {actionText, std::move(action)});
}

void Frame::keepMessagesOf(QWidget* widget, const QString& title) {
    for (MessageStrip* strip : widget->findChildren<MessageStrip*>())
        new StripKeeper(strip, m_messages, title);
}

}  // namespace orrery
