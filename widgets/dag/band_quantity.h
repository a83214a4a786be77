#pragma once

#include <QString>
#include <array>
#include <optional>
#include <vector>

#include "core/solve/value_of.h"

namespace orrery {

/// What states are placed by (sessions count kBandKinds from 1); nothing: their number alone.
using BandQuantity = std::optional<ValueOf>;
inline constexpr std::array kBandKinds = {ValueKind::V_r, ValueKind::U_r, ValueKind::X_h,
                                          ValueKind::V_h_e};

/// The quantities that a solution has, nothing at last; only nothing for a solution of phase 1
/// alone or for no solution.
std::vector<BandQuantity> bandQuantities(const Solution* solution);

/// "V_r", "X_h": the symbol alone, for paintSymbol.
QString symbolOf(const BandQuantity& quantity);
/// "Vₕᵉ of A, goal 3,1": with whom and what it is about, as plain text.
QString nameOf(const BandQuantity& quantity, const World& world,
               const std::vector<QString>& letters);

}  // namespace orrery
