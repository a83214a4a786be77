#include "widgets/world/world_panel.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/icons.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"
#include "widgets/world/edit_view.h"
#include "widgets/world/key_strip.h"
#include "widgets/world/legend_strip.h"
#include "widgets/world/play_mode.h"
#include "widgets/world/scene_model.h"
#include "widgets/world/world_editor.h"
#include "widgets/world/world_view.h"

namespace orrery {

WorldPanel::WorldPanel(PlanSession* session, QWidget* parent)
    : WorldPanel(session, nullptr, parent) {}

WorldPanel::WorldPanel(PlanSession* session, WorldEditor* editor, QWidget* parent)
    : QFrame(parent),
      m_session(session),
      m_editor(editor),
      m_view(new WorldView(session, this)),
      m_strip(new MessageStrip(this)),
      m_legend(new LegendStrip(this)),
      m_keys(new KeyStrip(session, m_view->play(), this)),
      m_stack(new QStackedWidget(this)),
      m_bars(new QStackedWidget(this)) {
    setObjectName(QStringLiteral("worldPanel"));
    setProperty("look", QStringLiteral("canvas"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeBar());
    m_stack->addWidget(m_view);
    layout->addWidget(m_stack, 1);
    auto* foot = new QVBoxLayout;
    foot->setContentsMargins(16, 4, 16, 6);
    auto* keys = new QHBoxLayout;
    keys->setSpacing(12);
    keys->addWidget(m_keys, 1);
    keys->addWidget(m_options, 0, Qt::AlignTop);
    foot->addLayout(keys);
    foot->addWidget(m_legend);
    layout->addLayout(foot);
    m_strip->floatOver(m_stack);  // not over the strip of the episode
    makeRangeButton();
    connectParts();
    if (m_editor) connectEditor();
    refreshIcons();
    refreshMode();
    refreshChip();
    fillBoxes();
    m_legend->setPieces(m_view->scene().pieces);
}

PlayMode* WorldPanel::play() const {
    return m_view->play();
}

void WorldPanel::addBelow(QWidget* strip) {
    layout()->addWidget(makeLine(this));
    layout()->addWidget(strip);
}

void WorldPanel::step() {
    if (play()->isOn())
        play()->commit();
    else
        m_session->step();
}

QAbstractItemModel* WorldPanel::tableModel() {
    if (m_table) return m_table;
    m_table = new SceneModel(this);
    const auto fill = [this] {
        const HeatChoice heat = m_view->heatChoice();
        m_table->setScene(m_view->scene(), heat.quantity ? textOf(*m_session, heat) : QString());
    };
    connect(m_view, &WorldView::sceneChanged, m_table, fill);
    fill();
    return m_table;
}

void WorldPanel::zoomBy(double factor) {
    m_editor && m_editor->isOn() ? m_editView->zoomBy(factor) : m_view->zoomBy(factor);
}

void WorldPanel::zoomToFit() {
    m_editor && m_editor->isOn() ? m_editView->zoomToFit() : m_view->zoomToFit();
}

void WorldPanel::connectParts() {
    connect(m_session, &PlanSession::worldChanged, this, &WorldPanel::fillBoxes);
    connect(m_session, &PlanSession::worldChanged, this, [this] {
        if (m_strip->kind() == MessageKind::Ok) m_strip->clear();  // it was about another world
    });
    connect(m_session, &PlanSession::stateChanged, this, [this] {
        if (!m_kept.isEmpty()) applyKept();
        if (m_strip->kind() == MessageKind::Info) m_strip->clear();
        refreshChip();
    });
    connect(m_session, &PlanSession::solutionChanged, this, [this] {
        fillBoxes();
        refreshChip();
        m_asks = false;
        if (m_session->isStale())
            m_strip->show(MessageKind::Warning,
                          tr("The solution is stale: it is of the world before the edit. Undo the "
                             "edit to see it again, or solve anew."),
                          tr("Solve again"));
        else if (m_strip->kind() == MessageKind::Warning)
            m_strip->clear();
    });
    connect(m_strip, &MessageStrip::acted, this, [this] {
        if (!std::exchange(m_asks, false)) return Q_EMIT solveRequested();
        m_strip->clear();
        m_editor->confirm();
    });
    connect(&m_session->selection(), &Selection::currentChanged, this, [this](SelectionKind kind) {
        if (kind == SelectionKind::Goal || kind == SelectionKind::Agent ||
            kind == SelectionKind::Human)
            showChoices();
    });
    connect(m_view, &WorldView::overlayChanged, this, &WorldPanel::showChoices);
    connect(m_view, &WorldView::sceneChanged, this, [this] {
        m_legend->setPieces(m_view->scene().pieces);
        placeRangeButton();
    });
    connect(play(), &PlayMode::changed, this, [this] {
        refreshMode();
        const bool wasChoosing = std::exchange(m_asksChance, play()->isChoosing());
        if (wasChoosing && !m_asksChance) m_strip->clear();
        if (m_asksChance)
            m_strip->showWhileTrue(
                tr("Chance decides this step: click the ghost that shall "
                   "happen, or press its number. Esc takes the step back."));
    });
    connect(play(), &PlayMode::refused, this,
            [this](const QString& why) { m_strip->show(MessageKind::Info, why); });
}

void WorldPanel::connectEditor() {
    m_editView = new EditView(m_session, m_editor, this);
    m_stack->addWidget(m_editView);
    connect(m_editView, &EditView::left, this, [this] { m_editor->setOn(false); });
    connect(m_editor, &WorldEditor::modeChanged, this, [this] {
        if (m_editor->isOn()) play()->setOn(false);
        refreshMode();
        (m_editor->isOn() ? static_cast<QWidget*>(m_editView) : m_view)->setFocus();
    });
    connect(m_editor, &WorldEditor::toolChanged, this, &WorldPanel::refreshMode);
    connect(m_editor, &WorldEditor::specChanged, this, &WorldPanel::refreshChip);
    // The window says it; a question that stands here is over.
    connect(m_editor, &WorldEditor::said, this, [this] {
        if (std::exchange(m_asks, false)) m_strip->clear();
    });
    connect(m_editor, &WorldEditor::asked, this,
            [this](const QString& text, const QString& action) {
                m_asks = true;
                m_strip->show(MessageKind::Warning, text, action);
            });
    connect(m_editor, &WorldEditor::specChanged, this, [this] {
        if (std::exchange(m_asks, false)) m_strip->clear();  // it was about the map as it was
    });
}

void WorldPanel::fillBoxes() {
    if (!m_session->isOpen()) return;
    const QSignalBlocker heatBlocker(m_heat), arrowsBlocker(m_arrows);
    m_heat->clear();
    for (const HeatChoice& choice : heatChoices(*m_session)) {
        if (needsSolution(choice) && !m_session->solution()) continue;
        m_heat->addItem(textOf(*m_session, choice), jsonOf(choice));
    }
    m_arrows->clear();
    for (const ArrowChoice& choice : arrowChoices(*m_session))
        m_arrows->addItem(textOf(*m_session, choice), jsonOf(choice));
    m_arrows->setEnabled(m_session->solution() != nullptr);
    showChoices();
}

void WorldPanel::showChoices() {
    if (!m_session->isOpen()) return;
    const auto select = [](QComboBox* box, const QJsonObject& wanted) {
        const QSignalBlocker blocker(box);
        for (int i = 0; i < box->count(); ++i)
            if (box->itemData(i).toJsonObject() == wanted) return box->setCurrentIndex(i);
        box->setCurrentIndex(0);
    };
    select(m_heat, jsonOf(m_view->heatChoice()));
    select(m_arrows, jsonOf(m_view->arrows()));
    for (const auto& [toggle, isOn] :
         {std::pair(m_goals, m_view->showsGoals()), std::pair(m_visits, m_view->showsVisits()),
          std::pair(m_ghosts, m_view->showsGhosts())}) {
        const QSignalBlocker blocker(toggle);
        toggle->setChecked(isOn);
    }
}

void WorldPanel::refreshChip() {
    if (!m_session->isOpen()) return m_chip->hide();
    const QString step =
        tr("t %1 of %2").arg(m_session->state().step).arg(m_session->world().maxSteps());
    QString text = (m_session->solution()  ? tr("exact · %1")
                    : m_session->isStale() ? tr("stale · %1")
                                           : tr("not solved · %1"))
                       .arg(step);
    if (m_editor && m_editor->isOn())
        text = !m_editor->isValid()     ? tr("draft has errors")
               : m_editor->isModified() ? tr("changed")
                                        : tr("as saved");
    m_chip->setText(text);
    fitBar();
}

void WorldPanel::refreshMode() {
    const bool edits = m_editor && m_editor->isOn();
    const QSignalBlocker playBlocker(m_play), editBlocker(m_edit);
    m_play->setChecked(play()->isOn());
    m_edit->setChecked(edits);
    m_options->setVisible(play()->isOn() && !edits);
    const int numDriven = play()->numDriven();
    const bool drivesAll = m_session->isOpen() && numDriven == m_session->world().numAgents();
    QString driven = drivesAll ? tr("all agents") : tr("nobody");
    if (!drivesAll && numDriven > 0) {
        QStringList letters;
        for (int agent = 0; agent < m_session->world().numAgents(); ++agent)
            if (play()->isDriven(agent))
                letters << m_session->letters()[static_cast<std::size_t>(agent)];
        driven = letters.join(QStringLiteral(", "));
    }
    m_options->setText(tr("Keys drive: %1 ▾").arg(driven));
    m_keys->setVisible(play()->isOn() && !edits);
    m_legend->setVisible(!play()->isOn() && !edits);
    m_bars->setCurrentIndex(edits ? 1 : 0);
    QWidget* shown = edits ? static_cast<QWidget*>(m_editView) : m_view;
    m_stack->setCurrentWidget(shown);
    setFocusProxy(shown);
    for (QPushButton* tool : m_tools) {
        const QSignalBlocker blocker(tool);
        tool->setChecked(m_editor &&
                         tool->property("tool").toInt() == static_cast<int>(m_editor->tool()));
    }
    refreshChip();
}

void WorldPanel::refreshIcons() {
    const Tokens& t = currentTokens();
    m_play->setIcon(themedIcon(QStringLiteral("media-playback-start"), t));
    m_edit->setIcon(themedIcon(QStringLiteral("brush"), t));
    m_range->setIcon(themedIcon(QStringLiteral("object-locked"), t));
    fitBar();
}

void WorldPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && m_range) refreshIcons();
    QFrame::changeEvent(event);
}

void WorldPanel::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    fitBar();
}

bool WorldPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_view && event->type() == QEvent::Resize) placeRangeButton();
    return QFrame::eventFilter(watched, event);
}

QJsonObject WorldPanel::saveState() const {
    if (!m_kept.isEmpty()) return m_kept;
    return {{QStringLiteral("heat"), jsonOf(m_view->heatChoice())},
            {QStringLiteral("arrows"), jsonOf(m_view->arrows())},
            {QStringLiteral("range"), jsonOf(m_view->heatRange())},
            {QStringLiteral("goals"), m_view->showsGoals()},
            {QStringLiteral("visits"), m_view->showsVisits()},
            {QStringLiteral("ghosts"), m_view->showsGhosts()},
            {QStringLiteral("stepsOnKey"), play()->stepsOnKey()},
            {QStringLiteral("followsPolicies"), play()->followsPolicies()},
            {QStringLiteral("choosesChance"), play()->choosesChance()}};
}

void WorldPanel::restoreState(const QJsonObject& state) {
    const auto truth = [&](const char* key, bool otherwise) {
        return state.value(QLatin1String(key)).toBool(otherwise);
    };
    m_view->setShowsGoals(truth("goals", true));
    m_view->setShowsVisits(truth("visits", false));
    m_view->setShowsGhosts(truth("ghosts", true));
    play()->setStepsOnKey(truth("stepsOnKey", false));
    play()->setFollowsPolicies(truth("followsPolicies", true));
    play()->setChoosesChance(truth("choosesChance", false));
    m_kept = state;
    if (m_session->isOpen()) applyKept();
}

/// The choices that need the world that they were made in.
void WorldPanel::applyKept() {
    const QJsonObject state = std::exchange(m_kept, {});
    if (state.contains(QStringLiteral("heat"))) {
        const HeatChoice heat = heatChoiceOf(state.value(QStringLiteral("heat")).toObject());
        const auto choices = heatChoices(*m_session);
        if (std::ranges::find(choices, heat) != choices.end()) m_view->showHeat(heat);
    }
    const ArrowChoice arrows = arrowChoiceOf(state.value(QStringLiteral("arrows")).toObject());
    const auto choices = arrowChoices(*m_session);
    if (std::ranges::find(choices, arrows) != choices.end()) m_view->setArrows(arrows);
    m_view->setHeatRange(heatRangeOf(state.value(QStringLiteral("range")).toObject()));
}

}  // namespace orrery
