#pragma once

#include <span>
#include <string_view>
#include <type_traits>

#include "core/run/run_spec.h"
#include "core/spec/spec_table.h"

namespace orrery {

/// A field of a run's spec. Of a spec with another job it reads its default; it can be set in specs
/// with its job alone.
using RunField = SpecRow<RunSpec>;

/// Fields of every run: name, note, seed.
std::span<const RunField> runFields();

/// Fields of the kind of that name, without runFields(); none if there is no such kind.
std::span<const RunField> jobFields(std::string_view kind);

/// The fields of a kind's settings, as those of a spec.
template <typename Settings>
SpecTable<RunSpec> fieldsOfJob(const SpecTable<Settings>& table) {
    SpecTable<RunSpec> fields;
    fields.include(
        table, [](auto& spec) -> auto& {
            if constexpr (std::is_const_v<std::remove_reference_t<decltype(spec)>>) {
                static const Settings kFresh;
                const Settings* settings = spec.job.template find<Settings>();
                return settings == nullptr ? kFresh : *settings;
            } else {
                return spec.job.template as<Settings>();
            }
        });
    return fields;
}

/// By name or alias. Null if neither runFields() nor the kind's fields have it.
const RunField* findField(std::string_view kind, std::string_view name);

/// The value in a fresh spec of that job.
FieldValue fieldDefault(const RunField& field);

}  // namespace orrery
