#include "core/entity/net/rogue_net.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/error.h"
#include "core/entity/entity_game.h"
#include "core/nn/segmented_sum.h"

namespace orrery {

namespace {

constexpr double kNormEpsilon = 1e-5;
constexpr double kBackboneDeviation = 0.02, kKeyDeviation = 0.05, kValueDeviation = 0.2,
                 kHeadGain = 0.01;
constexpr std::int64_t kInner = 4;  // width of the middle of a layer's MLP, in widths of a thing
constexpr LayerStart kBackbone{.kind = LayerStart::Kind::Normal, .gain = kBackboneDeviation};

struct NormLayer {
    at::Tensor weight, bias;  // [width]

    NormLayer() = default;
    NormLayer(ParameterMaker& make, const std::string& name, std::int64_t width)
        : weight(make.constant(name + ".weight", {width}, 1)),
          bias(make.constant(name + ".bias", {width}, 0)) {}
    at::Tensor operator()(const at::Tensor& x) const {
        return at::layer_norm(x, {weight.size(0)}, weight, bias, kNormEpsilon);
    }
};

/// What remains when a share of numbers is dropped; undefined where none is.
at::Tensor keptOf(at::IntArrayRef sizes, double dropped, Rng* rng) {
    if (dropped <= 0 || rng == nullptr) return {};
    at::Tensor kept = at::empty(sizes, at::kFloat);
    auto* const numbers = kept.mutable_data_ptr<float>();
    const auto factor = static_cast<float>(1 / (1 - dropped));
    for (std::int64_t i = 0; i < kept.numel(); ++i)
        numbers[i] = rng->uniform() < dropped ? 0.F : factor;
    return kept;
}

at::Tensor dropped(const at::Tensor& x, double share, Rng* rng) {
    const at::Tensor kept = keptOf(x.sizes(), share, rng);
    return kept.defined() ? x * kept : x;
}

/// The frame of each row.
at::Tensor frameOfRows(const NetFrames& frames) {
    std::vector<std::int64_t> frame(static_cast<std::size_t>(frames.rows()));
    for (std::int64_t i = 0; i < frames.frames(); ++i)
        std::fill(frame.begin() + frames.rowBegin[static_cast<std::size_t>(i)],
                  frame.begin() + frames.rowBegin[static_cast<std::size_t>(i) + 1], i);
    return at::tensor(frame, at::kLong);
}

/// [frames, 1] things of each frame, 1 where there is none.
at::Tensor thingsOfFrames(const NetFrames& frames) {
    std::vector<float> count;
    for (std::int64_t i = 0; i < frames.frames(); ++i)
        count.push_back(static_cast<float>(
            std::max<std::int64_t>(1, frames.rowBegin[static_cast<std::size_t>(i) + 1] -
                                          frames.rowBegin[static_cast<std::size_t>(i)])));
    return at::tensor(count, at::kFloat).unsqueeze(1);
}

/// [frames, width] mean over the things of each frame; 0 of none.
at::Tensor frameMean(const at::Tensor& x, const NetFrames& frames) {
    return segmentedSum(x, frameOfRows(frames), frames.frames()) / thingsOfFrames(frames);
}

}  // namespace

/// The layers.
struct RogueNet::Parts {
    struct Embedding {
        InputNorm norm;
        LinearLayer linear;
        NormLayer after;
        at::Tensor vector;  // [1, d_model] of a type without features
    };
    struct Block {
        NormLayer before, middle;
        LinearLayer key, query, value, projection;
        LinearLayer prepool;
        LinearLayer up, down;
    };
    struct Head {
        LinearLayer choices;
        LinearLayer query, key;
    };
    struct Relative {
        at::Tensor keys, values;
        at::Tensor keyWeight, keyBias, valueWeight, valueBias;
        LinearLayer gate;
        InputNorm norm;
    };
    std::vector<Embedding> embeddings;
    std::vector<Block> blocks;
    std::vector<Head> heads;
    Relative relative;
    LinearLayer value;

    Parts(const NetInputs& inputs, ParameterMaker& make) {
        for (const NetInputs::Type& type : inputs.types) addEmbedding(type, inputs.spec, make);
        for (std::int64_t i = 0; i < inputs.spec.nLayer; ++i)
            addBlock("backbone.blocks." + std::to_string(i), inputs.spec, make);
        if (inputs.spec.relpos)
            addRelative(*inputs.spec.relpos, inputs.spec.dModel / inputs.spec.nHead,
                        inputs.spec.dModel, static_cast<std::int64_t>(inputs.types.size()), make);
        for (const ActionSpace& action : inputs.layout.actions) addHead(action, inputs.spec, make);
        value.weight = make.constant("auxiliary_heads.value.weight", {1, inputs.spec.dModel}, 0);
        value.bias = make.constant("auxiliary_heads.value.bias", {1}, 0);
    }

private:
    void addEmbedding(const NetInputs::Type& type, const RogueNetSpec& spec, ParameterMaker& make) {
        const std::string name = "embedding.embeddings." + type.name;
        const auto features = static_cast<std::int64_t>(type.features.size());
        Embedding& embedding = embeddings.emplace_back();
        if (features == 0) {
            embedding.vector = make.normal(name + ".embedding", {1, spec.dModel});
            return;
        }
        embedding.norm = InputNorm(name + ".0", features);
        embedding.linear = LinearLayer(make, name + ".1", features, spec.dModel);
        embedding.after = NormLayer(make, name + ".3", spec.dModel);
    }

    void addBlock(const std::string& name, const RogueNetSpec& spec, ParameterMaker& make) {
        const std::int64_t width = spec.dModel;
        Block& block = blocks.emplace_back();
        block.before = NormLayer(make, name + ".ln1", width);
        block.middle = NormLayer(make, name + ".ln2", width);
        if (spec.pooling == RogueNetSpec::Pooling::None) {
            block.key = LinearLayer(make, name + ".attn.key", width, width, kBackbone);
            block.query = LinearLayer(make, name + ".attn.query", width, width, kBackbone);
            block.value = LinearLayer(make, name + ".attn.value", width, width, kBackbone);
        } else {
            block.prepool = LinearLayer(make, name + ".attn.prepool", width, width, kBackbone);
        }
        const std::int64_t inputs =
            spec.pooling == RogueNetSpec::Pooling::MeanMax ? 2 * width : width;
        block.projection = LinearLayer(make, name + ".attn.proj", inputs, width, kBackbone);
        block.up = LinearLayer(make, name + ".mlp.0", width, kInner * width, kBackbone);
        block.down = LinearLayer(make, name + ".mlp.2", kInner * width, width, kBackbone);
    }

    void addRelative(const RelposSpec& spec, std::int64_t headSize, std::int64_t width,
                     std::int64_t types, ParameterMaker& make) {
        const std::string name = "backbone.relpos_encoding.";
        const std::int64_t places = spec.places();
        relative.keys = make.normal(name + "keys.weight", {places, headSize}, kKeyDeviation);
        relative.values = make.normal(name + "values.weight",
                                      {spec.perEntityValues ? places * types : places, headSize},
                                      kValueDeviation);
        const std::int64_t kinds = spec.perEntityProjections ? types : 1;
        const auto projection = [&](const char* side, at::Tensor& weight, at::Tensor& bias) {
            const std::int64_t features = 3;
            const double bound = 1 / std::sqrt(static_cast<double>(features));
            if (kinds == 1) {
                weight = make.uniform(name + side + ".weight", {headSize, features}, bound);
                bias = make.uniform(name + side + ".bias", {headSize}, bound);
            } else {
                weight = make.uniform(name + side + ".weight", {kinds, headSize, features}, bound);
                bias = make.uniform(name + side + ".bias", {kinds, headSize}, bound);
            }
        };
        if (spec.keyProjection) projection("kproj", relative.keyWeight, relative.keyBias);
        if (spec.valueProjection) projection("vproj", relative.valueWeight, relative.valueBias);
        if (spec.keyProjection || spec.valueProjection)
            relative.norm = InputNorm(name + "relpos_norm", 3);
        if (spec.valueGate != RelposSpec::Gate::None)
            relative.gate = LinearLayer(make, name + "value_gate_proj", width, headSize, kBackbone);
    }

    void addHead(const ActionSpace& action, const RogueNetSpec& spec, ParameterMaker& make) {
        const std::string name = "action_heads." + action.name;
        Head& head = heads.emplace_back();
        if (action.kind == ActionSpace::Kind::Select) {
            head.query = LinearLayer(make, name + ".query_proj", spec.dModel, spec.dQk);
            head.key = LinearLayer(make, name + ".key_proj", spec.dModel, spec.dQk);
        } else {
            head.choices =
                LinearLayer(make, name + ".proj", spec.dModel, std::ssize(action.choices),
                            {.kind = LayerStart::Kind::Orthogonal, .gain = kHeadGain});
        }
    }
};

RogueNet::RogueNet(const RogueNetSpec& spec, const EntityLayout& layout, std::uint64_t seed)
    : m_inputs(spec, layout) {
    if (spec.dModel % spec.nHead != 0) throw badInput("n_head must divide d_model.");
    ParameterMaker make(seed);
    m_parts = std::make_unique<Parts>(m_inputs, make);
    m_parameters = make.take();
}

RogueNet::~RogueNet() = default;

std::vector<NetParameter> RogueNet::buffers() const {
    std::vector<NetParameter> all;
    const auto add = [&](const InputNorm& norm) {
        for (NetParameter& buffer : norm.buffers()) all.push_back(std::move(buffer));
    };
    for (const Parts::Embedding& embedding : m_parts->embeddings)
        if (!embedding.vector.defined()) add(embedding.norm);
    if (m_parts->relative.keyWeight.defined() || m_parts->relative.valueWeight.defined())
        add(m_parts->relative.norm);
    return all;
}

void RogueNet::takeIn(const NetFrames& frames) {
    for (std::size_t i = 0; i < frames.features.size(); ++i)
        if (!m_parts->embeddings[i].vector.defined())
            m_parts->embeddings[i].norm.takeIn(frames.features[i]);
    if (frames.pairFeatures.defined()) m_parts->relative.norm.takeIn(frames.pairFeatures);
}

/// [rows, d_model] frame by frame.
at::Tensor RogueNet::embed(const NetFrames& frames) const {
    std::vector<at::Tensor> byType;
    for (std::size_t i = 0; i < frames.features.size(); ++i) {
        const Parts::Embedding& part = m_parts->embeddings[i];
        if (part.vector.defined())
            byType.push_back(part.vector.expand({frames.perType[i], -1}));
        else
            byType.push_back(part.after(at::relu(part.linear(part.norm(frames.features[i])))));
    }
    return at::cat(byType).index_select(0, frames.order);
}

namespace {

std::shared_ptr<const AttentionRows> attentionRowsOf(const NetInputs& inputs,
                                                     const NetFrames& frames) {
    auto rows = std::make_shared<AttentionRows>();
    rows->rowBegin = frames.rowBegin;
    rows->visible = frames.visible;
    rows->pairBegin.push_back(0);
    for (std::int64_t i = 0; i < frames.frames(); ++i) {
        const std::int64_t items = frames.rowBegin[static_cast<std::size_t>(i) + 1] -
                                   frames.rowBegin[static_cast<std::size_t>(i)];
        rows->pairBegin.push_back(rows->pairBegin.back() + items * items);
    }
    if (!inputs.spec.relpos) return rows;
    const RelposSpec& relpos = *inputs.spec.relpos;
    rows->pairs = frames.pairs;
    rows->rowsEach = relpos.rowsEach();
    if (relpos.perEntityValues)
        for (const std::int32_t type : frames.typeOf)
            rows->valueShift.push_back(type * static_cast<std::int32_t>(relpos.places()));
    if (relpos.perEntityProjections) rows->kind = frames.typeOf;
    return rows;
}

at::Tensor gated(const at::Tensor& x, RelposSpec::Gate gate) {
    switch (gate) {
        case RelposSpec::Gate::Relu:
            return at::relu(x);
        case RelposSpec::Gate::Gelu:
            return at::gelu(x);
        case RelposSpec::Gate::Sigmoid:
            return at::sigmoid(x);
        case RelposSpec::Gate::Linear:
        case RelposSpec::Gate::None:
            break;
    }
    return x;
}

}  // namespace

/// What a pooling layer gives in the place of attention.
at::Tensor RogueNet::pooled(std::size_t layer, const at::Tensor& x, const NetFrames& frames) const {
    const Parts::Block& block = m_parts->blocks[layer];
    const at::Tensor inner = block.prepool(x), frame = frameOfRows(frames);
    at::Tensor reduced;
    if (m_inputs.spec.pooling != RogueNetSpec::Pooling::Max) reduced = frameMean(inner, frames);
    if (m_inputs.spec.pooling != RogueNetSpec::Pooling::Mean) {
        const at::Tensor index = frame.unsqueeze(1).expand_as(inner);
        const at::Tensor most = at::full({frames.frames(), inner.size(1)}, 0.F, inner.options())
                                    .scatter_reduce(0, index, inner, "amax", false);
        reduced = reduced.defined() ? at::cat({reduced, most}, 1) : most;
    }
    return block.projection(reduced.index_select(0, frame));
}

at::Tensor RogueNet::block(std::size_t layer, const at::Tensor& x, const NetFrames& frames,
                           const std::shared_ptr<const AttentionRows>& rows,
                           const NetWish& wish) const {
    const Parts::Block& part = m_parts->blocks[layer];
    const RogueNetSpec& spec = m_inputs.spec;
    const auto tell = [&](const char* what, const at::Tensor& tensor) {
        if (wish.probe != nullptr && wish.probe->passed)
            wish.probe->passed(static_cast<std::int64_t>(layer), what, tensor);
    };
    const at::Tensor normal = part.before(x);
    tell("ln1", normal);
    at::Tensor attended;
    if (spec.pooling != RogueNetSpec::Pooling::None) {
        attended = pooled(layer, normal, frames);
    } else {
        RelativeTensors relative;
        if (spec.relpos) {
            const Parts::Relative& own = m_parts->relative;
            relative = {.keys = own.keys,
                        .values = own.values,
                        .keyWeight = own.keyWeight,
                        .keyBias = own.keyBias,
                        .valueWeight = own.valueWeight,
                        .valueBias = own.valueBias,
                        .features = {},
                        .gate = {}};
            if (frames.pairFeatures.defined()) relative.features = own.norm(frames.pairFeatures);
            if (own.gate.weight.defined())
                relative.gate = gated(own.gate(normal), spec.relpos->valueGate);
        }
        const auto heads = static_cast<int>(spec.nHead);
        at::Tensor probabilities;
        const bool isWatched = wish.probe != nullptr && wish.probe->attended;
        attended = part.projection(frameAttention(
            part.query(normal), part.key(normal), part.value(normal), heads, rows, relative,
            keptOf({rows->numPairs() * heads}, spec.attnPdrop, wish.training),
            isWatched ? &probabilities : nullptr));
        if (isWatched) wish.probe->attended(static_cast<std::int64_t>(layer), probabilities);
    }
    tell("attn", attended);
    const at::Tensor middle = x + dropped(attended, spec.residPdrop, wish.training);
    const at::Tensor inner = part.down(at::gelu(part.up(part.middle(middle))));
    tell("mlp", inner);
    at::Tensor out = middle + dropped(inner, spec.residPdrop, wish.training);
    tell("out", out);
    return out;
}

ActionLogits RogueNet::act(std::size_t action, const at::Tensor& x, const NetFrames& frames) const {
    const Parts::Head& head = m_parts->heads[action];
    const NetFrames::Offer& offer = frames.offers[action];
    const at::Tensor actors = x.index_select(0, offer.actors);
    at::Tensor logits;
    if (offer.candidates.defined()) {
        const at::Tensor query = head.query(actors),
                         key = head.key(x.index_select(0, offer.candidates));
        const at::Tensor pairs =
            (query.index_select(0, offer.pairDecider) * key.index_select(0, offer.pairCandidate))
                .sum(1) /
            std::sqrt(static_cast<double>(m_inputs.spec.dQk));
        logits = at::zeros({actors.size(0), offer.options}, x.options())
                     .index_put({offer.pairDecider, offer.pairOption}, pairs);
    } else {
        logits = head.choices(actors);
    }
    if (!offer.allowed.defined())
        return {.logProbabilities = at::log_softmax(logits, 1), .isFree = {}};
    // Where nothing is allowed all of it is, so that numbers stay finite; isFree takes it out.
    const at::Tensor isFree = offer.allowed.any(1);
    const at::Tensor barred = offer.allowed.logical_not().logical_and(isFree.unsqueeze(1));
    return {.logProbabilities = at::log_softmax(
                logits.masked_fill(barred, -std::numeric_limits<float>::infinity()), 1),
            .isFree = isFree};
}

at::Tensor RogueNet::valueOf(const at::Tensor& x, const NetFrames& frames) const {
    return m_parts->value(frameMean(x, frames)).squeeze(1);
}

NetOutput RogueNet::forward(const NetFrames& frames, const NetWish& wish) const {
    at::Tensor x = embed(frames);
    if (wish.probe != nullptr && wish.probe->embedded) wish.probe->embedded(x);
    x = dropped(x, m_inputs.spec.embdPdrop, wish.training);
    const auto rows = attentionRowsOf(m_inputs, frames);
    for (std::size_t layer = 0; layer < m_parts->blocks.size(); ++layer)
        x = block(layer, x, frames, rows, wish);
    NetOutput output{.embeddings = x, .actions = {}, .value = {}};
    if (wish.actions)
        for (std::size_t i = 0; i < m_parts->heads.size(); ++i)
            output.actions.push_back(act(i, x, frames));
    if (wish.value) output.value = valueOf(x, frames);
    return output;
}

at::Tensor ActionLogits::logProbabilityOf(const at::Tensor& chosen) const {
    const at::Tensor taken =
        logProbabilities.gather(1, chosen.clamp_min(0).unsqueeze(1)).squeeze(1);
    return isFree.defined() ? at::where(isFree, taken, at::zeros_like(taken)) : taken;
}

at::Tensor ActionLogits::entropy() const {
    // p log p is 0 where p is 0.
    const at::Tensor finite = logProbabilities.masked_fill(logProbabilities.isneginf(), 0);
    const at::Tensor entropy = -(logProbabilities.exp() * finite).sum(1);
    return isFree.defined() ? at::where(isFree, entropy, at::zeros_like(entropy)) : entropy;
}

at::Tensor sampleChoices(const ActionLogits& logits, Rng& rng) {
    const at::NoGradGuard off;
    const at::Tensor log = logits.logProbabilities.to(at::kCPU).contiguous();
    const std::int64_t deciders = log.size(0), options = log.size(1);
    const at::Tensor isFree =
        logits.isFree.defined() ? logits.isFree.to(at::kCPU).contiguous() : at::Tensor();
    at::Tensor chosen = at::empty({deciders}, at::kLong);
    const auto* const numbers = log.const_data_ptr<float>();
    for (std::int64_t i = 0; i < deciders; ++i) {
        std::int64_t choice = -1;
        if (!isFree.defined() || isFree.const_data_ptr<bool>()[i]) {
            double left = rng.uniform();
            for (std::int64_t c = 0; c < options; ++c) {
                const double share = std::exp(static_cast<double>(numbers[i * options + c]));
                if (share <= 0) continue;
                choice = c;  // the last one, where rounding leaves something
                if ((left -= share) < 0) break;
            }
        }
        chosen.mutable_data_ptr<std::int64_t>()[i] = choice;
    }
    return chosen;
}

at::Tensor greedyChoices(const ActionLogits& logits) {
    const at::NoGradGuard off;
    if (logits.logProbabilities.size(0) == 0) return at::empty({0}, at::kLong);
    const at::Tensor best = logits.logProbabilities.argmax(1);
    return logits.isFree.defined() ? at::where(logits.isFree, best, at::full_like(best, -1)) : best;
}

}  // namespace orrery
