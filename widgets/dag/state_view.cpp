#include "widgets/dag/state_view.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "core/solve/solution.h"
#include "widgets/bridge/change_text.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/figure_keys.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr int kMaxHops = 5;

}  // namespace

StateView::StateView(PlanSession* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_canvas(new StateCanvas(session, this)),
      m_title(makeLabel({}, "section", this)),
      m_chip(makeLabel({}, "chip", this)),
      m_rule(new QComboBox(this)),
      m_hops(new QComboBox(this)),
      m_message(new MessageStrip(this)) {
    setObjectName(QStringLiteral("stateView"));
    setAccessibleName(tr("State graph"));
    m_title->setObjectName(QStringLiteral("stateViewTitle"));
    m_chip->setObjectName(QStringLiteral("showingChip"));
    m_rule->setObjectName(QStringLiteral("edgeRule"));
    m_rule->setAccessibleName(tr("Edges"));
    m_rule->setToolTip(tr("Which joint actions the edges and their probabilities stand for"));
    m_rule->addItems({tr("Chosen action"), tr("Policies"), tr("Any action")});
    m_rule->setCurrentIndex(static_cast<int>(EdgeRule::Policies));
    m_hops->setObjectName(QStringLiteral("hops"));
    m_hops->setAccessibleName(tr("Hops"));
    m_hops->setToolTip(tr("Opens everything within so many steps before and after"));
    for (int hops = 1; hops <= kMaxHops; ++hops)
        m_hops->addItem(hops == 1 ? tr("1 hop") : tr("%1 hops").arg(hops));
    auto* hint = makeRemark(tr("Enter follows · E expands"), "hint", this);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(16, 6, 16, 4);
    head->setSpacing(8);
    head->addWidget(m_title);
    head->addWidget(m_chip);
    head->addStretch(1);
    head->addWidget(hint);
    head->addWidget(m_rule);
    head->addWidget(m_hops);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_message->floatOver(this);
    layout->addLayout(head);
    layout->addWidget(m_canvas, 1);
    setFocusProxy(m_canvas);
    connect(m_rule, &QComboBox::activated, this,
            [this](int row) { m_canvas->setRule(static_cast<EdgeRule>(row)); });
    connect(m_hops, &QComboBox::activated, this, [this](int row) {
        if (row == 0)
            m_canvas->restart();
        else
            m_canvas->showHops(row + 1);
    });
    connect(m_canvas, &StateCanvas::shown, this, &StateView::refresh);
    connect(m_canvas, &StateCanvas::failed, this,
            [this](const QString& text) { m_message->show(MessageKind::Error, text); });
    colorChip();
    refresh();
}

QString StateView::figureName() const {
    return tr("State graph around the state");
}

QString StateView::figureTitle() const {
    const auto state = m_session->graphState();
    if (!state) return {};
    return tr("Around %1 of %2")
        .arg(stateText(state->step, state->config), m_session->loaded().title);
}

QSizeF StateView::figureSize() const {
    return QSizeF(m_canvas->size()).expandedTo(QSizeF(360, 260));
}

void StateView::paintFigure(QPainter& painter, const FigurePage& page) {
    constexpr double kMargin = 12;
    const Tokens& t = *page.tokens;
    const QString edges[] = {tr("Edges: the chosen joint action, with probabilities"),
                             tr("Edges: both policies, with probabilities"),
                             tr("Edges: any joint action, with probabilities")};
    std::vector<FigureKey> keys{
        {FigureKey::Sign::Ring, t.accent, tr("current state")},
        {FigureKey::Sign::Ring, t.warning, tr("cell that changes")},
        {FigureKey::Sign::None, t.text2, edges[static_cast<std::size_t>(m_canvas->rule())]}};
    const auto solution = m_session->solution();
    if (solution && !solution->spec().phase1Only)
        keys.push_back({FigureKey::Sign::None, t.text2, tr("Right below a picture: Vᵣ")});
    if (m_session->selection().stateMarks())
        keys.push_back({FigureKey::Sign::Box, t.setTint,
                        tr("states with %1").arg(m_session->selection().stateMarksText())});
    keys.push_back({FigureKey::Sign::None, t.text2, m_chip->text()});
    const double width = page.size.width() - 2 * kMargin;
    const double height = page.hasLegend ? figureKeysHeight(width, keys) + kMargin : 0;
    FigurePage picture = page;
    picture.size.rheight() -= height;
    m_canvas->paintFigure(painter, picture);
    if (!page.hasLegend) return;
    // What reaches out of the picture ends here; not every format clips.
    painter.fillRect(QRectF(0, picture.size.height(), page.size.width(), height), t.canvas);
    paintFigureKeys(painter, QPointF(kMargin, picture.size.height() + 4), width, keys, t);
}

void StateView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) colorChip();
    QWidget::changeEvent(event);
}

void StateView::showEvent(QShowEvent* event) {
    colorChip();  // the program's style sheet is known only now
    QWidget::showEvent(event);
}

/// A part looks like a part: the chip wears the warning's colours.
void StateView::colorChip() {
    const Tokens& t = currentTokens();
    m_chip->setStyleSheet(QStringLiteral("color: %1; background: %2; border: 1px solid %1; "
                                         "border-radius: 10px; padding: 2px 10px;")
                              .arg(t.warning.name(), t.warningBack.name()));
}

void StateView::refresh() {
    const auto solution = m_session->solution();
    const auto state = m_session->graphState();
    const CanvasGraph& graph = m_canvas->graph();
    m_title->setText(state ? tr("Around %1").arg(stateText(state->step, state->config))
                           : tr("Around the state"));
    m_chip->setVisible(solution != nullptr);
    for (QComboBox* box : {m_rule, m_hops}) box->setEnabled(solution != nullptr);
    QString showing =
        tr("showing %1 of %2")
            .arg(countText(std::ssize(graph.nodes())), countText(m_canvas->numStates()));
    if (graph.edges().size() > StateCanvas::kMaxDrawnEdges)
        showing += tr(" · %1 likeliest edges").arg(countText(StateCanvas::kMaxDrawnEdges));
    m_chip->setText(showing);
    m_chip->setToolTip(
        graph.isComplete()
            ? tr("Dashed ends lead to states that are not shown.")
            : tr("At most %1 states are shown at once.").arg(countText(CanvasGraph::kMaxNodes)));
    const QSignalBlocker blocker(m_rule);
    m_rule->setCurrentIndex(static_cast<int>(m_canvas->rule()));
    if (!solution) return m_table.show(nullptr, {});
    const auto change = [solution, letters = m_session->letters()](State from, State to) {
        const StateGraph& states = solution->graph();
        return changeText(states.world(), letters, states.configuration(from.config),
                          states.configuration(to.config));
    };
    const auto value = [solution](State s) -> std::optional<double> {
        if (solution->spec().phase1Only) return std::nullopt;
        return solution->v_r(s);
    };
    m_table.show(&graph, {value, change});
}

}  // namespace orrery
