#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/entity/net/frame_attention.h"
#include "core/entity/net/input_norm.h"
#include "core/entity/net/net_frames.h"
#include "core/nn/parameters.h"

namespace orrery {

/// What a policy says about one action in many frames; rows are deciders, frame by frame.
struct ActionLogits {
    at::Tensor logProbabilities;  ///< [deciders, options] normalised; -inf where nothing is allowed
    at::Tensor isFree;            ///< bool [deciders]: something is allowed; undefined: everywhere

    /// Of choices. @param chosen  int64 [deciders]; -1 where nothing is allowed
    /// @return [deciders] 0 where nothing is allowed
    at::Tensor logProbabilityOf(const at::Tensor& chosen) const;
    at::Tensor entropy() const;  ///< [deciders] likewise
};

/// What a pass gives.
struct NetOutput {
    at::Tensor embeddings;              ///< [rows, d_model] behind the last layer, frame by frame
    std::vector<ActionLogits> actions;  ///< [actions]
    at::Tensor value;                   ///< [frames]; undefined: it was not asked for
};

/// Is told what happens inside, for views and checks; null functions: nobody asks.
struct NetProbe {
    std::function<void(const at::Tensor& embedding)> embedded = {};
    /// Behind "ln1", "attn", "mlp" and "out" of a layer. [rows, d_model]
    std::function<void(std::int64_t layer, const char* part, const at::Tensor&)> passed = {};
    /// [heads x pairs] frame by frame, of each the heads.
    std::function<void(std::int64_t layer, const at::Tensor& probabilities)> attended = {};
};

/// Which parts of a pass are wanted.
struct NetWish {
    bool actions = true, value = true;
    Rng* training = nullptr;  ///< draws what is dropped; null: nothing is
    const NetProbe* probe = nullptr;
};

/// A transformer over the things of frames, with a head for each action and one for the value.
/// Source: seed 004, "RogueNet"; spec entity, section 5.
class RogueNet {
public:
    /// @param seed  draws what parameters begin with
    /// @throws Error (BadInput) where the spec does not fit the environment
    RogueNet(const RogueNetSpec& spec, const EntityLayout& layout, std::uint64_t seed);
    RogueNet(const RogueNet&) = delete;
    RogueNet& operator=(const RogueNet&) = delete;
    ~RogueNet();

    const NetInputs& inputs() const { return m_inputs; }
    /// Reads other frames from now on: those of an environment that shows more, or in another
    /// order.
    /// @throws Error (BadInput) naming what it cannot do without
    void setObsFilter(const EntityLayout& offered) { m_inputs.readFrom(offered); }
    /// Live tensors by the names that the original gives them.
    const std::vector<NetParameter>& parameters() const { return m_parameters; }
    /// Statistics of what was taken in, which belong to a checkpoint as well.
    std::vector<NetParameter> buffers() const;

    /// Merges frames into the statistics of features: in training, before they are passed through.
    void takeIn(const NetFrames& frames);
    NetOutput forward(const NetFrames& frames, const NetWish& wish = {}) const;

private:
    struct Parts;
    at::Tensor embed(const NetFrames& frames) const;
    at::Tensor block(std::size_t layer, const at::Tensor& x, const NetFrames& frames,
                     const std::shared_ptr<const AttentionRows>& rows, const NetWish& wish) const;
    at::Tensor pooled(std::size_t layer, const at::Tensor& x, const NetFrames& frames) const;
    ActionLogits act(std::size_t action, const at::Tensor& x, const NetFrames& frames) const;
    at::Tensor valueOf(const at::Tensor& x, const NetFrames& frames) const;

    NetInputs m_inputs;
    std::unique_ptr<Parts> m_parts;
    std::vector<NetParameter> m_parameters;
};

/// One choice a decider by its probabilities. @return int64 [deciders]; -1 where nothing is allowed
at::Tensor sampleChoices(const ActionLogits& logits, Rng& rng);
/// The likeliest one, the first of equals.
at::Tensor greedyChoices(const ActionLogits& logits);

}  // namespace orrery
