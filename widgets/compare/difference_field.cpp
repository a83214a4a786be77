#include "widgets/compare/difference_field.h"

#include <QObject>
#include <algorithm>
#include <cmath>

#include "widgets/common/agent_letters.h"

namespace orrery {

namespace {

HeatQuantity heatOf(ComparedValue value) {
    switch (value) {
        case ComparedValue::GoalAbility:
            return HeatQuantity::GoalAbility;
        case ComparedValue::GoalPrior:
            return HeatQuantity::GoalPrior;
        case ComparedValue::Power:
            return HeatQuantity::Power;
        case ComparedValue::RobotUtility:
            return HeatQuantity::RobotUtility;
        case ComparedValue::RobotValue:
            break;
    }
    return HeatQuantity::RobotValue;
}

}  // namespace

std::vector<std::pair<QString, ComparedQuantity>> quantitiesOf(const Solution& a,
                                                               const Solution& b) {
    std::vector<std::pair<QString, ComparedQuantity>> found;
    const bool hasPhase2 = !a.spec().phase1Only && !b.spec().phase1Only;
    const auto add = [&](const QString& text, ComparedValue value, int human, int goal) {
        const QString symbol = QLatin1String(symbolOf(value));
        found.emplace_back(text.isEmpty() ? symbol : symbol + QStringLiteral(", ") + text,
                           ComparedQuantity{value, human, goal});
    };
    const World& world = a.world();
    const std::vector<QString> letters = agentLetters(world);
    const auto humans = world.goals();
    if (hasPhase2) {
        add({}, ComparedValue::RobotValue, 0, 0);
        add({}, ComparedValue::RobotUtility, 0, 0);
        for (int h = 0; h < std::ssize(humans); ++h)
            add(humans.size() > 1
                    ? letters[static_cast<std::size_t>(humans[static_cast<std::size_t>(h)].agent)]
                    : QString(),
                ComparedValue::Power, h, 0);
    }
    for (const ComparedValue value : {ComparedValue::GoalAbility, ComparedValue::GoalPrior}) {
        if (value == ComparedValue::GoalAbility && !hasPhase2) continue;
        for (int h = 0; h < std::ssize(humans); ++h) {
            const HumanGoals& own = humans[static_cast<std::size_t>(h)];
            for (int g = 0; g < std::ssize(own.goals); ++g)
                add(QObject::tr("%1 to %2")
                        .arg(letters[static_cast<std::size_t>(own.agent)],
                             QString::fromStdString(
                                 goalText(own.goals[static_cast<std::size_t>(g)]))),
                    value, h, g);
        }
    }
    return found;
}

std::shared_ptr<const HeatField> differenceField(const Solution& a, const Solution& b,
                                                 const ComparedQuantity& quantity, State state,
                                                 std::stop_token stop) {
    const auto humans = a.world().goals();
    HeatRequest request;
    request.state = state;
    request.agent = humans.empty() ? 0 : humans[static_cast<std::size_t>(quantity.human)].agent;
    request.human = quantity.human;
    request.goal = quantity.goal;
    request.quantity = heatOf(quantity.value);
    const auto left = computeHeat(a, request, stop);
    if (!left) return nullptr;
    const auto right = computeHeat(b, request, stop);
    if (!right) return nullptr;
    auto field = std::make_shared<HeatField>(*left);
    for (std::size_t c = 0; c < field->cells.size(); ++c)
        field->cells[c].value = left->cells[c].value - right->cells[c].value;
    field->fitRange();
    const double most = std::max(std::abs(field->least), std::abs(field->most));
    field->low = -most;
    field->high = most;
    field->isDiverging = true;
    return field;
}

}  // namespace orrery
