#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/entity/entity_game.h"
#include "core/entity/net/rogue_net.h"
#include "core/train/entity/driver/oracle.h"

namespace orrery {

using nlohmann::json;

namespace {

constexpr double kForward = 2e-5, kGradients = 2e-4;

template <class T>
RaggedBuffer<T> raggedOf(const json& node) {
    std::vector<RaggedCell<T>> cells;
    for (const json& value : node.at("data"))
        if constexpr (std::is_same_v<T, float>)
            cells.push_back(static_cast<float>(numberIn(value)));
        else
            cells.push_back(value.get<T>());
    return RaggedBuffer<T>::fromFlattened(cells, node.at("features").get<std::int64_t>(),
                                          node.at("lengths").get<std::vector<std::int64_t>>());
}

EnvironmentSpaces spacesOf(const json& entry) {
    EnvironmentSpaces spaces;
    for (const json& type : entry.at("obs_space").at("entities"))
        spaces.observations.push_back(
            thingsOf(type[0].get<std::string>(), type[1].get<std::vector<std::string>>()));
    const auto globals =
        entry.at("obs_space").at("global_features").get<std::vector<std::string>>();
    if (!globals.empty()) spaces.observations.push_back(globalsOf(globals));
    for (const json& action : entry.at("action_space")) {
        const auto name = action[0].get<std::string>();
        const auto labels = action[1].at("labels").get<std::vector<std::string>>();
        const json& type = action[1].at("type");
        spaces.actions.push_back(type == "SelectEntity"  ? selectionOf(name)
                                 : type == "Categorical" ? choiceOf(name, labels)
                                                         : globalChoiceOf(name, labels));
    }
    return spaces;
}

RogueNetSpec specOf(const json& config) {
    RogueNetSpec spec{.dModel = config.at("d_model"),
                      .nLayer = config.at("n_layer"),
                      .nHead = config.at("n_head"),
                      .dQk = config.at("d_qk")};
    using Pooling = RogueNetSpec::Pooling;
    const std::map<std::string, Pooling> pooling{
        {"mean", Pooling::Mean}, {"max", Pooling::Max}, {"meanmax", Pooling::MeanMax}};
    if (config.at("pooling").is_string()) spec.pooling = pooling.at(config.at("pooling"));
    const auto textsOf = [](const json& value) {
        return value.is_null() ? std::vector<std::string>() : value.get<std::vector<std::string>>();
    };
    const auto textOf = [](const json& value) {
        return value.is_null() ? std::optional<std::string>() : value.get<std::string>();
    };
    if (const json& relpos = config.at("relpos_encoding"); !relpos.is_null()) {
        using Gate = RelposSpec::Gate;
        const std::map<std::string, Gate> gates{{"relu", Gate::Relu},
                                                {"gelu", Gate::Gelu},
                                                {"sigmoid", Gate::Sigmoid},
                                                {"linear", Gate::Linear}};
        spec.relpos = RelposSpec{
            .extent = relpos.at("extent").get<std::vector<std::int64_t>>(),
            .positionFeatures = textsOf(relpos.at("position_features")),
            .scale = relpos.at("scale"),
            .perEntityValues = relpos.at("per_entity_values"),
            .keyProjection = relpos.at("key_relpos_projection"),
            .valueProjection = relpos.at("value_relpos_projection"),
            .perEntityProjections = relpos.at("per_entity_projections"),
            .radial = relpos.at("radial"),
            .distance = relpos.at("distance"),
            .rotationVecFeatures = textsOf(relpos.at("rotation_vec_features")),
            .rotationAngleFeature = textOf(relpos.at("rotation_angle_feature")),
            .interpolate = relpos.at("interpolate"),
            .valueGate =
                relpos.at("value_gate").is_null() ? Gate::None : gates.at(relpos.at("value_gate")),
            .negativeDistanceWeights = relpos.at("enable_negative_distance_weight_bug")};
    }
    if (const json& translation = config.at("translation"); !translation.is_null())
        spec.translation = TranslationSpec{
            .referenceEntity = translation.at("reference_entity"),
            .positionFeatures = textsOf(translation.at("position_features")),
            .rotationVecFeatures = textsOf(translation.at("rotation_vec_features")),
            .rotationAngleFeature = textOf(translation.at("rotation_angle_feature")),
            .addDistFeature = translation.at("add_dist_feature")};
    return spec;
}

/// What a file leaves out is true.
RaggedBuffer<bool> truthsOf(const json& node, const std::vector<std::int64_t>& lengths,
                            std::int64_t features) {
    const auto given = raggedOf<bool>(node);
    RaggedBuffer<bool> all(features);
    for (std::int64_t i = 0; i < std::ssize(lengths); ++i) {
        const auto out = all.grow(lengths[static_cast<std::size_t>(i)]);
        std::ranges::fill(out, 1);
        if (i < given.size0() && given.sequence(i).size() == out.size())
            std::ranges::copy(given.sequence(i), out.begin());
    }
    return all;
}

VecObs framesOf(const json& input, const EntityLayout& layout) {
    VecObs frames(layout);
    const std::int64_t count = raggedOf<float>(input.at("features").begin().value()).size0();
    for (std::size_t i = 0; i < layout.types.size(); ++i) {
        const std::string& name = layout.types[i].name;
        if (input.at("features").contains(name))
            frames.things[i] = raggedOf<float>(input.at("features").at(name));
        else
            for (std::int64_t k = 0; k < count; ++k)
                frames.things[i].grow(name == kGlobals ? 1 : 0);
        if (input.at("visible").contains(name))
            frames.visible[i] =
                truthsOf(input.at("visible").at(name), frames.things[i].lengths(), 1);
    }
    for (std::size_t i = 0; i < layout.actions.size(); ++i) {
        const json& mask = input.at("action_masks").at(layout.actions[i].name);
        VecObs::Offer& offer = frames.offers[i];
        offer.actors = raggedOf<std::int64_t>(mask.at("actors"));
        if (offer.isSelection) offer.candidates = raggedOf<std::int64_t>(mask.at("actees"));
        if (mask.contains("mask") && !mask.at("mask").is_null())
            offer.allowed =
                truthsOf(mask.at("mask"), offer.actors.lengths(), offer.allowed.size2());
    }
    frames.reward.assign(static_cast<std::size_t>(count), 0);
    frames.done.assign(static_cast<std::size_t>(count), 0);
    frames.truncated.assign(static_cast<std::size_t>(count), 0);
    return frames;
}

/// Takes the file's weights; tells those that only one side has.
void load(const RogueNet& net, const json& weights, const std::string& where,
          const OracleTeller& teller) {
    const at::NoGradGuard off;
    std::size_t taken = 0;
    for (const auto& list : {net.parameters(), net.buffers()})
        for (const NetParameter& parameter : list) {
            const at::Tensor value = tensorIn(weights.at(parameter.name));
            at::Tensor(parameter.tensor).copy_(value.reshape(parameter.tensor.sizes()));
            ++taken;
        }
    for (const auto& [name, value] : weights.items())
        if (name.ends_with("distance_values.weight")) ++taken;  // of no use there
    teller.number(where + ".weights", static_cast<double>(weights.size()),
                  static_cast<double>(taken), 0);
}

/// What was chosen of each action in the file.
at::Tensor chosenIn(const json& entry, const std::string& action) {
    const auto chosen = raggedOf<std::int64_t>(entry.at("input").at("actions").at(action));
    return at::tensor(std::vector<std::int64_t>(chosen.flat().begin(), chosen.flat().end()),
                      at::kLong);
}

void compareHead(const json& head, const std::string& where, const at::Tensor& chosen,
                 const NetFrames::Offer& offer, const ActionLogits& logits,
                 const OracleTeller& teller) {
    teller.tensor(where + ".logprob", head.at("logprob"), logits.logProbabilityOf(chosen),
                  kForward);
    teller.tensor(where + ".entropy", head.at("entropy"), logits.entropy(), kForward);
    const json& due = head.at("normalized_logits");
    if (!offer.candidates.defined())
        return teller.tensor(where + ".normalized_logits", due, logits.logProbabilities, kForward);
    // There padded by frames, actors and candidates.
    const auto shape = due.at("shape").get<std::vector<std::size_t>>();
    for (std::size_t frame = 0; frame + 1 < offer.actorBegin.size(); ++frame)
        for (std::int64_t a = offer.actorBegin[frame]; a < offer.actorBegin[frame + 1]; ++a) {
            const at::Tensor row = logits.logProbabilities[a];
            const std::size_t begin =
                (frame * shape[1] + static_cast<std::size_t>(a - offer.actorBegin[frame])) *
                shape[2];
            for (std::int64_t c = 0; c < row.size(0); ++c)
                if (const double ours = row[c].item<double>(); std::isfinite(ours))
                    teller.number(where + ".normalized_logits",
                                  due.at("data")[begin + static_cast<std::size_t>(c)], ours,
                                  kForward);
        }
}

void compareGradients(const json& entry, const std::string& where, const RogueNet& net,
                      const NetOutput& out, const OracleTeller& teller) {
    at::Tensor loss = out.value.square().sum();
    for (std::size_t i = 0; i < out.actions.size(); ++i) {
        const at::Tensor chosen = chosenIn(entry, net.inputs().layout.actions[i].name);
        loss = loss + out.actions[i].logProbabilityOf(chosen).sum() +
               0.3 * out.actions[i].entropy().sum();
    }
    const json& expect = entry.at("expect");
    teller.number(where + ".loss", expect.at("loss"), loss.item<double>(), kForward);
    loss.backward();
    for (const NetParameter& parameter : net.parameters())
        if (expect.at("grads").contains(parameter.name))
            teller.tensor(
                where + ".grads." + parameter.name, expect.at("grads").at(parameter.name),
                parameter.tensor.grad().defined() ? parameter.tensor.grad() : at::empty({0}),
                kGradients);
}

}  // namespace

void compareNet(const json& entry, const std::string& where, const OracleTeller& teller) {
    const EntityLayout layout = entityLayoutOf(spacesOf(entry));
    const RogueNet net(specOf(entry.at("config")), layout, 1);
    load(net, entry.at("weights"), where, teller);
    const NetFrames frames = netFramesOf(net.inputs(), framesOf(entry.at("input"), layout));
    const json& expect = entry.at("expect");
    const std::string due = where + ".expect";
    NetProbe probe;
    probe.embedded = [&](const at::Tensor& x) {
        teller.tensor(due + ".embedding", expect.at("embedding"), x, kForward);
    };
    probe.passed = [&](std::int64_t layer, const char* part, const at::Tensor& x) {
        std::string name = due + ".blocks[";
        name.append(std::to_string(layer)).append("].").append(part);
        teller.tensor(name, expect.at("blocks").at(static_cast<std::size_t>(layer)).at(part), x,
                      kForward);
    };
    const NetOutput out = net.forward(frames, {.probe = &probe});
    teller.tensor(due + ".value", expect.at("value"), out.value, kForward);
    for (std::size_t i = 0; i < out.actions.size(); ++i) {
        const std::string& name = layout.actions[i].name;
        std::string head = due + ".heads.";
        head += name;
        compareHead(expect.at("heads").at(name), head, chosenIn(entry, name), frames.offers[i],
                    out.actions[i], teller);
    }
    if (expect.contains("loss")) compareGradients(entry, due, net, out, teller);
}

void compareInputNorm(const json& entry, const std::string& where, const OracleTeller& teller) {
    InputNorm norm("x", entry.at("features"), entry.at("cliprange"));
    std::size_t i = 0;
    for (const json& step : entry.at("steps")) {
        const std::string at = where + ".steps[" + std::to_string(i++) + ']';
        const at::Tensor input = tensorIn(step.at("input"));
        if (!step.at("frozen").get<bool>()) norm.takeIn(input);
        teller.tensor(at + ".output", step.at("output"), norm(input), kForward);
        const std::vector<NetParameter> buffers = norm.buffers();
        teller.number(at + ".count", step.at("count"), buffers[0].tensor.item<double>(), 1e-6);
        teller.tensor(at + ".mean", step.at("mean"), buffers[1].tensor, kForward);
        teller.tensor(at + ".squares_sum", step.at("squares_sum"), buffers[2].tensor, kForward);
    }
}

}  // namespace orrery
