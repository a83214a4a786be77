#include "core/run/jobs/import_kind.h"

#include "core/spec/field_parts.h"

namespace orrery {

namespace {

std::span<const RunField> importFields() {
    static const SpecTable<RunSpec> kTable = [] {
        SpecTable<ImportJob> table;
        table.add(quiet(textField("source", "Source", false,
                                  "The file or folder that the curves were read from.")),
                  &ImportJob::source);
        return fieldsOfJob(table);
    }();
    return kTable.rows();
}

}  // namespace

const RunKind& importKind() {
    static const RunKind kKind{
        .name = "import",
        .noun = "record of imported curves",
        .settings = typeid(ImportJob),
        .fresh = [] { return Job(ImportJob()); },
        .fields = importFields(),
        .problems = [](const Job&) { return std::vector<SpecProblem>(); },
        .takeSeed = [](Job&, std::uint64_t) {},
        .worlds = [](const Job&) { return std::vector<WorldRef>(); },
        .takeWorlds = [](Job&, const std::vector<WorldRef>&) {},
        .placeTitle = "Imported",
        .describe = [](const RunSpec&) { return std::vector<std::string>(); },
        .addFacts = [](const nlohmann::ordered_json&, RunFacts&) {}};
    return kKind;
}

}  // namespace orrery
