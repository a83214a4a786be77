#include "core/run/preset.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/text.h"

namespace orrery {

namespace {

/// What a field is in a spec with that preset.
FieldValue valueIn(const SpecPreset& preset, const RunField& field) {
    const auto named =
        std::ranges::find(preset.values, field.name, &std::pair<std::string, FieldValue>::first);
    return named == preset.values.end() ? fieldDefault(field) : named->second;
}

/// The fields that any preset of a kind names, in the order of its table.
std::vector<const RunField*> presetFields(const RunKind& kind) {
    std::vector<const RunField*> fields;
    for (const RunField& field : kind.fields)
        if (std::ranges::any_of(kind.presets, [&](const SpecPreset& preset) {
                return std::ranges::any_of(
                    preset.values, [&](const auto& value) { return value.first == field.name; });
            }))
            fields.push_back(&field);
    return fields;
}

}  // namespace

const SpecPreset& requirePreset(const RunKind& kind, std::string_view name) {
    const auto found = std::ranges::find(kind.presets, name, &SpecPreset::name);
    if (found != kind.presets.end()) return *found;
    std::vector<std::string> names;
    for (const SpecPreset& preset : kind.presets) names.push_back(preset.name);
    const auto nearest = closestName(std::string(name), names);
    throw Error("There is no preset '" + escaped(name, 80) + "' of a " + kind.noun + "; " +
                    (nearest         ? "did you mean '" + *nearest + "'?"
                     : names.empty() ? "it has none."
                                     : "there are " + joined(names, ", ") + "."),
                Error::Kind::BadInput);
}

void applyPreset(RunSpec& spec, const SpecPreset& preset) {
    for (const RunField* field : presetFields(spec.job.kind()))
        field->set(spec, valueIn(preset, *field));
}

const SpecPreset* presetOf(const RunSpec& spec) {
    const RunKind& kind = spec.job.kind();
    const std::vector<const RunField*> fields = presetFields(kind);
    const auto found = std::ranges::find_if(kind.presets, [&](const SpecPreset& preset) {
        return std::ranges::all_of(fields, [&](const RunField* field) {
            return field->get(spec) == valueIn(preset, *field);
        });
    });
    return found == kind.presets.end() ? nullptr : &*found;
}

}  // namespace orrery
