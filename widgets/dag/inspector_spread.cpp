#include "widgets/dag/inspector_spread.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "core/dag/state_marks.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/value_bars.h"
#include "widgets/dag/inspector_state.h"
#include "widgets/dag/value_histogram.h"

namespace orrery {

namespace {

constexpr int kBins = 40;
constexpr std::int64_t kSlice = 2000;             ///< states a job
constexpr std::int64_t kAtOnce = 50000;           ///< larger sets wait for a press
constexpr std::int64_t kMostStates = 20'000'000;  ///< 8 bytes each, twice

}  // namespace

InspectorSpread::InspectorSpread(InspectorState* state, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_scope(new QComboBox(this)),
      m_compute(new QPushButton(this)),
      m_cancel(new QPushButton(tr("Cancel"), this)),
      m_title(makeLabel({}, "section", this)),
      m_remark(makeLabel({}, "hint", this)),
      m_histogram(new ValueHistogram(QStringLiteral("spreadHistogram"), this)),
      m_numbers(new ValueBars(QStringLiteral("spreadNumbers"), this)),
      m_soon(new QTimer(this)) {
    setObjectName(QStringLiteral("spreadPanel"));
    m_title->setTextFormat(Qt::RichText);
    m_remark->setObjectName(QStringLiteral("spreadRemark"));
    m_remark->setWordWrap(true);
    m_histogram->setAccessibleName(tr("Distribution"));
    m_numbers->setAccessibleName(tr("Numbers of the distribution"));
    m_scope->setObjectName(QStringLiteral("spreadScope"));
    m_scope->setAccessibleName(tr("States of the distribution"));
    m_scope->addItems({tr("This level"), tr("Selected set")});
    m_compute->setObjectName(QStringLiteral("spreadCompute"));
    m_cancel->setObjectName(QStringLiteral("spreadCancel"));
    m_numbers->setHasBars(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    auto* head = new QHBoxLayout;
    head->addWidget(m_title, 1);
    head->addWidget(m_scope);
    layout->addLayout(head);
    auto* action = new QHBoxLayout;
    action->addWidget(m_remark, 1);
    action->addWidget(m_compute);
    action->addWidget(m_cancel);
    layout->addLayout(action);
    layout->addWidget(m_histogram);
    layout->addWidget(m_numbers);
    m_soon->setSingleShot(true);
    m_soon->setInterval(120);  // a walk with a held key is not followed step by step
    connect(m_soon, &QTimer::timeout, this, &InspectorSpread::start);
    connect(m_compute, &QPushButton::clicked, this, &InspectorSpread::start);
    connect(m_cancel, &QPushButton::clicked, this, &InspectorSpread::cancel);
    connect(m_scope, &QComboBox::currentIndexChanged, this, &InspectorSpread::refresh);
    connect(state, &InspectorState::changed, this, &InspectorSpread::refresh);
    connect(state, &InspectorState::questionChanged, this, &InspectorSpread::refresh);
    connect(&state->session().selection(), &Selection::setChanged, this,
            [this](SelectionKind kind) {
                if (kind != SelectionKind::State) return;
                ++m_setNumber;
                if (scope() == Scope::Set) refresh();
            });
    refresh();
}

InspectorSpread::Scope InspectorSpread::scope() const {
    return m_scope->currentIndex() == 1 ? Scope::Set : Scope::Level;
}

bool InspectorSpread::isWorking() const {
    return m_isWorking || m_soon->isActive();
}

void InspectorSpread::setScope(Scope scope) {
    m_scope->setCurrentIndex(scope == Scope::Set ? 1 : 0);
}

InspectorSpread::Subject InspectorSpread::subject() const {
    Subject subject{.solution = m_state->session().solution().get(),
                    .quantity = m_state->question(),
                    .scope = scope()};
    if (subject.scope == Scope::Level) {
        subject.step = m_state->session().state().step;
    } else {
        subject.set = m_setNumber;
    }
    return subject;
}

std::int64_t InspectorSpread::numStates() const {
    const PlanSession& session = m_state->session();
    if (scope() == Scope::Level) return session.solution()->graph().levelSize(session.state().step);
    const Selection& selection = session.selection();
    return selection.stateMarks() ? selection.stateMarks()->total()
                                  : std::ssize(selection.set(SelectionKind::State));
}

void InspectorSpread::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void InspectorSpread::refresh() {
    setVisible(m_state->values().has_value());
    if (!m_state->values()) return cancel();
    const ValueOf question = m_state->question();
    m_title->setText(tr("Distribution of %1").arg(symbolHtml(InspectorState::symbolOf(question))));
    m_title->setToolTip(m_state->nameOf(question));
    const Subject wanted = subject();
    if (m_isWorking && wanted == m_working) return;
    cancel();
    if (m_done == wanted && m_spread)
        return m_histogram->setMarks(
            m_state->number(question),
            m_state->compares() ? m_state->pinnedNumber(question) : std::nullopt);
    const std::int64_t states = numStates();
    if (states == 0)
        return showNothing(
            tr("No set of states is selected: search for one, or drag over states."));
    if (states > kMostStates)
        return showNothing(tr("%1 states are too many to sort.").arg(countText(states)));
    showNothing(states > kAtOnce ? tr("%1 states").arg(countText(states)) : QString());
    m_compute->setText(tr("Compute"));
    m_compute->setVisible(states > kAtOnce);
    if (states <= kAtOnce && isVisible()) m_soon->start();
}

void InspectorSpread::showNothing(const QString& why) {
    m_spread.reset();
    m_done.reset();
    m_soon->stop();
    m_remark->setText(why);
    m_compute->hide();
    m_cancel->hide();
    m_histogram->setSpread({}, {}, {});
    m_numbers->setBars({});
}

/// Collects the states in the worker too: levels may be large.
void InspectorSpread::start() {
    const auto solution = m_state->session().solution();
    if (!solution || !m_state->values()) return;
    cancel();
    m_working = subject();
    m_stop = std::stop_source();
    m_isWorking = true;
    m_compute->hide();
    const Selection& selection = m_state->session().selection();
    const auto marks = selection.stateMarks();
    std::vector<State> listed;
    if (m_working.scope == Scope::Set && !marks)
        for (const SelectionItem& item : selection.set(SelectionKind::State)) {
            const auto& state = std::get<StateItem>(item);
            const auto config = static_cast<ConfigIndex>(state.index);
            if (state.index >= 0 && solution->graph().inLevel(state.step, config))
                listed.push_back({state.step, config});
        }
    using Builder = std::shared_ptr<SpreadBuilder>;
    m_state->worker().append<Builder>(
        [solution, subject = m_working, marks, listed = std::move(listed),
         stop = m_stop.get_token()](std::stop_token) {
            std::vector<State> states = listed;
            if (subject.scope == Scope::Level)
                states = statesOfLevel(solution->graph(), subject.step, stop);
            else if (marks)
                states = marks->first(kMostStates);
            return std::make_shared<SpreadBuilder>(solution, subject.quantity, std::move(states));
        },
        [guard = QPointer(this), this, stop = m_stop.get_token()](const Builder& builder) {
            if (guard && !stop.stop_requested()) advance(builder);
        },
        [](const QString&) {});
}

void InspectorSpread::cancel() {
    if (!m_isWorking) return;
    m_stop.request_stop();
    m_isWorking = false;
    m_cancel->hide();
    m_remark->setText(tr("Stopped."));
    m_compute->setText(tr("Compute"));
    m_compute->show();
}

/// One slice after the other, so that other jobs of the worker come between.
void InspectorSpread::advance(const std::shared_ptr<SpreadBuilder>& builder) {
    struct Slice {
        bool isWhole = false;
        double share = 0;
        ValueSpread spread;
    };
    m_state->worker().append<Slice>(
        [builder, own = m_stop.get_token()](std::stop_token) {
            Slice slice;
            slice.isWhole = builder->advance(kSlice, own);
            slice.share = builder->share();
            if (slice.isWhole) slice.spread = builder->spread(kBins);
            return slice;
        },
        [guard = QPointer(this), this, builder, own = m_stop.get_token()](const Slice& slice) {
            if (!guard || own.stop_requested()) return;
            if (slice.isWhole) return show(slice.spread);
            m_cancel->show();
            m_remark->setText(tr("Reading states: %1").arg(percentText(slice.share)));
            advance(builder);
        },
        [guard = QPointer(this), this, own = m_stop.get_token()](const QString& text) {
            if (!guard || own.stop_requested()) return;
            m_isWorking = false;
            showNothing(text);
        });
}

void InspectorSpread::show(const ValueSpread& spread) {
    m_isWorking = false;
    m_done = m_working;
    m_spread = spread;
    m_cancel->hide();
    m_compute->hide();
    const ValueOf question = m_state->question();
    QString remark = spread.n == 1 ? tr("1 state") : tr("%1 states").arg(countText(spread.n));
    if (spread.n < spread.states)
        remark += tr(" of %1; the others have no such number").arg(countText(spread.states));
    m_remark->setText(remark);
    m_histogram->setSpread(spread, m_state->number(question),
                           m_state->compares() ? m_state->pinnedNumber(question) : std::nullopt);
    if (spread.n == 0) return m_numbers->setBars({});
    const auto& q = spread.quantile;
    std::vector<double> values(q.begin(), q.end());
    values.insert(values.end(), {spread.mean, spread.sd});
    const NumberFormat format = columnFormat(values);
    const auto row = [&](const QString& name, double first, std::optional<double> second) {
        return ValueBar{.name = name,
                        .numbers = {{valueText(first, format)},
                                    {second ? valueText(*second, format) : QString()}}};
    };
    m_numbers->setBars(
        {row(tr("mean, sd"), spread.mean, spread.sd), row(tr("median"), q[2], std::nullopt),
         row(tr("25 %, 75 %"), q[1], q[3]), row(tr("5 %, 95 %"), q[0], q[4])},
        std::vector<BarColumn>(2, BarColumn{.symbol = {}, .mark = std::nullopt}));
}

}  // namespace orrery
