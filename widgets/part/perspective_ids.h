#pragma once

#include <QLatin1String>

namespace orrery {

/// The perspectives of which more than one room speaks; "view.ID" is the command that shows one.
inline constexpr QLatin1String kHomePerspective("home"), kWorldPerspective("world"),
    kPlanPerspective("plan"), kTrainPerspective("train");

}  // namespace orrery
