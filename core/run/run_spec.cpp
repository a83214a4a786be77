#include "core/run/run_spec.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/history/records.h"
#include "core/run/run_kind.h"
#include "core/run/steering.h"
#include "core/run/stored_reading.h"
#include "core/spec/field_check.h"
#include "core/spec/field_json.h"

namespace orrery {

using Json = nlohmann::ordered_json;

namespace {

/// The member of a name, made if it is not there; dots part sections.
Json& memberAt(Json& json, std::string_view name) {
    const std::size_t dot = name.find('.');
    Json& member = json[std::string(name.substr(0, dot))];
    return dot == std::string_view::npos ? member : memberAt(member, name.substr(dot + 1));
}

Json fieldsJson(const RunSpec& spec, std::span<const RunField> fields) {
    Json json = Json::object();
    std::set<std::string> absent;  // sections
    for (const RunField& field : fields) {
        if (absent.contains(field.section)) {
            if (field.type == FieldType::Section) absent.insert(field.name);
            continue;
        }
        const FieldValue value = field.get(spec);
        if (field.type == FieldType::Section) {
            const bool isThere = std::get<bool>(value);
            if (!isThere) absent.insert(field.name);
            memberAt(json, field.name) = isThere ? Json::object() : Json(nullptr);
        } else if (field.isOptional && std::holds_alternative<std::monostate>(value)) {
            // gamma and rho exclude each other: only an unset default has to be written.
            if (fieldDefault(field) != value) memberAt(json, field.name) = nullptr;
        } else {
            memberAt(json, field.name) = jsonOf(value);
        }
    }
    return json;
}

}  // namespace

std::vector<SpecProblem> validate(const RunSpec& spec) {
    std::vector<SpecProblem> problems = rangeProblems(runFields(), spec);
    const RunKind& kind = spec.job.kind();
    addProblems(problems, rangeProblems(kind.fields, spec));
    addProblems(problems, kind.problems(spec.job));
    if (kind.isTraining()) addProblems(problems, trainingProblems(spec));
    return problems;
}

std::string toJson(const RunSpec& spec, int indent) {
    Json json;
    json["format"] = 1;
    json.update(fieldsJson(spec, runFields()));
    const RunKind& kind = spec.job.kind();
    json[kind.name] = fieldsJson(spec, kind.fields);
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

namespace {

/// What the program writes has all fields; one that is not there is younger than the spec.
void takeFormerValues(RunSpecReading& reading) {
    const RunKind& kind = reading.spec->job.kind();
    for (const auto& [name, value] : kind.formerValues)
        if (const RunField* field = findField(kind.name, name);
            field != nullptr && !reading.places.contains(name))
            field->set(*reading.spec, fieldFromText(*field, value));
}

}  // namespace

int& StoredReading::depth() {
    thread_local int depth = 0;
    return depth;
}

RunSpec runSpecFromJson(std::string_view text, const std::string& file) {
    const StoredReading stored;
    RunSpecReading reading = readRunSpec(text, file);
    if (reading.spec) {
        if (text.starts_with('{')) takeFormerValues(reading);
        return std::move(*reading.spec);
    }
    for (const Diagnostic& diagnostic : reading.diagnostics)
        if (diagnostic.severity == Severity::Error)
            throw Error(diagnosticLine(diagnostic), Error::Kind::BadInput);
    throw Error(file + " holds no spec of a run.", Error::Kind::BadInput);
}

const RunKind* kindOf(const RunRecord& run) {
    return findKind(run.kind);
}

bool hasValues(const RunRecord& run) {
    const RunKind* kind = kindOf(run);
    return kind != nullptr && kind->hasValues;
}

bool isTraining(const RunRecord& run) {
    const RunKind* kind = kindOf(run);
    return kind != nullptr && kind->isTraining();
}

const TrainSettings* trainSettings(const Job& job) {
    const RunKind& kind = job.kind();
    return kind.isTraining() ? kind.training(const_cast<Job&>(job)) : nullptr;
}

std::vector<WorldRef> worldRefs(const Job& job) {
    return job.kind().worlds(job);
}

std::string worldName(const Job& job) {
    std::vector<std::string> names;
    for (const WorldRef& world : worldRefs(job)) names.push_back(world.name);
    return commaList(names);
}

std::string worldNameOf(std::string_view configJson) {
    return worldNameIn(Json::parse(configJson, nullptr, false));
}

std::string worldNameIn(const Json& spec) {
    if (!spec.is_object()) return {};
    for (const RunKind* kind : runKinds()) {
        const auto job = spec.find(kind->name);
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
