#include "widgets/dag/inspector_header.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSet>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/common/icons.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"
#include "widgets/dag/inspector_state.h"
#include "widgets/dag/value_card.h"

namespace orrery {

namespace {

using Kind = ValueKind;

QString nameOfState(const StateItem& state) {
    return state.index >= 0
               ? InspectorHeader::tr("State %1").arg(stateText(state.step, state.index))
               : InspectorHeader::tr("State at level %1").arg(state.step);
}

constexpr std::uint32_t kMostCounted = 100000;

/// Different successors over all joint actions; -1 if counting would hold up the window.
qsizetype numSuccessors(const StateGraph& graph, State state) {
    const ConfigRows rows = graph.rows(state.config);
    if (rows.numEntries > kMostCounted) return -1;
    return QSet<ConfigIndex>(rows.successor, rows.successor + rows.numEntries).size();
}

}  // namespace

InspectorHeader::InspectorHeader(InspectorState* state, QWidget* parent)
    : QWidget(parent), m_state(state) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(makeTitleRow());
    m_subtitle = makeLabel({}, "label", this);
    m_subtitle->setObjectName(QStringLiteral("stateSubtitle"));
    layout->addWidget(m_subtitle);
    m_pinnedRow = makePinnedRow();
    layout->addWidget(m_pinnedRow);
    layout->addSpacing(6);
    m_cards = new QWidget(this);
    auto* cards = new QHBoxLayout(m_cards);
    cards->setContentsMargins(0, 0, 0, 0);
    cards->setSpacing(6);
    m_numbers = {new NumberCard(state, {.kind = Kind::V_r}, QStringLiteral("v_rValue"), m_cards),
                 new NumberCard(state, {.kind = Kind::U_r}, QStringLiteral("u_rValue"), m_cards)};
    for (NumberCard* card : m_numbers) cards->addWidget(card, 1);
    layout->addWidget(m_cards);
    m_empty = makeEmpty();
    layout->addWidget(m_empty);
    connect(state, &InspectorState::changed, this, &InspectorHeader::refresh);
    connect(state, &InspectorState::reachChanged, this, &InspectorHeader::refreshTitle);
    refreshIcons();
    refresh();
}

QWidget* InspectorHeader::makeTitleRow() {
    auto* row = new QWidget(this);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(2);
    m_title = makeLabel({}, "title", row);
    m_title->setObjectName(QStringLiteral("stateTitle"));
    line->addWidget(m_title, 1);
    m_copy = makeButton(QStringLiteral("inspectorCopy"), tr("Copy all numbers"),
                        tr("Copy all numbers as a table (Ctrl+C in the inspector)"));
    m_pin = makeButton(QStringLiteral("inspectorPin"), tr("Pin"),
                       tr("Pin this state as A: every number then shows A, B and the difference"));
    m_pin->setCheckable(true);
    m_link = makeButton(QStringLiteral("inspectorLink"), tr("Copy link"),
                        tr("Copy a link to this state; the search field opens it"));
    for (QToolButton* button : {m_copy, m_pin, m_link}) line->addWidget(button);
    connect(m_pin, &QToolButton::clicked, this, [this] {
        // A second press on A itself lets go; on another state it pins that one instead.
        if (m_state->pinned() && *m_state->pinned() == m_state->session().state())
            m_state->unpin();
        else
            m_state->pin();
    });
    connect(m_link, &QToolButton::clicked, this, &InspectorHeader::copyLink);
    connect(m_copy, &QToolButton::clicked, this, &InspectorHeader::copyRequested);
    return row;
}

QToolButton* InspectorHeader::makeButton(const QString& name, const QString& text,
                                         const QString& tip) {
    auto* button = new QToolButton(this);
    button->setObjectName(name);
    button->setProperty("look", QStringLiteral("plain"));
    button->setToolTip(tip);
    button->setAccessibleName(text);
    button->setFixedSize(28, 28);
    return button;
}

QWidget* InspectorHeader::makePinnedRow() {
    auto* row = new QFrame(this);
    row->setObjectName(QStringLiteral("pinnedRow"));
    row->setProperty("look", QStringLiteral("card"));
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(10, 1, 2, 1);
    line->setSpacing(6);
    m_pinnedName = makeLabel({}, "name", row);
    m_pinnedName->setObjectName(QStringLiteral("pinnedName"));
    line->addWidget(m_pinnedName, 1);
    auto* go = new QToolButton(row);
    go->setObjectName(QStringLiteral("pinnedGo"));
    go->setProperty("look", QStringLiteral("plain"));
    go->setText(tr("Go to A"));
    line->addWidget(go);
    m_unpin = makeButton(QStringLiteral("inspectorUnpin"), tr("Unpin A"), tr("Unpin A"));
    line->addWidget(m_unpin);
    connect(m_unpin, &QToolButton::clicked, m_state, &InspectorState::unpin);
    connect(go, &QToolButton::clicked, this, [this] {
        const auto pinned = m_state->pinned();
        if (pinned)
            m_state->session().selection().setCurrent(
                {*pinned, StepItem{pinned->step}, LevelItem{pinned->step}});
    });
    return row;
}

QWidget* InspectorHeader::makeEmpty() {
    auto* empty = new QFrame(this);
    empty->setProperty("look", QStringLiteral("empty"));
    auto* column = new QVBoxLayout(empty);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(8);
    m_why = makeLabel({}, "name", empty);
    m_why->setObjectName(QStringLiteral("whyNoValues"));
    m_why->setWordWrap(true);
    column->addWidget(m_why);
    m_solve = new QPushButton(tr("Solve it"), empty);
    m_solve->setObjectName(QStringLiteral("emptySolveButton"));
    connect(m_solve, &QPushButton::clicked, this, &InspectorHeader::solveRequested);
    column->addWidget(m_solve);
    return empty;
}

void InspectorHeader::setSolvedNow(const QString& worldHash) {
    m_solvedNow = worldHash;
    refresh();
}

void InspectorHeader::refresh() {
    const PlanSession& session = m_state->session();
    const bool hasValues = m_state->values().has_value();
    refreshTitle();
    for (QToolButton* button : {m_pin, m_link}) button->setEnabled(session.isOpen());
    m_copy->setEnabled(hasValues);
    const auto& pinned = m_state->pinned();
    m_pin->setChecked(session.isOpen() && pinned && *pinned == session.state());
    m_pinnedRow->setVisible(pinned.has_value());
    if (pinned) {
        const QString name = nameOfState(*pinned);
        m_pinnedName->setText(m_state->pinnedValues() || !hasValues
                                  ? tr("A: %1").arg(name)
                                  : tr("A: %1 has no values here").arg(name));
        m_pinnedName->setToolTip(tr("Numbers are shown as A, B and the difference B − A"));
    }
    m_cards->setVisible(hasValues);
    m_empty->setVisible(session.isOpen() && !hasValues);
    // The hash reads the whole world: only while something is solved.
    const bool isSolving = !m_solvedNow.isEmpty() && session.isOpen() &&
                           m_solvedNow == QString::fromStdString(session.world().contentHash());
    m_why->setText(isSolving ? tr("No values yet: this world is being solved.")
                             : tr("No values yet: this world is not solved."));
    m_solve->setVisible(!isSolving);
    for (NumberCard* card : m_numbers) card->refresh();
}

void InspectorHeader::refreshTitle() {
    const PlanSession& session = m_state->session();
    if (!session.isOpen()) {
        m_title->setText(tr("No world"));
        m_subtitle->setText(tr("Pick an example on Home (Ctrl+1)"));
        return;
    }
    m_title->setText((m_state->compares() ? QStringLiteral("B: ") : QString()) +
                     nameOfState(session.state()));
    QStringList parts{
        tr("level %1 of %2").arg(session.state().step).arg(session.world().maxSteps())};
    const auto inGraph = session.graphState();
    if (session.isTerminal()) {
        parts << tr("the end");
    } else {
        const qsizetype successors = inGraph ? numSuccessors(session.solution()->graph(), *inGraph)
                                             : std::ssize(session.successors());
        if (successors >= 0)
            parts << (successors == 1 ? tr("1 successor") : tr("%1 successors").arg(successors));
    }
    if (const auto reach = m_state->reach()) {
        const bool isRound = *reach == 0 || *reach >= 0.0001;
        parts << tr("reach %1")
                     .arg(isRound ? QString::number(*reach, 'f', *reach < 0.01 ? 4 : 3)
                                  : valueText(*reach));
    }
    m_subtitle->setText(parts.join(QStringLiteral(" · ")));
    m_subtitle->setToolTip(m_state->reach() ? tr("reach: how likely an episode visits this state "
                                                 "if all follow their policies")
                                            : QString());
}

void InspectorHeader::copyLink() const {
    QGuiApplication::clipboard()->setText(m_state->session().selection().address());
}

void InspectorHeader::refreshIcons() {
    const Tokens& t = currentTokens();
    m_copy->setIcon(themedIcon(QStringLiteral("edit-copy"), t));
    m_pin->setIcon(themedIcon(QStringLiteral("pin"), t));
    m_link->setIcon(themedIcon(QStringLiteral("insert-link"), t));
    m_unpin->setIcon(themedIcon(QStringLiteral("window-close"), t));
}

void InspectorHeader::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    const bool isTheme =
        event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange;
    if (isTheme && m_unpin) {
        refreshIcons();
        for (NumberCard* card : m_numbers) card->refresh();
    }
}

}  // namespace orrery
