#include "core/run/jobs/empo_run.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/text.h"
#include "core/encode/state_encoder.h"
#include "core/run/jobs/exact_solution.h"

namespace orrery {

namespace {

std::string numbered(const char* stem, std::size_t index, const char* suffix) {
    return stem + (index == 0 ? std::string() : "_" + std::to_string(index + 1)) + suffix;
}

/// What learning needs of a world beyond what reading it checks.
std::string worldProblems(const World& world, const TrainJob& job) {
    std::string problems;
    const auto add = [&](const std::string& text) {
        problems += (problems.empty() ? "" : "; ") + text;
    };
    for (const SpecProblem& problem : validate(exactSpecOf(job.empo), world))
        add(problem.field + " " + problem.text);
    if (world.robots().empty()) add("world has no robot, so there is nothing to learn; add one");
    const std::vector<double>& policy = job.empo.explorationPolicy;
    for (const int robot : world.robots())
        if (const auto& actions = world.agents()[static_cast<std::size_t>(robot)].actions;
            !policy.empty() && policy.size() != actions.size())
            add("exploration_policy has " + std::to_string(policy.size()) +
                " probabilities, but a robot has " + std::to_string(actions.size()) + " actions");
    const std::vector<double>& ofHumans = job.empo.explorationPolicy_h;
    for (const HumanGoals& human : world.goals())
        if (const int actions = world.numActions(human.agent);
            !ofHumans.empty() && std::ssize(ofHumans) != actions)
            add("human_exploration_policy has " + std::to_string(ofHumans.size()) +
                " probabilities, but a human has " + std::to_string(actions) + " actions");
    return problems;
}

}  // namespace

std::string EmpoRun::readInputs() {
    std::string problems;
    for (const WorldRef& named : worldRefs(m_job)) {
        WorldReading read = readWorld(named);
        auto world = makeWorld(requireSpec(read.file));
        m_worldTexts.push_back(std::move(read.text));
        for (const Diagnostic& diagnostic : read.file.diagnostics) warn(diagnosticLine(diagnostic));
        const bool isWhole = m_job.empo.encodingRules() == EncodingRules::Whole;
        for (const std::string& what : isWhole ? std::vector<std::string>() : notEncoded(*world))
            warn("'" + named.name + "': encoded states do not tell " + what +
                 " apart, so what differs in them alone is learned as one state");
        if (const std::string wrong = worldProblems(*world, m_job); !wrong.empty())
            problems += (problems.empty() ? "The training cannot be started: " : "; ") + wrong;
        m_request.worlds.push_back(std::move(world));
    }
    show([this](TrainSnapshot& snapshot) { snapshot.worlds = m_request.worlds; });
    const EncodingShape shape = shapeCovering(m_request.worlds, m_job.empo.encodingRules());
    const bool hasNetworks = m_job.empo.hasNetworks() || m_job.empo.hasHumanNetwork();
    if (problems.empty() && hasNetworks && (shape.width < 2 || shape.height < 2))
        problems = "Networks need a world of at least 2 x 2 cells, and this one has " +
                   std::to_string(shape.width) + " x " + std::to_string(shape.height) +
                   ". Learn in tables, or make the world larger";
    if (!problems.empty()) throw Error(problems + ".", Error::Kind::BadInput);
    return worldHashOf(m_request.worlds);
}

void EmpoRun::keepInputs() {
    for (std::size_t i = 0; i < m_worldTexts.size(); ++i)
        context().artefact(numbered("world", i, ""), numbered("world", i, ".yaml"),
                           m_worldTexts[i]);
    empoLibrary();
}

RunSpec EmpoRun::keptSpec() const {
    RunSpec kept{.seed = m_job.empo.seed, .job = m_job};
    kept.job.as<TrainJob>().worldTexts.clear();
    return kept;
}

std::unique_ptr<Method> EmpoRun::makeMethod() {
    if (!solveExactly()) return nullptr;
    m_request.spec = m_job.empo;
    m_request.solveAgain = [this](const EmpoSpec& spec) { return solveAgain(spec); };
    return empoLibrary().make(m_request);
}

/// Solves the worlds that are small enough. @return false if stopped
bool EmpoRun::solveExactly() {
    for (std::size_t i = 0; i < m_request.worlds.size(); ++i) {
        const ExactSolution exact =
            exactSolutionOf(m_request.worlds[i], m_job.empo, m_job.exactStates, context().stop(),
                            [this](const Progress& progress) { context().progress(progress); });
        if (context().stop().stop_requested()) return false;
        if (!exact.solution) tellNotExact(i, exact.whyNot);
        m_request.exact.push_back(exact.solution);
    }
    show([this](TrainSnapshot& snapshot) { snapshot.exact = m_request.exact; });
    return true;
}

void EmpoRun::tellNotExact(std::size_t world, const std::string& whyNot) {
    context().message(MessageLevel::Info, "train.not_exact",
                      "'" + m_job.worlds[world] +
                          "' is not solved exactly, so errors are not measured: " + whyNot);
}

/// Solves the worlds that were solved at the start once more, for a steered spec. A run that does
/// single steps is not held up within one.
/// @return [worlds], null where a world is not solved or the run was stopped
std::vector<std::shared_ptr<const Solution>> EmpoRun::solveAgain(const EmpoSpec& spec) {
    std::vector<std::shared_ptr<const Solution>> solutions;
    for (std::size_t i = 0; i < m_request.exact.size(); ++i) {
        ExactSolution exact;
        if (m_request.exact[i])
            exact = solvedAgain(*m_request.exact[i], spec, context().stop(),
                                [this](const Progress& progress) {
                                    if (context().state() == RunState::Paused)
                                        context().showProgress(progress);
                                    else
                                        context().progress(progress);
                                });
        if (!exact.whyNot.empty()) tellNotExact(i, exact.whyNot);
        solutions.push_back(exact.solution);
    }
    if (context().stop().stop_requested()) return solutions;
    show([&](TrainSnapshot& snapshot) { snapshot.exact = solutions; });
    context().message(MessageLevel::Info, "train.solved_again",
                      "errors are measured against exact solutions for beta_r = " +
                          formatDouble(spec.beta_r) + " from here on");
    return solutions;
}

void EmpoRun::addResults(nlohmann::ordered_json& json) {
    json["worlds"] = nlohmann::ordered_json::array();
    for (const auto& world : m_request.worlds)
        json["worlds"].push_back({{"name", world->name()},
                                  {"hash", world->contentHash()},
                                  {"width", world->width()},
                                  {"height", world->height()},
                                  {"max_steps", world->maxSteps()}});
    json["world"] = json["worlds"].front();
}

}  // namespace orrery
