#include "widgets/common/address.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace orrery {

namespace {

constexpr std::string_view kScheme = "orrery:";
constexpr int kMaxNumber = 999'999'999;

bool isPlain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
}

std::string encoded(std::string_view text) {
    static constexpr char kHex[] = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        if (isPlain(c)) {
            out += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        out += {'%', kHex[byte / 16], kHex[byte % 16]};
    }
    return out;
}

template <typename T>
std::optional<T> numberOf(std::string_view text, T most, int base = 10) {
    T value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value, base);
    if (text.empty() || text.front() == '-' || error != std::errc() || stop != end || value > most)
        return std::nullopt;
    return value;
}

std::optional<int> smallNumber(std::string_view text) {
    return numberOf<int>(text, kMaxNumber);
}

std::optional<std::string> decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%') {
            if (i + 2 >= text.size()) return std::nullopt;
            const auto byte = numberOf<int>(text.substr(i + 1, 2), 255, 16);
            if (!byte) return std::nullopt;
            out += static_cast<char>(*byte);
            i += 2;
        } else if (isPlain(text[i])) {
            out += text[i];
        } else {
            return std::nullopt;
        }
    }
    return out;
}

/// A run's id is the name of a folder.
std::optional<std::string> runOf(std::string_view text) {
    if (text.empty() || text == "." || text == ".." || !std::ranges::all_of(text, isPlain))
        return std::nullopt;
    return std::string(text);
}

std::vector<std::string_view> split(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(at);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::optional<Address::Pair> pairOf(std::string_view text) {
    const auto parts = split(text, '.');
    if (parts.size() != 2) return std::nullopt;
    const auto a = smallNumber(parts[0]), b = smallNumber(parts[1]);
    if (!a || !b) return std::nullopt;
    return Address::Pair{*a, *b};
}

std::optional<std::uint32_t> actionOf(std::string_view text) {
    return numberOf<std::uint32_t>(text, std::numeric_limits<std::uint32_t>::max());
}

std::optional<int> stepOf(std::string_view text) {
    if (text.empty() || text.front() != 't') return std::nullopt;
    return smallNumber(text.substr(1));
}

/// Reads "s1204" or "k1f-a0".
bool readState(std::string_view text, std::int64_t& index, std::vector<std::uint64_t>& words) {
    if (text.size() < 2) return false;
    const char first = text.front();
    text.remove_prefix(1);
    if (first == 's') {
        const auto number = numberOf<std::int64_t>(text, 999'999'999'999'999'999);
        if (number) index = *number;
        return number.has_value();
    }
    if (first != 'k') return false;
    for (const std::string_view word : split(text, '-')) {
        const auto number =
            numberOf<std::uint64_t>(word, std::numeric_limits<std::uint64_t>::max(), 16);
        if (!number) return false;
        words.push_back(*number);
    }
    return true;
}

std::optional<Address::State> stateOf(std::string_view text) {
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos) return std::nullopt;
    Address::State state;
    const auto step = stepOf(text.substr(0, dot));
    if (!step || !readState(text.substr(dot + 1), state.index, state.words)) return std::nullopt;
    state.step = *step;
    return state;
}

std::string stateText(std::int64_t index, const std::vector<std::uint64_t>& words) {
    if (index >= 0) return "s" + std::to_string(index);
    std::string text = "k";
    for (const std::uint64_t word : words) {
        char digits[17];
        const auto [end, error] = std::to_chars(digits, digits + sizeof digits, word, 16);
        if (text.size() > 1) text += '-';
        text.append(digits, end);
    }
    return text;
}

std::string textOf(int number) {
    return std::to_string(number);
}
std::string textOf(std::uint32_t number) {
    return std::to_string(number);
}
std::string textOf(const std::string& run) {
    return run;
}
std::string textOf(const Address::Pair& pair) {
    return std::to_string(pair[0]) + "." + std::to_string(pair[1]);
}
std::string textOf(const Address::State& state) {
    return "t" + std::to_string(state.step) + "." + stateText(state.index, state.words);
}

/// Reads one part's value into a member; false if it is none or stood there before.
template <typename T, typename Read>
bool readOne(std::optional<T>& member, std::string_view text, Read read) {
    if (member) return false;
    member = read(text);
    return member.has_value();
}

template <typename T, typename Read>
bool readList(std::vector<T>& member, std::string_view text, Read read) {
    if (!member.empty()) return false;
    for (const std::string_view part : split(text, ',')) {
        auto item = read(part);
        if (!item) return false;
        member.push_back(std::move(*item));
    }
    return true;
}

bool readText(std::string& member, std::optional<std::string> text) {
    if (!member.empty() || !text || text->empty()) return false;
    member = std::move(*text);
    return true;
}

bool readNamed(Address& a, std::string_view name, std::string_view value) {
    if (name == "run") return readText(a.run, runOf(value));
    if (name == "where") return readText(a.where, decoded(value));
    if (name == "level") return readOne(a.level, value, smallNumber);
    if (name == "action") return readOne(a.action, value, actionOf);
    if (name == "agent") return readOne(a.agent, value, smallNumber);
    if (name == "human") return readOne(a.human, value, smallNumber);
    if (name == "goal") return readOne(a.goal, value, pairOf);
    if (name == "cell") return readOne(a.cell, value, pairOf);
    if (name == "env") return readOne(a.env, value, smallNumber);
    if (name == "entity") return readOne(a.entity, value, pairOf);
    if (name == "envs") return readList(a.envs, value, smallNumber);
    if (name == "entities") return readList(a.entities, value, pairOf);
    if (name == "runs") return readList(a.runs, value, runOf);
    if (name == "states") return readList(a.states, value, stateOf);
    if (name == "steps") return readList(a.steps, value, smallNumber);
    if (name == "levels") return readList(a.levels, value, smallNumber);
    if (name == "actions") return readList(a.actions, value, actionOf);
    if (name == "agents") return readList(a.agents, value, smallNumber);
    if (name == "humans") return readList(a.humans, value, smallNumber);
    if (name == "goals") return readList(a.goals, value, pairOf);
    return name == "cells" && readList(a.cells, value, pairOf);
}

}  // namespace

std::string addressText(const Address& a) {
    std::string text(kScheme);
    const auto add = [&](const std::string& part) {
        if (text.size() > kScheme.size()) text += '/';
        text += part;
    };
    const auto addOne = [&](const char* name, const auto& member) {
        if (member) add(std::string(name) + "/" + textOf(*member));
    };
    const auto addList = [&](const char* name, const auto& members) {
        std::string list;
        for (const auto& member : members) list += (list.empty() ? "" : ",") + textOf(member);
        if (!list.empty()) add(std::string(name) + "/" + list);
    };
    if (!a.run.empty()) add("run/" + a.run);
    if (a.step >= 0) add("t" + std::to_string(a.step));
    if (a.hasState()) add(stateText(a.stateIndex, a.words));
    addOne("level", a.level);
    addOne("action", a.action);
    addOne("agent", a.agent);
    addOne("human", a.human);
    addOne("goal", a.goal);
    addOne("cell", a.cell);
    addOne("env", a.env);
    addOne("entity", a.entity);
    addList("runs", a.runs);
    addList("states", a.states);
    if (!a.where.empty()) add("where/" + encoded(a.where));
    addList("steps", a.steps);
    addList("levels", a.levels);
    addList("actions", a.actions);
    addList("agents", a.agents);
    addList("humans", a.humans);
    addList("goals", a.goals);
    addList("cells", a.cells);
    addList("envs", a.envs);
    addList("entities", a.entities);
    return text;
}

std::optional<Address> parseAddress(std::string_view text) {
    const auto isSpace = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
    while (!text.empty() && isSpace(text.front())) text.remove_prefix(1);
    while (!text.empty() && isSpace(text.back())) text.remove_suffix(1);
    if (!text.starts_with(kScheme) || text.size() == kScheme.size()) return std::nullopt;
    const auto parts = split(text.substr(kScheme.size()), '/');
    Address address;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (const auto step = stepOf(parts[i])) {
            if (address.step >= 0) return std::nullopt;
            address.step = *step;
        } else if (i + 1 < parts.size() && readNamed(address, parts[i], parts[i + 1])) {
            ++i;
        } else if (address.hasState() || !readState(parts[i], address.stateIndex, address.words)) {
            return std::nullopt;
        }
    }
    if (address.hasState() && address.step < 0) return std::nullopt;
    return address;
}

}  // namespace orrery
