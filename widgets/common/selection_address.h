#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "widgets/common/address.h"
#include "widgets/common/selection.h"

namespace orrery {

/// The address of what is selected. What follows from the rest is left out: the step and the level
/// of the state, the human of the goal, the environment of the thing.
Address addressOf(const Selection& selection);

/// Reads an address; nothing if the text is none.
std::optional<Address> parseAddress(const QString& text);

/// What an address names besides its run, step and state: current items and, kind by kind, sets.
/// Nothing is checked against a world.
struct AddressedItems {
    std::vector<SelectionItem> current;
    std::array<std::vector<SelectionItem>, kNumSelectionKinds> sets;
};
AddressedItems itemsOf(const Address& address);

}  // namespace orrery
