#include "core/solve/spec.h"

#include <cmath>

#include "core/base/text.h"

namespace orrery {

namespace {

/// Collects what is wrong.
class SolveCheck {
public:
    explicit SolveCheck(const SolveSpec& spec) : m_spec(spec) {}

    std::vector<SpecProblem> run() {
        numbers();
        discount("gamma_h", "rho_h", m_spec.gamma_h, m_spec.rho_h);
        discount("gamma_r", "rho_r", m_spec.gamma_r, m_spec.rho_r);
        rules();
        return std::move(m_problems);
    }

private:
    void require(bool good, const std::string& field, const char* range, double value) {
        if (!good)
            m_problems.push_back(
                {field, std::string("must be ") + range + ", got " + formatDouble(value)});
    }

    void numbers() {
        const double inf = std::numeric_limits<double>::infinity();
        const auto positive = [&](const char* field, double value) {
            require(value > 0 && value < inf, field, "above 0 and finite", value);
        };
        require(m_spec.beta_h >= 0, "beta_h", "0 or more, or inf", m_spec.beta_h);
        require(m_spec.beta_r > 0, "beta_r", "above 0, or inf", m_spec.beta_r);
        positive("zeta", m_spec.zeta);
        positive("xi", m_spec.xi);
        positive("eta", m_spec.eta);
        require(m_spec.terminal_v_r < 0 && m_spec.terminal_v_r > -inf, "terminal_v_r",
                "below 0 and finite", m_spec.terminal_v_r);
        require(m_spec.nu >= 0 && m_spec.nu <= 1, "nu", "from 0 to 1", m_spec.nu);
        if (m_spec.x_h_floor) positive("x_h_floor", *m_spec.x_h_floor);
        require(m_spec.threads >= 0 && m_spec.threads <= 1024, "threads",
                "from 0 (all processors) to 1024", m_spec.threads);
        require(m_spec.memoryBudget >= 0, "memory", "0 (70 % of what is free) or more",
                static_cast<double>(m_spec.memoryBudget));
    }

    void discount(const char* gammaField, const char* rhoField, const std::optional<double>& gamma,
                  const std::optional<double>& rho) {
        if (gamma && rho)
            m_problems.push_back({gammaField, std::string("is given together with ") + rhoField +
                                                  "; give one of them"});
        else if (!gamma && !rho)
            m_problems.push_back({gammaField, std::string("is missing; give it or ") + rhoField});
        if (gamma) require(*gamma > 0 && *gamma <= 1, gammaField, "above 0 and at most 1", *gamma);
        if (rho) require(*rho >= 0 && std::isfinite(*rho), rhoField, "0 or more", *rho);
    }

    void probabilities(const std::string& field, const std::vector<double>& list) {
        double sum = 0;
        for (const double p : list) {
            require(p >= 0 && p <= 1, field, "a probability from 0 to 1", p);
            sum += p;
        }
        require(std::abs(sum - 1.0) <= 1e-9, field, "probabilities that sum to 1", sum);
    }

    void rules() {
        for (std::size_t i = 0; i < m_spec.believedOthers.size(); ++i) {
            const BelievedOthersRule& rule = m_spec.believedOthers[i];
            const std::string place = "believed_others[" + std::to_string(i) + "]";
            for (const auto& agent : rule.agents)
                probabilities(place + ".agents." + agent.agent, agent.probability);
            std::vector<double> joint;
            for (const auto& profile : rule.profiles) joint.push_back(profile.probability);
            if (!joint.empty()) probabilities(place + ".profiles", joint);
        }
        for (std::size_t i = 0; i < m_spec.habits.size(); ++i)
            probabilities("habits[" + std::to_string(i) + "].probability",
                          m_spec.habits[i].probability);
        if (m_spec.nu > 0 && m_spec.habits.empty())
            m_problems.push_back({"nu",
                                  "is above 0, but no habit is given; the habitual policy is "
                                  "the list 'habits'"});
    }

    const SolveSpec& m_spec;
    std::vector<SpecProblem> m_problems;
};

}  // namespace

std::vector<SpecProblem> validate(const SolveSpec& spec) {
    return SolveCheck(spec).run();
}

}  // namespace orrery
