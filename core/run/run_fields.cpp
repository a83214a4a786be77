#include "core/run/run_fields.h"

#include "core/run/run_kind.h"
#include "core/spec/field_parts.h"

namespace orrery {

std::span<const RunField> runFields() {
    static const SpecTable<RunSpec> kTable = [] {
        SpecTable<RunSpec> table;
        table.add(textField("name", "Name", false, "A name for people; need not be unique."),
                  &RunSpec::name);
        table.add(textField("note", "Note", false, "Free text kept with the run."), &RunSpec::note);
        table.add(quiet(plain(countField("seed", "Seed", "", 0, 0x1p63 - 1024,
                                         "Seed of the run's random numbers."))),
                  &RunSpec::seed);
        return table;
    }();
    return kTable.rows();
}

std::span<const RunField> jobFields(std::string_view kind) {
    const RunKind* known = findKind(kind);
    return known == nullptr ? std::span<const RunField>() : known->fields;
}

const RunField* findField(std::string_view kind, std::string_view name) {
    for (const auto& fields : {runFields(), jobFields(kind)})
        for (const RunField& field : fields)
            if (field.isNamed(name)) return &field;
    return nullptr;
}

FieldValue fieldDefault(const RunField& field) {
    return field.get(RunSpec{});
}

}  // namespace orrery
