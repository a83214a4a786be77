#include "core/files/goal_reader.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"

namespace orrery {

namespace {

constexpr std::int64_t kMaxCoordinate = 100'000'000;
constexpr const char* kForms =
    "a goal: x,y or x1,y1,x2,y2, [[x1,y1],[x2,y2]], {cell: ..} or {rect: ..}";

using Numbers = std::vector<int>;

/// Reads one goal at a time; every function returns nothing after it added an error.
class GoalReader {
public:
    GoalReader(ValueReader& reader, std::string_view name) : m_reader(reader), m_name(name) {}

    std::optional<Goal> goal(const YamlNode& node, std::optional<double>& weight) {
        if (node.kind == YamlNode::Kind::Map) return goalOfMap(node, weight);
        const std::optional<Numbers> numbers = numbersOf(node);
        if (!numbers) return std::nullopt;
        if (numbers->size() != 2 && numbers->size() != 4) return refuse(node);
        return make(*numbers);
    }

private:
    std::nullopt_t refuse(const YamlNode& node) {
        m_reader.wrong(node, m_name, kForms, "E119");
        return std::nullopt;
    }

    std::optional<Goal> goalOfMap(const YamlNode& node, std::optional<double>& weight) {
        const YamlMember* cell = node.find("cell");
        const YamlMember* rect = node.find("rect");
        for (const YamlMember& member : node.members)
            if (member.name != "cell" && member.name != "rect" && member.name != "weight") {
                refuseMember(member);
                return std::nullopt;
            }
        if ((cell == nullptr) == (rect == nullptr)) return refuse(node);
        if (const YamlMember* given = node.find("weight")) {
            weight = m_reader.number(given->value, "weight", kLeastWeight, kMostWeight);
            if (!weight) return std::nullopt;
        }
        const YamlNode& place = cell != nullptr ? cell->value : rect->value;
        const std::optional<Numbers> numbers = numbersOf(place);
        if (!numbers) return std::nullopt;
        const std::size_t wanted = cell != nullptr ? 2 : 4;
        if (numbers->size() != wanted) {
            m_reader.wrong(place, cell != nullptr ? "cell" : "rect",
                           cell != nullptr ? "x,y" : "x1,y1,x2,y2", "E119");
            return std::nullopt;
        }
        return make(*numbers);
    }

    void refuseMember(const YamlMember& member) {
        static const std::array<std::string, 3> kNames{"cell", "rect", "weight"};
        const std::optional<std::string> near = closestName(member.name, kNames);
        m_reader.diagnostics().error(
            member.place(), "E111", "a goal has no key " + quotedValue(member.name),
            near ? "did you mean '" + *near + "'?" : "use cell or rect, and weight");
    }

    std::optional<Numbers> numbersOf(const YamlNode& node) {
        if (node.kind == YamlNode::Kind::Scalar) return numbersOfText(node);
        if (node.kind != YamlNode::Kind::Sequence || node.elements.empty() ||
            node.elements.size() > 4)
            return refuse(node);
        Numbers numbers;
        const bool pairs = node.elements.front().kind == YamlNode::Kind::Sequence;
        if (pairs && node.elements.size() != 2) return refuse(node);
        for (const YamlNode& element : node.elements) {
            if (pairs && (element.kind != YamlNode::Kind::Sequence || element.elements.size() != 2))
                return refuse(element);
            for (const YamlNode& number : pairs ? element.elements : std::vector{element}) {
                const auto value = m_reader.integer(number, "coordinate", 0, kMaxCoordinate);
                if (!value) return std::nullopt;
                numbers.push_back(static_cast<int>(*value));
            }
        }
        return numbers;
    }

    std::optional<Numbers> numbersOfText(const YamlNode& node) {
        Numbers numbers;
        for (std::size_t begin = 0; begin <= node.text.size();) {
            const std::size_t end = std::min(node.text.find(',', begin), node.text.size());
            std::string_view part = std::string_view(node.text).substr(begin, end - begin);
            while (!part.empty() && (part.front() == ' ' || part.front() == '\t'))
                part.remove_prefix(1);
            while (!part.empty() && (part.back() == ' ' || part.back() == '\t'))
                part.remove_suffix(1);
            const std::optional<std::int64_t> value = parseInt(part);
            if (!value || *value < 0 || *value > kMaxCoordinate || numbers.size() == 4)
                return refuse(node);
            numbers.push_back(static_cast<int>(*value));
            begin = end + 1;
        }
        return numbers;
    }

    static Goal make(const Numbers& numbers) {
        if (numbers.size() == 2)
            return {.x1 = numbers[0], .y1 = numbers[1], .x2 = numbers[0], .y2 = numbers[1]};
        return {.x1 = std::min(numbers[0], numbers[2]),
                .y1 = std::min(numbers[1], numbers[3]),
                .x2 = std::max(numbers[0], numbers[2]),
                .y2 = std::max(numbers[1], numbers[3]),
                .isRectangle = true};
    }

    ValueReader& m_reader;
    std::string_view m_name;
};

bool isInside(ValueReader& reader, const YamlNode& node, const Goal& goal, MapSize map) {
    const bool isKnown = map.width > 0;
    if (!isKnown || (static_cast<std::size_t>(goal.x2) < map.width &&
                     static_cast<std::size_t>(goal.y2) < map.height))
        return true;
    reader.diagnostics().error(node.place(), "E119",
                               "goal " + goalText(goal) + " lies outside the map of " +
                                   std::to_string(map.width) + " x " + std::to_string(map.height) +
                                   " cells",
                               "x and y count from 0");
    return false;
}

}  // namespace

std::optional<ReadGoals> readGoals(ValueReader& reader, const YamlNode& list, std::string_view name,
                                   MapSize map) {
    if (!reader.expect(list, name, YamlNode::Kind::Sequence)) return std::nullopt;
    if (list.elements.size() > kMaxGoals) {
        reader.diagnostics().error(list.elements[kMaxGoals].place(), "E119",
                                   "'" + std::string(name) + "' has " +
                                       std::to_string(list.elements.size()) +
                                       " goals; a human can have 64",
                                   "keep the ones that matter");
        return std::nullopt;
    }
    ReadGoals result;
    bool ok = true;
    GoalReader goals(reader, name);
    for (const YamlNode& node : list.elements) {
        std::optional<double> weight;
        const std::optional<Goal> goal = goals.goal(node, weight);
        if (!goal || !isInside(reader, node, *goal, map)) {
            ok = false;
            continue;
        }
        result.goals.push_back(*goal);
        if (weight) result.weights.push_back(*weight);
        const bool mixed = !result.weights.empty() && result.weights.size() != result.goals.size();
        if (ok && mixed) {
            reader.diagnostics().error(
                node.place(), "E117",
                "some goals of '" + std::string(name) + "' have a weight and some have none",
                "give every goal a weight or none");
            ok = false;
        }
    }
    if (!ok) return std::nullopt;
    return result;
}

}  // namespace orrery
