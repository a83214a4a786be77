#include "core/empo/snapshot.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace orrery {

namespace {

/// Gives names and values, or names alone.
class MetricList {
public:
    /// @param isComplete  takes what is not there too
    explicit MetricList(bool isComplete) : m_isComplete(isComplete) {}

    void add(const std::string& name, double value, bool isThere = true) {
        if (m_isComplete || (isThere && std::isfinite(value))) m_values.push_back({name, value});
    }
    std::vector<MetricValue> take() { return std::move(m_values); }

private:
    bool m_isComplete;
    std::vector<MetricValue> m_values;
};

void addNumbers(MetricList& list, const std::string& name, Approximator kind,
                const QuantityNumbers& own) {
    const bool isThere = own.updates > 0 && kind != Approximator::Computed;
    list.add("Loss/" + name, own.loss, isThere);
    list.add("GradNorm/" + name, own.gradientNorm, isThere);
    list.add("ParamNorm/" + name, own.parameterNorm, isThere && kind == Approximator::Network);
    list.add("Predictions/" + name + "_mean", own.mean, isThere);
    list.add("Predictions/" + name + "_std", own.deviation, isThere);
    list.add("Targets/" + name + "_mean", own.targetMean, isThere);
    list.add("Targets/" + name + "_std", own.targetDeviation, isThere);
    list.add("LearningRate/" + name, own.learningRate, isThere);
    list.add("LookupTable/" + name + "_size", static_cast<double>(own.tableEntries),
             kind == Approximator::Table);
}

void addQuantity(MetricList& list, const EmpoSpec& spec, Quantity quantity,
                 const LearnerNumbers& learner) {
    const QuantityNumbers& own = learner.quantities[static_cast<std::size_t>(quantity)];
    const std::string name = nameOf(quantity);
    const Approximator kind = spec.of(quantity).kind;
    addNumbers(list, name, kind, own);
    const bool isThere = own.updates > 0 && kind != Approximator::Computed;
    list.add("ZSpace/" + name + "_z_pred", learner.z_rMean,
             isThere && spec.usesZSpace && quantity == Quantity::Q_r);
    list.add("ZSpace/" + name + "_z_target", learner.z_rTargetMean,
             isThere && spec.usesZSpace && quantity == Quantity::Q_r);
}

bool counts(Curiosity curiosity) {
    return curiosity == Curiosity::Counts || curiosity == Curiosity::CountsUcb;
}

void addRnd(MetricList& list, const EmpoSpec& spec, const LearnerNumbers& learner) {
    const auto add = [&](const std::string& prefix, bool isThere) {
        list.add(prefix + "_loss", learner.rndLoss, isThere);
        list.add(prefix + "_novelty_mean", learner.rndNovelty, isThere);
    };
    add("Exploration/rnd", spec.curiosity_r == Curiosity::Rnd);
    add("Exploration/human_rnd", spec.curiosity_h == Curiosity::Rnd);
    for (const Quantity quantity : kQuantities) {
        const Approximator kind = spec.of(quantity).kind;
        const bool isScaled =
            kind == Approximator::Network || (kind == Approximator::Table && !spec.adaptiveTables);
        const bool isThere = spec.hasRnd() && spec.rndScalesRates && isScaled &&
                             learner.quantities[static_cast<std::size_t>(quantity)].updates > 0;
        const std::string prefix = std::string("AdaptiveLR/rnd_") + nameOf(quantity);
        list.add(prefix + "_scale_mean", learner.rndScale, isThere);
        list.add(prefix + "_mse_mean", learner.rndLoss, isThere);
    }
}

void addVisits(MetricList& list, const EmpoSpec& spec, const EmpoSnapshot& snapshot) {
    list.add("Exploration/unique_states_seen", static_cast<double>(snapshot.visitedStates));
    const bool isThere = snapshot.visits && snapshot.visits->states > 0;
    const VisitNumbers visits = isThere ? *snapshot.visits : VisitNumbers{.states = 1, .total = 1};
    const auto states = static_cast<double>(visits.states);
    const auto total = static_cast<double>(visits.total);
    list.add("Exploration/visit_count_median", static_cast<double>(visits.median), isThere);
    list.add("Exploration/visit_count_p90", static_cast<double>(visits.percentile90), isThere);
    list.add("Exploration/visit_count_max", static_cast<double>(visits.most), isThere);
    const Curiosity curiosity = counts(spec.curiosity_r) ? spec.curiosity_r : spec.curiosity_h;
    const bool isCounted = isThere && counts(curiosity);
    const double share = curiosity == Curiosity::CountsUcb ? std::log(total) : 1;
    const std::string prefix = "Exploration/count_curiosity_";
    list.add(prefix + "unique_states", states, isCounted);
    list.add(prefix + "total_visits", total, isCounted);
    list.add(prefix + "mean_visits", total / states, isCounted);
    list.add(prefix + "max_visits", static_cast<double>(visits.most), isCounted);
    list.add(prefix + "coverage_ratio", static_cast<double>(visits.revisited) / states, isCounted);
    list.add(prefix + "mean_bonus", spec.curiosityScale * std::sqrt(share) * visits.meanRoot,
             isCounted);
}

void addLearner(MetricList& list, const EmpoSpec& spec, const EmpoSnapshot& snapshot) {
    const LearnerNumbers& learner = snapshot.learner;
    const auto updatesOf = [&](Quantity quantity) {
        return learner.quantities[static_cast<std::size_t>(quantity)].updates;
    };
    const bool hasQ_r = updatesOf(Quantity::Q_r) > 0;
    const bool hasU_rNetwork =
        updatesOf(Quantity::U_r) > 0 && spec.of(Quantity::U_r).kind == Approximator::Network;
    list.add("Loss/q_r_all_actions",
             learner.quantities[static_cast<std::size_t>(Quantity::Q_r)].loss, hasQ_r);
    list.add("Loss/q_r_taken_action", learner.qLossTaken, hasQ_r);
    list.add("Predictions/u_r_y_mean", learner.y_rMean, hasU_rNetwork);
    list.add("Predictions/u_r_y_std", learner.y_rDeviation, hasU_rNetwork);
    list.add("Targets/u_r_y_mean", learner.y_rTargetMean, hasU_rNetwork);
    const EmpoSchedule schedule(spec);
    list.add("LearningRate/decay_phase_start", static_cast<double>(schedule.decayBegin()));
    const bool hasBegun = learner.step > 0;  // before, the schedule's numbers are not there yet
    list.add("Exploration/epsilon_r", learner.epsilon_r, hasBegun);
    list.add("Exploration/epsilon_h", learner.epsilon_h, hasBegun);
    addRnd(list, spec, learner);
    list.add("Warmup/effective_beta_r", learner.beta_eff, hasBegun);
    list.add("Warmup/gamma_h", learner.gamma_h, hasBegun && spec.gammaStart_h.has_value());
    list.add("Warmup/gamma_r", learner.gamma_r, hasBegun && spec.gammaStart_r.has_value());
    list.add("Warmup/is_warmup", learner.isWarmup);
    list.add("Warmup/stage", learner.stage);
    // 1 at the first point of a stage, which draws a line into a chart.
    const std::int64_t lastPoint = learner.step - snapshot.metricInterval;
    list.add("Warmup/stage_transition",
             lastPoint > 0 && schedule.stageIndex(lastPoint - 1) != learner.stage, hasBegun);
    const bool hasStage = learner.stage < std::ssize(snapshot.stages);
    list.add("Warmup/active_networks_mask",
             hasStage ? static_cast<double>(snapshot.stages[learner.stage].active) : 0, hasStage);
    list.add("Progress/environment_steps", static_cast<double>(snapshot.environmentSteps));
    double entries = 0;
    for (const QuantityNumbers& own : learner.quantities)
        entries += static_cast<double>(own.tableEntries);
    entries += static_cast<double>(learner.q_h.tableEntries);
    list.add("LookupTable/total_entries", entries, spec.hasTables());
    list.add("ZSpace/in_decay_phase", learner.isDecaying, spec.usesZSpace);
    list.add("Supervision/q_r_taken_action_only", spec.numSteps != 1, hasQ_r);
    for (const Quantity quantity : kQuantities)  // which the training tells at long intervals
        for (const char* metric : {"effective_rank", "stable_rank", "feature_rank", "weight_norm",
                                   "dormant_units", "dead_units"})
            list.add(std::string("Plasticity/") + nameOf(quantity) + "/" + metric, 0, false);
    list.add("Learner/skipped_steps", static_cast<double>(learner.skippedSteps));
}

void addMachine(MetricList& list, const EmpoSnapshot& snapshot) {
    list.add("Replay/size", static_cast<double>(snapshot.replay.size));
    list.add("Replay/models", static_cast<double>(snapshot.replay.models));
    list.add("Replay/bytes", static_cast<double>(snapshot.replay.bytes));
    list.add("Replay/queue", static_cast<double>(snapshot.replay.queueSize));
    list.add("Replay/dropped", static_cast<double>(snapshot.replay.dropped));
    list.add("Rates/training_steps_per_second", snapshot.stepsPerSecond);
    list.add("Rates/environment_steps_per_second", snapshot.environmentStepsPerSecond);
    for (const SpanKind stage : kProfileStages)
        list.add("Profile/" + profileName(stage), snapshot.profile.milliseconds(stage));
}

void addAll(MetricList& list, const EmpoSpec& spec, const EmpoSnapshot& snapshot) {
    for (const Quantity quantity : kQuantities) addQuantity(list, spec, quantity, snapshot.learner);
    const QuantityNumbers& q_h = snapshot.learner.q_h;
    addNumbers(list, "q_h", q_h.isActive ? spec.q_h.kind : Approximator::Computed, q_h);
    addLearner(list, spec, snapshot);
    addVisits(list, spec, snapshot);
    addMachine(list, snapshot);
}

}  // namespace

std::map<std::string, std::int64_t> memoryByName(const MemoryNumbers& memory) {
    return {{"buffer", memory.buffer},         {"tables", memory.tables},
            {"parameters", memory.parameters}, {"optimisers", memory.optimisers},
            {"recording", memory.recording},   {"process", memory.process}};
}

VisitNumbers visitNumbersOf(std::vector<std::uint32_t> counts) {
    VisitNumbers numbers;
    if (counts.empty()) return numbers;
    std::ranges::sort(counts);
    numbers.states = std::ssize(counts);
    for (const std::uint32_t count : counts) {
        numbers.total += count;
        numbers.revisited += count > 1 ? 1 : 0;
        numbers.meanRoot += 1 / std::sqrt(1.0 + count);
    }
    numbers.meanRoot /= static_cast<double>(counts.size());
    numbers.median = counts[(counts.size() - 1) / 2];
    numbers.percentile90 = counts[(counts.size() - 1) * 9 / 10];
    numbers.most = counts.back();
    return numbers;
}

std::vector<MetricValue> metricsOf(const EmpoSpec& spec, const EmpoSnapshot& snapshot) {
    MetricList list(false);
    addAll(list, spec, snapshot);
    return list.take();
}

std::vector<std::string> allMetricNames() {
    MetricList list(true);
    addAll(list, {}, {});
    std::vector<std::string> names;
    for (const MetricValue& value : list.take()) names.push_back(value.name);
    return names;
}

}  // namespace orrery
