#include "widgets/entity/choice_panel.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/row_list.h"
#include "widgets/entity/actor_grid.h"
#include "widgets/entity/entity_session.h"
#include "widgets/entity/game_view.h"

namespace orrery {

namespace {

constexpr int kRowHeight = 28, kMostRows = 6;

}  // namespace

ChoicePanel::ChoicePanel(EntitySession* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_question(makeLabel({}, "title", this)),
      m_actor(makeLabel({}, "hint", this)),
      m_list(new RowList(QStringLiteral("choices"), kRowHeight, 0, this)),
      m_numbers(makeLabel({}, "hint", this)),
      m_grid(new ActorGrid(session, this)),
      m_take(new QPushButton(tr("Agent's choice"), this)),
      m_back(new QPushButton(tr("Back"), this)),
      m_again(new QPushButton(tr("Start again"), this)) {
    setObjectName(QStringLiteral("entityChoices"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 12);
    column->setSpacing(4);
    for (QLabel* label : {m_question, m_actor}) {
        label->setWordWrap(true);
        label->setContentsMargins(16, 0, 16, 0);
        column->addWidget(label);
    }
    m_question->setObjectName(QStringLiteral("choiceQuestion"));
    m_list->setAccessibleName(tr("Choices"));
    m_list->setFitsRows(true, kMostRows);
    column->addWidget(m_list);
    m_numbers->setObjectName(QStringLiteral("agentNumbers"));
    m_numbers->setContentsMargins(16, 4, 16, 0);
    m_numbers->setWordWrap(true);
    column->addWidget(m_numbers);
    auto* area = new QScrollArea(this);
    area->setObjectName(QStringLiteral("actorScroll"));
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(m_grid);
    column->addWidget(area, 1);
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(16, 4, 16, 0);
    m_take->setObjectName(QStringLiteral("choiceTake"));
    m_take->setToolTip(tr("Takes what the agent finds the likeliest (Enter in the picture)"));
    m_back->setObjectName(QStringLiteral("choiceBack"));
    m_back->setToolTip(tr("Takes the last decision back, or the last step (Backspace)"));
    m_again->setObjectName(QStringLiteral("choiceAgain"));
    m_again->setToolTip(tr("Begins the same episode again"));
    buttons->addWidget(m_back);
    buttons->addWidget(m_again);
    column->addWidget(m_take);
    column->setAlignment(m_take, Qt::AlignHCenter);
    column->addLayout(buttons);
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) {
        if (m_session->decision() == nullptr) return;
        const auto& options = m_session->decision()->options;
        if (index.row() < std::ssize(options))
            m_session->choose(options[static_cast<std::size_t>(index.row())].value);
    });
    connect(m_take, &QPushButton::clicked, m_session, &EntitySession::takeAgentsChoice);
    connect(m_back, &QPushButton::clicked, m_session, &EntitySession::goBack);
    connect(m_again, &QPushButton::clicked, m_session, &EntitySession::again);
    connect(m_session, &EntitySession::changed, this, &ChoicePanel::refresh);
    connect(m_session, &EntitySession::advised, this, &ChoicePanel::refreshAgent);
    refresh();
}

QString ChoicePanel::question() const {
    const EntityEpisode* episode = m_session->episode();
    if (episode == nullptr) return tr("Nothing to play");
    if (episode->play == nullptr) return tr("A frame of a training");
    if (!episode->isAtEnd()) return tr("A frame that is past");
    if (m_session->decision() == nullptr) return tr("The episode is over");
    return m_session->decision()->options.front().value < 0
               ? tr("Nobody has anything to decide")
               : QString::fromStdString(
                     m_session->spaces().actions[m_session->decision()->action].name);
}

void ChoicePanel::refresh() {
    const HandPlay::Decision* decision = m_session->decision();
    const EntityEpisode* episode = m_session->episode();
    m_back->setEnabled(episode != nullptr && (episode->shown > 0 || (episode->play != nullptr &&
                                                                     episode->play->canGoBack())));
    m_again->setEnabled(episode != nullptr);
    m_question->setText(question());
    if (decision != nullptr)
        m_actor->setText(
            decision->actor >= 0
                ? tr("of %1 %2")
                      .arg(decision->actor)
                      .arg(QString::fromStdString(m_session->play()->thingText(decision->actor)))
                : QString());
    else if (episode == nullptr)
        m_actor->setText(m_session->trouble());
    else if (episode->play == nullptr)
        m_actor->setText(tr("What was done in it has a frame."));
    else if (!episode->isAtEnd())
        m_actor->setText(tr("Take over to play on from here."));
    else
        m_actor->setText(tr("Start again, or go back a step."));
    m_actor->setVisible(!m_actor->text().isEmpty());
    refreshAgent();
}

void ChoicePanel::refreshAgent() {
    fillList();
    const EntityFrame* frame = m_session->frame();
    const bool knows = frame != nullptr && frame->advice;
    m_numbers->setText(knows ? tr("Learned: value %1, entropy %2 nats")
                                   .arg(significantText(frame->advice->value),
                                        significantText(entropyOf(*frame->advice)))
                             : QString());
    m_numbers->setVisible(knows);
    m_take->setVisible(m_session->agent().facts().has_value());
    m_take->setEnabled(m_session->agentsChoice().has_value());
}

void ChoicePanel::fillList() {
    std::vector<Row> rows;
    if (const HandPlay::Decision* decision = m_session->decision()) {
        const auto best = m_session->agentsChoice();
        rows.reserve(decision->options.size());
        for (std::size_t i = 0; i < decision->options.size(); ++i) {
            const auto& option = decision->options[i];
            const QString name = QString::fromStdString(option.name);
            QString value = optionKey(i).isNull() ? QString() : QString(optionKey(i).toUpper());
            if (best && option.value >= 0)
                value.prepend(percentText(m_session->shareOf(*decision, option.value)) +
                              QStringLiteral("   "));
            rows.push_back(
                {.title = option.thing >= 0 ? tr("%1 %2").arg(option.thing).arg(name) : name,
                 .subtitle = {},
                 .value = value,
                 .isCurrent = best == option.value,
                 .tip = name});
        }
    }
    m_list->setVisible(!rows.empty());
    m_list->setRows(std::move(rows));
}

void ChoicePanel::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Backspace) return m_session->goBack();
    if (event->modifiers() == Qt::NoModifier && chooseByKey(*m_session, event->text())) return;
    QWidget::keyPressEvent(event);
}

}  // namespace orrery
