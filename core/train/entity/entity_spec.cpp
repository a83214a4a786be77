#include "core/train/entity/entity_spec.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/spec/field_parts.h"

namespace orrery {

using enum NumberLimit;

std::int64_t EntitySpec::updates() const {
    return std::max<std::int64_t>(1, totalTimesteps / rollout.frames());
}

EntityPlaceSpec EntitySpec::evalPlace() const {
    EntityPlaceSpec place = env;
    if (!eval) return place;
    if (eval->id) place.id = *eval->id;
    if (eval->id && *eval->id != env.id) place.kwargs = FieldMap();
    if (eval->kwargs) place.kwargs = *eval->kwargs;
    return place;
}

namespace {

const SpecTable<EntityPlaceSpec>& placeFields() {
    static const SpecTable<EntityPlaceSpec> kTable = [] {
        SpecTable<EntityPlaceSpec> table;
        table.add(structural(textField("id", "Environment", true,
                                       "In what is acted: orrery env list names them.")),
                  &EntityPlaceSpec::id);
        table.add(plain(jsonField("kwargs", "Options", "Options of the environment, an object.")),
                  &EntityPlaceSpec::kwargs);
        table.add(quiet(flagField("validate", "Frames are checked", true,
                                  "What the environment shows is held against its spaces.")),
                  &EntityPlaceSpec::validates);
        table.add(countField("max_episode_steps", "Longest episode", "steps", 0, kMostSteps,
                             "Longer episodes are cut off; 0: none is."),
                  &EntityPlaceSpec::maxEpisodeSteps);
        return table;
    }();
    return kTable;
}

const SpecTable<CaptureSpec>& captureFields() {
    static const SpecTable<CaptureSpec> kTable = [] {
        SpecTable<CaptureSpec> table;
        table.add(quiet(expert(textField("capture_samples", "File of samples", false,
                                         "Name of a file in the run's folder that takes what is "
                                         "seen and done; none: nothing is kept."))),
                  &CaptureSpec::file);
        table.add(quiet(flagField("capture_logits", "Logits of samples", true,
                                  "Samples have the logarithm of each choice's probability, not "
                                  "only of the one that was taken.")),
                  &CaptureSpec::logits);
        table.add(quiet(countField("capture_samples_subsample", "One sample of", "frames", 1,
                                   1'000'000, "One of so many frames is kept, by chance.")),
                  &CaptureSpec::subsample);
        return table;
    }();
    return kTable;
}

const SpecTable<CloningSpec>& cloningFields() {
    static const SpecTable<CloningSpec> kTable = [] {
        SpecTable<CloningSpec> table;
        table.add(structural(textField("file", "File of samples", false,
                                       "What was seen and done, as capture_samples writes it.")),
                  &CloningSpec::file);
        table.add(countField("epochs", "Epochs", "epochs", 1, 1'000'000,
                             "How often all samples are learned from."),
                  &CloningSpec::epochs);
        table.add(countField("bs", "Minibatch", "frames", 1, kMostSteps, "Frames of a minibatch."),
                  &CloningSpec::bs);
        table.add(live(expert(numberField("lr", "Learning rate", AboveZero,
                                          "How far parameters follow a gradient.")),
                       "rate of cloning", {.low = 1e-6, .high = 0.1, .isLog = true}),
                  &CloningSpec::lr);
        table.add(flagField("anneal_lr", "Rate falls", true, "The rate falls to 0 at the end."),
                  &CloningSpec::annealLr);
        table.add(expert(numberField("weight_decay", "Weight decay", ZeroOrMore,
                                     "By how much parameters shrink in a step, times the rate.")),
                  &CloningSpec::weightDecay);
        table.add(live(expert(numberField("max_grad_norm", "Longest gradient", AboveZero,
                                          "Longer gradients are shortened to this.")),
                       "longest gradient", {.low = 0.01, .high = 1000, .isLog = true}),
                  &CloningSpec::maxGradNorm);
        table.add(choiceField("loss", "Loss", {"mse", "kl"},
                              "Squared errors of log-probabilities, or the divergence from those "
                              "of the samples."),
                  &CloningSpec::loss);
        table.add(expert(numberField("test_share", "Share of tests", UnitOpenAtOne,
                                     "The first samples, up to this share of all frames, are "
                                     "measured by and not learned from.")),
                  &CloningSpec::testShare);
        return table;
    }();
    return kTable;
}

const SpecTable<EntityEvalSpec>& evalFields() {
    static const SpecTable<EntityEvalSpec> kTable = [] {
        SpecTable<EntityEvalSpec> table;
        table.add(live(quiet(countField("interval", "Interval", "frames", 1, kMostSteps,
                                        "Frames between two evaluations.")),
                       "evaluated every", {.low = 1000, .high = 1e7, .isLog = true}),
                  &EntityEvalSpec::interval);
        table.add(quiet(countField("steps", "Steps", "steps", 1, kMostSteps,
                                   "Steps in each environment at most.")),
                  &EntityEvalSpec::steps);
        table.add(quiet(countField("num_envs", "Environments", "environments", 1, 100'000,
                                   "How many are acted in at once.")),
                  &EntityEvalSpec::numEnvs);
        table.add(quiet(countField("episodes", "Episodes", "episodes", 0, kMostSteps,
                                   "The first episodes of each environment count, so that long "
                                   "ones are not missed; 0: all that end within the steps.")),
                  &EntityEvalSpec::episodes);
        table.add(quiet(flagField("greedy", "Likeliest choices", true,
                                  "The likeliest choice is taken, else one is drawn.")),
                  &EntityEvalSpec::isGreedy);
        table.add(quiet(flagField("run_on_first_step", "At the start", true,
                                  "The first evaluation comes before anything is learned.")),
                  &EntityEvalSpec::runsOnFirstStep);
        table.add(quiet(expert(textField(
                      "env.id", "Environment", false,
                      "Another environment that shows what is learned from; none: that of "
                      "the training."))),
                  &EntityEvalSpec::id);
        table.add(quiet(jsonField("env.kwargs", "Options",
                                  "Options of the environment; none: those of the training.")),
                  &EntityEvalSpec::kwargs);
        table.include(captureFields(), &EntityEvalSpec::capture);
        return table;
    }();
    return kTable;
}

}  // namespace

const SpecTable<EntitySpec>& entityFields() {
    static const SpecTable<EntitySpec> kTable = [] {
        SpecTable<EntitySpec> table;
        table.add(plain(countField("total_timesteps", "Frames", "frames", 1, kMostSteps,
                                   "Frames that are learned from; what is less than a rollout at "
                                   "the end is left out.")),
                  &EntitySpec::totalTimesteps);
        table.includeSection("env", placeFields(), &EntitySpec::env);
        table.includeSection("net", rogueNetFields(), &EntitySpec::net);
        table.includeSection("optim", optimFields(), &EntitySpec::optim);
        table.includeSection("ppo", ppoFields(), &EntitySpec::ppo);
        table.includeSection("rollout", rolloutFields(), &EntitySpec::rollout);
        table.includeOptional(
            structural({.name = "vf_net",
                        .label = "Network of values",
                        .isExpert = true,
                        .meaning = "Values are learned by a network of their own."}),
            rogueNetFields(), &EntitySpec::vfNet);
        table.includeOptional(quiet({.name = "eval",
                                     .label = "Evaluations",
                                     .isExpert = true,
                                     .meaning = "The policy is measured now and then, beside what "
                                                "is learned from."}),
                              evalFields(), &EntitySpec::eval);
        table.include(captureFields(), &EntitySpec::capture);
        table.includeOptional({.name = "cloning",
                               .label = "Cloning",
                               .isExpert = true,
                               .meaning = "A policy learns to decide as samples do; rewards "
                                          "and rollouts play no part."},
                              cloningFields(), &EntitySpec::cloning);
        return table;
    }();
    return kTable;
}

namespace {

bool isCaptureName(const std::string& name) {
    constexpr std::size_t kLongest = 100;
    const auto isPlain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '.' || c == '-';
    };
    return !name.empty() && name.size() <= kLongest && name.front() != '.' &&
           std::ranges::all_of(name, isPlain);
}

void add(std::vector<SpecProblem>& problems, std::vector<SpecProblem> more) {
    problems.insert(problems.end(), more.begin(), more.end());
}

}  // namespace

std::vector<SpecProblem> entityProblems(const EntitySpec& spec) {
    std::vector<SpecProblem> problems = rogueNetProblems(spec.net, "net");
    if (spec.vfNet) add(problems, rogueNetProblems(*spec.vfNet, "vf_net"));
    add(problems, ppoProblems(spec.optim, spec.ppo, spec.rollout));
    if (spec.totalTimesteps < spec.rollout.frames())
        problems.push_back({"total_timesteps", "must be at least the " +
                                                   std::to_string(spec.rollout.frames()) +
                                                   " frames of a rollout (rollout.steps times "
                                                   "rollout.num_envs)"});
    const auto checkOptions = [&](const char* field, const FieldValue& options) {
        if (!std::holds_alternative<FieldMap>(options))
            problems.push_back({field, "must be an object, as {\"width\": 8}"});
    };
    checkOptions("env.kwargs", spec.env.kwargs);
    if (spec.eval && spec.eval->kwargs) checkOptions("eval.env.kwargs", *spec.eval->kwargs);
    const auto checkFile = [&](const char* field, const CaptureSpec& capture) {
        if (capture.file && !isCaptureName(*capture.file))
            problems.push_back({field,
                                "must be the name of a file: letters, digits and _ . -, at "
                                "most 100; it is kept in the run's folder"});
    };
    if (spec.cloning && spec.cloning->file.empty())
        problems.push_back({"cloning.file", "must name a file of samples"});
    checkFile("capture_samples", spec.capture);
    if (spec.eval) checkFile("eval.capture_samples", spec.eval->capture);
    if (spec.eval && spec.capture.file && spec.capture.file == spec.eval->capture.file)
        problems.push_back({"eval.capture_samples", "must be another file than capture_samples"});
    return problems;
}

std::vector<SpecProblem> entityProblems(const EntitySpec& spec, const EnvironmentSpaces& spaces) {
    std::vector<SpecProblem> problems = rogueNetProblems(spec.net, "net", spaces);
    if (spec.vfNet) add(problems, rogueNetProblems(*spec.vfNet, "vf_net", spaces));
    return problems;
}

namespace {

struct Rate {
    std::string_view field;
    Schedule& (*of)(EntitySpec&);
    double PpoRates::*now;
};

constexpr std::array<Rate, 5> kRates{{
    {"optim.lr", [](EntitySpec& s) -> Schedule& { return s.optim.lr; }, &PpoRates::lr},
    {"optim.max_grad_norm", [](EntitySpec& s) -> Schedule& { return s.optim.maxGradNorm; },
     &PpoRates::maxGradNorm},
    {"ppo.clip_coef", [](EntitySpec& s) -> Schedule& { return s.ppo.clipCoef; },
     &PpoRates::clipCoef},
    {"ppo.ent_coef", [](EntitySpec& s) -> Schedule& { return s.ppo.entCoef; }, &PpoRates::entCoef},
    {"ppo.vf_coef", [](EntitySpec& s) -> Schedule& { return s.ppo.vfCoef; }, &PpoRates::vfCoef},
}};

const Rate* rateNamed(std::string_view field) {
    const auto* found = std::ranges::find(kRates, field, &Rate::field);
    return found == kRates.end() ? nullptr : found;
}

}  // namespace

PpoProgress progressOf(const EntitySpec& spec, std::int64_t stepsDone) {
    return {.update = stepsDone / spec.rollout.frames() + 1,
            .updates = spec.updates(),
            .framesOfUpdate = spec.rollout.frames()};
}

std::optional<double> rateNow(const EntitySpec& spec, std::string_view field,
                              std::int64_t stepsDone) {
    const Rate* rate = rateNamed(field);
    if (rate == nullptr) return {};
    return ratesOf(spec.optim, spec.ppo, progressOf(spec, stepsDone)).*(rate->now);
}

std::optional<FieldValue> rateAtStart(const EntitySpec& spec, std::string_view field,
                                      const FieldValue& now, std::int64_t stepsDone) {
    const Rate* rate = rateNamed(field);
    const auto* wanted = std::get_if<double>(&now);
    if (rate == nullptr || wanted == nullptr) return {};
    EntitySpec tried = spec;
    Schedule& schedule = rate->of(tried);
    double is = *rateNow(tried, field, stepsDone);
    if (is == *wanted) return detail::toFieldValue({}, schedule);
    if (!(is > 0)) {  // it is 0 by its schedule, or by what is left
        schedule = Schedule(1);
        is = *rateNow(tried, field, stepsDone);
        if (!(is > 0)) return {};
    }
    schedule = schedule.scaled(*wanted / is);
    return detail::toFieldValue({}, schedule);
}

}  // namespace orrery
