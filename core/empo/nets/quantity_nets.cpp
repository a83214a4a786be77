#include "core/empo/nets/quantity_nets.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cassert>
#include <optional>

#include "core/empo/nets/activations.h"
#include "core/empo/nets/encoders.h"
#include "core/empo/nets/value_head.h"

namespace orrery {

namespace {

constexpr std::size_t indexOf(NetHead head) {
    return static_cast<std::size_t>(head);
}

}  // namespace

struct QuantityNets::Parts {
    /// The encoders of a quantity other than V_h^e.
    struct HeadEncoders {
        std::optional<StateEncoderNet> state;
        std::optional<AgentEncoderNet> agent;
    };

    NetSpec spec;
    StateEncoderNet sharedState;
    GoalEncoderNet goal;
    AgentEncoderNet sharedAgent;
    std::array<HeadEncoders, kNumNetHeads> own;
    std::array<ValueHead, kNumNetHeads> head;
    std::vector<NetParameter> parameters;

    Parts(const NetSpec& netSpec, ParameterMaker make)
        : spec(netSpec),
          sharedState(spec, make, "v_h_e.state_encoder"),
          goal(spec, make, "v_h_e.goal_encoder"),
          sharedAgent(spec, make, "v_h_e.agent_encoder") {
        assert(spec.shape.width >= 2 && spec.shape.height >= 2 && spec.shape.numAgents >= 1);
        for (int h = 0; h < kNumNetHeads; ++h) makeHead(static_cast<NetHead>(h), make);
        parameters = make.take();
    }

    void makeHead(NetHead which, ParameterMaker& make) {
        if (!spec.hasHead(which)) return;
        const std::string name = nameOf(which);
        std::int64_t inputs = sharedState.size();
        if (which == NetHead::V_h_e) {
            inputs += goal.size() + sharedAgent.size();
        } else {
            const bool readsHumans = which == NetHead::X_h;
            if (readsHumans) inputs += sharedAgent.size();
            if (spec.hasOwnEncoders()) {
                inputs *= 2;
                HeadEncoders& encoders = own[indexOf(which)];
                encoders.state.emplace(spec, make, name + ".own_state_encoder");
                if (readsHumans) encoders.agent.emplace(spec, make, name + ".own_agent_encoder");
            }
        }
        const std::int64_t outputs = which == NetHead::Q_r     ? spec.numRobotActions
                                     : which == NetHead::V_h_e ? spec.goalOutputs
                                                               : 1;
        head[indexOf(which)] = ValueHead(spec, make, name + ".head", inputs, outputs);
    }

    /// What a quantity other than V_h^e reads: the shared features, beside its own if it has any.
    at::Tensor read(const at::Tensor& shared, const at::Tensor& features) const {
        const bool trainsShared = spec.encoders == NetSpec::Encoders::SharedTrained;
        const at::Tensor entering = trainsShared ? shared : shared.detach();
        return spec.hasOwnEncoders() ? at::cat({entering, features}, -1) : entering;
    }

    /// The head of a quantity of states: [N, outputs].
    at::Tensor ofStates(NetHead which, const StateFeatures& shared, const StateFeatures& features,
                        NetPass pass) const {
        assert(spec.hasHead(which));
        const ValueHead& values = head[indexOf(which)];
        return values.finish(values.parts(read(shared.state, features.state)).front(), pass);
    }

    /// Values < 0 from a head's numbers.
    RobotOutput robotOutput(const at::Tensor& x) const {
        // Limits keep -value a normal number: no 0, whose logarithm policies could not take.
        constexpr double kSmallest = -80;
        if (!spec.usesZSpace) return {at::softplus(x.clamp_min(kSmallest)).neg(), {}};
        const double power = spec.eta * spec.xi;
        const at::Tensor logZ = at::log_sigmoid(x.clamp_min(kSmallest / std::max(power, 1.0)));
        return {(logZ * -power).exp().neg(), logZ.exp()};
    }
};

QuantityNets::QuantityNets(const NetSpec& spec, std::uint64_t seed)
    : m_parts(std::make_unique<Parts>(spec, ParameterMaker(seed))) {}

QuantityNets::QuantityNets(std::unique_ptr<Parts> parts) : m_parts(std::move(parts)) {}
QuantityNets::~QuantityNets() = default;
QuantityNets::QuantityNets(QuantityNets&&) noexcept = default;
QuantityNets& QuantityNets::operator=(QuantityNets&&) noexcept = default;

const NetSpec& QuantityNets::spec() const {
    return m_parts->spec;
}

std::unique_ptr<QuantityNets> QuantityNets::frozen() const {
    std::unique_ptr<QuantityNets> copy(
        new QuantityNets(std::make_unique<Parts>(spec(), ParameterMaker(std::nullopt))));
    copy->moveTo(device());
    const at::NoGradGuard off;
    for (std::size_t i = 0; i < parameters().size(); ++i)
        at::Tensor(copy->parameters()[i].tensor).copy_(parameters()[i].tensor);
    return copy;
}

void QuantityNets::copyFrom(const QuantityNets& other, NetHead head) {
    const at::NoGradGuard off;
    const std::vector<NetParameter> from = other.parametersOf(head);
    const std::vector<NetParameter> to = parametersOf(head);
    assert(from.size() == to.size());
    for (std::size_t i = 0; i < to.size(); ++i) at::Tensor(to[i].tensor).copy_(from[i].tensor);
}

void QuantityNets::moveTo(const at::Device& device) {
    const at::NoGradGuard off;
    for (NetParameter& parameter : m_parts->parameters)
        if (parameter.tensor.device() != device)
            parameter.tensor.set_data(parameter.tensor.to(device));
}

at::Device QuantityNets::device() const {
    return parameters().front().tensor.device();
}

const std::vector<NetParameter>& QuantityNets::parameters() const {
    return m_parts->parameters;
}

std::vector<NetParameter> QuantityNets::parametersOf(NetHead head) const {
    const std::string prefix = std::string(nameOf(head)) + '.';
    std::vector<NetParameter> found;
    for (const NetParameter& parameter : parameters())
        if (parameter.name.starts_with(prefix)) found.push_back(parameter);
    return found;
}

std::int64_t QuantityNets::stateFeatures() const {
    return m_parts->sharedState.size();
}
std::int64_t QuantityNets::humanFeatures() const {
    return m_parts->sharedAgent.size();
}
std::int64_t QuantityNets::goalFeatures() const {
    return m_parts->goal.size();
}

void QuantityNets::prepare(StateTensors& states) const {
    states.grid = std::make_shared<const GridInput>(gridInput(spec(), states.cells));
}

namespace {

std::shared_ptr<const GridInput> gridOf(const NetSpec& spec, const StateTensors& states) {
    return states.grid ? states.grid
                       : std::make_shared<const GridInput>(gridInput(spec, states.cells));
}

}  // namespace

StateFeatures QuantityNets::encodeShared(const StateTensors& states, const HumanPlaces* humans,
                                         LayerSink* sink) const {
    return {m_parts->sharedState(*gridOf(spec(), states), states, sink),
            humans ? m_parts->sharedAgent(states.agents, *humans, sink) : at::Tensor()};
}

StateFeatures QuantityNets::encodeOwn(NetHead head, const StateTensors& states,
                                      const HumanPlaces* humans, LayerSink* sink) const {
    const Parts::HeadEncoders& own = m_parts->own[indexOf(head)];
    StateFeatures features;
    if (own.state) features.state = (*own.state)(*gridOf(spec(), states), states, sink);
    if (own.agent) {
        assert(humans);
        features.humans = (*own.agent)(states.agents, *humans, sink);
    }
    return features;
}

at::Tensor QuantityNets::encodeGoals(const at::Tensor& goals, LayerSink* sink) const {
    return m_parts->goal(goals, sink);
}

at::Tensor QuantityNets::v_h_eOfAll(const StateFeatures& shared, const at::Tensor& goals,
                                    const at::Tensor& goalHuman, NetPass pass) const {
    const ValueHead& head = m_parts->head[indexOf(NetHead::V_h_e)];
    const std::vector<at::Tensor> parts = head.parts({shared.state, goals, shared.humans});
    at::Tensor sum = parts[2].index_select(1, goalHuman);  // [N, K, F]
    sum.add_(parts[0].unsqueeze(1)).add_(parts[1]);
    const at::Tensor x = head.finish(sum, pass).squeeze(-1);
    return pass.training ? softClamp(x, spec().v_h_eLow, spec().v_h_eHigh)
                         : x.clamp(spec().v_h_eLow, spec().v_h_eHigh);
}

at::Tensor QuantityNets::v_h_e(const StateFeatures& shared, const at::Tensor& goals,
                               const at::Tensor& state, const at::Tensor& human,
                               const at::Tensor& goal, NetPass pass) const {
    const ValueHead& head = m_parts->head[indexOf(NetHead::V_h_e)];
    const std::vector<at::Tensor> parts = head.parts({shared.state, goals, shared.humans});
    const at::Tensor humanRow = state * shared.humans.size(1) + human;  // of [N x H]
    at::Tensor sum = parts[2].flatten(0, 1).index_select(0, humanRow);  // [R, F]
    sum.add_(parts[0].index_select(0, state)).add_(parts[1].index_select(0, goal));
    const at::Tensor x = head.finish(sum, pass).squeeze(-1);
    return pass.training ? softClamp(x, spec().v_h_eLow, spec().v_h_eHigh)
                         : x.clamp(spec().v_h_eLow, spec().v_h_eHigh);
}

at::Tensor QuantityNets::x_h(const StateFeatures& shared, const StateFeatures& own,
                             NetPass pass) const {
    const ValueHead& head = m_parts->head[indexOf(NetHead::X_h)];
    const std::vector<at::Tensor> parts = head.parts(
        {m_parts->read(shared.state, own.state), m_parts->read(shared.humans, own.humans)});
    const at::Tensor x = head.finish(parts[1] + parts[0].unsqueeze(1), pass).squeeze(-1);
    return pass.training ? softClamp(x, spec().x_hLow, spec().x_hHigh)
                         : x.clamp(spec().x_hLow, spec().x_hHigh);
}

at::Tensor QuantityNets::u_rY(const StateFeatures& shared, const StateFeatures& own,
                              NetPass pass) const {
    // The network gives log(y - 1); the limit keeps powers of y finite.
    return m_parts->ofStates(NetHead::U_r, shared, own, pass).squeeze(-1).clamp_max(40).exp() + 1;
}

RobotOutput QuantityNets::q_r(const StateFeatures& shared, const StateFeatures& own,
                              NetPass pass) const {
    return m_parts->robotOutput(m_parts->ofStates(NetHead::Q_r, shared, own, pass));
}

RobotOutput QuantityNets::v_r(const StateFeatures& shared, const StateFeatures& own,
                              NetPass pass) const {
    return m_parts->robotOutput(m_parts->ofStates(NetHead::V_r, shared, own, pass).squeeze(-1));
}

}  // namespace orrery
