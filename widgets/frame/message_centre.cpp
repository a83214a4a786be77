#include "widgets/frame/message_centre.h"

#include <QEvent>
#include <QFrame>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/common/icons.h"
#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"
#include "widgets/frame/job_list.h"
#include "widgets/frame/message_log.h"

namespace orrery {

namespace {

constexpr int kListsWidth = 760, kListsHeight = 480, kListsGap = 8;

QFrame* makeLists(JobList* jobs, MessageLog* messages, QWidget* parent) {
    auto* lists = new QFrame(parent, Qt::Popup);
    lists->setObjectName(QStringLiteral("messageLists"));
    auto* column = new QVBoxLayout(lists);
    column->setContentsMargins(8, 12, 8, 4);
    column->setSpacing(8);
    const auto add = [&](const QString& title, QWidget* list, int stretch) {
        QLabel* label = makeLabel(title, "section", lists);
        label->setContentsMargins(8, 0, 8, 0);
        column->addWidget(label);
        column->addWidget(list, stretch);
    };
    add(MessageCentre::tr("Jobs"), new JobsPanel(jobs, lists), 2);
    column->addWidget(makeLine(lists));
    add(MessageCentre::tr("Messages"), new MessagesPanel(messages, lists), 3);
    return lists;
}

}  // namespace

MessageCentre::MessageCentre(JobList* jobs, MessageLog* messages, QWidget* parent)
    : QToolButton(parent), m_jobs(jobs), m_messages(messages) {
    setObjectName(QStringLiteral("messageCentre"));
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setIconSize(QSize(14, 14));
    setFocusPolicy(Qt::TabFocus);
    connect(this, &QToolButton::clicked, this, &MessageCentre::open);
    connect(jobs, &JobList::liveJobsChanged, this, &MessageCentre::refresh);
    connect(messages, &QAbstractItemModel::rowsInserted, this,
            [this](const QModelIndex&, int first, int last) { noteMessages(first, last); });
    refresh();
}

void MessageCentre::open() {
    if (!m_lists) {
        m_lists = makeLists(m_jobs, m_messages, this);
        m_lists->installEventFilter(this);
    }
    const QRect window = this->window()->rect();
    // As tall as what there is to tell, within the window.
    const QSize size(std::min(kListsWidth, window.width() - 2 * kListsGap),
                     std::min({kListsHeight, window.height() - height() - 4 * kListsGap,
                               m_lists->sizeHint().height()}));
    m_lists->resize(size);
    placeLists();
    m_lists->show();
    m_numUnseen = 0;
    refresh();
}

/// Above the button, at the right edge of the window.
void MessageCentre::placeLists() {
    m_lists->move(window()->mapToGlobal(
        QPoint(window()->width() - 1 - kListsGap - m_lists->width(),
               mapTo(window(), QPoint(0, 0)).y() - kListsGap - m_lists->height())));
}

/// A job that comes while they are open makes them taller.
bool MessageCentre::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_lists && event->type() == QEvent::Resize && m_lists->isVisible()) placeLists();
    return QToolButton::eventFilter(watched, event);
}

void MessageCentre::noteMessages(int first, int last) {
    if (m_lists && m_lists->isVisible()) return;
    const auto& all = m_messages->messages();
    m_numUnseen += static_cast<int>(
        std::count_if(all.begin() + first, all.begin() + last + 1, [](const Message& message) {
            return message.kind == MessageKind::Warning || message.kind == MessageKind::Error;
        }));
    refresh();
}

void MessageCentre::refresh() {
    const Tokens& tokens = currentTokens();
    const int numLive = m_jobs->numLive();
    QStringList counts;
    if (numLive > 0) counts << (numLive == 1 ? tr("1 job") : tr("%1 jobs").arg(numLive));
    if (m_numUnseen > 0) counts << tr("%1 new").arg(m_numUnseen);
    setText(counts.isEmpty() ? tr("Messages") : counts.join(QStringLiteral(" · ")));
    setToolTip(tr("Messages and jobs of this session: %1 running, %2 warnings and errors not "
                  "looked at")
                   .arg(numLive)
                   .arg(m_numUnseen));
    setAccessibleName(toolTip());
    setIcon(m_numUnseen > 0 ? coloredIcon(QStringLiteral("dialog-warning"), tokens.warning)
                            : themedIcon(QStringLiteral("dialog-information"), tokens));
}

void MessageCentre::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) refresh();
    QToolButton::changeEvent(event);
}

}  // namespace orrery
