#include "core/run/run_name.h"

#include "core/run/spec_field.h"
#include "core/run/sweep.h"

namespace orrery {

std::string describeRun(const std::string& world, const RunSpec& spec) {
    std::string name = world;
    for (const std::string& key : sweepFields()) {
        const SpecField* field = findField("solve", key);
        const FieldValue value = field->get(spec);
        if (value == fieldDefault(*field)) continue;
        name += (name.empty() ? "" : " · ") + key + " " + shortFieldText(value);
    }
    return name;
}

}  // namespace orrery
