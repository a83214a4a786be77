#include "widgets/entity/choice_panel.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/common/parts.h"
#include "widgets/common/row_list.h"
#include "widgets/entity/entity_session.h"
#include "widgets/entity/game_view.h"

namespace orrery {

namespace {

constexpr int kRowHeight = 28;

}  // namespace

ChoicePanel::ChoicePanel(EntitySession* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_question(makeLabel({}, "title", this)),
      m_actor(makeLabel({}, "hint", this)),
      m_list(new RowList(QStringLiteral("choices"), kRowHeight, 0, this)),
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
    column->addWidget(m_list, 1);
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(16, 4, 16, 0);
    m_back->setObjectName(QStringLiteral("choiceBack"));
    m_back->setToolTip(tr("Takes the last decision back, or the last step (Backspace)"));
    m_again->setObjectName(QStringLiteral("choiceAgain"));
    m_again->setToolTip(tr("Begins the same episode again"));
    buttons->addWidget(m_back);
    buttons->addWidget(m_again);
    column->addLayout(buttons);
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) {
        const HandPlay* play = m_session->play();
        if (play == nullptr || play->decision() == nullptr) return;
        const auto& options = play->decision()->options;
        if (index.row() < std::ssize(options))
            m_session->choose(options[static_cast<std::size_t>(index.row())].value);
    });
    connect(m_back, &QPushButton::clicked, m_session, &EntitySession::goBack);
    connect(m_again, &QPushButton::clicked, m_session, &EntitySession::again);
    connect(m_session, &EntitySession::changed, this, &ChoicePanel::refresh);
    refresh();
}

void ChoicePanel::refresh() {
    const HandPlay* play = m_session->play();
    const HandPlay::Decision* decision = play != nullptr ? play->decision() : nullptr;
    m_back->setEnabled(play != nullptr && play->canGoBack());
    m_again->setEnabled(play != nullptr);
    std::vector<Row> rows;
    if (decision == nullptr) {
        m_question->setText(play == nullptr ? tr("Nothing to play") : tr("The episode is over"));
        m_actor->setText(play == nullptr ? m_session->trouble()
                                         : tr("Start again, or go back a step."));
    } else {
        const bool isGoOn = decision->options.front().value < 0;
        m_question->setText(
            isGoOn ? tr("Nobody has anything to decide")
                   : QString::fromStdString(play->spaces().actions[decision->action].name));
        m_actor->setText(decision->actor >= 0
                             ? tr("of %1 %2")
                                   .arg(decision->actor)
                                   .arg(QString::fromStdString(play->thingText(decision->actor)))
                             : QString());
        for (std::size_t i = 0; i < decision->options.size(); ++i) {
            const auto& option = decision->options[i];
            const QString name = QString::fromStdString(option.name);
            rows.push_back(
                {.title = option.thing >= 0 ? tr("%1 %2").arg(option.thing).arg(name) : name,
                 .subtitle = {},
                 .value = optionKey(i).isNull() ? QString() : QString(optionKey(i).toUpper()),
                 .tip = name});
        }
    }
    m_actor->setVisible(!m_actor->text().isEmpty());
    m_list->setRows(std::move(rows));
}

void ChoicePanel::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Backspace) return m_session->goBack();
    if (event->modifiers() == Qt::NoModifier && chooseByKey(*m_session, event->text())) return;
    QWidget::keyPressEvent(event);
}

}  // namespace orrery
