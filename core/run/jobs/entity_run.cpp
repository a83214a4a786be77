#include "core/run/jobs/entity_run.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/run/jobs/environments.h"

namespace orrery {

namespace {

constexpr int kRulesVersion = 1;  // of the environments of this tree
constexpr int kRestarts = 3;      // of what serves environments, in ten minutes, as of actors

}  // namespace

EnvironmentMaker makerOf(const EntityPlaceSpec& place, const OutsideRules& rules) {
    return makerTogether(knownEnvironment(place.id), place.optionsJson(), rules);
}

std::string placeHash(const EntityPlaceSpec& place) {
    const nlohmann::json options = nlohmann::json::parse(place.optionsJson());  // keys in order
    const EnvironmentEntry& entry = knownEnvironment(place.id);
    return sha256Hex("environment " + (entry.isOwn() ? entry.origin : place.id) + ' ' +
                     options.dump() + ' ' + std::to_string(kRulesVersion));
}

std::string EntityRun::readInputs() {
    std::string problems;
    for (const SpecProblem& problem : entityJobProblems(m_job))
        problems += (problems.empty() ? "The training cannot be started: " : "; ") + problem.field +
                    ' ' + problem.text;
    if (!problems.empty()) throw Error(problems, Error::Kind::BadInput);
    return placeHash(m_job.entity.env);
}

EnvironmentMaker EntityRun::makerInRun(const EntityPlaceSpec& place) {
    return makerOf(place, {.processes = m_job.entity.rollout.threads,
                           .stop = context().stop(),
                           .recordsSteps = false,
                           .mayRestart = [budget = m_restarts] { return budget->take(); },
                           .say =
                               [this](const std::string& line) {
                                   context().message(MessageLevel::Warning, "environment.lost",
                                                     line);
                               },
                           .giveUp =
                               [this](const std::string& line) {
                                   context().message(MessageLevel::Error, "environment.given_up",
                                                     line + " The run stops; it can be resumed.");
                                   context().command({.source = "its environment"});
                               }});
}

std::unique_ptr<Method> EntityRun::makeMethod() {
    m_restarts = std::make_shared<RestartBudget>(kRestarts);
    const EntityPlaceSpec& place = m_job.entity.env;
    if (!knownEnvironment(place.id).isExact)
        context().message(MessageLevel::Info, "environment.inexact",
                          place.id +
                              " does not save its state: where this run is resumed its episodes "
                              "begin anew, so that it does not go on exactly as it would have.");
    // Where episodes are measured in the same place, they share its processes.
    const EnvironmentMaker make = makerInRun(place);
    const EntityPlaceSpec evalPlace = m_job.entity.evalPlace();
    return entityLibrary().make(
        {.spec = m_job.entity,
         .environment = make,
         .evalEnvironment = evalPlace == place ? make : makerInRun(evalPlace),
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
