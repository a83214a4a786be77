#include "widgets/part/plan_scope.h"

#include <algorithm>

#include "widgets/common/number_text.h"
#include "widgets/common/selection_address.h"
#include "widgets/frame/frame.h"

namespace orrery {

PlanScope::PlanScope(PlanSession* common, About about, QObject* parent)
    : ViewScope(parent),
      m_about(about),
      m_selection(&common->selection(), nullptr),
      m_session(common, &m_selection) {
    for (const auto signal : {&PlanSession::worldChanged, &PlanSession::renamed,
                              &PlanSession::solutionChanged, &PlanSession::stateChanged})
        connect(&m_session, signal, this, &PlanScope::tell);
    connect(&m_selection, &Selection::setChanged, this, &PlanScope::tell);
}

QString PlanScope::text() const {
    if (m_about == About::Runs) {
        const auto numRuns = m_selection.set(SelectionKind::Run).size();
        return numRuns == 1 ? tr("1 run") : tr("%1 runs").arg(numRuns);
    }
    if (!m_session.isOpen()) return {};
    const QString run = m_session.runId().isEmpty() ? m_session.loaded().title : m_session.runId();
    const StateItem& state = m_session.state();
    QString text = tr("%1 · t %2").arg(run).arg(state.step);
    if (state.index >= 0) text = tr("%1 · %2").arg(run, stateText(state.step, state.index));
    return text;
}

QString PlanScope::shortText() const {
    if (m_about == About::Runs) return text();
    return m_session.isOpen() ? tr("t %1").arg(m_session.state().step) : QString();
}

QString PlanScope::whyNotFrozen() const {
    if (m_about == About::Runs || m_session.isOpen()) return {};
    return tr("No world is open, so there is nothing to keep.");
}

void PlanScope::setFrozen(bool isFrozen) {
    m_wanted = {};
    m_session.setFrozen(isFrozen);
    tell();
}

ViewScope::Memento PlanScope::memento() const {
    if (!isFrozen()) return [](ViewScope& scope) { scope.setFrozen(false); };
    return [pin = m_session.pin()](ViewScope& scope) {
        auto& other = static_cast<PlanScope&>(scope);
        other.m_wanted = {};
        other.m_session.freezeAt(pin);
        other.tell();
    };
}

QJsonObject PlanScope::saveState() const {
    if (!m_wanted.isEmpty()) return m_wanted;
    if (!isFrozen()) return {};
    Address address = addressOf(m_selection);
    address.stateIndex = -1;
    address.where.clear();
    if (m_session.isOpen()) {
        address.step = m_session.state().step;
        address.words = m_session.state().words;
    }
    QJsonObject state{{QStringLiteral("address"), QString::fromStdString(addressText(address))}};
    if (!m_session.isOpen()) return state;
    const LoadedWorld& loaded = m_session.loaded();
    state.insert(QStringLiteral("world"), QString::fromStdString(loaded.name));
    state.insert(QStringLiteral("text"), QString::fromStdString(loaded.text));
    state.insert(QStringLiteral("run"), m_session.runId());
    return state;
}

void PlanScope::restoreState(const QJsonObject& state) {
    m_wanted = state;
    Q_EMIT wantedChanged();
}

bool PlanScope::freezeAt(const LoadedWorld& world,
                         const std::shared_ptr<const Solution>& solution) {
    const auto address = parseAddress(m_wanted.value(QLatin1String("address")).toString());
    const QString run = m_wanted.value(QLatin1String("run")).toString();
    m_wanted = {};
    PlanPin pin;
    if (world.world) {
        if (!address || address->words.empty() || address->step > world.world->maxSteps())
            return false;
        const StateItem state{address->step, address->words, -1};
        const bool isKnown = solution
                                 ? solution->graph().find(state.words, state.step).has_value()
                                 : state.words.size() == world.world->initialConfiguration().size();
        if (!isKnown) return false;
        pin.loaded = world;
        if (solution) {
            pin.loaded.world = solution->graph().worldPointer();
            pin.runId = run;
        }
        pin.solution = solution;
        pin.walk.push_back({.state = state});
    }
    if (address) {
        const AddressedItems items = itemsOf(*address);
        for (const SelectionItem& item : items.current) pin.picked.current[item.index()] = item;
        pin.picked.sets = items.sets;
        if (!address->run.empty())
            pin.picked.current[static_cast<std::size_t>(SelectionKind::Run)] =
                RunItem{QString::fromStdString(address->run)};
        pin.profile = address->action.value_or(0);
    }
    m_session.freezeAt(pin);
    tell();
    return true;
}

PlanScope* scopeAround(Frame& frame, const QWidget* widget) {
    return qobject_cast<PlanScope*>(frame.scope(frame.instanceAround(widget)));
}

}  // namespace orrery
