#include "core/env/catalogue.h"

#include "core/base/error.h"
#include "core/base/text.h"

namespace orrery {

const EnvironmentEntry* findEnvironment(EnvironmentCatalogue catalogue, std::string_view id) {
    for (const EnvironmentEntry& entry : catalogue)
        if (entry.id == id) return &entry;
    return nullptr;
}

const EnvironmentEntry& environmentNamed(EnvironmentCatalogue catalogue, std::string_view id) {
    if (const EnvironmentEntry* entry = findEnvironment(catalogue, id)) return *entry;
    std::vector<std::string> ids;
    for (const EnvironmentEntry& entry : catalogue) ids.push_back(entry.id);
    std::string text = "There is no environment \"" + escaped(id) + "\".";
    if (const auto closest = closestName(id, ids))
        text += " Did you mean \"" + *closest + "\"?";
    else if (ids.empty())
        text += " The program has none.";
    else
        text += " There are " + commaList(ids) + ".";
    throw badInput(text);
}

TogetherMaker makerTogether(const EnvironmentEntry& entry, std::string_view optionsJson,
                            const OutsideRules& rules) {
    if (entry.together) return entry.together(optionsJson, rules);
    return [make = entry.make, options = std::string(optionsJson)] { return make(options); };
}

}  // namespace orrery
