#include "core/run/run_spec.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/run/import_metrics.h"
#include "core/run/run_fields.h"
#include "core/run/train_fields.h"
#include "core/spec/field_check.h"
#include "core/spec/field_json.h"

namespace orrery {

using Json = nlohmann::ordered_json;

namespace {

Json fieldsJson(const RunSpec& spec, std::span<const RunField> fields) {
    Json json = Json::object();
    for (const RunField& field : fields) {
        const FieldValue value = field.get(spec);
        if (field.isOptional && std::holds_alternative<std::monostate>(value)) {
            // gamma and rho exclude each other: only an unset default has to be written.
            if (fieldDefault(field) != value) json[field.name] = nullptr;
        } else {
            json[field.name] = jsonOf(value);
        }
    }
    return json;
}

/// What the room says about its own spec, beyond the ranges of single fields.
std::vector<SpecProblem> roomProblems(const SolveJob& job) {
    return validate(job.solve);
}
std::vector<SpecProblem> roomProblems(const TrainJob& job) {
    return trainProblems(job);
}

}  // namespace

const std::vector<std::string>& jobKinds() {
    static const std::vector<std::string> kKinds{"solve", "train"};
    return kKinds;
}

const std::string& jobKind(const Job& job) {
    return jobKinds()[job.index()];
}

const SolveJob& requireSolve(const RunSpec& spec, const std::string& what) {
    if (const auto* solve = std::get_if<SolveJob>(&spec.job)) return *solve;
    throw Error(what + " has the job '" + jobKind(spec.job) + "', not a solve.",
                Error::Kind::BadInput);
}

std::vector<SpecProblem> validate(const RunSpec& spec) {
    std::vector<SpecProblem> problems = rangeProblems(runFields(), spec);
    addProblems(problems, rangeProblems(jobFields(jobKind(spec.job)), spec));
    std::visit([&](const auto& job) { addProblems(problems, roomProblems(job)); }, spec.job);
    return problems;
}

std::string toJson(const RunSpec& spec, int indent) {
    Json json;
    json["format"] = 1;
    json.update(fieldsJson(spec, runFields()));
    const std::string& kind = jobKind(spec.job);
    json[kind] = fieldsJson(spec, jobFields(kind));
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

RunSpec runSpecFromJson(std::string_view text, const std::string& file) {
    RunSpecReading reading = readRunSpec(text, file);
    if (reading.spec) return std::move(*reading.spec);
    for (const Diagnostic& diagnostic : reading.diagnostics)
        if (diagnostic.severity == Severity::Error)
            throw Error(diagnosticLine(diagnostic), Error::Kind::BadInput);
    throw Error(file + " holds no spec of a run.", Error::Kind::BadInput);
}

std::string jobKindOf(std::string_view configJson) {
    const Json spec = Json::parse(configJson, nullptr, false);
    for (const std::string& kind : jobKinds())
        if (spec.is_object() && spec.contains(kind))
            return worldNameOf(configJson) == kImportedWorld ? "import" : kind;
    return {};
}

std::string worldNameOf(std::string_view configJson) {
    const Json spec = Json::parse(configJson, nullptr, false);
    if (!spec.is_object()) return {};
    for (const std::string& kind : jobKinds()) {
        const auto job = spec.find(kind);
        if (job == spec.end() || !job->is_object()) continue;
        const auto world = job->find("world");
        if (world == job->end()) continue;
        if (world->is_string()) return world->get<std::string>();
        std::vector<std::string> names;
        if (world->is_array())
            for (const Json& name : *world)
                if (name.is_string()) names.push_back(name.get<std::string>());
        return commaList(names);
    }
    return {};
}

}  // namespace orrery
