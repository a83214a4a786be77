#include "widgets/common/message_strip.h"

#include <QApplication>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "widgets/common/icons.h"
#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr int kMaxWidth = 760, kLeastWidth = 360, kEdge = 12, kMaxLines = 5;

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

/// The first lines of a long text; the whole is among the messages.
QString firstLines(const QString& text) {
    const QStringList lines = text.split(QLatin1Char('\n'));
    if (lines.size() <= kMaxLines) return text;
    return lines.mid(0, kMaxLines).join(QLatin1Char('\n')) +
           MessageStrip::tr("\n... and %1 lines more, which Messages has")
               .arg(lines.size() - kMaxLines);
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
    m_text->setFocusPolicy(Qt::NoFocus);
    m_action->setObjectName(QStringLiteral("messageAction"));
    m_action->setFocusPolicy(Qt::TabFocus);
    m_close->setObjectName(QStringLiteral("messageClose"));
    m_close->setProperty("look", QStringLiteral("plain"));
    m_close->setAccessibleName(tr("Close this message"));
    m_close->setToolTip(tr("Close this message"));
    m_close->setFocusPolicy(Qt::TabFocus);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(12, 6, 8, 6);
    grid->setSpacing(8);
    grid->setColumnStretch(1, 1);
    grid->addWidget(m_icon, 0, 0, Qt::AlignTop);
    grid->addWidget(m_text, 0, 1);
    grid->addWidget(m_action, 0, 2, Qt::AlignTop);
    grid->addWidget(m_close, 0, 3, Qt::AlignTop);
    m_icon->setContentsMargins(0, 6, 0, 0);
    m_leaving.setSingleShot(true);
    connect(&m_leaving, &QTimer::timeout, this, &MessageStrip::clear);
    connect(qApp, &QApplication::focusChanged, this, &MessageStrip::noteFocus);
    connect(m_close, &QToolButton::clicked, this, [this] {
        clear();
        Q_EMIT closed();
    });
    connect(m_action, &QPushButton::clicked, this, [this] {
        if (const auto act = m_act)  // it may show another message
            act();
        else
            Q_EMIT acted();
    });
    hide();
}

void MessageStrip::floatOver(QWidget* area) {
    m_area = area;
    setProperty("floats", true);
    parentWidget()->installEventFilter(this);
    if (area != parentWidget()) area->installEventFilter(this);
}

void MessageStrip::show(MessageKind kind, const QString& text, const QString& actionText) {
    show(kind, text, actionText, nullptr);
}

void MessageStrip::show(MessageKind kind, const QString& text, const QString& actionText,
                        std::function<void()> act) {
    m_act = std::move(act);
    m_leaves = floats() && (kind == MessageKind::Ok || kind == MessageKind::Info);
    // What asks for a decision gives time for it, and is among the messages afterwards.
    m_isAsking = kind == MessageKind::Info && !actionText.isEmpty();
    say(kind, text, actionText);
}

void MessageStrip::showWhileTrue(const QString& text, const QString& actionText) {
    m_leaves = false;
    m_act = nullptr;
    say(MessageKind::Info, text, actionText);
}

void MessageStrip::say(MessageKind kind, const QString& text, const QString& actionText) {
    static int newest = 0;
    m_number = ++newest;
    m_kind = kind;
    const bool isNew = std::exchange(m_said, text) != text;
    setProperty("kind", QLatin1String(lookOf(kind).word));
    restyle(this);
    m_text->setText(firstLines(text));
    m_action->setText(actionText);
    m_action->setVisible(!actionText.isEmpty());
    setAccessibleName(text);
    refreshIcon();
    if (floats()) {
        place();
        showNewest(window());
    } else {
        setVisible(true);
    }
    if (isNew) Q_EMIT told();
}

void MessageStrip::clear() {
    m_said.clear();
    m_text->clear();
    m_leaving.stop();
    // The keyboard goes back to whoever had it.
    if (hasFocusInside() && m_hadFocus && m_hadFocus->isVisible())
        m_hadFocus->setFocus(Qt::OtherFocusReason);
    hide();
    if (floats()) showNewestSoon();
}

/// Of all in a window that have something to say, and a place to say it in, the last one shows.
void MessageStrip::showNewest(const QWidget* window) {
    QList<MessageStrip*> telling;
    for (MessageStrip* strip : window->findChildren<MessageStrip*>())
        if (strip->floats() && !strip->m_said.isEmpty() && strip->window() == window &&
            strip->m_area->isVisible())
            telling << strip;
    std::ranges::sort(telling, {}, &MessageStrip::m_number);
    if (telling.isEmpty()) return;
    MessageStrip* newest = telling.takeLast();
    for (MessageStrip* older : telling) {
        if (older->m_leaves) older->m_said.clear();  // it has been seen
        older->hide();
    }
    newest->place();
    newest->setVisible(true);
    newest->raise();
    newest->watchLeaving();
}

/// When what changes has changed: its window may be on the way out.
void MessageStrip::showNewestSoon() {
    QTimer::singleShot(0, this, [this] { showNewest(window()); });
}

void MessageStrip::place() {
    const QRect area = m_area == parentWidget() ? m_area->rect() : m_area->geometry();
    // Beside a narrow area it lies over its neighbours, too.
    const int room = parentWidget()->width() - 2 * kEdge;
    const int width = std::min(room, std::clamp(area.width() - 2 * kEdge, kLeastWidth, kMaxWidth));
    const int left = std::clamp(area.x() + (area.width() - width) / 2, kEdge,
                                std::max(kEdge, kEdge + room - width));
    // Where text and button have no room side by side, the button stands below.
    auto* grid = static_cast<QGridLayout*>(layout());
    if (const bool isBelow = width < kLeastWidth; isBelow != std::exchange(m_isBelow, isBelow)) {
        grid->removeWidget(m_action);
        isBelow ? grid->addWidget(m_action, 1, 0, 1, 4, Qt::AlignLeft)
                : grid->addWidget(m_action, 0, 2, Qt::AlignTop);
    }
    const int height =
        std::max(layout()->totalHeightForWidth(width), layout()->minimumSize().height());
    setGeometry(left, area.bottom() + 1 - kEdge - height, width, height);
}

void MessageStrip::watchLeaving() {
    if (!m_leaves || m_said.isEmpty() || !isVisible() || underMouse() || hasFocusInside())
        m_leaving.stop();
    else
        m_leaving.start(m_isAsking ? 2 * m_stayMs : m_stayMs);
}

bool MessageStrip::hasFocusInside() const {
    const QWidget* focus = QApplication::focusWidget();
    return focus != nullptr && isAncestorOf(focus);
}

void MessageStrip::noteFocus(QWidget* before, QWidget* now) {
    if (m_said.isEmpty()) return;
    const bool was = before != nullptr && isAncestorOf(before);
    const bool is = now != nullptr && isAncestorOf(now);
    if (is && !was) m_hadFocus = before;
    if (is != was) watchLeaving();
}

bool MessageStrip::event(QEvent* event) {
    const bool isDone = QFrame::event(event);
    if (event->type() == QEvent::Enter || event->type() == QEvent::Leave) watchLeaving();
    if (event->type() == QEvent::LayoutRequest && floats()) place();
    return isDone;
}

bool MessageStrip::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::Resize:
        case QEvent::Move:
            if (!m_said.isEmpty() && m_area) place();
            break;
        case QEvent::Show:
        case QEvent::Hide:
            showNewestSoon();
            break;
        default:
            break;
    }
    return QFrame::eventFilter(watched, event);
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
