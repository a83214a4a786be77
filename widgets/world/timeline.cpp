#include "widgets/world/timeline.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/icons.h"
#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"
#include "widgets/world/episode_player.h"
#include "widgets/world/timeline_ruler.h"

namespace orrery {

namespace {

QString speedText(int speed) {
    return QObject::tr("%1 /s").arg(EpisodePlayer::perSecond(speed));
}

}  // namespace

Timeline::Timeline(PlanSession* session, QWidget* parent)
    : QFrame(parent),
      m_session(session),
      m_player(new EpisodePlayer(session, this)),
      m_ruler(new TimelineRuler(session, m_player, this)) {
    setObjectName(QStringLiteral("timeline"));
    setAccessibleName(tr("Timeline"));
    setProperty("look", QStringLiteral("canvas"));
    setFixedHeight(84);
    m_first = addButton("timelineFirst", tr("First step (Home)"), &Timeline::goFirst);
    m_play = addButton("timelinePlay", tr("Play or pause (Space)"), &Timeline::togglePlaying);
    m_next = addButton("timelineNext", tr("Next step (Right); after the last: by the policies"),
                       &Timeline::goNext);
    m_loop = addButton("timelineLoop",
                       tr("Loop over the walk, or over the range that Shift and dragging set"),
                       &Timeline::toggleLoop);
    m_loop->setCheckable(true);
    m_speed = addButton("timelineSpeed", tr("Steps a second (1 to 5)"), nullptr);
    m_speed->setPopupMode(QToolButton::InstantPopup);
    m_speed->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
    auto* menu = new QMenu(m_speed);
    for (int speed = 1; speed <= 5; ++speed)
        connect(menu->addAction(speedText(speed)), &QAction::triggered, this,
                [this, speed] { m_player->setSpeed(speed); });
    m_speed->setMenu(menu);
    m_place = makeLabel({}, "hint", this);
    m_step = makeLabel({}, "number", this);
    m_step->setObjectName(QStringLiteral("timelineStep"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(2);
    for (QToolButton* button : {m_first, m_play, m_next, m_loop}) buttons->addWidget(button);
    auto* place = new QHBoxLayout;
    place->setSpacing(6);
    place->addWidget(m_step);
    place->addWidget(m_place, 1);
    place->addWidget(m_speed);
    auto* left = new QVBoxLayout;
    left->setContentsMargins(12, 8, 8, 8);
    left->setSpacing(4);
    left->addLayout(buttons);
    left->addLayout(place);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addLayout(left);
    row->addWidget(m_ruler, 1);
    for (const auto signal :
         {&PlanSession::worldChanged, &PlanSession::stateChanged, &PlanSession::solutionChanged})
        connect(session, signal, this, &Timeline::refresh);
    connect(m_player, &EpisodePlayer::changed, this, &Timeline::refresh);
    refreshIcons();
    refresh();
}

QToolButton* Timeline::addButton(const char* name, const QString& tip, void (Timeline::*press)()) {
    auto* button = new QToolButton(this);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setProperty("look", QStringLiteral("plain"));
    button->setIconSize(QSize(16, 16));
    if (press) connect(button, &QToolButton::clicked, this, press);
    return button;
}

void Timeline::goFirst() {
    if (m_session->isOpen()) m_session->showMoment(0);
}

void Timeline::goNext() {
    if (!m_session->isOpen()) return;
    if (m_session->walkIndex() + 1 < m_session->walk().size())
        m_session->showMoment(m_session->walkIndex() + 1);
    else
        m_session->followPolicy();
}

void Timeline::togglePlaying() {
    m_player->toggle();
}

void Timeline::toggleLoop() {
    m_player->setLoops(m_loop->isChecked());
}

void Timeline::refresh() {
    const bool isOpen = m_session->isOpen();
    const bool hasNext = isOpen && (m_session->walkIndex() + 1 < m_session->walk().size() ||
                                    (m_session->values() && !m_session->isTerminal()));
    m_first->setEnabled(isOpen && m_session->walkIndex() > 0);
    m_next->setEnabled(hasNext);
    m_play->setEnabled(isOpen && (hasNext || m_session->walk().size() > 1));
    m_loop->setEnabled(isOpen);
    m_loop->setChecked(m_player->loops());
    m_speed->setText(speedText(m_player->speed()));
    m_step->setText(isOpen ? QString::number(m_session->state().step) : QString());
    m_place->setText(isOpen ? tr("of %1").arg(m_session->world().maxSteps()) : QString());
    const QString icon = m_player->isPlaying() ? QStringLiteral("media-playback-pause")
                                               : QStringLiteral("media-playback-start");
    if (m_play->property("iconName").toString() != icon) {
        m_play->setProperty("iconName", icon);
        m_play->setIcon(themedIcon(icon, currentTokens()));
    }
}

void Timeline::refreshIcons() {
    const Tokens& t = currentTokens();
    m_first->setIcon(themedIcon(QStringLiteral("go-first"), t));
    m_next->setIcon(themedIcon(QStringLiteral("media-skip-forward"), t));
    m_loop->setIcon(themedIcon(QStringLiteral("media-playlist-repeat"), t));
    m_play->setProperty("iconName", QString());
}

void Timeline::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        refreshIcons();
        refresh();
    }
    QFrame::changeEvent(event);
}

QJsonObject Timeline::saveState() const {
    return {{QStringLiteral("speed"), m_player->speed()},
            {QStringLiteral("loops"), m_player->loops()}};
}

void Timeline::restoreState(const QJsonObject& state) {
    m_player->setSpeed(state.value(QStringLiteral("speed")).toInt(m_player->speed()));
    m_player->setLoops(state.value(QStringLiteral("loops")).toBool());
}

}  // namespace orrery
