#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <QTest>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "core/entity/entity_game.h"
#include "core/entity/net/rogue_net.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

constexpr double kPi = std::numbers::pi;

/// A has a place and a direction as a vector, and as an angle; B has a place; the game has a place,
/// too, so that all types have it. The game acts.
EnvironmentSpaces spacesOf(bool hasGlobal, int dimensions) {
    std::vector<std::string> place{"x", "y", "z"};
    place.resize(static_cast<std::size_t>(dimensions));
    std::vector<std::string> turned = place;
    for (const char* feature : {"dx", "dy", "angle"}) turned.emplace_back(feature);
    EnvironmentSpaces spaces{.observations = {thingsOf("A", turned), thingsOf("B", place)},
                             .actions = {choiceOf("move", {"n", "e", "s"})}};
    if (hasGlobal) {
        spaces.observations.push_back(globalsOf({"t", "x", "y"}));
        spaces.actions.push_back(globalChoiceOf("say", {"yes", "no", "well"}));
    }
    return spaces;
}

struct Thing {
    std::size_t type;  // of the layout
    std::vector<double> features;
    bool isVisible;
};
using Frame = std::vector<Thing>;

/// The net by loops over pairs of things, from what the specification says of each.
class ByLoops {
public:
    ByLoops(const RogueNet& net, const RogueNetSpec& spec, Frame frame)
        : m_net(net), m_spec(spec), m_frame(std::move(frame)), m_before(m_frame) {}

    at::Tensor embeddings() {
        const at::NoGradGuard off;
        if (m_spec.translation) translate(*m_spec.translation);
        std::vector<at::Tensor> rows;
        for (const Thing& thing : m_frame) rows.push_back(embedded(thing));
        at::Tensor x = at::stack(rows);
        for (std::int64_t layer = 0; layer < m_spec.nLayer; ++layer) x = block(layer, x);
        return x;
    }

    at::Tensor parameter(const std::string& name) const {
        for (const auto& list : {m_net.parameters(), m_net.buffers()})
            for (const NetParameter& each : list)
                if (each.name == name) return each.tensor.detach();
        qFatal("no parameter %s", name.c_str());
    }

private:
    const std::vector<std::string>& namesOf(const Thing& thing) const {
        return m_net.inputs().types[thing.type].features;
    }
    double feature(const Thing& thing, const std::string& name, double otherwise = 0) const {
        const auto& names = namesOf(thing);
        const auto found = std::ranges::find(names, name);
        return found == names.end()
                   ? otherwise
                   : thing.features[static_cast<std::size_t>(found - names.begin())];
    }
    void setFeature(Thing& thing, const std::string& name, double value) const {
        const auto& names = namesOf(thing);
        const auto found = std::ranges::find(names, name);
        if (found != names.end())
            thing.features[static_cast<std::size_t>(found - names.begin())] = value;
    }
    template <class Spec>
    double directionOf(const Thing& thing, const Spec& spec) const {
        if (spec.rotationAngleFeature) return feature(thing, *spec.rotationAngleFeature);
        if (spec.rotationVecFeatures.size() == 2)
            return std::atan2(feature(thing, spec.rotationVecFeatures[1]),
                              feature(thing, spec.rotationVecFeatures[0]));
        return 0;
    }
    const Thing& reference() const {
        for (const Thing& thing : m_before)
            if (m_net.inputs().types[thing.type].name == m_spec.translation->referenceEntity)
                return thing;
        qFatal("no reference");
    }

    void translate(const TranslationSpec& spec) {
        const Thing& from = reference();
        const double angle = directionOf(from, spec);
        for (Thing& thing : m_frame) {
            if (thing.type == from.type) continue;
            if (spec.addDistFeature) thing.features.push_back(0);
            const double x = feature(thing, "x") - feature(from, "x"),
                         y = feature(thing, "y") - feature(from, "y");
            const double turnedX = std::cos(angle) * x + std::sin(angle) * y,
                         turnedY = -std::sin(angle) * x + std::cos(angle) * y;
            setFeature(thing, "x", turnedX);
            setFeature(thing, "y", turnedY);
            if (spec.addDistFeature) thing.features.back() = std::hypot(x, y);
        }
    }

    at::Tensor embedded(const Thing& thing) const {
        const std::string name = "embedding.embeddings." + m_net.inputs().types[thing.type].name;
        std::vector<float> features;
        for (const double each : thing.features)
            features.push_back(static_cast<float>(std::clamp(each, -5.0, 5.0)));
        const at::Tensor x = at::relu(at::linear(
            at::tensor(features), parameter(name + ".1.weight"), parameter(name + ".1.bias")));
        return at::layer_norm(x, {m_spec.dModel}, parameter(name + ".3.weight"),
                              parameter(name + ".3.bias"));
    }

    /// What lies between two things, as attention sees it.
    std::vector<double> between(std::size_t i, std::size_t j) const {
        const auto place = [&](std::size_t k, const std::string& name) {
            const bool isReference = m_spec.translation && m_frame[k].type == reference().type;
            return isReference ? 0 : feature(m_frame[k], name);
        };
        std::vector<double> relative;
        for (const std::string& name : m_spec.relpos->positionFeatures)
            relative.push_back(place(i, name) - place(j, name));
        return relative;
    }

    std::int64_t placeOf(std::size_t i, std::size_t j) const {
        const RelposSpec& spec = *m_spec.relpos;
        const std::vector<double> relative = between(i, j);
        std::int64_t place = 0, stride = 1;
        if (spec.radial || spec.distance) {
            double length = 0;
            for (const double each : relative) length += each * each;
            if (spec.radial) {
                const double turned =
                    m_spec.translation ? directionOf(reference(), *m_spec.translation) : 0;
                const bool hasDirection = m_net.inputs().types[m_frame[i].type].name == "A";
                const double direction = hasDirection ? directionOf(m_frame[i], spec) - turned : 0;
                const auto n = static_cast<double>(spec.extent[0]);
                const double at = std::fmod(
                    (std::atan2(relative[1], relative[0]) - direction + 4 * kPi) / (2 * kPi) * n,
                    n);
                place = static_cast<std::int64_t>(at) % spec.extent[0];
                stride = spec.extent[0];
            }
            if (spec.distance)
                place +=
                    stride * std::min(static_cast<std::int64_t>(std::sqrt(length) / spec.scale),
                                      spec.extent.back() - 1);
            return place;
        }
        double sum = 0;
        for (std::size_t d = 0; d < relative.size(); ++d) {
            const auto extent = static_cast<double>(spec.extent[d]);
            sum += (std::clamp(relative[d] / spec.scale, -extent, extent) + extent) *
                   static_cast<double>(stride);
            stride *= 2 * spec.extent[d] + 1;
        }
        return static_cast<std::int64_t>(std::nearbyint(sum));
    }

    /// A row of a table, and what a projection adds. @param side  "keys", "values"
    at::Tensor relativeOf(const char* side, std::size_t i, std::size_t j) const {
        const RelposSpec& spec = *m_spec.relpos;
        const std::string name = "backbone.relpos_encoding.";
        const bool isKey = std::string(side) == "keys";
        const auto type = static_cast<std::int64_t>(m_frame[j].type);
        std::int64_t row = placeOf(i, j);
        if (!isKey && spec.perEntityValues) row += type * spec.places();
        at::Tensor sum = parameter(name + side + ".weight")[row].clone();
        if (isKey ? !spec.keyProjection : !spec.valueProjection) return sum;
        std::vector<float> features;
        double length = 0;
        for (const double each : between(i, j)) {
            features.push_back(static_cast<float>(std::clamp(each, -5.0, 5.0)));
            length += each * each;
        }
        features.push_back(static_cast<float>(std::min(std::sqrt(length), 5.0)));
        at::Tensor weight = parameter(name + (isKey ? "kproj" : "vproj") + ".weight"),
                   bias = parameter(name + (isKey ? "kproj" : "vproj") + ".bias");
        if (spec.perEntityProjections) {
            weight = weight[type];
            bias = bias[type];
        }
        return sum + at::linear(at::tensor(features), weight, bias);
    }

    at::Tensor attention(const std::string& name, const at::Tensor& normal) const {
        const auto linear = [&](const char* part) {
            return at::linear(normal, parameter(name + part + std::string(".weight")),
                              parameter(name + part + std::string(".bias")));
        };
        const at::Tensor q = linear("query"), k = linear("key"), v = linear("value");
        const auto things = static_cast<std::int64_t>(m_frame.size());
        const std::int64_t head = m_spec.dModel / m_spec.nHead;
        at::Tensor out = at::zeros_like(q);
        at::Tensor gate;
        if (m_spec.relpos)
            gate = at::relu(at::linear(normal,
                                       parameter("backbone.relpos_encoding.value_gate_proj.weight"),
                                       parameter("backbone.relpos_encoding.value_gate_proj.bias")));
        for (std::int64_t h = 0; h < m_spec.nHead; ++h)
            for (std::int64_t i = 0; i < things; ++i) {
                const auto own = static_cast<std::size_t>(i);
                const at::Tensor query = q[i].narrow(0, h * head, head);
                std::vector<float> scores;
                for (std::int64_t j = 0; j < things; ++j) {
                    const auto other = static_cast<std::size_t>(j);
                    at::Tensor key = k[j].narrow(0, h * head, head);
                    if (m_spec.relpos) key = key + relativeOf("keys", own, other);
                    const bool isHidden = m_frame[own].isVisible && !m_frame[other].isVisible;
                    scores.push_back(isHidden ? -1e9F
                                              : (query * key).sum().item<float>() /
                                                    std::sqrt(static_cast<float>(head)));
                }
                const at::Tensor share = at::softmax(at::tensor(scores), 0);
                for (std::int64_t j = 0; j < things; ++j) {
                    at::Tensor value = v[j].narrow(0, h * head, head);
                    if (m_spec.relpos)
                        value = value +
                                relativeOf("values", own, static_cast<std::size_t>(j)) * gate[j];
                    out[i].narrow(0, h * head, head) += share[j] * value;
                }
            }
        return out;
    }

    at::Tensor block(std::int64_t layer, const at::Tensor& x) const {
        const std::string name = "backbone.blocks." + std::to_string(layer) + '.';
        const auto norm = [&](const char* part, const at::Tensor& of) {
            return at::layer_norm(of, {m_spec.dModel}, parameter(name + part + ".weight"),
                                  parameter(name + part + ".bias"));
        };
        const auto linear = [&](const std::string& part, const at::Tensor& of) {
            return at::linear(of, parameter(name + part + ".weight"),
                              parameter(name + part + ".bias"));
        };
        const at::Tensor middle =
            x + linear("attn.proj", attention(name + "attn.", norm("ln1", x)));
        return middle + linear("mlp.2", at::gelu(linear("mlp.0", norm("ln2", middle))));
    }

    const RogueNet& m_net;
    RogueNetSpec m_spec;
    Frame m_frame;
    const Frame m_before;
};

/// Frames of one A each and so many Bs.
std::vector<Observation> framesOf(const EnvironmentSpaces& spaces, int dimensions,
                                  const std::vector<int>& numBs, bool hidesSome) {
    Rng rng(11);
    std::vector<Observation> frames;
    for (const int bs : numBs) {
        Observation frame;
        FrameWriter out(spaces, frame);
        const auto draw = [&] { return static_cast<float>(4 * rng.uniform() - 2); };
        std::span<float> a = out.things(0, 1);
        for (float& number : a) number = draw();
        a[static_cast<std::size_t>(dimensions) + 2] = static_cast<float>(2 * kPi * rng.uniform());
        for (float& number : out.things(1, bs)) number = draw();
        if (hidesSome && bs > 0) {
            const std::span<std::uint8_t> visible = out.visible(1);
            std::ranges::fill(visible, 1);
            visible[0] = 0;
        }
        out.addActors(0, 0, 1);
        if (spaces.observations.size() > 2) {
            for (float& number : out.array(2)) number = draw();
            const std::span<std::uint8_t> allowed = out.allowed(1);
            allowed[0] = allowed[2] = 1;
            allowed[1] = 0;
        }
        frames.push_back(frame);
    }
    return frames;
}

}  // namespace

class NetCasesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void netsAreWhatLoopsOverThingsSay_data() {
        QTest::addColumn<int>("which");
        const char* const names[] = {"projections by type",
                                     "seen from A, turned by a vector",
                                     "seen from A, positions",
                                     "seen from A, globals, distance",
                                     "angles and distances",
                                     "hidden things, positions",
                                     "three dimensions",
                                     "a game that acts",
                                     "seen from A, turned by an angle, with angles"};
        for (int i = 0; i < static_cast<int>(std::size(names)); ++i) QTest::newRow(names[i]) << i;
    }
    void netsAreWhatLoopsOverThingsSay() {
        QFETCH(const int, which);
        RogueNetSpec spec{.dModel = 8, .nLayer = 2, .nHead = 2};
        const RelposSpec cells{.extent = {2, 2}, .positionFeatures = {"x", "y"}};
        const TranslationSpec fromA{.referenceEntity = "A", .positionFeatures = {"x", "y"}};
        int dimensions = 2;
        bool hasGlobal = false, hidesSome = false;
        switch (which) {
            case 0:
                spec.relpos = cells;
                spec.relpos->perEntityValues = spec.relpos->keyProjection =
                    spec.relpos->valueProjection = spec.relpos->perEntityProjections = true;
                break;
            case 1:
                spec.translation = fromA;
                spec.translation->rotationVecFeatures = {"dx", "dy"};
                break;
            case 2:
                spec.translation = fromA;
                spec.relpos = cells;
                break;
            case 3:
                spec.translation = fromA;
                spec.translation->addDistFeature = true;
                hasGlobal = true;
                break;
            case 4:
                spec.relpos = RelposSpec{.extent = {6, 3},
                                         .positionFeatures = {"x", "y"},
                                         .scale = 0.7,
                                         .radial = true,
                                         .distance = true,
                                         .rotationVecFeatures = {"dx", "dy"}};
                break;
            case 5:
                spec.relpos = cells;
                hidesSome = true;
                break;
            case 6:
                dimensions = 3;
                spec.relpos = RelposSpec{.extent = {1, 2, 1}, .positionFeatures = {"x", "y", "z"}};
                break;
            case 7:
                hasGlobal = true;
                spec.relpos = cells;
                break;
            default:
                spec.translation = fromA;
                spec.translation->rotationAngleFeature = "angle";
                spec.relpos = RelposSpec{.extent = {5},
                                         .positionFeatures = {"x", "y"},
                                         .radial = true,
                                         .rotationAngleFeature = "angle"};
        }
        const EnvironmentSpaces spaces = spacesOf(hasGlobal, dimensions);
        const EntityLayout layout = entityLayoutOf(spaces);
        const RogueNet net(spec, layout, 7);
        const std::vector<Observation> seen = framesOf(spaces, dimensions, {2, 0, 4, 1}, hidesSome);
        VecObs batch(layout);
        batch.take(layout, seen);
        const NetFrames frames = netFramesOf(net.inputs(), batch);
        const NetOutput out = net.forward(frames);
        std::int64_t row = 0;
        for (const Observation& each : seen) {
            const std::vector<Thing> things = thingsOfFrame(layout, each);
            ByLoops loops(net, spec, things);
            const at::Tensor due = loops.embeddings();
            const at::Tensor ours = out.embeddings.narrow(0, row, due.size(0)).detach();
            QVERIFY2(at::allclose(ours, due, 1e-4, 2e-5),
                     qPrintable(QString::number((ours - due).abs().max().item<double>())));
            if (hasGlobal) checkSay(loops, due, out.actions[1], row == 0 ? 0 : m_frame);
            row += due.size(0);
            ++m_frame;
        }
        QCOMPARE(row, out.embeddings.size(0));
        m_frame = 0;
    }

private:
    std::int64_t m_frame = 0;

    /// Own features, then those of the game.
    static std::vector<Thing> thingsOfFrame(const EntityLayout& layout, const Observation& seen) {
        std::vector<Thing> things;
        std::vector<double> globals;
        for (const std::size_t part : layout.globals)
            globals.insert(globals.end(), seen.parts[part].values.begin(),
                           seen.parts[part].values.end());
        for (std::size_t type = 0; type < layout.numTypes(); ++type) {
            const ObservedPart& part = seen.parts[layout.types[type].part];
            const std::size_t width = layout.types[type].features.size();
            for (std::size_t k = 0; k * width < part.values.size(); ++k) {
                std::vector<double> features(
                    part.values.begin() + static_cast<std::ptrdiff_t>(k * width),
                    part.values.begin() + static_cast<std::ptrdiff_t>((k + 1) * width));
                features.insert(features.end(), globals.begin(), globals.end());
                things.push_back(
                    {type, std::move(features), part.visible.empty() || part.visible[k] != 0});
            }
        }
        if (layout.hasGlobal) things.push_back({layout.types.size() - 1, globals, true});
        return things;
    }

    /// The game's own thing is the last one; "no" is not allowed.
    static void checkSay(const ByLoops& loops, const at::Tensor& embeddings,
                         const ActionLogits& logits, std::int64_t frame) {
        const at::Tensor scores = at::linear(embeddings[embeddings.size(0) - 1],
                                             loops.parameter("action_heads.say.proj.weight"),
                                             loops.parameter("action_heads.say.proj.bias"));
        const at::Tensor due = at::log_softmax(at::stack({scores[0], scores[2]}), 0);
        const at::Tensor ours = logits.logProbabilities[frame].detach();
        QVERIFY(std::abs(ours[0].item<double>() - due[0].item<double>()) < 1e-5);
        QVERIFY(std::abs(ours[2].item<double>() - due[1].item<double>()) < 1e-5);
        QVERIFY(std::isinf(ours[1].item<double>()));
    }
};

ORRERY_TEST(NetCasesTest)
#include "net_cases_test.moc"
