#include "core/empo/spec.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/text.h"

namespace orrery {

namespace {

/// Collects what is wrong.
class EmpoCheck {
public:
    explicit EmpoCheck(const EmpoSpec& spec) : m_spec(spec) {}

    std::vector<SpecProblem> run() {
        theory();
        curricula();
        quantities();
        humans();
        networks();
        steps();
        acting();
        collectors();
        records();
        return std::move(m_problems);
    }

private:
    void require(bool good, const std::string& field, const std::string& range, double value) {
        if (!good) m_problems.push_back({field, "must be " + range + ", got " + text(value)});
    }
    static std::string text(double value) {
        return std::abs(value) < 1e15 && value == std::floor(value)
                   ? std::to_string(static_cast<std::int64_t>(value))
                   : formatDouble(value);
    }
    void positive(const char* field, double value) {
        require(value > 0 && std::isfinite(value), field, "above 0 and finite", value);
    }
    void within(const char* field, double value, double low, double high) {
        require(value >= low && value <= high, field, "from " + text(low) + " to " + text(high),
                value);
    }
    void atLeast(const char* field, std::int64_t value, std::int64_t low) {
        require(value >= low, field, text(static_cast<double>(low)) + " or more",
                static_cast<double>(value));
    }

    void theory() {
        for (const auto& [field, gamma] :
             {std::pair("gamma_h", m_spec.gamma_h), std::pair("gamma_r", m_spec.gamma_r)})
            require(gamma > 0 && gamma <= 1, field, "above 0 and at most 1", gamma);
        require(m_spec.beta_h >= 0, "beta_h", "0 or more, or inf", m_spec.beta_h);
        positive("beta_r", m_spec.beta_r);
        require(m_spec.zeta >= 1 && std::isfinite(m_spec.zeta), "zeta", "1 or more and finite",
                m_spec.zeta);
        positive("xi", m_spec.xi);
        positive("eta", m_spec.eta);
        require(m_spec.terminal_v_r < 0 && std::isfinite(m_spec.terminal_v_r), "terminal_v_r",
                "below 0 and finite", m_spec.terminal_v_r);
    }

    void curricula() {
        const auto check = [this](const std::string& name, const std::optional<double>& start,
                                  double end, std::int64_t steps) {
            if (start)
                require(*start > 0 && *start <= end, name + "_start",
                        "above 0 and at most " + name + " (" + text(end) + ")", *start);
            atLeast((name + "_rampup_steps").c_str(), steps, 0);
        };
        check("gamma_h", m_spec.gammaStart_h, m_spec.gamma_h, m_spec.gammaSteps_h);
        check("gamma_r", m_spec.gammaStart_r, m_spec.gamma_r, m_spec.gammaSteps_r);
    }

    void rates(const std::string& name, const QuantitySpec& own) {
        positive(("lr_" + name).c_str(), own.learningRate);
        atLeast((name + "_target_update_freq").c_str(), own.targetCopySteps, 1);
    }

    void humans() {
        rates("q_h", m_spec.q_h);
        atLeast("warmup_human_steps", m_spec.q_h.warmupSteps, m_spec.learnsHumans() ? 1 : 0);
        within("lookup_default_q_h", m_spec.q_h.tableDefault, 0, 1);
        if (m_spec.q_h.kind == Approximator::Computed)
            m_problems.push_back(
                {"q_h_kind", "must be network or table: q_h is what humans' policies follow from"});
        if (m_spec.learnsHumans() && m_spec.humanModel == HumanModel::Sampled)
            m_problems.push_back({"human_prior",
                                  "learned needs human_model: expected, as its targets ask for "
                                  "every human action"});
    }

    void quantities() {
        for (const Quantity quantity : kQuantities) {
            const QuantitySpec& own = m_spec.of(quantity);
            const std::string name = nameOf(quantity);
            rates(name, own);
            atLeast(("warmup_" + name + "_steps").c_str(), own.warmupSteps, 0);
            if (own.kind == Approximator::Computed &&
                (quantity == Quantity::V_h_e || quantity == Quantity::Q_r))
                m_problems.push_back(
                    {name + "_kind", "must be network or table: " + name +
                                         " cannot be computed from the other quantities"});
            const std::string field = "lookup_default_" + name;
            if (quantity == Quantity::V_h_e || quantity == Quantity::X_h)
                within(field.c_str(), own.tableDefault, 0, 1);
            else
                require(own.tableDefault < 0 && std::isfinite(own.tableDefault), field,
                        "below 0 and finite", own.tableDefault);
        }
    }

    void networks() {
        within("hidden_dim", m_spec.hiddenSize, 8, 4096);
        require(m_spec.dropout >= 0 && m_spec.dropout < 1, "dropout", "from 0 to below 1",
                m_spec.dropout);
        require(m_spec.weightDecay >= 0 && std::isfinite(m_spec.weightDecay), "weight_decay",
                "0 or more", m_spec.weightDecay);
        require(m_spec.tableRateFloor > 0 && m_spec.tableRateFloor <= 1, "table_rate_floor",
                "above 0 and at most 1", m_spec.tableRateFloor);
        positive("grad_clip", m_spec.clipNorm);
        positive("action_weight_floor", m_spec.actionWeightFloor);
        if (m_spec.ownEncoders != OwnEncoders::Own && m_spec.hasNetworks() &&
            m_spec.of(Quantity::V_h_e).kind != Approximator::Network)
            m_problems.push_back({"own_encoders",
                                  "must be own where v_h_e_kind is no network: nothing would train "
                                  "the shared encoders"});
        if (m_spec.usesZLoss && !m_spec.usesZSpace)
            m_problems.push_back(
                {"use_z_based_loss", "needs use_z_space; set it too, or neither of them"});
    }

    void steps() {
        atLeast("num_training_steps", m_spec.trainingSteps, 1);
        within("batch_size", m_spec.batchSize, 1, 65536);
        if (m_spec.xhBatchSize) within("x_h_batch_size", *m_spec.xhBatchSize, 1, 65536);
        atLeast("steps_per_episode", m_spec.stepsPerEpisode, 1);
        atLeast("env_steps_per_training_step", m_spec.environmentStepsPerTrainingStep, 1);
        atLeast("training_steps_per_env_step", m_spec.trainingStepsPerEnvironmentStep, 1);
        if (m_spec.environmentStepsPerTrainingStep > 1 &&
            m_spec.trainingStepsPerEnvironmentStep > 1)
            m_problems.push_back({"training_steps_per_env_step",
                                  "must be 1 where env_steps_per_training_step is above 1"});
        atLeast("num_steps", m_spec.numSteps, 0);
        atLeast("beta_r_rampup_steps", m_spec.rampSteps, 0);
        within("lr_constant_fraction", m_spec.constantRateFraction, 0, 1);
        const std::int64_t least = std::max(m_spec.batchSize, m_spec.xhBatchSize.value_or(1));
        require(m_spec.bufferCapacity >= least, "buffer_size",
                "at least a batch (" + std::to_string(least) + ")",
                static_cast<double>(m_spec.bufferCapacity));
    }

    void acting() {
        within("epsilon_r_start", m_spec.epsilonStart_r, 0, 1);
        within("epsilon_r_end", m_spec.epsilonEnd_r, 0, 1);
        within("epsilon_h_start", m_spec.epsilonStart_h, 0, 1);
        within("epsilon_h_end", m_spec.epsilonEnd_h, 0, 1);
        atLeast("epsilon_decay_steps", m_spec.epsilonSteps, 0);
        within("goal_resample_prob", m_spec.goalResampleProbability, 0, 1);
        atLeast("goals_per_human", m_spec.goalsPerHuman, 1);
        probabilities("exploration_policy", m_spec.explorationPolicy);
        probabilities("human_exploration_policy", m_spec.explorationPolicy_h);
        require(m_spec.macroSteps >= 1 && m_spec.macroSteps <= 1e6, "macro_steps",
                "from 1 to 1000000", m_spec.macroSteps);
        require(m_spec.curiosityCoefficient >= 0 && std::isfinite(m_spec.curiosityCoefficient),
                "curiosity_coef", "0 or more", m_spec.curiosityCoefficient);
        positive("curiosity_scale", m_spec.curiosityScale);
        positive("lr_rnd", m_spec.rndLearningRate);
    }

    void probabilities(const char* field, const std::vector<double>& policy) {
        if (policy.empty()) return;
        double sum = 0;
        for (const double p : policy) {
            require(p >= 0 && p <= 1, field, "probabilities from 0 to 1", p);
            sum += p;
        }
        require(std::abs(sum - 1) <= 1e-9, field, "probabilities that sum to 1", sum);
    }

    void collectors() {
        within("num_actors", m_spec.numCollectors, 1, 256);
        atLeast("actor_sync_freq", m_spec.collectorSyncSteps, 1);
        atLeast("async_min_buffer_size", m_spec.minBufferSize, 1);
        if (m_spec.isAsync)
            require(m_spec.minBufferSize <= m_spec.bufferCapacity, "async_min_buffer_size",
                    "at most buffer_size", static_cast<double>(m_spec.minBufferSize));
        atLeast("async_queue_size", m_spec.queueCapacity, 1);
        if (const auto& most = m_spec.maxEnvironmentStepsPerTrainingStep)
            positive("max_env_steps_per_training_step", *most);
        within("min_living_actors", m_spec.minLivingCollectors, 1, m_spec.numCollectors);
        atLeast("actor_restarts", m_spec.restartsPerTenMinutes, 0);
    }

    void records() {
        atLeast("profile_batching_interval", m_spec.profileInterval, 1);
        atLeast("metric_interval", m_spec.metricInterval, 1);
        require(m_spec.checkpointSeconds >= 0 && std::isfinite(m_spec.checkpointSeconds),
                "checkpoint_seconds", "0 or more", m_spec.checkpointSeconds);
        atLeast("checkpoint_steps", m_spec.checkpointSteps, 0);
        atLeast("kept_checkpoints", m_spec.keptCheckpoints, 1);
    }

    const EmpoSpec& m_spec;
    std::vector<SpecProblem> m_problems;
};

bool uses(const EmpoSpec& spec, Approximator kind) {
    return std::any_of(spec.quantities.begin(), spec.quantities.end(),
                       [&](const QuantitySpec& quantity) { return quantity.kind == kind; });
}

}  // namespace

const char* nameOf(Quantity quantity) {
    constexpr std::array<const char*, kNumQuantities> kNames = {"v_h_e", "x_h", "u_r", "q_r",
                                                                "v_r"};
    return kNames[static_cast<std::size_t>(quantity)];
}

std::string symbolOf(Quantity quantity) {
    constexpr std::array<const char*, kNumQuantities> kSymbols{"V_h^e", "X_h", "U_r", "Q_r", "V_r"};
    return kSymbols.at(static_cast<std::size_t>(quantity));
}

bool EmpoSpec::hasNetworks() const {
    return uses(*this, Approximator::Network);
}
bool EmpoSpec::hasTables() const {
    return uses(*this, Approximator::Table) || hasHumanTable();
}

std::vector<SpecProblem> validate(const EmpoSpec& spec) {
    return EmpoCheck(spec).run();
}

std::vector<SpecProblem> inertSettings(const EmpoSpec& spec) {
    const EmpoSpec usual;
    const auto isNetwork = [&](Quantity quantity) {
        return spec.of(quantity).kind == Approximator::Network;
    };
    std::vector<SpecProblem> notes;
    const auto tell = [&](bool isInert, const char* field, const std::string& why) {
        if (isInert) notes.push_back({field, "has no effect: " + why});
    };
    const std::string steps = "adaptive tables move by their own counts";
    tell(spec.weightsActions && !isNetwork(Quantity::Q_r) && spec.adaptiveTables, "weight_actions",
         steps);
    tell(spec.weightsActions && isNetwork(Quantity::Q_r) && spec.numSteps != 1, "weight_actions",
         "n-step targets are of the taken action alone");
    tell(spec.rndScalesRates && !spec.hasRnd(), "rnd_adaptive_lr",
         "neither curiosity_r nor curiosity_h is rnd");
    tell(spec.rndScalesRates && spec.hasRnd() && !spec.hasNetworks() && spec.adaptiveTables,
         "rnd_adaptive_lr", steps);

    const bool isTabular = !spec.hasNetworks() && !spec.hasHumanNetwork();
    const std::string tables = "nothing is learned by a network";
    tell(isTabular && spec.clipsGradients != usual.clipsGradients, "clip_gradients", tables);
    tell(isTabular && spec.clipNorm != usual.clipNorm, "grad_clip", tables);
    tell(isTabular && spec.autoClip != usual.autoClip, "auto_grad_clip", tables);
    tell(isTabular && spec.weightDecay != usual.weightDecay, "weight_decay", tables);
    const bool hasZ = isNetwork(Quantity::Q_r) || isNetwork(Quantity::V_r);
    tell(spec.usesZSpace && !hasZ, "use_z_space", "neither Q_r nor V_r is a network");
    tell(spec.usesZLoss && !hasZ && !isNetwork(Quantity::U_r), "use_z_based_loss",
         "none of Q_r, V_r and U_r is a network");
    tell(spec.of(Quantity::V_h_e).kind == Approximator::Table &&
             spec.goalsPerHuman != usual.goalsPerHuman,
         "goals_per_human", "where V_h^e is a table all goals are taken");
    return notes;
}

}  // namespace orrery
