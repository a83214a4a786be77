#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/entity/entity_game.h"
#include "core/entity/files/numpy_array.h"
#include "core/entity/files/sample_file.h"

namespace orrery {

namespace {

using Kind = MsgpackValue::Kind;

constexpr std::int64_t kAnyWidth = -1;

[[noreturn]] void refuseSample(const std::string& where, const std::string& why) {
    throw badInput("'" + escaped(where, 120) + "' " + why);
}

const MsgpackValue& needed(const MsgpackValue& value, std::string_view name, Kind kind,
                           const std::string& where) {
    const MsgpackValue* member = value.find(name);
    const std::string place = (where.empty() ? "" : where + '.') + std::string(name);
    if (member == nullptr) refuseSample(place, "is missing");
    if (member->kind != kind) refuseSample(place, "is of another kind than it should be");
    return *member;
}

std::string textOf(const MsgpackValue& value, const std::string& where) {
    if (value.kind != Kind::Text || value.bytes.empty())
        refuseSample(where, "should be a text that is not empty");
    return std::string(value.bytes);
}

/// The members of an object of this class. @param name  its class; empty: is told
const MsgpackValue& objectIn(const MsgpackValue& value, std::string& name,
                             const std::string& where) {
    const std::string found(needed(value, "__classname__", Kind::Text, where).bytes);
    if (!name.empty() && found != name)
        refuseSample(where, "is a " + escaped(found, 60) + " and should be a " + name);
    name = found;
    return needed(value, "data", Kind::Map, where);
}

const MsgpackValue& objectOf(const MsgpackValue& value, std::string name,
                             const std::string& where) {
    return objectIn(value, name, where);
}

std::vector<std::string> textsOf(const MsgpackValue& list, const std::string& where) {
    std::vector<std::string> texts;
    texts.reserve(list.elements.size());
    for (const MsgpackValue& element : list.elements) texts.push_back(textOf(element, where));
    return texts;
}

ActionSpace actionOf(std::string name, const MsgpackValue& value) {
    const std::string where = "act_space." + name;
    std::string kind;
    const MsgpackValue& data = objectIn(value, kind, where);
    if (kind == "SelectEntityActionSpace") return selectionOf(std::move(name));
    if (kind != "CategoricalActionSpace" && kind != "GlobalCategoricalActionSpace")
        refuseSample(where, "is no action that is known here: " + escaped(kind, 60));
    std::vector<std::string> labels =
        textsOf(needed(data, "index_to_label", Kind::Array, where), where + ".index_to_label");
    return kind == "CategoricalActionSpace" ? choiceOf(std::move(name), std::move(labels))
                                            : globalChoiceOf(std::move(name), std::move(labels));
}

template <class T>
RaggedBuffer<T> raggedIn(const MsgpackValue& value, std::int64_t features,
                         const std::string& where) {
    if (value.kind != Kind::Map) refuseSample(where, "should be a ragged array");
    const NumpyArray cells =
        numpyArrayIn(needed(value, "__flattened__", Kind::Map, where), where + ".__flattened__");
    const std::vector<std::int64_t> lengths = numbersOf<std::int64_t>(
        numpyArrayIn(needed(value, "__lengths__", Kind::Map, where), where + ".__lengths__"),
        where + ".__lengths__");
    if (features == kAnyWidth && cells.shape.size() == 2) features = cells.shape[1];
    if (cells.shape.size() != 2 || cells.shape[1] != features)
        refuseSample(where, "should have " + std::to_string(features) + " columns");
    std::int64_t items = 0;
    for (const std::int64_t length : lengths) {
        if (length < 0 || length > cells.shape[0] - items)
            refuseSample(where, "has lengths that do not fit its rows");
        items += length;
    }
    if (items != cells.shape[0]) refuseSample(where, "has lengths that do not fit its rows");
    return RaggedBuffer<T>::fromFlattened(numbersOf<RaggedCell<T>>(cells, where), features,
                                          lengths);
}

void requireNames(const MsgpackValue& map, const std::vector<std::string>& known,
                  const std::string& where) {
    std::set<std::string, std::less<>> seen;
    for (std::size_t i = 0; i < map.members(); ++i) {
        const std::string name = textOf(map.key(i), where);
        const bool isKnown = std::ranges::find(known, name) != known.end();
        if (isKnown && seen.insert(name).second) continue;
        std::string place = where;
        place.append(1, '.').append(name);
        refuseSample(place, isKnown ? "is there twice" : "is not in the head");
    }
}

std::vector<std::int64_t> wholeNumbersIn(const MsgpackValue& map, std::string_view name) {
    const MsgpackValue& list = needed(map, name, Kind::Array, "");
    std::vector<std::int64_t> numbers;
    numbers.reserve(list.elements.size());
    for (const MsgpackValue& value : list.elements) {
        if (value.kind != Kind::Integer || value.integer < 0)
            refuseSample(std::string(name), "should be a list of whole numbers >= 0");
        numbers.push_back(value.integer);
    }
    return numbers;
}

/// Reads one sample against the head's layout.
class SampleUnpacker {
public:
    SampleUnpacker(const EntityLayout& layout, const MsgpackValue& root)
        : m_layout(layout), m_root(root), m_sample(layout) {
        for (const auto& type : layout.types) m_types.push_back(type.name);
        for (const ActionSpace& action : layout.actions) m_actions.push_back(action.name);
    }

    Sample read() {
        if (m_root.kind != Kind::Map) throw badInput("it is no map");
        const MsgpackValue& frames =
            objectOf(needed(m_root, "obs", Kind::Map, ""), "VecObs", "obs");
        readRewards(frames);
        readThings(frames);
        readOffers(needed(frames, "action_masks", Kind::Map, "obs"));
        m_sample.step = wholeNumbers("step");
        m_sample.episode = wholeNumbers("episode");
        readChosen(needed(m_root, "actions", Kind::Map, ""));
        readNumbers("probs", m_sample.logProbabilities, true);
        readNumbers("logits", m_sample.logits, false);
        return std::move(m_sample);
    }

private:
    std::int64_t frames() const { return m_sample.frames.frames(); }

    template <class T>
    std::vector<T> perFrame(const MsgpackValue& map, std::string_view name) const {
        const std::string where = "obs." + std::string(name);
        const NumpyArray array = numpyArrayIn(needed(map, name, Kind::Map, "obs"), where);
        if (array.shape.size() != 1) refuseSample(where, "should have one dimension");
        return numbersOf<T>(array, where);
    }

    void readRewards(const MsgpackValue& map) {
        VecObs& out = m_sample.frames;
        out.reward = perFrame<float>(map, "reward");
        out.done = perFrame<std::uint8_t>(map, "done");
        if (out.done.size() != out.reward.size())
            refuseSample("obs.done", "has another length than the rewards");
        out.truncated.assign(out.reward.size(), 0);
    }

    template <class T>
    RaggedBuffer<T> ofFrames(const MsgpackValue& value, std::int64_t features,
                             const std::string& where) const {
        RaggedBuffer<T> buffer = raggedIn<T>(value, features, where);
        if (buffer.size0() != frames())
            refuseSample(where, "has " + std::to_string(buffer.size0()) + " sequences for " +
                                    std::to_string(frames()) + " frames");
        return buffer;
    }

    void readThings(const MsgpackValue& map) {
        const MsgpackValue& features = needed(map, "features", Kind::Map, "obs");
        const MsgpackValue& visible = needed(map, "visible", Kind::Map, "obs");
        requireNames(features, m_types, "obs.features");
        requireNames(visible, m_types, "obs.visible");
        for (std::size_t i = 0; i < m_types.size(); ++i) {
            RaggedBuffer<float>& things = m_sample.frames.things[i];
            const std::string where = "obs.features." + m_types[i];
            if (const MsgpackValue* value = features.find(m_types[i]))
                things = ofFrames<float>(*value, things.size2(), where);
            else
                for (std::int64_t k = 0; k < frames(); ++k) things.pushEmpty();
            if (!std::ranges::all_of(things.flat(), [](float x) { return std::isfinite(x); }))
                refuseSample(where, "has a number that is not finite");
            const bool isGame = m_layout.hasGlobal && i + 1 == m_types.size();
            if (isGame && things.items() != frames())
                refuseSample(where, "should have one row a frame");
            if (const MsgpackValue* value = visible.find(m_types[i])) {
                const std::string place = "obs.visible." + m_types[i];
                if (isGame) refuseSample(place, "cannot be hidden");
                m_sample.frames.visible[i] = ofFrames<bool>(*value, 1, place);
                requireLengths(m_sample.frames.visible[i], things.lengths(), place);
            }
        }
    }

    template <class T>
    static void requireLengths(const RaggedBuffer<T>& buffer,
                               const std::vector<std::int64_t>& lengths, const std::string& where) {
        if (buffer.lengths() != lengths)
            refuseSample(where, "has other lengths than what it belongs to");
    }

    /// Indices of things of their frames.
    RaggedBuffer<std::int64_t> indicesIn(const MsgpackValue& value,
                                         const std::string& where) const {
        RaggedBuffer<std::int64_t> indices = ofFrames<std::int64_t>(value, 1, where);
        for (std::int64_t frame = 0; frame < frames(); ++frame) {
            const std::int64_t things = m_sample.frames.numThings(frame);
            for (const std::int64_t index : indices.sequence(frame))
                if (index < 0 || index >= things)
                    refuseSample(where, "names thing " + std::to_string(index) + " of " +
                                            std::to_string(things));
        }
        return indices;
    }

    void readOffers(const MsgpackValue& masks) {
        requireNames(masks, m_actions, "obs.action_masks");
        for (std::size_t i = 0; i < m_actions.size(); ++i) {
            VecObs::Offer& offer = m_sample.frames.offers[i];
            const std::string where = "obs.action_masks." + m_actions[i];
            const MsgpackValue* value = masks.find(m_actions[i]);
            if (value == nullptr) refuseSample(where, "is missing");
            const MsgpackValue& data = objectOf(
                *value,
                offer.isSelection ? "VecSelectEntityActionMask" : "VecCategoricalActionMask",
                where);
            offer.actors = indicesIn(needed(data, "actors", Kind::Map, where), where + ".actors");
            if (offer.isSelection)
                offer.candidates =
                    indicesIn(needed(data, "actees", Kind::Map, where), where + ".actees");
            const MsgpackValue* mask = data.find("mask");
            if (mask == nullptr || mask->kind == Kind::Nil) continue;
            offer.allowed = ofFrames<bool>(*mask, offer.allowed.size2(), where + ".mask");
            requireLengths(offer.allowed, offer.numRows(), where + ".mask");
        }
    }

    std::vector<std::int64_t> wholeNumbers(std::string_view name) const {
        const std::string where(name);
        std::vector<std::int64_t> numbers = wholeNumbersIn(m_root, name);
        if (std::ssize(numbers) != frames()) refuseSample(where, "should have a number a frame");
        return numbers;
    }

    /// Options of an action in a frame.
    std::int64_t optionsOf(std::size_t action, std::int64_t frame) const {
        const VecObs::Offer& offer = m_sample.frames.offers[action];
        return offer.isSelection ? offer.candidates.size1(frame)
                                 : std::ssize(m_layout.actions[action].choices);
    }

    void readChosen(const MsgpackValue& actions) {
        requireNames(actions, m_actions, "actions");
        for (std::size_t i = 0; i < m_actions.size(); ++i) {
            const std::string where = "actions." + m_actions[i];
            const MsgpackValue* value = actions.find(m_actions[i]);
            if (value == nullptr) refuseSample(where, "is missing");
            m_sample.chosen[i] = ofFrames<std::int64_t>(*value, 1, where);
            requireLengths(m_sample.chosen[i], m_sample.frames.offers[i].actors.lengths(), where);
            for (std::int64_t frame = 0; frame < frames(); ++frame)
                for (const std::int64_t choice : m_sample.chosen[i].sequence(frame))
                    if (choice < -1 || choice >= optionsOf(i, frame))
                        refuseSample(where, "has choice " + std::to_string(choice) + " of " +
                                                std::to_string(optionsOf(i, frame)));
        }
    }

    void readNumbers(const std::string& name, std::vector<RaggedBuffer<float>>& out,
                     bool isOfChoice) const {
        const MsgpackValue* map = m_root.find(name);
        if (map == nullptr || map->kind == Kind::Nil) return;
        if (map->kind != Kind::Map) refuseSample(name, "should be a map by action");
        requireNames(*map, m_actions, name);
        if (map->members() == 0) return;
        for (std::size_t i = 0; i < m_actions.size(); ++i) {
            const std::string where = name + '.' + m_actions[i];
            const MsgpackValue* value = map->find(m_actions[i]);
            if (value == nullptr) refuseSample(where, "is missing");
            out.push_back(ofFrames<float>(*value, isOfChoice ? 1 : kAnyWidth, where));
            for (std::int64_t frame = 0; !isOfChoice && frame < frames(); ++frame)
                requireWidth(i, out.back().size2(), optionsOf(i, frame), where);
            requireLengths(out.back(), m_sample.chosen[i].lengths(), where);
            if (std::ranges::any_of(out.back().flat(), [](float x) { return !(x <= 1e-3F); }))
                refuseSample(where, "has a logarithm that is no probability's");
        }
    }

    /// Selections are as wide as the most candidates of more frames than are kept, perhaps.
    void requireWidth(std::size_t action, std::int64_t width, std::int64_t options,
                      const std::string& where) const {
        const bool isRight =
            m_sample.frames.offers[action].isSelection ? width >= options : width == options;
        if (!isRight)
            refuseSample(where, "has " + std::to_string(width) + " columns for " +
                                    std::to_string(options) + " options");
    }

    const EntityLayout& m_layout;
    const MsgpackValue& m_root;
    Sample m_sample;
    std::vector<std::string> m_types, m_actions;
};

}  // namespace

SampleHead unpackSampleHead(std::string_view bytes) {
    const MsgpackValue root = readMsgpack(bytes);
    if (root.kind != Kind::Map) throw badInput("it is no map");
    SampleHead head;
    const MsgpackValue& seen =
        objectOf(needed(root, "obs_space", Kind::Map, ""), "ObsSpace", "obs_space");
    const MsgpackValue& entities = needed(seen, "entities", Kind::Map, "obs_space");
    for (std::size_t i = 0; i < entities.members(); ++i) {
        const std::string name = textOf(entities.key(i), "obs_space.entities"),
                          where = "obs_space.entities." + name;
        const MsgpackValue& data = objectOf(entities.value(i), "Entity", where);
        head.spaces.observations.push_back(thingsOf(
            name, textsOf(needed(data, "features", Kind::Array, where), where + ".features")));
    }
    std::vector<std::string> globals = textsOf(
        needed(seen, "global_features", Kind::Array, "obs_space"), "obs_space.global_features");
    if (!globals.empty()) head.spaces.observations.push_back(globalsOf(std::move(globals)));
    const MsgpackValue& actions = needed(root, "act_space", Kind::Map, "");
    for (std::size_t i = 0; i < actions.members(); ++i)
        head.spaces.actions.push_back(
            actionOf(textOf(actions.key(i), "act_space"), actions.value(i)));
    head.subsample = needed(root, "subsample", Kind::Integer, "").integer;
    if (head.subsample < 1) refuseSample("subsample", "must be >= 1");
    const std::vector<std::string> problems = problemsOf(head.spaces);
    if (!problems.empty()) throw badInput(problems.front());
    return head;
}

std::vector<std::int64_t> unpackEpisodes(std::string_view bytes) {
    const MsgpackValue root = readMsgpack(bytes);
    if (root.kind != Kind::Map) throw badInput("it is no map");
    return wholeNumbersIn(root, "episode");
}

Sample unpackSample(const EntityLayout& layout, std::string_view bytes) {
    const MsgpackValue root = readMsgpack(bytes);
    return SampleUnpacker(layout, root).read();
}

}  // namespace orrery
