// What the window and its views have to say.
#include "widgets/frame/frame.h"
#include "widgets/frame/message_log.h"

namespace orrery {

void Frame::say(MessageKind kind, const QString& text) {
    say(kind, text, {}, {});
}

void Frame::say(MessageKind kind, const QString& text, const QString& actionText,
                std::function<void()> action) {
    m_strip->show(kind, text, actionText, action);
    m_messages->add(kind, text, {actionText, std::move(action)});
}

void Frame::keepMessagesOf(QWidget* widget, const QString& title) {
    for (MessageStrip* strip : widget->findChildren<MessageStrip*>()) {
        if (!strip->floats()) continue;  // a part of what the view shows
        connect(strip, &MessageStrip::told, m_messages,
                [this, strip, title] { m_messages->add(strip->kind(), strip->text(), {}, title); });
    }
}

}  // namespace orrery
