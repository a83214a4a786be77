#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <QFile>
#include <QTest>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/entity/entity_game.h"
#include "core/entity/net/rogue_net.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using namespace orrery;
using nlohmann::json;

namespace {

float numberOf(const json& value) {
    if (value.is_boolean()) return value.get<bool>() ? 1.F : 0.F;
    if (!value.is_string()) return value.get<float>();
    return value == "-inf" ? -INFINITY : value == "inf" ? INFINITY : NAN;
}

at::Tensor tensorOf(const json& node) {
    std::vector<float> numbers;
    for (const json& value : node.at("data")) numbers.push_back(numberOf(value));
    return at::tensor(numbers, at::kFloat)
        .reshape(node.at("shape").get<std::vector<std::int64_t>>());
}

template <class T>
RaggedBuffer<T> raggedOf(const json& node) {
    std::vector<RaggedCell<T>> cells;
    for (const json& value : node.at("data"))
        if constexpr (std::is_same_v<T, float>)
            cells.push_back(numberOf(value));
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

/// The largest error, divided by the number where that is above 1; infinities must be the same.
double errorOf(const at::Tensor& ours, const at::Tensor& due) {
    if (ours.numel() != due.numel()) return INFINITY;
    const at::Tensor a = ours.detach().reshape({-1}).to(at::kDouble),
                     b = due.reshape({-1}).to(at::kDouble);
    double worst = 0;
    for (std::int64_t i = 0; i < a.numel(); ++i) {
        const double x = a[i].item<double>(), y = b[i].item<double>();
        if (x == y) continue;
        const double error = std::abs(x - y) / std::max(1.0, std::abs(y));
        if (!(error <= worst)) worst = error;
    }
    return worst;
}

const json& document() {
    static const json kDocument = [] {
        QFile file(QString::fromStdString(sourcePath("tests/data/entity/rogue_net.json")));
        if (!file.open(QIODevice::ReadOnly)) qFatal("no oracle");
        return json::parse(file.readAll().toStdString());
    }();
    return kDocument;
}

constexpr double kForward = 2e-5, kGradients = 2e-4;

#define COMPARE_NEAR(ours, due, tolerance)                                                   \
    do {                                                                                     \
        const double error = errorOf(ours, due);                                             \
        QVERIFY2(error <= (tolerance), qPrintable(QStringLiteral(#ours ": %1").arg(error))); \
    } while (false)

/// Things A, which move and pick among the Bs, and B.
EnvironmentSpaces smallSpaces() {
    return {.observations = {thingsOf("A", {"x", "y"}), thingsOf("B", {"z"})},
            .actions = {choiceOf("move", {"n", "e", "s", "w"}), selectionOf("pick")}};
}

/// Frames of so many As and Bs with numbers of their own. @param only  of them; none: all
VecObs smallBatch(const EntityLayout& layout, const std::vector<std::pair<int, int>>& sizes,
                  std::optional<std::size_t> only = {}) {
    static const EnvironmentSpaces kSpaces = smallSpaces();
    Rng rng(3);
    std::vector<Observation> seen;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto [numA, numB] = sizes[i];
        Observation frame;
        FrameWriter out(kSpaces, frame);
        for (float& number : out.things(0, numA)) number = static_cast<float>(rng.normal());
        for (float& number : out.things(1, numB)) number = static_cast<float>(rng.normal());
        for (const std::size_t action : {0, 1}) out.addActors(action, 0, numA);
        out.addCandidates(1, out.first(1), numB);
        if (!only || *only == i) seen.push_back(frame);
    }
    VecObs batch(layout);
    batch.shape(layout, seen);
    batch.copy(layout, seen, 0, std::ssize(seen));
    return batch;
}

}  // namespace

class RogueNetTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void netsGiveTheOriginalsNumbers_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < document().at("cases").size(); ++i)
            QTest::newRow(document().at("cases")[i].at("name").get<std::string>().c_str())
                << static_cast<int>(i);
    }
    void netsGiveTheOriginalsNumbers() {
        QFETCH(int, index);
        const json& entry = document().at("cases")[static_cast<std::size_t>(index)];
        const EntityLayout layout = entityLayoutOf(spacesOf(entry));
        RogueNet net(specOf(entry.at("config")), layout, 1);
        load(net, entry.at("weights"));
        const NetFrames frames = netFramesOf(net.inputs(), framesOf(entry.at("input"), layout));
        const json& expect = entry.at("expect");
        NetProbe probe;
        std::map<std::string, at::Tensor> seen;
        probe.embedded = [&](const at::Tensor& x) { seen["embedding"] = x.detach().clone(); };
        probe.passed = [&](std::int64_t layer, const char* part, const at::Tensor& x) {
            seen[std::to_string(layer) + part] = x.detach().clone();
        };
        const NetOutput out = net.forward(frames, {.probe = &probe});
        COMPARE_NEAR(seen.at("embedding"), tensorOf(expect.at("embedding")), kForward);
        for (std::size_t layer = 0; layer < expect.at("blocks").size(); ++layer)
            for (const char* part : {"ln1", "attn", "mlp", "out"}) {
                const double error = errorOf(seen.at(std::to_string(layer) + part),
                                             tensorOf(expect.at("blocks")[layer].at(part)));
                QVERIFY2(error <= kForward,
                         qPrintable(QStringLiteral("%1 %2: %3").arg(layer).arg(part).arg(error)));
            }
        COMPARE_NEAR(out.value, tensorOf(expect.at("value")), kForward);
        checkHeads(entry, net, frames, out);
        if (expect.contains("loss")) checkGradients(entry, net, out);
    }

    void normsFollowTheOriginals_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < document().at("input_norm").size(); ++i)
            QTest::addRow("%d", static_cast<int>(i)) << static_cast<int>(i);
    }
    void normsFollowTheOriginals() {
        QFETCH(int, index);
        const json& entry = document().at("input_norm")[static_cast<std::size_t>(index)];
        InputNorm norm("x", entry.at("features"), entry.at("cliprange"));
        for (const json& step : entry.at("steps")) {
            const at::Tensor input = tensorOf(step.at("input"));
            if (!step.at("frozen").get<bool>()) norm.takeIn(input);
            COMPARE_NEAR(norm(input), tensorOf(step.at("output")), kForward);
            const std::vector<NetParameter> buffers = norm.buffers();
            QVERIFY(std::abs(buffers[0].tensor.item<double>() - step.at("count").get<double>()) <
                    1e-6);
            COMPARE_NEAR(buffers[1].tensor, tensorOf(step.at("mean")), kForward);
            COMPARE_NEAR(buffers[2].tensor, tensorOf(step.at("squares_sum")), kForward);
        }
    }

    void parametersBeginAsTheOriginals() {
        const EntityLayout layout = entityLayoutOf(smallSpaces());
        const RogueNet net({.dModel = 64, .nLayer = 1}, layout, 3);
        for (const NetParameter& parameter : net.parameters()) {
            const at::Tensor x = parameter.tensor.detach();
            if (parameter.name == "action_heads.move.proj.weight")
                QVERIFY(at::allclose(x.matmul(x.t()), 1e-4 * at::eye(x.size(0)), 1e-4, 1e-8));
            if (parameter.name.starts_with("auxiliary_heads")) QVERIFY(x.eq(0).all().item<bool>());
            if (parameter.name == "backbone.blocks.0.mlp.0.weight")
                QVERIFY(std::abs(x.std().item<double>() - 0.02) < 1e-3);
            if (parameter.name == "embedding.embeddings.A.1.weight")
                QVERIFY(x.abs().max().item<double>() <= 1 / std::sqrt(2.0));
        }
    }

    void statisticsMoveWhereTheyAreTakenIn() {
        const EntityLayout layout = entityLayoutOf(smallSpaces());
        RogueNet net({.dModel = 8, .nLayer = 1}, layout, 3);
        const NetFrames frames = netFramesOf(net.inputs(), smallBatch(layout, {{1, 2}, {2, 1}}));
        const auto counts = [&] { return net.buffers()[0].tensor.item<double>(); };
        net.forward(frames);
        QCOMPARE(counts(), 0.0);
        net.takeIn(frames);
        QCOMPARE(counts(), 3.0);
        net.forward(frames);
        QCOMPARE(counts(), 3.0);
    }

    /// Frames know nothing of each other.
    void aBatchGivesWhatItsFramesGive() {
        const EntityLayout layout = entityLayoutOf(smallSpaces());
        for (const RogueNetSpec::Pooling pooling :
             {RogueNetSpec::Pooling::None, RogueNetSpec::Pooling::MeanMax}) {
            const RogueNet net({.dModel = 16, .nLayer = 2, .pooling = pooling}, layout, 5);
            const std::vector<std::pair<int, int>> sizes{{1, 2}, {4, 0}, {0, 3}, {2, 2}};
            const NetOutput all = net.forward(netFramesOf(net.inputs(), smallBatch(layout, sizes)));
            std::int64_t row = 0;
            for (std::size_t i = 0; i < sizes.size(); ++i) {
                const NetOutput one =
                    net.forward(netFramesOf(net.inputs(), smallBatch(layout, sizes, i)));
                const std::int64_t rows = one.embeddings.size(0);
                COMPARE_NEAR(all.embeddings.narrow(0, row, rows), one.embeddings, 1e-5);
                COMPARE_NEAR(all.value[static_cast<std::int64_t>(i)], one.value[0], 1e-5);
                row += rows;
            }
        }
    }

    void aSingleAllowedTargetIsCertain() {
        const EntityLayout layout = entityLayoutOf(smallSpaces());
        const RogueNet net({.dModel = 8}, layout, 3);
        VecObs batch = smallBatch(layout, {{2, 2}, {1, 0}});
        // Two As choose among two Bs, one of them a single one; the A of the second frame has none.
        batch.offers[1].allowed = RaggedBuffer<bool>::fromFlattened(
            std::vector<std::uint8_t>{0, 1, 1, 1}, 1, std::vector<std::int64_t>{4, 0});
        const NetOutput out = net.forward(netFramesOf(net.inputs(), batch));
        const ActionLogits& pick = out.actions[1];
        Rng rng(1);
        const at::Tensor drawn = sampleChoices(pick, rng), best = greedyChoices(pick);
        for (const at::Tensor& chosen : {drawn, best}) {
            QCOMPARE(chosen[0].item<std::int64_t>(), 1);
            QCOMPARE(chosen[2].item<std::int64_t>(), -1);
        }
        const at::Tensor log = pick.logProbabilityOf(drawn), entropy = pick.entropy();
        for (const int row : {0, 2}) {
            QCOMPARE(log[row].item<float>(), 0.F);
            QCOMPARE(entropy[row].item<float>(), 0.F);
        }
        QVERIFY(entropy[1].item<float>() > 0);
        (log.sum() + entropy.sum()).backward();
        for (const NetParameter& parameter : net.parameters())
            if (parameter.tensor.grad().defined())
                QVERIFY2(parameter.tensor.grad().isfinite().all().item<bool>(),
                         parameter.name.c_str());
    }

    void samplesFollowTheProbabilities() {
        ActionLogits logits{
            .logProbabilities = at::log(at::tensor(std::vector<float>{0.2F, 0.5F, 0.3F}))
                                    .unsqueeze(0)
                                    .expand({20'000, 3}),
            .isFree = {}};
        Rng rng(7);
        const at::Tensor counts = at::bincount(sampleChoices(logits, rng), {}, 3);
        const double shares[] = {0.2, 0.5, 0.3};
        for (int i = 0; i < 3; ++i)
            QVERIFY(std::abs(counts[i].item<double>() / 20'000 - shares[i]) < 0.015);
    }

private:
    static void load(const RogueNet& net, const json& weights) {
        const at::NoGradGuard off;
        std::size_t taken = 0;
        for (const auto& list : {net.parameters(), net.buffers()})
            for (const NetParameter& parameter : list) {
                QVERIFY2(weights.contains(parameter.name), parameter.name.c_str());
                const at::Tensor value = tensorOf(weights.at(parameter.name));
                QCOMPARE(value.sizes().vec(), parameter.tensor.sizes().vec());
                at::Tensor(parameter.tensor).copy_(value);
                ++taken;
            }
        for (const auto& [name, value] : weights.items())
            if (name.ends_with("distance_values.weight")) ++taken;  // of no use there
        QCOMPARE(taken, weights.size());
    }

    /// What was chosen of each action in the file.
    static at::Tensor chosenOf(const json& entry, const std::string& action) {
        const auto chosen = raggedOf<std::int64_t>(entry.at("input").at("actions").at(action));
        return at::tensor(std::vector<std::int64_t>(chosen.flat().begin(), chosen.flat().end()),
                          at::kLong);
    }

    static void checkHeads(const json& entry, const RogueNet& net, const NetFrames& frames,
                           const NetOutput& out) {
        for (std::size_t i = 0; i < out.actions.size(); ++i) {
            const std::string& name = net.inputs().layout.actions[i].name;
            const json& head = entry.at("expect").at("heads").at(name);
            const ActionLogits& logits = out.actions[i];
            const at::Tensor chosen = chosenOf(entry, name);
            COMPARE_NEAR(logits.logProbabilityOf(chosen), tensorOf(head.at("logprob")), kForward);
            COMPARE_NEAR(logits.entropy(), tensorOf(head.at("entropy")), kForward);
            const at::Tensor due = tensorOf(head.at("normalized_logits"));
            if (!frames.offers[i].candidates.defined()) {
                COMPARE_NEAR(logits.logProbabilities, due, kForward);
                continue;
            }
            // There padded by frames, actors and candidates.
            for (std::size_t frame = 0; frame + 1 < frames.offers[i].actorBegin.size(); ++frame)
                for (std::int64_t a = frames.offers[i].actorBegin[frame];
                     a < frames.offers[i].actorBegin[frame + 1]; ++a) {
                    const at::Tensor row = logits.logProbabilities[a],
                                     theirs = due[static_cast<std::int64_t>(frame)]
                                                 [a - frames.offers[i].actorBegin[frame]];
                    for (std::int64_t c = 0; c < row.size(0); ++c)
                        if (std::isfinite(row[c].item<float>()))
                            COMPARE_NEAR(row[c], theirs[c], kForward);
                }
        }
    }

    static void checkGradients(const json& entry, const RogueNet& net, const NetOutput& out) {
        at::Tensor loss = out.value.square().sum();
        for (std::size_t i = 0; i < out.actions.size(); ++i) {
            const at::Tensor chosen = chosenOf(entry, net.inputs().layout.actions[i].name);
            loss = loss + out.actions[i].logProbabilityOf(chosen).sum() +
                   0.3 * out.actions[i].entropy().sum();
        }
        const json& expect = entry.at("expect");
        QVERIFY(std::abs(loss.item<double>() - expect.at("loss").get<double>()) <=
                kForward * std::max(1.0, std::abs(expect.at("loss").get<double>())));
        loss.backward();
        for (const NetParameter& parameter : net.parameters()) {
            if (!expect.at("grads").contains(parameter.name)) continue;
            const at::Tensor gradient = parameter.tensor.grad();
            QVERIFY2(gradient.defined(), parameter.name.c_str());
            const double error = errorOf(gradient, tensorOf(expect.at("grads").at(parameter.name)));
            QVERIFY2(error <= kGradients,
                     qPrintable(QStringLiteral("%1: %2")
                                    .arg(QString::fromStdString(parameter.name))
                                    .arg(error)));
        }
    }
};

ORRERY_TEST(RogueNetTest)
#include "rogue_net_test.moc"
