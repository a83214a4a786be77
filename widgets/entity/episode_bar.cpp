#include "widgets/entity/episode_bar.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/common/icons.h"
#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"
#include "widgets/entity/entity_session.h"
#include "widgets/entity/game_view.h"

namespace orrery {

namespace {

constexpr int kSpeeds[] = {1, 2, 4, 10, 30};

}  // namespace

EpisodeBar::EpisodeBar(EntitySession* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_which(new QComboBox(this)),
      m_first(addButton("entityFirst", tr("First frame"))),
      m_play(addButton("entityPlay",
                       tr("Shows frame after frame; behind the last one the agent plays (Space)"))),
      m_next(addButton("entityNext", tr("Next frame (Right); after the last one the agent does a "
                                        "step"))),
      m_slider(new QSlider(Qt::Horizontal, this)),
      m_place(makeLabel({}, "number", this)),
      m_speed(new QComboBox(this)),
      m_takeOver(new QPushButton(tr("Take over"), this)) {
    setObjectName(QStringLiteral("episodeBar"));
    m_which->setObjectName(QStringLiteral("entityWhich"));
    m_which->setAccessibleName(tr("Environment"));
    m_which->setToolTip(tr("Which of the environments is shown"));
    m_slider->setObjectName(QStringLiteral("entityFrames"));
    m_slider->setAccessibleName(tr("Frame"));
    m_slider->setToolTip(tr("Frames of the episode: drag to look back"));
    m_slider->setPageStep(10);
    m_slider->setMinimumWidth(60);
    m_place->setObjectName(QStringLiteral("entityPlace"));
    m_speed->setObjectName(QStringLiteral("entitySpeed"));
    m_speed->setAccessibleName(tr("Speed"));
    m_speed->setToolTip(tr("Frames a second"));
    for (const int speed : kSpeeds) m_speed->addItem(tr("%1 /s").arg(speed), speed);
    m_takeOver->setObjectName(QStringLiteral("entityTakeOver"));
    m_takeOver->setToolTip(tr("Plays on from this frame; those behind it are forgotten"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 2, 12, 6);
    row->setSpacing(6);
    row->addWidget(m_which);
    for (QToolButton* button : {m_first, m_play, m_next}) row->addWidget(button);
    row->addWidget(m_slider, 1);
    row->addWidget(m_place);
    row->addWidget(m_speed);
    row->addWidget(m_takeOver);
    connect(m_which, &QComboBox::activated, m_session,
            [this](int index) { m_session->showEpisode(static_cast<std::size_t>(index)); });
    connect(m_first, &QToolButton::clicked, m_session, [this] { m_session->showFrame(0); });
    connect(m_play, &QToolButton::clicked, m_session,
            [this] { m_session->setPlaying(!m_session->isPlaying()); });
    connect(m_next, &QToolButton::clicked, this, &EpisodeBar::goNext);
    connect(m_slider, &QSlider::valueChanged, m_session,
            [this](int value) { m_session->showFrame(static_cast<std::size_t>(value)); });
    connect(m_speed, &QComboBox::activated, m_session,
            [this] { m_session->setSpeed(m_speed->currentData().toInt()); });
    connect(m_takeOver, &QPushButton::clicked, m_session, &EntitySession::takeOver);
    for (const auto signal :
         {&EntitySession::changed, &EntitySession::advised, &EntitySession::playingChanged})
        connect(m_session, signal, this, &EpisodeBar::refresh);
    refreshIcons();
    refresh();
}

QToolButton* EpisodeBar::addButton(const char* name, const QString& tip) {
    auto* button = new QToolButton(this);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setProperty("look", QStringLiteral("plain"));
    button->setIconSize(QSize(16, 16));
    return button;
}

void EpisodeBar::goNext() {
    const EntityEpisode* episode = m_session->episode();
    if (episode == nullptr) return;
    if (!episode->isAtEnd())
        m_session->showFrame(episode->shown + 1);
    else
        m_session->stepByAgent();
}

void EpisodeBar::refresh() {
    const EntityEpisode* episode = m_session->episode();
    const auto& all = m_session->episodes();
    {
        const QSignalBlocker quiet(m_which), still(m_slider), calm(m_speed);
        QStringList names;
        for (const EntityEpisode& one : all) names << one.name;
        bool isSame = m_which->count() == names.size();
        for (int i = 0; isSame && i < names.size(); ++i) isSame = m_which->itemText(i) == names[i];
        if (!isSame) {
            m_which->clear();
            m_which->addItems(names);
        }
        m_which->setCurrentIndex(static_cast<int>(m_session->current()));
        m_slider->setRange(0,
                           episode != nullptr ? static_cast<int>(episode->frames.size()) - 1 : 0);
        m_slider->setValue(episode != nullptr ? static_cast<int>(episode->shown) : 0);
        m_speed->setCurrentIndex(m_speed->findData(m_session->speed()));
    }
    m_which->setVisible(all.size() > 1);
    m_slider->setEnabled(episode != nullptr && episode->frames.size() > 1);
    m_first->setEnabled(episode != nullptr && episode->shown > 0);
    m_play->setEnabled(m_session->canPlay());
    m_next->setEnabled(
        episode != nullptr &&
        (!episode->isAtEnd() || (m_session->decision() != nullptr && m_session->hasAdvice())));
    m_place->setText(episode != nullptr
                         ? tr("%1 of %2").arg(episode->shown).arg(episode->frames.size() - 1)
                         : QString());
    m_takeOver->setVisible(m_session->play() != nullptr && !episode->isAtEnd());
    refreshIcons();
}

void EpisodeBar::refreshIcons() {
    const Tokens& tokens = currentTokens();
    m_first->setIcon(themedIcon(QStringLiteral("media-skip-backward"), tokens));
    m_play->setIcon(themedIcon(m_session->isPlaying() ? QStringLiteral("media-playback-pause")
                                                      : QStringLiteral("media-playback-start"),
                               tokens));
    m_next->setIcon(themedIcon(QStringLiteral("media-skip-forward"), tokens));
}

void EpisodeBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) refreshIcons();
    QWidget::changeEvent(event);
}

QWidget* makeEpisodePanel(EntitySession* session, QWidget* parent) {
    auto* panel = new QWidget(parent);
    panel->setObjectName(QStringLiteral("entityEpisode"));
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* game = new GameView(session, panel);
    column->addWidget(game, 1);
    column->addWidget(new EpisodeBar(session, panel));
    panel->setFocusProxy(game);
    return panel;
}

}  // namespace orrery
