#include "core/run/jobs/entity_run.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/base/error.h"
#include "core/base/sha256.h"

namespace orrery {

namespace {

constexpr int kRulesVersion = 1;  // of the environments of this tree

}  // namespace

EnvironmentMaker makerOf(const EntityPlaceSpec& place) {
    return [place] { return makeEnvironment(place); };
}

std::string placeHash(const EntityPlaceSpec& place) {
    const nlohmann::json options = nlohmann::json::parse(place.optionsJson());  // keys in order
    return sha256Hex("environment " + place.id + ' ' + options.dump() + ' ' +
                     std::to_string(kRulesVersion));
}

std::string EntityRun::readInputs() {
    std::string problems;
    for (const SpecProblem& problem : entityJobProblems(m_job))
        problems += (problems.empty() ? "The training cannot be started: " : "; ") + problem.field +
                    ' ' + problem.text;
    if (!problems.empty()) throw Error(problems, Error::Kind::BadInput);
    return placeHash(m_job.entity.env);
}

std::unique_ptr<Method> EntityRun::makeMethod() {
    return entityLibrary().make({.spec = m_job.entity,
                                 .environment = makerOf(m_job.entity.env),
                                 .evalEnvironment = makerOf(m_job.entity.evalPlace()),
                                 .folder = context().folder()});
}

void EntityRun::keepSamples(const CaptureSpec& capture, const char* kind) {
    if (!capture.file || context().folder().empty()) return;
    const std::string name = std::string(kSampleFolder) + '/' + *capture.file;
    std::error_code error;
    if (std::filesystem::exists(context().folder() / name, error))
        context().recordArtefact(kind, name);
}

void EntityRun::addResults(nlohmann::ordered_json& json) {
    keepSamples(m_job.entity.capture, "samples");
    if (m_job.entity.eval) keepSamples(m_job.entity.eval->capture, "eval_samples");
    json["environment"] = {{"id", m_job.entity.env.id},
                           {"kwargs", nlohmann::json::parse(m_job.entity.env.optionsJson())}};
}

}  // namespace orrery
