#include "widgets/dag/inspector_panel.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QFrame>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QVBoxLayout>

#include "widgets/common/parts.h"
#include "widgets/dag/inspector_header.h"
#include "widgets/dag/inspector_spread.h"
#include "widgets/dag/inspector_state.h"
#include "widgets/dag/inspector_sum.h"
#include "widgets/dag/inspector_tsv.h"
#include "widgets/dag/inspector_values.h"
#include "widgets/dag/successor_panel.h"
#include "widgets/dag/sum_float.h"

namespace orrery {

InspectorPanel::InspectorPanel(PlanSession* session, BackgroundWorker* worker, QWidget* parent)
    : QScrollArea(parent), m_state(new InspectorState(session, worker, this)) {
    setObjectName(QStringLiteral("inspector"));
    setAccessibleName(tr("Inspector"));
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::ClickFocus);
    setMinimumWidth(308);
    auto* content = new QWidget(this);
    m_column = new QVBoxLayout(content);
    m_column->setContentsMargins(16, 4, 16, 16);
    m_column->setSpacing(12);
    m_header = new InspectorHeader(m_state, content);
    m_values = new InspectorValues(m_state, content);
    m_sum = new InspectorSum(m_state, QStringLiteral("why"), content);
    m_spread = new InspectorSpread(m_state, content);
    m_column->addWidget(m_header);
    addPart(new SuccessorPanel(session, content));
    addPart(m_values);
    addPart(m_sum);
    addPart(m_spread);
    m_column->addStretch(1);
    setWidget(content);
    connect(m_header, &InspectorHeader::solveRequested, this, &InspectorPanel::solveRequested);
    connect(m_header, &InspectorHeader::copyRequested, this, &InspectorPanel::copyAll);
    connect(m_state, &InspectorState::askedAt, this, &InspectorPanel::openSum);
}

void InspectorPanel::addPart(QWidget* part) {
    QFrame* line = makeLine(part->parentWidget());
    line->setVisible(!part->isHidden());
    m_column->addWidget(line);
    m_column->addWidget(part);
    m_lines.insert(part, line);
    part->installEventFilter(this);
}

/// The line above a part comes and goes with it.
bool InspectorPanel::eventFilter(QObject* watched, QEvent* event) {
    const bool isShown = event->type() == QEvent::ShowToParent;
    if (isShown || event->type() == QEvent::HideToParent)
        if (QWidget* line = m_lines.value(watched)) line->setVisible(isShown);
    return QScrollArea::eventFilter(watched, event);
}

void InspectorPanel::setJointActionPart(QWidget* part) {
    delete m_jointLine;
    delete m_jointAction;
    m_jointAction = part;
    m_jointLine = makeLine(widget());
    m_column->insertWidget(1, m_jointLine);
    m_column->insertWidget(2, part);
}

void InspectorPanel::setSolvedNow(const QString& worldHash) {
    m_header->setSolvedNow(worldHash);
}

void InspectorPanel::openSum(QWidget* by, const QRect& number) {
    m_float = new SumFloat(m_state, by, number);
}

QString InspectorPanel::tsv() const {
    return inspectorTsv(*m_state, m_sum->explanation());
}

void InspectorPanel::copyAll() const {
    QGuiApplication::clipboard()->setText(tsv());
}

void InspectorPanel::copySum() const {
    if (m_sum->explanation())
        QGuiApplication::clipboard()->setText(sumTsv(*m_state, *m_sum->explanation()));
}

/// The window's own commands must not take Ctrl+C while the focus is in here.
bool InspectorPanel::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        event->accept();
        return true;
    }
    return QScrollArea::event(event);
}

void InspectorPanel::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy))
        copyAll();
    else
        QScrollArea::keyPressEvent(event);
}

void InspectorPanel::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("inspectorMenu"));
    const bool hasValues = m_state->values().has_value();
    menu.addAction(tr("Copy all numbers as a table"), this, &InspectorPanel::copyAll)
        ->setEnabled(hasValues);
    menu.addAction(tr("Copy this sum as a table"), this, &InspectorPanel::copySum)
        ->setEnabled(m_sum->explanation().has_value());
    menu.addAction(tr("Copy link to this state"), m_header, &InspectorHeader::copyLink)
        ->setEnabled(m_state->session().isOpen());
    menu.addSeparator();
    menu.addAction(tr("Pin this state as A"), m_state, &InspectorState::pin)
        ->setEnabled(m_state->session().isOpen());
    menu.addAction(tr("Unpin A"), m_state, &InspectorState::unpin)
        ->setEnabled(m_state->pinned().has_value());
    menu.exec(event->globalPos());
}

/// Colours are in the tables' rows.
void InspectorPanel::changeEvent(QEvent* event) {
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_spread) m_state->refreshLook();
}

void InspectorPanel::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    widget()->setMaximumWidth(viewport()->width());
}

QJsonObject InspectorPanel::saveState() const {
    QJsonObject state;
    state[QStringLiteral("spread")] = m_spread->scope() == InspectorSpread::Scope::Set
                                          ? QStringLiteral("set")
                                          : QStringLiteral("level");
    state[QStringLiteral("allActions")] = m_values->showsAllActions();
    if (m_state->isAsked()) {
        const ValueOf question = m_state->question();
        state[QStringLiteral("question")] =
            QJsonObject{{QStringLiteral("symbol"), InspectorState::symbolOf(question)},
                        {QStringLiteral("human"), question.human},
                        {QStringLiteral("goal"), question.goal},
                        {QStringLiteral("action"), question.action}};
    }
    return state;
}

void InspectorPanel::restoreState(const QJsonObject& state) {
    m_spread->setScope(state[QStringLiteral("spread")].toString() == QStringLiteral("set")
                           ? InspectorSpread::Scope::Set
                           : InspectorSpread::Scope::Level);
    m_values->setShowsAllActions(state[QStringLiteral("allActions")].toBool());
    const QJsonObject asked = state[QStringLiteral("question")].toObject();
    for (const ValueKindFacts& facts : kValueKinds)
        if (asked[QStringLiteral("symbol")].toString() == QLatin1String(facts.symbol))
            m_state->ask({facts.kind, asked[QStringLiteral("human")].toInt(-1),
                          asked[QStringLiteral("goal")].toInt(-1),
                          asked[QStringLiteral("action")].toInt(-1)});
}

}  // namespace orrery
