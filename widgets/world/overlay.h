#pragma once

#include <QJsonObject>
#include <QString>
#include <optional>
#include <vector>

#include "widgets/world/arrow_field.h"
#include "widgets/world/heat_field.h"

namespace orrery {

class PlanSession;

/// A quantity with its subject, as the heat box offers it.
struct HeatChoice {
    std::optional<HeatQuantity> quantity;  ///< nothing: no heat
    int human = -1, goal = -1;             ///< of the quantities of a human
    int agent = -1;                        ///< of the others: the agent that is moved
    bool operator==(const HeatChoice&) const = default;
};

/// Whose policy the arrows show; nobody's if agent is -1.
struct ArrowChoice {
    int agent = -1;
    bool ofGoal = false;  ///< a human's policy for the current goal, else its mean over the goals
    bool operator==(const ArrowChoice&) const = default;
};

/// Everything that can be shown of the session's world, no heat first. In the order of the box and
/// of the keys that step through it.
std::vector<HeatChoice> heatChoices(const PlanSession& session);
std::vector<ArrowChoice> arrowChoices(const PlanSession& session);

/// "Vₕᵉ · A · cell 11,1".
QString textOf(const PlanSession& session, const HeatChoice& choice);
/// "πₕ · A, goal".
QString textOf(const PlanSession& session, const ArrowChoice& choice);
/// True if the quantity needs a solution.
bool needsSolution(const HeatChoice& choice);

/// How the colours get their range.
struct HeatRange {
    HeatRangeKind kind = HeatRangeKind::Auto;
    double low = 0, high = 1;  ///< of Fixed and Locked
    bool operator==(const HeatRange&) const = default;

    /// The field with its colours in this range.
    std::shared_ptr<const HeatField> applied(const std::shared_ptr<const HeatField>& field) const;
};

QJsonObject jsonOf(const HeatChoice& choice);
QJsonObject jsonOf(const ArrowChoice& choice);
QJsonObject jsonOf(const HeatRange& range);
/// What is missing or unknown keeps its default.
HeatChoice heatChoiceOf(const QJsonObject& json);
ArrowChoice arrowChoiceOf(const QJsonObject& json);
HeatRange heatRangeOf(const QJsonObject& json);

}  // namespace orrery
