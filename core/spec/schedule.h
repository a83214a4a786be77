#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// A number that follows the steps of a run: constant, or from point to point, and constant before
/// the first and behind the last of them. Source: spec entity, section 12.
class Schedule {
public:
    enum class Way { Step, Linear, Cosine };
    struct Point {
        double value = 0;
        double step = 0;      ///< ascending; or a share of the run, see isShare()
        Way way = Way::Step;  ///< to the next point
        bool operator==(const Point&) const = default;
    };

    Schedule(double value = 0) : m_points{{.value = value}} {}  // NOLINT: a number is a schedule

    /// "0.5"; "lin(1, 0)" and "cos(1, 0)", from the begin of a run to its end; "step: 0.3@0 lin
    /// 0.1@1e6 step 0@2e6", by steps. Nothing if the text is none of these.
    static std::optional<Schedule> parse(std::string_view text);
    /// As parse() reads it back.
    std::string text() const;

    /// @param total  steps of the whole run, > 0
    double at(double step, double total) const;
    /// The same with all its values times a factor.
    Schedule scaled(double factor) const;
    bool isConstant() const { return m_points.size() == 1; }
    bool isShare() const { return m_isShare; }
    const std::vector<Point>& points() const { return m_points; }

    bool operator==(const Schedule&) const = default;

private:
    std::vector<Point> m_points;  ///< at least one
    bool m_isShare = false;       ///< points lie at shares of the run, in [0, 1]
};

}  // namespace orrery
