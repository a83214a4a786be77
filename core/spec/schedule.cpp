#include "core/spec/schedule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/base/text.h"

namespace orrery {

namespace {

using Way = Schedule::Way;
using Point = Schedule::Point;

constexpr std::string_view kBySteps = "step:";
constexpr std::array<std::pair<std::string_view, Way>, 3> kWays{
    {{"step", Way::Step}, {"lin", Way::Linear}, {"cos", Way::Cosine}}};

std::string_view nameOf(Way way) {
    return kWays[static_cast<std::size_t>(way)].first;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::optional<double> finiteNumber(std::string_view text) {
    const auto number = parseDouble(trimmed(text));
    return number && std::isfinite(*number) ? number : std::nullopt;
}

/// "0.3@100"
std::optional<Point> pointOf(std::string_view text) {
    const std::size_t at = text.find('@');
    if (at == std::string_view::npos) return std::nullopt;
    const auto value = finiteNumber(text.substr(0, at)), step = finiteNumber(text.substr(at + 1));
    if (!value || !step || *step < 0) return std::nullopt;
    return Point{.value = *value, .step = *step};
}

/// The points of "0.3@0 lin 0.1@1e6"; none if it is none.
std::vector<Point> pointsBySteps(std::string_view text) {
    std::vector<Point> points;
    bool wantsPoint = true;
    for (text = trimmed(text); !text.empty();) {
        const std::string_view word = text.substr(0, text.find(' '));
        text = trimmed(text.substr(word.size()));
        if (wantsPoint) {
            const auto point = pointOf(word);
            if (!point || (!points.empty() && point->step <= points.back().step)) return {};
            points.push_back(*point);
        } else {
            const auto way =
                std::ranges::find(kWays, word, [](const auto& each) { return each.first; });
            if (way == kWays.end()) return {};
            points.back().way = way->second;
        }
        wantsPoint = !wantsPoint;
    }
    return wantsPoint ? std::vector<Point>() : points;
}

/// The points of "lin(1, 0)"; none if it is none.
std::vector<Point> pointsOverRun(std::string_view text) {
    for (const auto& [name, way] : kWays) {
        if (way == Way::Step || !text.starts_with(name) || !text.ends_with(')')) continue;
        std::string_view inside = trimmed(text.substr(name.size(), text.size() - name.size() - 1));
        if (!inside.starts_with('(')) return {};
        inside.remove_prefix(1);
        const std::size_t comma = inside.find(',');
        if (comma == std::string_view::npos) return {};
        const auto first = finiteNumber(inside.substr(0, comma));
        const auto last = finiteNumber(inside.substr(comma + 1));
        if (!first || !last) return {};
        return {{.value = *first, .step = 0, .way = way}, {.value = *last, .step = 1}};
    }
    return {};
}

double between(const Point& from, const Point& to, double x) {
    const double share = (x - from.step) / (to.step - from.step);
    switch (from.way) {
        case Way::Linear:
            return from.value + (to.value - from.value) * share;
        case Way::Cosine:
            return from.value +
                   (to.value - from.value) * (1 - std::cos(std::numbers::pi * share)) / 2;
        case Way::Step:
            break;
    }
    return from.value;
}

}  // namespace

std::optional<Schedule> Schedule::parse(std::string_view given) {
    const std::string_view text = trimmed(given);
    if (const auto number = finiteNumber(text)) return Schedule(*number);
    Schedule schedule;
    const bool isBySteps = text.starts_with(kBySteps);
    schedule.m_points =
        isBySteps ? pointsBySteps(text.substr(kBySteps.size())) : pointsOverRun(text);
    schedule.m_isShare = !isBySteps;
    if (schedule.m_points.empty()) return std::nullopt;
    return schedule;
}

std::string Schedule::text() const {
    if (m_isShare)
        return std::string(nameOf(m_points[0].way)) + "(" + formatDouble(m_points[0].value) + ", " +
               formatDouble(m_points[1].value) + ")";
    if (isConstant() && m_points[0].step == 0) return formatDouble(m_points[0].value);
    std::string text(kBySteps);
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        if (i > 0) text.append(" ").append(nameOf(m_points[i - 1].way));
        text += " " + formatDouble(m_points[i].value) + "@" + formatDouble(m_points[i].step);
    }
    return text;
}

Schedule Schedule::scaled(double factor) const {
    Schedule scaled = *this;
    for (Point& point : scaled.m_points) point.value *= factor;
    return scaled;
}

double Schedule::at(double step, double total) const {
    const double x = m_isShare ? step / total : step;
    const auto after = std::ranges::upper_bound(m_points, x, {}, &Point::step);
    if (after == m_points.begin()) return m_points.front().value;
    if (after == m_points.end()) return m_points.back().value;
    return between(*(after - 1), *after, x);
}

}  // namespace orrery
