#include "widgets/compare/difference_field.h"

#include <QObject>
#include <algorithm>
#include <cmath>

#include "widgets/common/agent_letters.h"

namespace orrery {

std::vector<std::pair<QString, ValueOf>> quantitiesOf(const Solution& a, const Solution& b) {
    std::vector<std::pair<QString, ValueOf>> found;
    const bool hasPhase2 = !a.spec().phase1Only && !b.spec().phase1Only;
    const World& world = a.world();
    const std::vector<QString> letters = agentLetters(world);
    const auto humans = world.goals();
    for (const ValueKind kind :
         {ValueKind::V_r, ValueKind::U_r, ValueKind::X_h, ValueKind::V_h_e, ValueKind::V_h}) {
        if (!hasPhase2 && !factsOf(kind).isPhase1) continue;
        for (const ValueOf& each : valuesOfKind(world, kind)) {
            QStringList text{QLatin1String(factsOf(kind).symbol)};
            if (each.human >= 0) {
                const HumanGoals& own = humans[static_cast<std::size_t>(each.human)];
                const QString& letter = letters[static_cast<std::size_t>(own.agent)];
                if (each.goal >= 0)
                    text << QObject::tr("%1 to %2")
                                .arg(letter, QString::fromStdString(goalText(
                                                 own.goals[static_cast<std::size_t>(each.goal)])));
                else if (humans.size() > 1)
                    text << letter;
            }
            found.emplace_back(text.join(QStringLiteral(", ")), each);
        }
    }
    return found;
}

std::shared_ptr<const HeatField> differenceField(const Solution& a, const Solution& b,
                                                 const ValueOf& quantity, State state,
                                                 std::stop_token stop) {
    const auto humans = a.world().goals();
    HeatRequest request;
    request.state = state;
    request.agent =
        humans.empty() ? 0 : humans[static_cast<std::size_t>(std::max(0, quantity.human))].agent;
    request.human = std::max(0, quantity.human);
    request.goal = quantity.goal;
    request.quantity = quantity.kind;
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
