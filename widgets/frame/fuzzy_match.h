#pragma once

#include <QString>
#include <optional>
#include <vector>

namespace orrery {

/// How well a typed text fits a name: its characters must stand in the name in order, whatever
/// their case. Higher is better: beginnings of words, runs of characters and short names win.
/// Nothing if it does not fit; an empty text fits everything with 0.
std::optional<int> fuzzyScore(const QString& typed, const QString& name);

/// Indices of the names that fit, best first, equal ones in their order; at most `limit`.
/// @param bonus  added to the score of a name by index; may be empty
std::vector<int> bestMatches(const QString& typed, const std::vector<QString>& names, int limit,
                             const std::vector<int>& bonus = {});

}  // namespace orrery
