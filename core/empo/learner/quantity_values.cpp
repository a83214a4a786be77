#include "core/empo/learner/quantity_values.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cassert>
#include <string>

#include "core/base/error.h"
#include "core/empo/nets/activations.h"

namespace orrery {

namespace {

/// Values of robots are never read higher.
constexpr double kGreatestRobotValue = -1e-12;

void requireTogether(const std::vector<WorldFacts>& worlds) {
    const WorldFacts& first = worlds.front();
    for (const WorldFacts& world : worlds) {
        if (world.humans.empty() || world.robotActions.empty())
            throw Error("World \"" + world.name +
                            "\" has no human or no robot. Learned planning needs one of each.",
                        Error::Kind::BadInput);
        if (world.humans.size() > kMaxLearnedHumans)
            throw Error("World \"" + world.name + "\" has " + std::to_string(world.humans.size()) +
                            " humans; learned planning takes at most " +
                            std::to_string(kMaxLearnedHumans) + ".",
                        Error::Kind::BadInput);
        for (const WorldFacts::Human& human : world.humans)
            if (human.goals.empty())
                throw Error("A human of world \"" + world.name +
                                "\" has no goal. Give the world possible goals.",
                            Error::Kind::BadInput);
        if (world.numRobotActions() != first.numRobotActions())
            throw Error("Worlds \"" + first.name + "\" and \"" + world.name + "\" have " +
                            std::to_string(first.numRobotActions()) + " and " +
                            std::to_string(world.numRobotActions()) +
                            " joint robot actions. Worlds of one run need as many each.",
                        Error::Kind::BadInput);
        if (!(world.shape == first.shape))
            throw Error("Worlds \"" + first.name + "\" and \"" + world.name +
                            "\" are encoded in different shapes. Worlds of one run need one shape "
                            "that covers all.",
                        Error::Kind::BadInput);
    }
}

}  // namespace

ValueFacts::ValueFacts(const EmpoSpec& theSpec, std::vector<WorldFacts> theWorlds,
                       const at::Device& device)
    : spec(theSpec), worlds(std::move(theWorlds)), goals(worlds) {
    requireTogether(worlds);
    numRobotActions = worlds.front().numRobotActions();
    numHumans = goals.maxHumans;
    const auto numLayouts = std::ssize(worlds);
    rectangles = at::empty({std::ssize(goals.rectangles), 4}, at::kFloat);
    auto* box = rectangles.data_ptr<float>();
    for (const GoalRectangle& goal : goals.rectangles) {
        for (const std::int16_t number : {goal.x1, goal.y1, goal.x2, goal.y2})
            *box++ = static_cast<float>(number);
    }
    goalHuman = asTensor(goals.humanOf, at::kCPU).clone();
    places.slots = at::empty({numLayouts, numHumans}, at::kLong);
    places.agents = at::empty({numLayouts, numHumans}, at::kLong);
    hasHuman = at::zeros({numLayouts, numHumans}, at::kFloat);
    for (std::size_t l = 0; l < worlds.size(); ++l)
        for (std::size_t h = 0; h < static_cast<std::size_t>(numHumans); ++h) {
            const bool isThere = h < worlds[l].humans.size();
            const WorldFacts::Human& human = worlds[l].humans[isThere ? h : 0];
            const std::size_t at = l * numHumans + h;
            places.slots.data_ptr<std::int64_t>()[at] = human.slot;
            places.agents.data_ptr<std::int64_t>()[at] = human.agent;
            hasHuman.data_ptr<float>()[at] = isThere ? 1 : 0;
            if (isThere) x_hHigh = std::max(x_hHigh, goals.humans[l][h].weightSum);
        }
    for (at::Tensor* tensor : {&rectangles, &goalHuman, &places.slots, &places.agents, &hasHuman})
        *tensor = tensor->to(device);
}

int ValueFacts::columnsOf(Quantity quantity) const {
    switch (quantity) {
        case Quantity::V_h_e:
            return goalColumns();
        case Quantity::X_h:
            return numHumans;
        case Quantity::Q_r:
            return numRobotActions;
        case Quantity::U_r:
        case Quantity::V_r:
            break;
    }
    return 1;
}

StateBatch StateBatch::first(std::int64_t count) const {
    StateBatch part = *this;
    part.size = count;
    if (tensors.cells.defined()) part.tensors = tensors.narrow(0, count);
    if (!rows.empty()) part.rows = rows.first(static_cast<std::size_t>(count));
    if (places.slots.defined() && places.slots.dim() == 2)
        part.places = {places.slots.narrow(0, 0, count), places.agents.narrow(0, 0, count)};
    if (hasHuman.defined()) part.hasHuman = hasHuman.narrow(0, 0, count);
    return part;
}

const StateFeatures& ValueReader::shared() {
    if (!m_hasShared) {
        m_shared = m_values.nets->encodeShared(m_states.tensors, &m_states.places, m_pass.sink);
        m_hasShared = true;
    }
    return m_shared;
}

const at::Tensor& ValueReader::goalFeatures() {
    if (!m_goalFeatures.defined())
        m_goalFeatures = m_values.nets->encodeGoals(m_values.facts->rectangles, m_pass.sink);
    return m_goalFeatures;
}

at::Tensor ValueReader::gather(Quantity quantity) const {
    const TableVersion& table = m_values.table(quantity);
    at::Tensor values = at::empty({m_states.size, table.columns()}, at::kFloat);  // [N, columns]
    table.gather(m_states.rows,
                 {values.data_ptr<float>(), static_cast<std::size_t>(values.numel())});
    return values.to(m_values.facts->rectangles.device());
}

RobotOutput ValueReader::robot(Quantity quantity) {
    const bool isQ_r = quantity == Quantity::Q_r;
    if (m_values.kindOf(quantity) == Approximator::Table) {
        const at::Tensor values = gather(quantity).clamp_max_(kGreatestRobotValue);
        return {isQ_r ? values : values.select(1, 0), {}};
    }
    const QuantityNets& nets = *m_values.nets;
    const StateFeatures own =
        nets.encodeOwn(isQ_r ? NetHead::Q_r : NetHead::V_r, m_states.tensors, nullptr, m_pass.sink);
    return isQ_r ? nets.q_r(shared(), own, m_pass) : nets.v_r(shared(), own, m_pass);
}

at::Tensor ValueReader::x_h() {
    if (m_values.kindOf(Quantity::X_h) == Approximator::Table)
        return gather(Quantity::X_h).clamp_(kLeastX, m_values.facts->x_hHigh);
    const QuantityNets& nets = *m_values.nets;
    const StateFeatures own =
        nets.encodeOwn(NetHead::X_h, m_states.tensors, &m_states.places, m_pass.sink);
    return nets.x_h(shared(), own, m_pass);
}

at::Tensor ValueReader::u_rY() {
    const QuantityNets& nets = *m_values.nets;
    const StateFeatures own = nets.encodeOwn(NetHead::U_r, m_states.tensors, nullptr, m_pass.sink);
    return nets.u_rY(shared(), own, m_pass);
}

at::Tensor ValueReader::u_r() {
    if (m_values.kindOf(Quantity::U_r) == Approximator::Table)
        return gather(Quantity::U_r).clamp_max_(kGreatestRobotValue).select(1, 0);
    return u_rOfY(u_rY(), m_values.facts->spec.eta);
}

at::Tensor ValueReader::v_h_e(const FlatBatch::Pairs& pairs) {
    const at::Device device = m_values.facts->rectangles.device();
    if (m_values.kindOf(Quantity::V_h_e) == Approximator::Table) {
        const TableVersion& table = m_values.table(Quantity::V_h_e);
        at::Tensor values = at::empty({std::ssize(pairs.state)}, at::kFloat);
        auto* out = values.data_ptr<float>();
        for (std::size_t i = 0; i < pairs.size(); ++i)
            out[i] = std::clamp(
                table.at(m_states.rows[pairs.state[i]], static_cast<int>(pairs.column[i])), 0.0F,
                1.0F);
        return values.to(device);
    }
    if (pairs.size() == 0) return at::empty({0}, at::TensorOptions(at::kFloat).device(device));
    const auto tensor = [&](const std::vector<std::int64_t>& numbers) {
        return asTensor(numbers, device, m_profile);
    };
    return m_values.nets->v_h_e(shared(), goalFeatures(), tensor(pairs.state), tensor(pairs.human),
                                tensor(pairs.goal), m_pass);
}

at::Tensor robotPolicy(const at::Tensor& q_r, double beta, bool isFloored) {
    if (beta == 0) return at::full_like(q_r, 1.0 / static_cast<double>(q_r.size(1)));
    // Actions are few: softmax by columns, which LibTorch does for many states at once.
    at::Tensor policy = at::softmax(q_r.t().neg().log_().mul_(-beta), 0).t();
    if (!isFloored) return policy;
    const at::Tensor floored = policy.clamp_min(1e-10);
    return floored / floored.sum(1, true);
}

at::Tensor yOfX(const at::Tensor& x_h, const at::Tensor& hasHuman, const EmpoSpec& spec) {
    const at::Tensor powers = spec.xi == 1 ? x_h.reciprocal() : x_h.pow(-spec.xi);  // [N, H]
    if (hasHuman.defined()) return (powers * hasHuman).sum(1) / hasHuman.sum(1);
    return powers.size(1) == 1 ? powers.select(1, 0) : powers.mean(1);
}

at::Tensor u_rOfX(const at::Tensor& x_h, const at::Tensor& hasHuman, const EmpoSpec& spec) {
    return u_rOfY(yOfX(x_h, hasHuman, spec), spec.eta);
}

namespace {

/// Nobody waits for a device: memory that is not pinned is copied away before the return.
template <typename T>
at::Tensor numbersOn(const at::Device& device, const std::vector<T>& numbers, StageClock* profile) {
    at::Tensor view = at::from_blob(const_cast<T*>(numbers.data()), {std::ssize(numbers)},
                                    c10::CppTypeToScalarType<T>::value);
    if (device.is_cpu()) return view;
    const InStage conversion(profile, ProfileStage::kConversion);
    return view.to(at::TensorOptions(device), /*non_blocking=*/true);
}

}  // namespace

at::Tensor asTensor(const std::vector<std::int64_t>& numbers, const at::Device& device,
                    StageClock* profile) {
    return numbersOn(device, numbers, profile);
}

at::Tensor asTensor(const std::vector<float>& numbers, const at::Device& device,
                    StageClock* profile) {
    return numbersOn(device, numbers, profile);
}

}  // namespace orrery
