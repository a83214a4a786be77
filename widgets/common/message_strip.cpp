#include "widgets/common/message_strip.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>

#include "widgets/common/icons.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

struct KindLook {
    const char* word;
    const char* icon;
};

KindLook lookOf(MessageKind kind) {
    switch (kind) {
        case MessageKind::Info:
            return {"info", "dialog-information"};
        case MessageKind::Ok:
            return {"ok", "emblem-ok"};
        case MessageKind::Warning:
            return {"warning", "dialog-warning"};
        case MessageKind::Error:
            return {"error", "dialog-error"};
    }
    return {"info", "dialog-information"};
}

QColor colorOf(MessageKind kind, const Tokens& t) {
    switch (kind) {
        case MessageKind::Info:
            return t.info;
        case MessageKind::Ok:
            return t.ok;
        case MessageKind::Warning:
            return t.warning;
        case MessageKind::Error:
            return t.error;
    }
    return t.info;
}

}  // namespace

MessageStrip::MessageStrip(QWidget* parent)
    : QFrame(parent),
      m_icon(new QLabel(this)),
      m_text(new QLabel(this)),
      m_action(new QPushButton(this)),
      m_close(new QToolButton(this)) {
    setObjectName(QStringLiteral("messageStrip"));
    setProperty("look", QStringLiteral("strip"));
    m_text->setWordWrap(true);
    m_text->setObjectName(QStringLiteral("messageText"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_action->setObjectName(QStringLiteral("messageAction"));
    m_close->setProperty("look", QStringLiteral("plain"));
    m_close->setAccessibleName(tr("Close this message"));
    m_close->setToolTip(tr("Close this message"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 6, 8, 6);
    row->setSpacing(8);
    row->addWidget(m_icon, 0, Qt::AlignTop);
    row->addWidget(m_text, 1);
    row->addWidget(m_action, 0, Qt::AlignTop);
    row->addWidget(m_close, 0, Qt::AlignTop);
    m_icon->setContentsMargins(0, 6, 0, 0);
    connect(m_close, &QToolButton::clicked, this, &MessageStrip::clear);
    connect(m_action, &QPushButton::clicked, this, [this] {
        if (const auto act = m_act)  // it may show another message
            act();
        else
            Q_EMIT acted();
    });
    hide();
}

void MessageStrip::show(MessageKind kind, const QString& text, const QString& actionText) {
    show(kind, text, actionText, nullptr);
}

void MessageStrip::show(MessageKind kind, const QString& text, const QString& actionText,
                        std::function<void()> act) {
    m_kind = kind;
    m_act = std::move(act);
    setProperty("kind", QLatin1String(lookOf(kind).word));
    style()->unpolish(this);
    style()->polish(this);
    m_text->setText(text);
    m_action->setText(actionText);
    m_action->setVisible(!actionText.isEmpty());
    setAccessibleName(text);
    refreshIcon();
    setVisible(true);
}

void MessageStrip::clear() {
    m_text->clear();
    hide();
}

QString MessageStrip::text() const {
    return m_text->text();
}

void MessageStrip::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) refreshIcon();
    QFrame::changeEvent(event);
}

void MessageStrip::refreshIcon() {
    const Tokens& tokens = currentTokens();
    m_icon->setPixmap(coloredIcon(QLatin1String(lookOf(m_kind).icon), colorOf(m_kind, tokens))
                          .pixmap(QSize(16, 16), devicePixelRatioF()));
    m_close->setIcon(themedIcon(QStringLiteral("window-close"), tokens));
}

}  // namespace orrery
