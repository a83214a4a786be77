#include "widgets/world/overlay.h"

#include <QCoreApplication>
#include <cmath>

#include "widgets/bridge/plan_session.h"

namespace orrery {

namespace {

QString overlayText(const char* text) {
    return QCoreApplication::translate("Overlay", text);
}

const QString& letterOf(const PlanSession& session, int agent) {
    return session.letters()[static_cast<std::size_t>(agent)];
}

const char* keyOf(HeatQuantity quantity) {
    if (const auto* kind = std::get_if<ValueKind>(&quantity)) return factsOf(*kind).name;
    return quantity == kVisitHeat ? "visits" : "earliest";
}

}  // namespace

std::vector<HeatChoice> heatChoices(const PlanSession& session) {
    std::vector<HeatChoice> choices{HeatChoice{}};
    if (!session.isOpen()) return choices;
    const World& world = session.world();
    const auto humans = world.goals();
    for (const ValueKind kind : {ValueKind::V_h_e, ValueKind::V_h, ValueKind::X_h})
        for (const ValueOf& each : valuesOfKind(world, kind))
            if (!humans[static_cast<std::size_t>(each.human)].goals.empty())
                choices.push_back({kind, each.human, each.goal, -1});
    for (const HeatQuantity quantity :
         {HeatQuantity(ValueKind::V_r), HeatQuantity(ValueKind::U_r), kEarliestHeat, kVisitHeat})
        for (int agent = 0; agent < world.numAgents(); ++agent)
            choices.push_back({quantity, -1, -1, agent});
    return choices;
}

std::vector<ArrowChoice> arrowChoices(const PlanSession& session) {
    std::vector<ArrowChoice> choices{ArrowChoice{}};
    if (!session.isOpen()) return choices;  // of a view frozen at a world that is gone
    const World& world = session.world();
    for (const HumanGoals& human : world.goals()) {
        choices.push_back({human.agent, true});
        choices.push_back({human.agent, false});
    }
    for (const int robot : world.robots()) choices.push_back({robot, false});
    return choices;
}

QString textOf(const PlanSession& session, const HeatChoice& choice) {
    if (!choice.quantity) return overlayText("none");
    const World& world = session.world();
    if (choice.human >= 0) {
        const HumanGoals& human = world.goals()[static_cast<std::size_t>(choice.human)];
        const QString& letter = letterOf(session, human.agent);
        if (choice.goal < 0) return overlayText("Xₕ · %1").arg(letter);
        const Goal& goal = human.goals[static_cast<std::size_t>(choice.goal)];
        const QString where = (goal.isRectangle ? overlayText("area %1") : overlayText("cell %1"))
                                  .arg(QString::fromStdString(goalText(goal)));
        return (choice.quantity == HeatQuantity(ValueKind::V_h_e)
                    ? overlayText("Vₕᵉ · %1 · %2")
                    : overlayText("Vₕ phase 1 · %1 · %2"))
            .arg(letter, where);
    }
    const QString& letter = letterOf(session, choice.agent);
    if (choice.quantity == kEarliestHeat)
        return overlayText("Reachable · first step of %1").arg(letter);
    if (choice.quantity == kVisitHeat) return overlayText("Visits of %1").arg(letter);
    return (choice.quantity == HeatQuantity(ValueKind::V_r) ? overlayText("Vᵣ · moving %1")
                                                            : overlayText("Uᵣ · moving %1"))
        .arg(letter);
}

QString textOf(const PlanSession& session, const ArrowChoice& choice) {
    if (choice.agent < 0) return overlayText("none");
    const QString& letter = letterOf(session, choice.agent);
    const AgentRole role = session.world().agents()[static_cast<std::size_t>(choice.agent)].role;
    if (role == AgentRole::Robot) return overlayText("πᵣ · %1").arg(letter);
    return (choice.ofGoal ? overlayText("πₕ · %1, goal") : overlayText("πₕ · %1, mean"))
        .arg(letter);
}

bool needsSolution(const HeatChoice& choice) {
    return choice.quantity && choice.quantity != kVisitHeat;
}

std::shared_ptr<const HeatField> HeatRange::applied(
    const std::shared_ptr<const HeatField>& field) const {
    if (!field) return nullptr;
    auto copy = std::make_shared<HeatField>(*field);
    copy->fitRange();
    if (kind != HeatRangeKind::Auto) {
        copy->low = low;
        copy->high = high;
    }
    copy->rangeKind = kind;
    copy->isDiverging = false;
    return copy;
}

QJsonObject jsonOf(const HeatChoice& choice) {
    if (!choice.quantity) return {};
    return {{QStringLiteral("quantity"), QLatin1String(keyOf(*choice.quantity))},
            {QStringLiteral("human"), choice.human},
            {QStringLiteral("goal"), choice.goal},
            {QStringLiteral("agent"), choice.agent}};
}

QJsonObject jsonOf(const ArrowChoice& choice) {
    return {{QStringLiteral("agent"), choice.agent}, {QStringLiteral("ofGoal"), choice.ofGoal}};
}

QJsonObject jsonOf(const HeatRange& range) {
    return {{QStringLiteral("kind"), static_cast<int>(range.kind)},
            {QStringLiteral("low"), range.low},
            {QStringLiteral("high"), range.high}};
}

HeatChoice heatChoiceOf(const QJsonObject& json) {
    HeatChoice choice;
    const QString key = json.value(QStringLiteral("quantity")).toString();
    for (const HeatQuantity quantity : kHeatQuantities)
        if (key == QLatin1String(keyOf(quantity))) choice.quantity = quantity;
    choice.human = json.value(QStringLiteral("human")).toInt(-1);
    choice.goal = json.value(QStringLiteral("goal")).toInt(-1);
    choice.agent = json.value(QStringLiteral("agent")).toInt(-1);
    return choice;
}

ArrowChoice arrowChoiceOf(const QJsonObject& json) {
    return {json.value(QStringLiteral("agent")).toInt(-1),
            json.value(QStringLiteral("ofGoal")).toBool()};
}

HeatRange heatRangeOf(const QJsonObject& json) {
    HeatRange range;
    const int kind = json.value(QStringLiteral("kind")).toInt();
    const double low = json.value(QStringLiteral("low")).toDouble(0);
    const double high = json.value(QStringLiteral("high")).toDouble(1);
    if (kind < 1 || kind > 2 || !std::isfinite(low) || !std::isfinite(high) || low >= high)
        return range;
    return {static_cast<HeatRangeKind>(kind), low, high};
}

}  // namespace orrery
