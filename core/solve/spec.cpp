#include "core/solve/spec.h"

#include <cmath>

#include "core/base/text.h"
#include "core/solve/spec_fields.h"
#include "core/spec/field_check.h"

namespace orrery {

namespace {

/// Collects what the ranges of single fields do not say.
class SolveCheck {
public:
    explicit SolveCheck(const SolveSpec& spec) : m_spec(spec) {}

    std::vector<SpecProblem> run() {
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

    void discount(const char* gammaField, const char* rhoField, const std::optional<double>& gamma,
                  const std::optional<double>& rho) {
        if (gamma && rho)
            m_problems.push_back({gammaField, std::string("is given together with ") + rhoField +
                                                  "; give one of them"});
        else if (!gamma && !rho)
            m_problems.push_back({gammaField, std::string("is missing; give it or ") + rhoField});
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
    std::vector<SpecProblem> problems = rangeProblems(solveSpecFields().rows(), spec);
    addProblems(problems, SolveCheck(spec).run());
    return problems;
}

}  // namespace orrery
