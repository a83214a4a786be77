#include "widgets/dag/band_quantity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/solve/solution.h"
#include "core/world/goal.h"

namespace orrery {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// X_h = sum_g w_g V_h^e(g)^zeta, at least the floor. Source: spec empo section 3.
double humanPower(const Solution& solution, State state, int human) {
    const double zeta = solution.spec().zeta;
    const std::vector<double>& weights =
        solution.world().goals()[static_cast<std::size_t>(human)].weights;
    double x = 0;
    for (std::size_t g = 0; g < weights.size(); ++g) {
        const double v = solution.v_h_e(state, human, static_cast<int>(g));
        x += weights[g] * (zeta == 1.0 ? v : zeta == 2.0 ? v * v : std::pow(v, zeta));
    }
    return std::max(x, solution.spec().x_h_floor.value_or(0.0));
}

/// U_r = -(mean_h X_h^-xi)^eta.
double robotReward(const Solution& solution, State state) {
    const SolveSpec& spec = solution.spec();
    const auto numHumans = static_cast<int>(solution.world().goals().size());
    double sum = 0;
    for (int h = 0; h < numHumans; ++h) {
        const double x = humanPower(solution, state, h);
        sum += spec.xi == 1.0 ? 1.0 / x : std::pow(x, -spec.xi);
    }
    return -std::pow(sum / numHumans, spec.eta);
}

}  // namespace

std::vector<BandQuantity> bandQuantities(const Solution* solution) {
    using Kind = BandQuantity::Kind;
    std::vector<BandQuantity> list{{}};
    if (!solution || solution->spec().phase1Only) return list;
    list.insert(list.begin(), {{Kind::RobotValue}, {Kind::RobotReward}});
    const auto goals = solution->world().goals();
    const auto none = list.end() - 1;
    std::vector<BandQuantity> byHuman;
    byHuman.reserve(goals.size());
    for (int h = 0; h < std::ssize(goals); ++h) byHuman.push_back({Kind::HumanPower, h});
    for (int h = 0; h < std::ssize(goals); ++h)
        for (int g = 0; g < std::ssize(goals[static_cast<std::size_t>(h)].goals); ++g)
            byHuman.push_back({Kind::GoalAbility, h, g});
    list.insert(none, byHuman.begin(), byHuman.end());
    return list;
}

QString symbolOf(const BandQuantity& quantity) {
    switch (quantity.kind) {
        case BandQuantity::Kind::RobotValue:
            return QStringLiteral("V_r");
        case BandQuantity::Kind::RobotReward:
            return QStringLiteral("U_r");
        case BandQuantity::Kind::HumanPower:
            return QStringLiteral("X_h");
        case BandQuantity::Kind::GoalAbility:
            return QStringLiteral("V_h^e");
        case BandQuantity::Kind::None:
            break;
    }
    return {};
}

QString nameOf(const BandQuantity& quantity, const World& world,
               const std::vector<QString>& letters) {
    if (quantity.kind == BandQuantity::Kind::None) return QStringLiteral("Number of states");
    static const std::array<QString, 5> kLetters = {QString(), QStringLiteral("Vᵣ"),
                                                    QStringLiteral("Uᵣ"), QStringLiteral("Xₕ"),
                                                    QStringLiteral("Vₕᵉ")};
    const QString& letter = kLetters[static_cast<std::size_t>(quantity.kind)];
    if (quantity.human < 0) return letter;
    const HumanGoals& human = world.goals()[static_cast<std::size_t>(quantity.human)];
    QString text =
        letter + QStringLiteral(" of %1").arg(letters[static_cast<std::size_t>(human.agent)]);
    if (quantity.kind == BandQuantity::Kind::GoalAbility)
        text += QStringLiteral(", goal %1")
                    .arg(QString::fromStdString(
                        goalText(human.goals[static_cast<std::size_t>(quantity.goal)])));
    return text;
}

std::function<double(State)> valuesOf(const Solution& solution, const BandQuantity& quantity) {
    const int last = solution.graph().numLevels() - 1;
    switch (quantity.kind) {
        case BandQuantity::Kind::RobotValue:
            return [&solution](State state) { return solution.v_r(state); };
        case BandQuantity::Kind::RobotReward:
            return [&solution, last](State state) {
                return state.step == last ? kNone : robotReward(solution, state);
            };
        case BandQuantity::Kind::HumanPower:
            return [&solution, last, human = quantity.human](State state) {
                return state.step == last ? kNone : humanPower(solution, state, human);
            };
        case BandQuantity::Kind::GoalAbility:
            return [&solution, human = quantity.human, goal = quantity.goal](State state) {
                return solution.v_h_e(state, human, goal);
            };
        case BandQuantity::Kind::None:
            break;
    }
    return [](State) { return kNone; };
}

}  // namespace orrery
