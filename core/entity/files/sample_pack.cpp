#include <span>
#include <type_traits>

#include "core/entity/entity_game.h"
#include "core/entity/files/numpy_array.h"
#include "core/entity/files/sample_file.h"

namespace orrery {

namespace {

void openClass(MsgpackWriter& out, std::string_view name, std::size_t members) {
    out.map(2);
    out.text("__classname__");
    out.text(name);
    out.text("data");
    out.map(members);
}

void packTexts(MsgpackWriter& out, const std::vector<std::string>& texts) {
    out.array(texts.size());
    for (const std::string& text : texts) out.text(text);
}

void packAction(MsgpackWriter& out, const ActionSpace& action) {
    if (action.kind == ActionSpace::Kind::Select)
        return openClass(out, "SelectEntityActionSpace", 0);
    openClass(out, action.isOfActors ? "CategoricalActionSpace" : "GlobalCategoricalActionSpace",
              1);
    out.text("index_to_label");
    packTexts(out, action.choices);
}

template <class T>
void packRagged(MsgpackWriter& out, const RaggedBuffer<T>& buffer) {
    const std::vector<std::int64_t> shape{buffer.items(), buffer.size2()},
        lengths = buffer.lengths(), number{buffer.size0()};
    out.map(2);
    out.text("__flattened__");
    packNumpy<RaggedCell<T>>(out, buffer.flat(), shape);
    out.text("__lengths__");
    packNumpy<std::int64_t>(out, lengths, number);
}

template <class T>
void packByAction(MsgpackWriter& out, const EntityLayout& layout,
                  const std::vector<RaggedBuffer<T>>& buffers) {
    out.map(buffers.size());
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        out.text(layout.actions[i].name);
        packRagged(out, buffers[i]);
    }
}

/// Pairs that may not be chosen stand in a member that the original does not have.
void packOffer(MsgpackWriter& out, const VecObs::Offer& offer) {
    const bool isLimited = offer.allowed.size0() > 0;
    if (offer.isSelection) {
        openClass(out, "VecSelectEntityActionMask", isLimited ? 3 : 2);
        out.text("actors");
        packRagged(out, offer.actors);
        out.text("actees");
        packRagged(out, offer.candidates);
        if (!isLimited) return;
        out.text("mask");
        return packRagged(out, offer.allowed);
    }
    openClass(out, "VecCategoricalActionMask", 2);
    out.text("actors");
    packRagged(out, offer.actors);
    out.text("mask");
    isLimited ? packRagged(out, offer.allowed) : out.nil();
}

void packFrames(MsgpackWriter& out, const EntityLayout& layout, const VecObs& frames) {
    openClass(out, "VecObs", 6);
    out.text("features");
    out.map(layout.types.size());
    for (std::size_t i = 0; i < layout.types.size(); ++i) {
        out.text(layout.types[i].name);
        packRagged(out, frames.things[i]);
    }
    out.text("visible");
    std::size_t hidden = 0;
    for (const auto& type : frames.visible) hidden += type.size0() > 0 ? 1 : 0;
    out.map(hidden);
    for (std::size_t i = 0; i < frames.visible.size(); ++i)
        if (frames.visible[i].size0() > 0) {
            out.text(layout.types[i].name);
            packRagged(out, frames.visible[i]);
        }
    out.text("action_masks");
    out.map(frames.offers.size());
    for (std::size_t i = 0; i < frames.offers.size(); ++i) {
        out.text(layout.actions[i].name);
        packOffer(out, frames.offers[i]);
    }
    const std::vector<std::int64_t> shape{frames.frames()};
    out.text("reward");
    packNumpy<float>(out, frames.reward, shape);
    out.text("done");
    packNumpy<std::uint8_t>(out, frames.done, shape);
    out.text("metrics");
    out.map(0);
}

}  // namespace

std::string packSampleHead(const SampleHead& head) {
    MsgpackWriter out;
    out.map(3);
    out.text("act_space");
    out.map(head.spaces.actions.size());
    for (const ActionSpace& action : head.spaces.actions) {
        out.text(action.name);
        packAction(out, action);
    }
    // As a network reads them: arrays of any name are global features.
    const EntityLayout layout = entityLayoutOf(head.spaces);
    out.text("obs_space");
    openClass(out, "ObsSpace", 2);
    out.text("global_features");
    packTexts(out, layout.hasGlobal ? layout.types.back().features : std::vector<std::string>());
    out.text("entities");
    out.map(layout.numTypes());
    for (std::size_t i = 0; i < layout.numTypes(); ++i) {
        out.text(layout.types[i].name);
        openClass(out, "Entity", 1);
        out.text("features");
        packTexts(out, layout.types[i].features);
    }
    out.text("subsample");
    out.integer(head.subsample);
    return out.take();
}

std::string packSample(const EntityLayout& layout, const Sample& sample) {
    MsgpackWriter out;
    const auto whole = [&out](const std::vector<std::int64_t>& numbers) {
        out.array(numbers.size());
        for (const std::int64_t number : numbers) out.integer(number);
    };
    out.map(6);
    out.text("obs");
    packFrames(out, layout, sample.frames);
    out.text("step");
    whole(sample.step);
    out.text("episode");
    whole(sample.episode);
    out.text("actions");
    packByAction(out, layout, sample.chosen);
    out.text("probs");
    packByAction(out, layout, sample.logProbabilities);
    out.text("logits");
    sample.logits.empty() ? out.nil() : packByAction(out, layout, sample.logits);
    return out.take();
}

}  // namespace orrery
