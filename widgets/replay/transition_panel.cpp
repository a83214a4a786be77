#include "widgets/replay/transition_panel.h"

#include <QComboBox>
#include <QEvent>
#include <QHeaderView>
#include <QJsonArray>
#include <QLabel>
#include <QTableView>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/empo/target_terms.h"
#include "core/encode/compact_state.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/trust_mark.h"
#include "widgets/replay/encoded_scene.h"
#include "widgets/replay/term_model.h"
#include "widgets/world/state_picture.h"

namespace orrery {

namespace {

constexpr double kAgreement = 0.0005;  ///< differences below it are not shown

/// Cells that hold something else, or an agent of which a number is another.
std::vector<QPoint> changedBetween(const EncodingShape& shape, std::span<const std::byte> before,
                                   std::span<const std::byte> after) {
    const auto from = partsOf(shape, before), to = partsOf(shape, after);
    std::vector<QPoint> cells;
    for (int i = 0; i < static_cast<int>(from.cells.size()); ++i)
        if (from.cells[static_cast<std::size_t>(i)] != to.cells[static_cast<std::size_t>(i)])
            cells.emplace_back(i % shape.width, i / shape.width);
    for (int agent = 0; agent < shape.numAgents; ++agent) {
        const auto at = static_cast<std::size_t>(agent) * EncodingShape::kAgentNumbers;
        const auto own = to.agents.subspan(at, EncodingShape::kAgentNumbers);
        if (std::ranges::equal(from.agents.subspan(at, EncodingShape::kAgentNumbers), own))
            continue;
        const QPoint cell(own[0], own[1]);
        if (std::ranges::find(cells, cell) == cells.end()) cells.push_back(cell);
    }
    return cells;
}

}  // namespace

TransitionPanel::TransitionPanel(QWidget* parent)
    : QScrollArea(parent),
      m_inside(new QWidget(this)),
      m_title(makeLabel(QString(), "title", m_inside)),
      m_facts(makeLabel(QString(), "label", m_inside)),
      m_remark(makeLabel(QString(), "hint", m_inside)),
      m_targetText(makeLabel(QString(), "bigNumber", m_inside)),
      m_predictionText(makeLabel(QString(), "bigNumber", m_inside)),
      m_error(makeLabel(QString(), "label", m_inside)),
      m_sum(makeLabel(QString(), "number", m_inside)),
      m_formula(makeLabel(QString(), "label", m_inside)),
      m_exactText(makeLabel(QString(), "bigNumber", m_inside)),
      m_before(new StatePicture(tr("Before"), m_inside)),
      m_after(new StatePicture(tr("After"), m_inside)),
      m_quantity(new QComboBox(m_inside)),
      m_choice(new QComboBox(m_inside)),
      m_terms(new TermModel(this)),
      m_table(new QTableView(m_inside)) {
    setObjectName(QStringLiteral("transitionPanel"));
    setAccessibleName(tr("Transition"));
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMinimumWidth(360);
    m_inside->setProperty("look", "panel");
    nameParts();
    makeTable();
    layOut();
    connect(m_quantity, &QComboBox::currentIndexChanged, this, [this] {
        if (m_isFilling) return;
        fillChoices();
        refresh();
    });
    connect(m_choice, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_isFilling) refresh();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) {
                if (now.isValid()) showSuccessor(m_terms->successorOf(now.row()));
            });
    setTransition(nullptr, 0);
}

void TransitionPanel::setTransition(std::shared_ptr<const ReplaySource> source, std::size_t place) {
    // Goals and actions are those of the transition's world.
    const bool isSameWorld = source && m_source && source->worlds == m_source->worlds &&
                             source->at(place).layout == m_source->at(m_place).layout;
    m_source = std::move(source);
    m_place = place;
    m_answer = nullptr;
    m_exact.reset();
    const bool isThere = m_source != nullptr;
    for (QWidget* part : std::initializer_list<QWidget*>{m_pictures, m_quantity, m_choice, m_table,
                                                         m_sum, m_formula})
        part->setVisible(isThere);
    if (!isThere) {
        m_title->setText(tr("No transition is picked"));
        m_facts->setText(tr("Pick a line of the table."));
        m_terms->clear();
        m_numbers->hide();
        return;
    }
    const StoredTransition& row = m_source->at(place);
    m_title->setText(tr("Transition %1").arg(countText(static_cast<std::int64_t>(place))));
    m_facts->setText(tr("Stored at step %1 by actor %2, step %3 of its episode %4. %5")
                         .arg(countText(row.insertedAt))
                         .arg(row.collector)
                         .arg(row.step)
                         .arg(countText(row.episode))
                         .arg(m_source->alikeOf(place) == 1
                                  ? tr("No other transition starts in this state.")
                                  : tr("%1 transitions start in this state.")
                                        .arg(countText(m_source->alikeOf(place)))));
    if (!isSameWorld || m_choice->count() == 0) fillChoices();
    const StoredModel& model = m_source->replay->modelOf(place);
    const std::vector<std::uint8_t> goals(row.goals.begin(), row.goals.end());
    m_before->setScene(sceneOfEncoded(m_source->worldOf(place), m_source->replay->shape(),
                                      m_source->replay->state(model.state), goals),
                       tr("state %1").arg(model.state));
    refresh();
    showSuccessor(row.reached);
}

void TransitionPanel::setValues(std::shared_ptr<const ValueAnswer> answer) {
    m_answer = std::move(answer);
    refresh();
}

void TransitionPanel::setExact(std::optional<StateValues> exact) {
    m_exact = std::move(exact);
    showExact();
}

/// The exact number of what is chosen, where it is known.
void TransitionPanel::showExact() {
    std::optional<double> number;
    if (m_exact && m_choice->currentIndex() >= 0) {
        if (m_quantity->currentIndex() == kGoalAbility) {
            const QPoint chosen = m_choice->currentData().toPoint();
            const auto human = static_cast<std::size_t>(chosen.x());
            const auto goal = static_cast<std::size_t>(chosen.y());
            if (human < m_exact->v_h_e.size() && goal < m_exact->v_h_e[human].size())
                number = m_exact->v_h_e[human][goal];
        } else if (const auto action = static_cast<std::size_t>(m_choice->currentData().toInt());
                   action < m_exact->q_r.size()) {
            number = m_exact->q_r[action];
        }
    }
    m_exactCard->setVisible(number.has_value());
    if (number) m_exactText->setText(valueText(*number));
}

void TransitionPanel::setRemark(const QString& text) {
    m_remark->setText(text);
    m_remark->setVisible(!text.isEmpty());
}

void TransitionPanel::fillChoices() {
    m_isFilling = true;
    m_choice->clear();
    const WorldFacts& facts = m_source->factsOf(m_place);
    const World& world = m_source->worldOf(m_place);
    if (m_quantity->currentIndex() == kGoalAbility) {
        for (std::size_t h = 0; h < facts.humans.size(); ++h)
            for (std::size_t g = 0; g < facts.humans[h].goals.size(); ++g)
                m_choice->addItem(goalOfHuman(world, static_cast<int>(h), static_cast<int>(g)),
                                  QPoint(static_cast<int>(h), static_cast<int>(g)));
        const int pursued = m_choice->findData(QPoint(0, m_source->at(m_place).goals[0]));
        m_choice->setCurrentIndex(std::max(0, pursued));
    } else {
        for (int a = 0; a < facts.numRobotActions(); ++a)
            m_choice->addItem(robotActionText(world, facts, a), a);
        m_choice->setCurrentIndex(m_source->at(m_place).robotAction);
    }
    m_isFilling = false;
}

void TransitionPanel::refresh() {
    if (!m_source || m_choice->currentIndex() < 0) return;
    const bool isGoal = m_quantity->currentIndex() == kGoalAbility;
    const WorldFacts& facts = m_source->factsOf(m_place);
    const QPoint goal = isGoal ? m_choice->currentData().toPoint() : QPoint(-1, 0);
    const int action = isGoal ? 0 : m_choice->currentData().toInt();
    m_formula->setText(isGoal ? tr("Σ π<sub>r</sub>(a) · P(s′ | s, a) · (attained ? 1 : "
                                   "γ<sub>h</sub> V<sub>h</sub><sup>e</sup>(s′))")
                              : tr("Σ P(s′ | s, a) · γ<sub>r</sub> V<sub>r</sub>(s′)"));
    m_numbers->setVisible(m_answer != nullptr);
    showExact();
    if (!m_answer) {
        std::vector<SuccessorShare> shares =
            successorShares(*m_source->replay, m_place, facts, m_source->spec, goal.x(), goal.y());
        if (!isGoal)
            std::erase_if(shares,
                          [action](const auto& share) { return share.robotAction != action; });
        m_terms->setShares(m_source, m_place, shares);
        m_sum->setText(tr("%1 successors").arg(m_terms->rowCount()));
    } else {
        EmpoSpec spec = m_source->spec;  // with the discount factors of the moment
        spec.gamma_h = m_answer->gamma_h.value_or(spec.gamma_h);
        spec.gamma_r = m_answer->gamma_r.value_or(spec.gamma_r);
        const TargetSum sum =
            isGoal ? targetOfGoal(*m_source->replay, m_place, facts, spec, m_answer->live,
                                  m_answer->target, goal.x(), goal.y())
                   : targetOfAction(*m_source->replay, m_place, facts, spec, m_answer->live,
                                    m_answer->target, action);
        m_terms->setTerms(m_source, m_place, sum);
        m_target = sum.target;
        m_prediction = sum.prediction;
        m_targetText->setText(valueText(sum.target));
        m_predictionText->setText(valueText(sum.prediction));
        const double off = sum.target - sum.prediction;
        m_error->setText(std::abs(off) < kAgreement ? tr("they agree")
                                                    : tr("off by %1").arg(valueText(off)));
        m_sum->setText(
            tr("Sum of %1 terms: %2").arg(sum.terms.size()).arg(valueText(sum.target, 6)));
        m_predictionMark->setToolTip(sum.isPredictionSeen ? trustText(TrustKind::Learned)
                                                          : tr("never visited: the default"));
        QString remark =
            tr("Values as of training step %1. The target is made of the target copies.")
                .arg(countText(m_answer->step));
        if (spec.numSteps != 1)
            remark += spec.numSteps == 0
                          ? tr(" The training learns from targets to the end of the episode; this "
                               "is the one-step target.")
                          : tr(" The training learns from targets over %1 steps; this is the "
                               "one-step target.")
                                .arg(spec.numSteps);
        setRemark(remark);
    }
    layOutTerms();
    const int lines = std::clamp(m_terms->rowCount(), 1, kMostLines);
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() + lines * kTermHeight +
                            4);
}

void TransitionPanel::showSuccessor(std::uint32_t successor) {
    if (!m_source) return;
    const StoredModel& model = m_source->replay->modelOf(m_place);
    const StateStore::Index state = model.successors()[successor];
    m_successor = successor;
    const bool isReached = successor == m_source->at(m_place).reached;
    WorldScene scene = sceneOfEncoded(m_source->worldOf(m_place), m_source->replay->shape(),
                                      m_source->replay->state(state), {});
    scene.changed = changedBetween(m_source->replay->shape(), m_source->replay->state(model.state),
                                   m_source->replay->state(state));
    m_after->setScene(scene,
                      isReached ? tr("state %1").arg(state) : tr("may be state %1").arg(state));
    Q_EMIT statePicked(1 + successor);
}

QJsonObject TransitionPanel::spotFacts() const {
    if (!m_source) return {};
    const StoredModel& model = m_source->replay->modelOf(m_place);
    QJsonObject facts{{QStringLiteral("place"), static_cast<qint64>(m_place)},
                      {QStringLiteral("before"), static_cast<qint64>(model.state)},
                      {QStringLiteral("hasValues"), m_answer != nullptr}};
    QJsonArray successors, terms;
    for (const StateStore::Index state : model.successors())
        successors.append(static_cast<qint64>(state));
    facts.insert(QStringLiteral("successors"), successors);
    if (!m_answer) return facts;
    for (const TargetTerm& term : m_terms->sum().terms)
        terms.append(QJsonObject{{QStringLiteral("policy"), term.policy},
                                 {QStringLiteral("probability"), term.probability},
                                 {QStringLiteral("decay"), term.decay},
                                 {QStringLiteral("value"), term.value},
                                 {QStringLiteral("term"), term.term}});
    facts.insert(QStringLiteral("terms"), terms);
    facts.insert(QStringLiteral("target"), m_target);
    facts.insert(QStringLiteral("prediction"), m_prediction);
    if (!m_exactCard->isHidden()) facts.insert(QStringLiteral("exact"), m_exactText->text());
    return facts;
}

void TransitionPanel::changeEvent(QEvent* event) {
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) m_table->viewport()->update();
}

}  // namespace orrery
