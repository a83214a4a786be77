#include "app/window/status_line.h"

#include <QHelpEvent>
#include <QLabel>
#include <QStatusBar>
#include <QToolTip>

#include "app/window/event_watch.h"
#include "core/history/workspace.h"
#include "widgets/common/parts.h"
#include "widgets/common/steady_text.h"
#include "widgets/common/tokens.h"
#include "widgets/frame/message_centre.h"

namespace orrery {

namespace {

constexpr int kPlaceWidth = 240;  ///< of a workspace's name, at most

/// Tells in a tip what the window's thread has been doing.
class WatchTip : public QObject {
public:
    WatchTip(const EventWatch* watch, QWidget* where) : QObject(where), m_watch(watch) {
        where->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::ToolTip) return QObject::eventFilter(watched, event);
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), m_watch->text());
        return true;
    }

private:
    const EventWatch* m_watch;
};

QColor colorOf(StatusKind kind) {
    const Tokens& tokens = currentTokens();
    switch (kind) {
        case StatusKind::Working:
            return tokens.info;
        case StatusKind::Waiting:
            return tokens.warning;
        case StatusKind::Done:
            return tokens.ok;
        default:
            return tokens.text3;
    }
}

}  // namespace

StatusLine::StatusLine(Frame* frame, const EventWatch* watch)
    : QObject(frame),
      m_dot(new QLabel(frame)),
      m_text(new QLabel(frame)),
      m_numbers(makeLabel({}, "", frame)),
      m_place(new QLabel(frame)) {
    m_dot->setFixedSize(8, 8);
    m_text->setObjectName(QStringLiteral("statusText"));
    m_numbers->setObjectName(QStringLiteral("statusNumbers"));
    m_place->setTextFormat(Qt::PlainText);
    m_place->setObjectName(QStringLiteral("statusPlace"));
    QStatusBar* bar = frame->statusBar();
    bar->setSizeGripEnabled(false);
    bar->setContentsMargins(12, 0, 12, 0);
    for (QLabel* label : {m_dot, m_text, m_numbers}) bar->addWidget(label);
    bar->addPermanentWidget(m_place);
    bar->addPermanentWidget(new MessageCentre(&frame->jobs(), &frame->messages(), frame));
    if (watch != nullptr)
        for (QLabel* label : {m_text, m_numbers}) new WatchTip(watch, label);
}

void StatusLine::show(const StatusText& status) {
    const QString dot =
        QStringLiteral("background: %1; border-radius: 4px;").arg(colorOf(status.kind).name());
    if (m_dot->styleSheet() != dot) m_dot->setStyleSheet(dot);
    setSteadyText(m_text, status.text);
    setSteadyText(m_numbers, status.numbers);
}

void StatusLine::setWorkspace(const Workspace& workspace) {
    const QString folder = QString::fromStdString(workspace.folder().filename().string());
    // A name of any length and with any letters stands on one line.
    const QString name =
        m_place->fontMetrics().elidedText(folder.simplified(), Qt::ElideMiddle, kPlaceWidth);
    m_place->setText(workspace.writable() ? name : tr("%1 (read only)").arg(name));
    m_place->setToolTip(QString::fromStdString(workspace.folder().string()));
}

}  // namespace orrery
