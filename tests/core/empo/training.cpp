#include "tests/core/empo/training.h"

#include <algorithm>
#include <cmath>

#include "core/collect/facts.h"
#include "core/collect/step_modeller.h"
#include "core/dag/state_graph.h"
#include "core/grid/grid_world.h"

namespace orrery::test {

namespace {

/// Reads the learner's weights for a collector.
class LearnedValuesOfRobot final : public RobotValues {
public:
    explicit LearnedValuesOfRobot(std::shared_ptr<ActingReader> reader)
        : m_reader(std::move(reader)) {}
    void q_r(std::span<const std::byte> state, int layout, std::span<float> out) override {
        m_reader->q_r(state, layout, out);
    }

private:
    std::shared_ptr<ActingReader> m_reader;
};

/// The same for how new states are.
class LearnedNovelty final : public NoveltyOfStates {
public:
    explicit LearnedNovelty(std::shared_ptr<ActingReader> reader) : m_reader(std::move(reader)) {}
    void novelty(std::span<const std::byte> states, int layout, std::span<float> out) override {
        m_reader->novelty(states, layout, out);
    }

private:
    std::shared_ptr<ActingReader> m_reader;
};

std::shared_ptr<const World> makeRoom(const std::string& name, std::vector<std::string> map,
                                      std::vector<Goal> goals, int maxSteps) {
    GridWorldSpec spec;
    spec.metadata.name = name;
    spec.map = std::move(map);
    spec.maxSteps = maxSteps;
    spec.possibleGoals = std::move(goals);
    return makeWorld(spec);
}

}  // namespace

std::shared_ptr<const World> pairRoom(int maxSteps) {
    std::vector<Goal> goals;
    for (int y = 1; y <= 2; ++y)
        for (int x = 1; x <= 3; ++x) goals.push_back(Goal{.x1 = x, .y1 = y, .x2 = x, .y2 = y});
    return makeRoom("pair room", {"WeWeWeWeWe", "WeAy..AeWe", "We......We", "WeWeWeWeWe"}, goals,
                    maxSteps);
}

std::shared_ptr<const World> pairRoomWithWall(int maxSteps) {
    return makeRoom(
        "pair room with a wall", {"WeWeWeWeWeWe", "WeAy..We..We", "We......AeWe", "WeWeWeWeWeWe"},
        {Goal{.x1 = 1, .y1 = 1, .x2 = 1, .y2 = 2}, Goal{.x1 = 2, .y1 = 1, .x2 = 3, .y2 = 2},
         Goal{.x1 = 4, .y1 = 1, .x2 = 4, .y2 = 2}},
        maxSteps);
}

std::shared_ptr<const World> fourInRoom(int maxSteps) {
    return makeRoom(
        "four in a room",
        {"WeWeWeWeWeWeWe", "WeAy......AeWe", "We..........We", "We....Bl....We", "We..........We",
         "WeAe......AyWe", "WeWeWeWeWeWeWe"},
        {Goal{.x1 = 1, .y1 = 1, .x2 = 5, .y2 = 2}, Goal{.x1 = 1, .y1 = 3, .x2 = 5, .y2 = 5}},
        maxSteps);
}

std::vector<WorldFacts> factsOfAll(const Worlds& worlds) {
    return factsOf(worlds);
}

EmpoSpec tabularSpec() {
    EmpoSpec spec;
    for (const Quantity quantity : {Quantity::V_h_e, Quantity::X_h, Quantity::Q_r}) {
        spec.of(quantity).kind = Approximator::Table;
        spec.of(quantity).targetCopySteps = 1;
        spec.of(quantity).warmupSteps = 0;
    }
    spec.adaptiveTables = true;
    spec.rampSteps = 0;
    spec.batchSize = 32;
    spec.bufferCapacity = 20'000;
    spec.goalResampleProbability = 1;
    spec.epsilonSteps = 0;
    return spec;
}

EmpoSpec networkSpec() {
    EmpoSpec spec;
    for (const Quantity quantity : kQuantities) {
        spec.of(quantity).targetCopySteps = 3;
        spec.of(quantity).warmupSteps = 0;
    }
    spec.hiddenSize = 16;
    spec.rampSteps = 0;
    spec.batchSize = 8;
    spec.bufferCapacity = 1'000;
    return spec;
}

std::shared_ptr<const Solution> solveExactly(const std::shared_ptr<const World>& world,
                                             const EmpoSpec& spec) {
    SolveSpec solveSpec;
    solveSpec.beta_h = spec.beta_h;
    solveSpec.beta_r = spec.beta_r;
    solveSpec.gamma_h = spec.gamma_h;
    solveSpec.gamma_r = spec.gamma_r;
    solveSpec.zeta = spec.zeta;
    solveSpec.xi = spec.xi;
    solveSpec.eta = spec.eta;
    solveSpec.terminal_v_r = spec.terminal_v_r;
    return solve(explore(world, {}), solveSpec);
}

Training::Training(const EmpoSpec& spec, const Worlds& worlds,
                   std::vector<std::shared_ptr<const Solution>> exact)
    : m_facts(factsOf(worlds)),
      m_learner(std::make_unique<Learner>(spec, m_facts)),
      m_buffer(std::make_unique<ReplayBuffer>(m_facts.front().shape,
                                              static_cast<std::size_t>(spec.bufferCapacity))),
      m_reader(std::make_shared<ActingReader>(m_facts)) {
    CollectorSpec own;
    own.seed = spec.seed;
    own.expectsHumans = spec.humanModel == HumanModel::Expected;
    own.stepsPerEpisode = spec.stepsPerEpisode;
    own.goalResampleProbability = spec.goalResampleProbability;
    std::vector<CollectorWorld> list;
    for (std::size_t i = 0; i < worlds.size(); ++i)
        list.push_back({.world = worlds[i],
                        .facts = m_facts[i],
                        .policy = i < exact.size()
                                      ? makeExactPolicy(exact[i])
                                      : makeShortestPathPolicy(worlds[i], spec.beta_h)});
    if (spec.curiosity_r == Curiosity::Rnd) own.curiosity_r.kind = CuriositySpec::Kind::Given;
    if (spec.curiosity_h == Curiosity::Rnd) own.curiosity_h.kind = CuriositySpec::Kind::Given;
    m_collector = std::make_unique<Collector>(own, std::move(list),
                                              std::make_shared<LearnedValuesOfRobot>(m_reader),
                                              std::make_shared<LearnedNovelty>(m_reader));
    m_reader->use(m_learner->actingWeights());
}

void Training::collect(int steps) {
    const EmpoSchedule& schedule = m_learner->schedule();
    const std::int64_t step = m_learner->stepsDone();
    const ActingRates rates{.epsilon_r = schedule.epsilon_r(step),
                            .epsilon_h = schedule.epsilon_h(step),
                            .beta_r = m_learner->beta_eff()};
    for (int i = 0; i < steps; ++i) m_buffer->add(m_collector->step(rates), step);
}

StepReport Training::step(bool wantsNumbers) {
    collect(m_learner->spec().environmentStepsPerTrainingStep);
    StepReport report = m_learner->step(*m_buffer, wantsNumbers);
    if (report.hasNewWeights) m_reader->use(m_learner->actingWeights());
    return report;
}

Training::Saved Training::save() const {
    Saved saved{.learner = m_learner->save(), .buffer = {}, .collector = m_collector->save()};
    m_buffer->save([&](std::span<const std::byte> record) {
        saved.buffer.emplace_back(record.begin(), record.end());
    });
    return saved;
}

void Training::load(const Saved& saved) {
    m_learner->load(saved.learner);
    m_collector->load(saved.collector);
    std::size_t next = 0;
    m_buffer->load([&](std::span<const std::byte>& record) {
        if (next == saved.buffer.size()) return false;
        record = saved.buffer[next++];
        return true;
    });
    m_reader->use(m_learner->actingWeights());
}

Distance distanceTo(const Solution& exact, Learner& learner, int layout) {
    const StateGraph& graph = exact.graph();
    const WorldFacts& facts = learner.facts()[static_cast<std::size_t>(layout)];
    StepModeller modeller(graph.worldPointer(), facts, makeUniformPolicy(graph.world()), 0,
                          {.includesStepCount = learner.spec().includesStepCount});
    const double gamma = learner.spec().gamma_r;
    const double weight = gamma == 1 ? 1 : (1 - gamma) / -std::log(gamma);
    Distance distance;
    double values = 0, ratios = 0;
    for (int step = 0; step + 1 < graph.numLevels(); ++step)
        for (std::int64_t k = 0; k < graph.levelSize(step); ++k) {
            const State state{step, graph.levelMember(step, k)};
            const StateValues right = exact.values(state);
            const std::vector<std::byte> bytes =
                modeller.state(graph.configuration(state.config), step).state;
            const std::byte* place = bytes.data();
            const LearnedValues own = learner.evaluate(layout, {&place, 1});
            double variation = 0;
            for (std::size_t a = 0; a < right.pi_r.size(); ++a) {
                variation += std::abs(right.pi_r[a] - double{own.pi_r[a]}) / 2;
                distance.q_r += std::abs(double{own.q_r[a]} * weight / right.q_r[a] - 1);
                ++ratios;
            }
            distance.pi_r += variation;
            distance.greatest_pi_r = std::max(distance.greatest_pi_r, variation);
            for (std::size_t h = 0; h < right.v_h_e.size(); ++h)
                for (std::size_t g = 0; g < right.v_h_e[h].size(); ++g) {
                    const double error = std::abs(right.v_h_e[h][g] - double{own.v_h_e[h][g]});
                    distance.v_h_e += error;
                    distance.greatest_v_h_e = std::max(distance.greatest_v_h_e, error);
                    ++values;
                }
            ++distance.states;
            distance.unvisited += own.isVisited.front() == 0;
        }
    distance.v_h_e /= values;
    distance.q_r /= ratios;
    distance.pi_r /= static_cast<double>(distance.states);
    return distance;
}

}  // namespace orrery::test
