#include "widgets/replay/td_errors.h"

#include "core/empo/target_terms.h"

namespace orrery {

namespace {

/// What a target of Q_r needs of some states that lie one after the other.
LearnedValues partOf(const LearnedValues& all, std::size_t begin, std::size_t count) {
    const auto cut = [](const auto& from, std::size_t first, std::size_t number) {
        const auto at = from.begin() + static_cast<std::ptrdiff_t>(first);
        return std::vector(at, at + static_cast<std::ptrdiff_t>(number));
    };
    const auto width = static_cast<std::size_t>(all.numRobotActions);
    LearnedValues part;
    part.numStates = static_cast<int>(count);
    part.numRobotActions = all.numRobotActions;
    part.q_r = cut(all.q_r, begin * width, count * width);
    part.v_r = cut(all.v_r, begin, count);
    part.isVisited = cut(all.isVisited, begin, count);
    return part;
}

}  // namespace

std::vector<std::byte> statesOfErrors(const ReplaySource& source,
                                      std::span<const std::uint32_t> places) {
    std::vector<std::byte> states;
    for (const std::uint32_t place : places) {
        const std::vector<std::byte> own = statesOfTarget(*source.replay, place);
        states.insert(states.end(), own.begin(), own.end());
    }
    return states;
}

std::vector<double> tdErrorsOf(const ReplaySource& source, std::span<const std::uint32_t> places,
                               const ValueAnswer& answer) {
    EmpoSpec spec = source.spec;  // with the discount factor of the moment
    spec.gamma_r = answer.gamma_r.value_or(spec.gamma_r);
    std::vector<double> errors;
    std::size_t begin = 0;
    for (const std::uint32_t place : places) {
        const std::size_t count = 1 + source.replay->modelOf(place).successors().size();
        const TargetSum sum = targetOfAction(
            *source.replay, place, source.factsOf(place), spec, partOf(answer.live, begin, count),
            partOf(answer.target, begin, count), source.at(place).robotAction);
        errors.push_back(sum.target - sum.prediction);
        begin += count;
    }
    return errors;
}

}  // namespace orrery
