#include "core/spec/field_effect.h"

#include <string>

namespace orrery {

const FieldNeed* unmetNeed(const SpecField& field,
                           const std::function<FieldValue(std::string_view)>& valueOf) {
    const auto holds = [&](const FieldTest& test) {
        const std::string text = scalarText(valueOf(test.field));
        const bool isOne = std::ranges::find(test.texts, text) != test.texts.end();
        return isOne != test.isNot;
    };
    for (const FieldNeed& need : field.needs)
        if (!std::ranges::any_of(need.anyOf, holds)) return &need;
    return nullptr;
}

}  // namespace orrery
