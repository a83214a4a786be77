#include "core/run/run_name.h"

#include "core/run/spec_field.h"
#include "core/run/sweep.h"

namespace orrery {

std::string describeRun(const std::string& world, const RunSpec& spec) {
    std::string name = world;
    if (const auto* train = std::get_if<TrainJob>(&spec.job)) {
        const bool isTable = train->empo.hasTables() && !train->empo.hasNetworks();
        name +=
            (name.empty() ? "" : " · ") + std::string(isTable ? "learned in tables" : "learned");
        for (const SpecField& field : trainFields()) {
            const FieldValue value = field.get(spec);
            if (field.isExpert || field.type == FieldType::Texts || field.name.ends_with("_kind") ||
                value == fieldDefault(field))
                continue;
            name += " · " + field.name + " " + shortFieldText(value);
        }
        return name;
    }
    for (const std::string& key : sweepFields()) {
        const SpecField* field = findField("solve", key);
        const FieldValue value = field->get(spec);
        if (value == fieldDefault(*field)) continue;
        name += (name.empty() ? "" : " · ") + key + " " + shortFieldText(value);
    }
    return name;
}

}  // namespace orrery
