#include "widgets/train/trouble_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/train/train_session.h"

namespace orrery {

TroubleBar::TroubleBar(TrainSession* session, QWidget* parent)
    : QFrame(parent), m_session(session), m_text(makeLabel({}, "name", this)) {
    setObjectName(QStringLiteral("troubleBar"));
    setProperty("look", QStringLiteral("warningCard"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 8);
    column->setSpacing(6);
    m_text->setObjectName(QStringLiteral("troubleText"));
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    column->addWidget(m_text);
    auto* row = new QHBoxLayout;
    column->addLayout(row);
    m_skip = addButton("troubleSkip", tr("Skip the step"),
                       tr("Continues with the next batch; nothing was learned from this one"));
    m_back = addButton("troubleBack", {}, {});
    m_fork = addButton("troubleFork", tr("Fork with another rate..."),
                       tr("Ends this run and opens the form of a new one that begins with its "
                          "newest checkpoint"));
    for (QPushButton* button : {m_skip, m_back, m_fork}) row->addWidget(button);
    row->addStretch(1);
    connect(m_skip, &QPushButton::clicked, this, [this] { m_session->record().pauseOrResume(); });
    connect(m_back, &QPushButton::clicked, this, &TroubleBar::goBackRequested);
    connect(m_fork, &QPushButton::clicked, this, [this] {
        if (const auto trouble = m_session->record().trouble())
            Q_EMIT forkRequested(QString::fromStdString(trouble->rateField));
    });
    connect(session, &TrainSession::begun, this, &TroubleBar::refresh);
    connect(session, &TrainSession::changed, this, &TroubleBar::refresh);
    connect(session, &TrainSession::ended, this, &TroubleBar::refresh);
    refresh();
}

QPushButton* TroubleBar::addButton(const char* name, const QString& text, const QString& tip) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(tip);
    button->setAccessibleDescription(tip);
    return button;
}

void TroubleBar::refresh() {
    const auto trouble = m_session->record().trouble();
    setVisible(trouble.has_value());
    if (!trouble) return;
    const QString text = QString::fromStdString(troubleText(*trouble));
    m_text->setText(tr("%1. The training waits for you.").arg(text));
    const auto& kept = m_session->record().training()->checkpoints;
    m_back->setEnabled(!kept.empty());
    m_back->setText(kept.empty() ? tr("Go back to a checkpoint")
                                 : tr("Go back to step %1").arg(countText(kept.back().step)));
    m_back->setToolTip(kept.empty() ? tr("This training has no checkpoint yet")
                                    : tr("Ends this run here and goes on from its newest "
                                         "checkpoint; without another rate it meets the same "
                                         "batch again"));
    m_back->setAccessibleDescription(m_back->toolTip());
}

}  // namespace orrery
