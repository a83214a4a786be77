#pragma once

#include "widgets/compare/compare_set.h"
#include "widgets/explore/outcome_chart.h"

namespace orrery {

/// The results of the compared runs against the parameters in which they differ. No runs if they
/// differ in none, in more than two, or in the world.
OutcomeTable outcomeOfSet(const CompareSet& set);

/// Why outcomeOfSet has no runs; empty if it has.
QString whyNoOutcome(const CompareSet& set);

}  // namespace orrery
