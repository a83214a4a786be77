#include "core/env/frame_json.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/base/text.h"

namespace orrery {

namespace {

using nlohmann::json;

constexpr std::size_t kShownBytes = 60, kShownNames = 200;
constexpr int kMostNesting = 64;

std::string shown(const json& value) {
    return escaped(value.dump(-1, ' ', false, json::error_handler_t::replace), kShownBytes);
}

/// What is wrong, found while a frame is read.
struct Problem {
    std::string text;
};

[[noreturn]] void refuse(const std::string& where, const std::string& what) {
    throw Problem{where + ": " + what};
}

/// A field of a type or an action, which becomes a text only where something is wrong.
class Place {
public:
    Place(const char* field, const std::string& name, const char* below = "")
        : m_field(field), m_name(name), m_below(below) {}

    Place at(std::int64_t index) const {
        Place place = *this;
        place.m_index = index;
        return place;
    }
    operator std::string() const {  // NOLINT(google-explicit-constructor): of what is told
        std::string text = std::string(m_field) + '.' + escaped(m_name, kShownBytes) + m_below;
        if (m_index >= 0) text += '[' + std::to_string(m_index) + ']';
        return text;
    }

private:
    const char* m_field;
    const std::string& m_name;
    const char* m_below;
    std::int64_t m_index = -1;
};

[[noreturn]] void refuse(const Place& where, const std::string& what) {
    refuse(std::string(where), what);
}

const json& member(const json& object, const char* name) {
    static const json kNothing;
    const auto found = object.find(name);
    return found == object.end() ? kNothing : *found;
}

/// An object, or nothing at all.
const json& objectAt(const json& frame, const char* name, const std::string& where) {
    static const json kEmpty = json::object();
    const json& value = member(frame, name);
    if (value.is_null()) return kEmpty;
    if (!value.is_object()) refuse(where, "must be an object, got " + shown(value));
    return value;
}

template <class Where>
const json& listAt(const json& value, const Where& where) {
    if (!value.is_array()) refuse(where, "must be a list, got " + shown(value));
    return value;
}

template <class Where>
float numberAt(const json& value, const Where& where) {
    if (value.is_boolean()) return value.get<bool>() ? 1.F : 0.F;
    if (!value.is_number()) refuse(where, "must be a number, got " + shown(value));
    const auto number = value.get<float>();
    if (!std::isfinite(number)) refuse(where, "must be finite, got " + shown(value));
    return number;
}

template <class Where>
std::uint8_t truthAt(const json& value, const Where& where) {
    if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
    if (value.is_number_integer() && (value == 0 || value == 1))
        return static_cast<std::uint8_t>(value.get<int>());
    refuse(where, "must be true or false, got " + shown(value));
}

/// What tells names of things apart: their JSON, or the same in short.
void appendKey(const json& id, std::string& key) {
    if (id.is_string()) {
        // Their length keeps texts apart from what stands beside them.
        const std::string& text = id.get_ref<const std::string&>();
        key += '"' + std::to_string(text.size()) + '"';
        key += text;
    } else if (id.is_number_unsigned()) {
        key += std::to_string(id.get<std::uint64_t>());
    } else if (id.is_number_integer()) {
        key += std::to_string(id.get<std::int64_t>());
    } else if (id.is_array()) {
        key += '[';
        for (const json& each : id) {
            appendKey(each, key);
            key += ',';
        }
        key += ']';
    } else {
        key += id.dump(-1, ' ', false, json::error_handler_t::replace);
    }
}

std::string keyOf(const json& id) {
    std::string key;
    appendKey(id, key);
    return key;
}

class FrameReader {
public:
    FrameReader(const EnvironmentSpaces& spaces, const json& frame, Observation& out)
        : m_spaces(spaces), m_frame(frame), m_out(out) {}

    void read() {
        if (!m_frame.is_object()) refuse("observation", "must be an object, got " + shown(m_frame));
        m_out.parts.resize(m_spaces.observations.size());
        m_out.offers.resize(m_spaces.actions.size());
        readThings();
        readIds();
        readVisible();
        readActions();
    }

private:
    std::int64_t count(std::size_t type) const { return m_out.parts[type].begins[0][1]; }

    bool isType(std::size_t part) const {
        return m_spaces.observations[part].kind == ObservedSpace::Kind::Entities;
    }

    std::vector<std::string> typeNames() const {
        std::vector<std::string> names;
        for (std::size_t part = 0; part < m_spaces.observations.size(); ++part)
            if (isType(part)) names.push_back(m_spaces.observations[part].name);
        return names;
    }

    [[noreturn]] static void refuseName(const std::string& where, const std::string& what,
                                        const std::string& name,
                                        const std::vector<std::string>& names) {
        std::string text = "there is no " + what + " \"" + escaped(name, kShownBytes) + '"';
        if (const auto closest = closestName(name, names))
            text += "; did you mean \"" + escaped(*closest, kShownBytes) + "\"?";
        else
            text += "; there are " + escaped(commaList(names), kShownNames);
        refuse(where, text);
    }

    template <class Where>
    std::size_t typeNamed(const json& value, const Where& where) const {
        if (!value.is_string()) refuse(where, "must be the name of a type, got " + shown(value));
        for (std::size_t part = 0; part < m_spaces.observations.size(); ++part)
            if (isType(part) &&
                m_spaces.observations[part].name == value.get_ref<const std::string&>())
                return part;
        refuseName(std::string(where), "type", value.get<std::string>(), typeNames());
    }

    void readThings() {
        const json& features = objectAt(m_frame, "features", "features");
        for (const auto& [name, items] : features.items()) typeNamed(name, "features");
        for (std::size_t part = 0; part < m_spaces.observations.size(); ++part) {
            const ObservedSpace& space = m_spaces.observations[part];
            ObservedPart& out = m_out.parts[part];
            out.values.clear();
            out.visible.clear();
            if (!isType(part)) {
                readArray(space, out);
                continue;
            }
            const json& items = member(features, space.name.c_str());
            const Place where("features", space.name);
            std::int64_t number = 0;
            if (!items.is_null())
                for (const json& item : listAt(items, where)) {
                    const Place here = where.at(number++);
                    if (listAt(item, here).size() != space.features.size())
                        refuse(here, "has " + std::to_string(item.size()) + " features; " +
                                         "the type has " + std::to_string(space.features.size()));
                    for (const json& value : item) out.values.push_back(numberAt(value, here));
                }
            out.begins.assign(1, {0, number});
        }
    }

    void readArray(const ObservedSpace& space, ObservedPart& out) const {
        const std::string where = "global_features";
        const json& values = member(m_frame, where.c_str());
        const auto due = static_cast<std::size_t>(space.numbersEach());
        if (values.is_null() && due > 0)
            refuse(where, "are missing: there are " + std::to_string(due));
        if (listAt(values, where).size() != due)
            refuse(where,
                   "are " + std::to_string(values.size()) + " numbers, not " + std::to_string(due));
        for (const json& value : values) out.values.push_back(numberAt(value, where));
    }

    std::int64_t first(std::size_t type) const {
        std::int64_t first = 0;
        for (std::size_t part = 0; part < type; ++part)
            if (isType(part)) first += count(part);
        return first;
    }

    void readIds() {
        for (const auto& [name, ids] : objectAt(m_frame, "ids", "ids").items()) {
            const std::size_t type = typeNamed(name, "ids");
            const Place where("ids", name);
            if (std::ssize(listAt(ids, where)) != count(type))
                refuse(where, "names " + std::to_string(ids.size()) + " things; there are " +
                                  std::to_string(count(type)));
            std::int64_t thing = first(type);
            for (const json& id : ids)
                if (!m_byId.emplace(keyOf(id), thing++).second)
                    refuse(where, "the name " + shown(id) + " stands twice");
        }
    }

    void readVisible() {
        for (const auto& [name, flags] : objectAt(m_frame, "visible", "visible").items()) {
            const std::size_t type = typeNamed(name, "visible");
            const Place where("visible", name);
            if (std::ssize(listAt(flags, where)) != count(type))
                refuse(where, "says it of " + std::to_string(flags.size()) + " things; there are " +
                                  std::to_string(count(type)));
            for (const json& flag : flags)
                m_out.parts[type].visible.push_back(truthAt(flag, where));
        }
    }

    void readActions() {
        const json& actions = objectAt(m_frame, "actions", "actions");
        std::vector<std::string> names;
        for (const ActionSpace& space : m_spaces.actions) names.push_back(space.name);
        for (const auto& [name, mask] : actions.items())
            if (std::ranges::find(names, name) == names.end())
                refuseName("actions", "action", name, names);
        for (std::size_t i = 0; i < m_spaces.actions.size(); ++i) {
            const ActionSpace& space = m_spaces.actions[i];
            ActionOffer& offer = m_out.offers[i];
            offer.actors.clear();
            offer.candidates.clear();
            offer.allowed.clear();
            const Place where("actions", space.name);
            const auto found = actions.find(space.name);
            if (found == actions.end() || found->is_null()) {
                if (!space.isOfActors)
                    refuse(where, "is missing: an action of the whole game is always offered");
                continue;
            }
            if (!found->is_object()) refuse(where, "must be an object, got " + shown(*found));
            readOffer(*found, space, offer);
        }
    }

    /// Things given by ids or by types, or all. @param what  "actor", "actee"
    std::vector<std::int64_t> things(const json& mask, const std::string& what,
                                     const std::string& action) const {
        const json& ids = member(mask, (what + "_ids").c_str());
        const json& types = member(mask, (what + "_types").c_str());
        std::vector<std::int64_t> all;
        const auto addType = [&](std::size_t type) {
            for (std::int64_t i = 0; i < count(type); ++i) all.push_back(first(type) + i);
        };
        if (!ids.is_null() && !types.is_null())
            refuse(Place("actions", action),
                   "has " + what + "_ids and " + what + "_types; it takes one of them");
        if (!ids.is_null()) {
            const std::string below = '.' + what + "_ids";
            const Place here("actions", action, below.c_str());
            for (const json& id : listAt(ids, here)) {
                const auto thing = m_byId.find(keyOf(id));
                if (thing == m_byId.end()) refuse(here, "nothing is named " + shown(id));
                all.push_back(thing->second);
            }
        } else if (!types.is_null()) {
            const std::string below = '.' + what + "_types";
            const Place here("actions", action, below.c_str());
            for (const json& type : listAt(types, here)) addType(typeNamed(type, here));
        } else {
            for (std::size_t part = 0; part < m_spaces.observations.size(); ++part)
                if (isType(part)) addType(part);
        }
        return all;
    }

    void readOffer(const json& mask, const ActionSpace& space, ActionOffer& offer) const {
        const bool isSelection = space.kind == ActionSpace::Kind::Select;
        if (space.isOfActors) offer.actors = things(mask, "actor", space.name);
        if (isSelection && !offer.actors.empty())
            offer.candidates = things(mask, "actee", space.name);
        const json& rows = member(mask, "mask");
        if (rows.is_null()) return;
        const std::size_t deciders = space.isOfActors ? offer.actors.size() : 1,
                          options = isSelection ? offer.candidates.size() : space.choices.size();
        const Place here("actions", space.name, ".mask");
        // One for the whole game may come without its list around it.
        const bool isBare = !space.isOfActors && listAt(rows, here).size() == options &&
                            (rows.empty() || !rows.front().is_array());
        if (!isBare && listAt(rows, here).size() != deciders)
            refuse(here, "has " + std::to_string(rows.size()) + " rows; " +
                             std::to_string(deciders) + " decide");
        const auto readRow = [&](const json& row) {
            if (listAt(row, here).size() != options)
                refuse(here, "has a row of " + std::to_string(row.size()) + "; there are " +
                                 std::to_string(options) + " choices");
            for (const json& flag : row) offer.allowed.push_back(truthAt(flag, here));
        };
        if (isBare)
            readRow(rows);
        else
            for (const json& row : rows) readRow(row);
    }

    const EnvironmentSpaces& m_spaces;
    const json& m_frame;
    Observation& m_out;
    std::map<std::string, std::int64_t> m_byId;  // of things, by their names as JSON
};

}  // namespace

std::vector<std::string> readFrame(const EnvironmentSpaces& spaces, const nlohmann::json& frame,
                                   Observation& out) {
    try {
        FrameReader(spaces, frame, out).read();
    } catch (const Problem& problem) {
        return {problem.text};
    }
    return {};
}

namespace {

/// What lies outside of texts, as whoever calls sees it: each character with its place.
template <class Visit>
void visitOutsideTexts(std::string_view line, Visit visit) {
    bool isText = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (isText && line[i] == '\\')
            ++i;
        else if (line[i] == '"')
            isText = !isText;
        else if (!isText)
            visit(i, line[i]);
    }
}

bool isNestedTooDeep(std::string_view line) {
    int depth = 0, most = 0;
    visitOutsideTexts(line, [&](std::size_t, char c) {
        if (c == '[' || c == '{') most = std::max(most, ++depth);
        if (c == ']' || c == '}') --depth;
    });
    return most > kMostNesting;
}

/// The line with texts in the place of what is no number; empty where there is nothing of it.
std::string withTextsForNumbers(std::string_view line) {
    std::string text;
    std::size_t taken = 0;
    visitOutsideTexts(line, [&](std::size_t at, char) {
        if (at < taken) return;
        for (const std::string_view word : {"NaN", "Infinity", "-Infinity"}) {
            if (line.substr(at, word.size()) != word) continue;
            text += line.substr(taken, at - taken);
            text += '"';
            text += word;
            text += '"';
            taken = at + word.size();
            return;
        }
    });
    if (taken == 0) return {};
    return text + std::string(line.substr(taken));
}

}  // namespace

std::string readFrameLine(std::string_view line, nlohmann::json& out) {
    if (isNestedTooDeep(line))
        return "the line is nested more than " + std::to_string(kMostNesting) + " deep";
    out = json::parse(line, nullptr, false);
    if (out.is_discarded())
        if (const std::string text = withTextsForNumbers(line); !text.empty())
            out = json::parse(text, nullptr, false);
    if (!out.is_object())
        return "the line is no JSON object: \"" + escaped(line, kShownBytes) + '"';
    return {};
}

}  // namespace orrery
