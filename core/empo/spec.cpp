#include "core/empo/spec.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/text.h"
#include "core/empo/spec_fields.h"
#include "core/spec/field_check.h"

namespace orrery {

namespace {

/// Collects what only several fields together are wrong about.
class EmpoCheck {
public:
    explicit EmpoCheck(const EmpoSpec& spec) : m_spec(spec) {}

    std::vector<SpecProblem> run() {
        curricula();
        quantities();
        humans();
        networks();
        steps();
        acting();
        collectors();
        return std::move(m_problems);
    }

private:
    void require(bool good, const std::string& field, const std::string& what) {
        if (!good) m_problems.push_back({field, what});
    }

    void curricula() {
        const auto check = [this](const std::string& name, std::optional<double> start,
                                  double end) {
            require(!start || *start <= end, name + "_start",
                    "must be above 0 and at most " + name + " (" + formatDouble(end) + "), got " +
                        formatDouble(start.value_or(end)));
        };
        check("gamma_h", m_spec.gammaStart_h, m_spec.gamma_h);
        check("gamma_r", m_spec.gammaStart_r, m_spec.gamma_r);
    }

    void humans() {
        require(!m_spec.learnsHumans() || m_spec.q_h.warmupSteps >= 1, "warmup_human_steps",
                "must be 1 or more where the humans' policies are learned, got 0");
        require(!m_spec.learnsHumans() || m_spec.humanModel != HumanModel::Sampled, "human_prior",
                "learned needs human_model: expected, as its targets ask for every human action");
    }

    void quantities() {
        for (const Quantity quantity : {Quantity::V_h_e, Quantity::Q_r}) {
            const std::string name = nameOf(quantity);
            require(m_spec.isUsed(quantity), name + "_kind",
                    "must be network or table: " + name +
                        " cannot be computed from the other quantities");
        }
    }

    void networks() {
        require(m_spec.ownEncoders == OwnEncoders::Own || !m_spec.hasNetworks() ||
                    m_spec.of(Quantity::V_h_e).kind == Approximator::Network,
                "own_encoders",
                "must be own where v_h_e_kind is no network: nothing would train the shared "
                "encoders");
        require(!m_spec.usesZLoss || m_spec.usesZSpace, "use_z_based_loss",
                "needs use_z_space; set it too, or neither of them");
    }

    void steps() {
        require(m_spec.environmentStepsPerTrainingStep <= 1 ||
                    m_spec.trainingStepsPerEnvironmentStep <= 1,
                "training_steps_per_env_step",
                "must be 1 where env_steps_per_training_step is above 1");
        const std::int64_t least = std::max(m_spec.batchSize, m_spec.xhBatchSize.value_or(1));
        require(m_spec.bufferCapacity >= least, "buffer_size",
                "must be at least a batch (" + std::to_string(least) + "), got " +
                    std::to_string(m_spec.bufferCapacity));
    }

    void acting() {
        probabilities("exploration_policy", m_spec.explorationPolicy);
        probabilities("human_exploration_policy", m_spec.explorationPolicy_h);
    }

    void probabilities(const char* field, const std::vector<double>& policy) {
        if (policy.empty()) return;
        double sum = 0;
        for (const double p : policy) {
            require(p >= 0 && p <= 1, field,
                    "must be probabilities from 0 to 1, got " + formatDouble(p));
            sum += p;
        }
        require(std::abs(sum - 1) <= 1e-9, field,
                "must be probabilities that sum to 1, got " + formatDouble(sum));
    }

    void collectors() {
        require(!m_spec.isAsync || m_spec.minBufferSize <= m_spec.bufferCapacity,
                "async_min_buffer_size",
                "must be at most buffer_size, got " + std::to_string(m_spec.minBufferSize));
        require(m_spec.minLivingCollectors <= m_spec.numCollectors, "min_living_actors",
                "must be at most num_actors (" + std::to_string(m_spec.numCollectors) + "), got " +
                    std::to_string(m_spec.minLivingCollectors));
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
    std::vector<SpecProblem> problems = rangeProblems(empoFields().rows(), spec);
    addProblems(problems, EmpoCheck(spec).run());
    return problems;
}

}  // namespace orrery
