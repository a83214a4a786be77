#include "core/collect/collector.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "core/base/crc32c.h"
#include "core/base/error.h"
#include "core/collect/facts.h"

namespace orrery {

namespace {

constexpr std::uint32_t kVersion = 2;  ///< 1 had no macros

/// An index drawn with probabilities in proportion to weights of the given sum.
template <typename T>
std::size_t draw(std::span<const T> weights, double sum, Rng& rng) {
    double left = rng.uniform() * sum;
    std::size_t last = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (weights[i] <= T{0}) continue;
        last = i;
        left -= static_cast<double>(weights[i]);
        if (left < 0.0) return i;
    }
    return last;
}

std::size_t draw(const std::vector<double>& weights, Rng& rng) {
    return draw(std::span(weights), std::accumulate(weights.begin(), weights.end(), 0.0), rng);
}

bool counts(const CuriositySpec& curiosity) {
    return curiosity.kind == CuriositySpec::Kind::Counts ||
           curiosity.kind == CuriositySpec::Kind::CountsUcb;
}

}  // namespace

Collector::Collector(CollectorSpec spec, std::vector<CollectorWorld> worlds,
                     std::shared_ptr<RobotValues> values, std::shared_ptr<NoveltyOfStates> novelty)
    : m_spec(std::move(spec)),
      m_values(std::move(values)),
      m_newness(std::move(novelty)),
      m_countsVisits(counts(m_spec.curiosity_r) || counts(m_spec.curiosity_h)),
      m_rng(m_spec.seed, m_spec.index) {
    const bool needsNovelty = m_spec.curiosity_r.kind == CuriositySpec::Kind::Given ||
                              m_spec.curiosity_h.kind == CuriositySpec::Kind::Given;
    if (worlds.empty() || m_spec.stepsPerEpisode < 1 || (needsNovelty && m_newness == nullptr))
        throw Error(
            "A collector needs a world, at least one step an episode, and a measure of "
            "novelty if it is curious by one.",
            Error::Kind::BadInput);
    for (CollectorWorld& world : worlds) {
        const auto why = world.world->whyNotPlannable();
        if (why && (m_spec.expectsHumans || m_spec.curiosity_h.kind != CuriositySpec::Kind::None))
            throw Error("'" + world.world->name() + "' " + *why +
                            ". Set human_model to sampled, and no curiosity of humans.",
                        Error::Kind::BadInput);
        const auto layout = static_cast<std::uint16_t>(m_modellers.size());
        m_modellers.push_back(
            std::make_unique<StepModeller>(std::move(world.world), std::move(world.facts),
                                           std::move(world.policy), layout, m_spec.modeller));
    }
    prepareExploration();
    m_goals.assign(facts().humans.size(), 0);
    m_configuration = world().initialConfiguration();
}

Collector::~Collector() = default;

void Collector::prepareExploration() {
    if (!(m_spec.exploration_r.macroSteps >= 1))
        throw Error("The mean length of a macro must be 1 or more.", Error::Kind::BadInput);
    for (const auto& modeller : m_modellers)
        m_moves.emplace_back(modeller->world(), modeller->facts(), m_spec.exploration_r);
    for (std::size_t r = 0; r < m_moves.front().numRobots(); ++r)
        m_ofRobots.push_back(m_moves.front().weights(r));
    m_moves.front().joint(m_ofRobots, m_exploration_r);
    for (const WorldFacts::Human& human : facts().humans)
        m_exploration_h.push_back(
            explorationWeights(m_spec.exploration_h, human.numActions, "the humans"));
    m_q_r.resize(m_exploration_r.size());
}

void Collector::beginEpisode() {
    ++m_episode;
    const std::size_t worlds = m_modellers.size();
    m_layout = static_cast<int>(
        worlds == 1          ? 0
        : m_spec.drawsWorlds ? m_rng.below(worlds)
                             : (static_cast<std::uint64_t>(m_episode) + m_spec.index) % worlds);
    m_configuration = world().initialConfiguration();
    m_step = 0;
    m_hasEpisode = true;
    m_ways.clear();
    for (std::size_t h = 0; h < m_goals.size(); ++h) drawGoal(h);
    if (m_countsVisits) m_visits.visit(modeller(m_layout).state(m_configuration, 0).fingerprint);
}

void Collector::drawGoal(std::size_t human) {
    m_goals[human] = static_cast<std::int8_t>(draw(facts().humans[human].weights, m_rng));
}

Transition Collector::step(const ActingRates& rates) {
    if (!m_hasEpisode) beginEpisode();
    StepModeller& modeller = this->modeller(m_layout);
    Transition transition;
    transition.layout = static_cast<std::uint16_t>(m_layout);
    transition.collector = m_spec.index;
    transition.episode = m_episode;
    transition.step = m_step;
    for (std::size_t h = 0; h < m_goals.size(); ++h) {
        const std::vector<double>& weights = facts().humans[h].weights;
        transition.goals[h] = m_goals[h];
        // Drawn with p = w / sum(w), so w / p is the sum.
        transition.goalWeights[h] =
            static_cast<float>(std::accumulate(weights.begin(), weights.end(), 0.0));
    }
    const bool needsAll =
        m_spec.expectsHumans || m_spec.curiosity_h.kind != CuriositySpec::Kind::None;
    const ModelledRows* rows = nullptr;
    if (needsAll) {
        rows = &modeller.rows(m_configuration, m_step, -1);
        if (m_spec.curiosity_h.kind != CuriositySpec::Kind::None)
            findNovelty(m_spec.curiosity_h, *rows, 0, rows->outcomeBegin.size() - 1);
    }
    const int profile = drawHumanActions(
        rates,
        rows ? std::span<const float>(rows->model->prior)
             : std::span<const float>(modeller.state(m_configuration, m_step).prior),
        rows, transition);
    if (!m_spec.expectsHumans) rows = &modeller.rows(m_configuration, m_step, profile);
    const std::size_t firstRow =
        m_spec.expectsHumans ? static_cast<std::size_t>(profile) * m_q_r.size() : 0;
    transition.robotAction = drawRobotAction(rates, *rows, firstRow);
    const std::size_t row = firstRow + static_cast<std::size_t>(transition.robotAction);
    const auto outcomes = std::span(rows->outcomeProbability)
                              .subspan(rows->outcomeBegin[row],
                                       rows->outcomeBegin[row + 1] - rows->outcomeBegin[row]);
    const std::size_t outcome = outcomes.size() == 1 ? 0 : draw(outcomes, 1.0, m_rng);
    transition.model = rows->model;
    transition.modelFingerprint = rows->model->fingerprint;
    transition.stateFingerprint = rows->state;
    arrive(*rows, rows->outcomeConfiguration[rows->outcomeBegin[row] + outcome], transition);
    return transition;
}

int Collector::drawHumanActions(const ActingRates& rates, std::span<const float> prior,
                                const ModelledRows* all, Transition& transition) {
    int profile = 0;
    std::size_t begin = 0;
    for (std::size_t h = 0; h < m_goals.size(); ++h) {
        const WorldFacts::Human& human = facts().humans[h];
        const auto actions = static_cast<std::size_t>(human.numActions);
        const auto goal = static_cast<std::size_t>(static_cast<unsigned char>(m_goals[h]));
        const bool explores = m_rng.uniform() < rates.epsilon_h;
        const std::size_t action =
            explores ? exploreAsHuman(h, rates.curiosity, all)
                     : draw(prior.subspan(begin + goal * actions, actions), 1.0, m_rng);
        begin += human.goals.size() * actions;
        transition.humanActions[h] = static_cast<std::uint8_t>(action);
        profile = profile * human.numActions + static_cast<int>(action);
    }
    return profile;
}

std::size_t Collector::exploreAsHuman(std::size_t human, double curiosity,
                                      const ModelledRows* all) {
    const std::vector<double>& base = m_exploration_h[human];
    if (m_spec.curiosity_h.kind == CuriositySpec::Kind::None) return draw(base, m_rng);
    // A human's action is a digit of the profile, the first human's the highest.
    const std::vector<WorldFacts::Human>& humans = facts().humans;
    std::size_t below = m_q_r.size();
    for (std::size_t h = human + 1; h < humans.size(); ++h)
        below *= static_cast<std::size_t>(humans[h].numActions);
    const std::size_t numRows = all->outcomeBegin.size() - 1;
    m_weights.assign(base.size(), 0.0);
    for (std::size_t row = 0; row < numRows; ++row)
        m_weights[row / below % base.size()] += noveltyOfRow(*all, row);
    const double share = static_cast<double>(base.size()) / static_cast<double>(numRows);
    const double most = std::ranges::max(m_weights) * share;
    for (std::size_t a = 0; a < base.size(); ++a)
        m_weights[a] = base[a] * std::exp(curiosity * (m_weights[a] * share - most));
    return draw(m_weights, m_rng);
}

bool Collector::exploresAsRobot(double epsilon_r) {
    double probability = epsilon_r;
    if (m_spec.exploration_r.kind == RobotExplorationSpec::Kind::Macro) {
        // n steps each time it begins and one each time it does not: their share is epsilon_r.
        const double steps = m_spec.exploration_r.macroSteps;
        probability = epsilon_r / (steps - epsilon_r * (steps - 1.0));
    }
    return m_rng.uniform() < probability || m_values == nullptr;
}

void Collector::weighExploration(const ModelledRows& rows, std::size_t firstRow) {
    if (m_spec.exploration_r.kind == RobotExplorationSpec::Kind::Policy) return;
    const RobotMoves& moves = m_moves[static_cast<std::size_t>(m_layout)];
    for (std::size_t r = 0; r < m_ofRobots.size(); ++r)
        moves.weigh(rows, firstRow, r, m_ofRobots[r]);
    moves.joint(m_ofRobots, m_exploration_r);
}

int Collector::continueMacro(const ModelledRows& rows, std::size_t firstRow) {
    const RobotMoves& moves = m_moves[static_cast<std::size_t>(m_layout)];
    for (std::size_t r = 0; r < m_ways.size(); ++r) {
        if (!moves.leadsNowhere(rows, firstRow, r, m_ways[r])) continue;
        moves.weigh(rows, firstRow, r, m_ofRobots[r]);
        m_ways[r] = static_cast<int>(draw(m_ofRobots[r], m_rng));
    }
    return moves.jointOf(m_ways);
}

/// After an exploring step: whether, and how, the next one goes on from it.
void Collector::mayGoOn(int robotAction) {
    if (m_spec.exploration_r.kind != RobotExplorationSpec::Kind::Macro) return;
    m_ways.clear();
    if (m_rng.uniform() * m_spec.exploration_r.macroSteps < 1.0) return;
    const RobotMoves& moves = m_moves[static_cast<std::size_t>(m_layout)];
    for (std::size_t r = 0; r < moves.numRobots(); ++r)
        m_ways.push_back(moves.wayAfter(r, moves.actionOf(robotAction, r)));
}

int Collector::drawRobotAction(const ActingRates& rates, const ModelledRows& rows,
                               std::size_t firstRow) {
    if (!m_ways.empty()) {
        const int action = continueMacro(rows, firstRow);
        mayGoOn(action);
        return action;
    }
    const bool explores = exploresAsRobot(rates.epsilon_r);
    if (explores) weighExploration(rows, firstRow);
    const int action = drawAnew(explores, rates, rows, firstRow);
    if (explores) mayGoOn(action);
    return action;
}

int Collector::drawAnew(bool explores, const ActingRates& rates, const ModelledRows& rows,
                        std::size_t firstRow) {
    const bool isCurious = m_spec.curiosity_r.kind != CuriositySpec::Kind::None;
    if (explores && !isCurious) return static_cast<int>(draw(m_exploration_r, m_rng));
    // Logarithms of the weights first.
    const std::size_t actions = m_q_r.size();
    if (explores) {
        m_weights.resize(actions);
        for (std::size_t a = 0; a < actions; ++a) m_weights[a] = std::log(m_exploration_r[a]);
    } else {
        weighByValues(rates.beta_r, rows.model->state);
    }
    if (isCurious) {
        findNovelty(m_spec.curiosity_r, rows, firstRow, actions);
        const double factor =
            rates.curiosity * (explores || std::isinf(rates.beta_r) ? 1.0 : rates.beta_r);
        for (std::size_t a = 0; a < actions; ++a)
            m_weights[a] += factor * noveltyOfRow(rows, firstRow + a);
    }
    const double most = std::ranges::max(m_weights);
    for (double& weight : m_weights) weight = std::exp(weight - most);
    return static_cast<int>(draw(m_weights, m_rng));
}

void Collector::weighByValues(double beta_r, std::span<const std::byte> state) {
    m_weights.assign(m_q_r.size(), 0.0);
    if (beta_r == 0.0) return;
    m_values->q_r(state, m_layout, m_q_r);
    const float best = std::ranges::max(m_q_r);
    for (std::size_t a = 0; a < m_q_r.size(); ++a) {
        if (std::isnan(m_q_r[a]))
            throw Error("Collector " + std::to_string(m_spec.index) +
                            " got a Q_r that is not a number. Resume from a checkpoint with a "
                            "lower learning rate.",
                        Error::Kind::Diverged);
        const double loss = std::max(-static_cast<double>(m_q_r[a]), 1e-300);
        m_weights[a] = !std::isinf(beta_r) ? -beta_r * std::log(loss)
                       : m_q_r[a] == best  ? 0.0
                                           : -std::numeric_limits<double>::infinity();
    }
}

void Collector::findNovelty(const CuriositySpec& curiosity, const ModelledRows& rows,
                            std::size_t firstRow, std::size_t numRows) {
    const StepModel& model = *rows.model;
    m_novelty.assign(rows.fingerprints.size(), -1.0);
    m_asked.clear();
    for (std::uint32_t e = model.rowBegin[firstRow]; e < model.rowBegin[firstRow + numRows]; ++e) {
        double& novelty = m_novelty[model.successor[e]];
        if (novelty < 0.0) m_asked.push_back(model.successor[e]);
        novelty = 0.0;
    }
    if (counts(curiosity)) {
        const double all = std::log(std::max(1.0, static_cast<double>(m_visits.total())));
        const double share = curiosity.kind == CuriositySpec::Kind::Counts ? 1.0 : all;
        for (const std::uint32_t k : m_asked)
            m_novelty[k] =
                curiosity.scale * std::sqrt(share / (1.0 + m_visits.countOf(rows.fingerprints[k])));
        return;
    }
    m_askedBytes.clear();
    for (const std::uint32_t k : m_asked) {
        const auto bytes = model.successorBytes(k);
        m_askedBytes.insert(m_askedBytes.end(), bytes.begin(), bytes.end());
    }
    m_answer.resize(m_asked.size());
    m_newness->novelty(m_askedBytes, m_layout, m_answer);
    for (std::size_t i = 0; i < m_asked.size(); ++i)
        m_novelty[m_asked[i]] = curiosity.scale * std::max(0.0, static_cast<double>(m_answer[i]));
}

double Collector::noveltyOfRow(const ModelledRows& rows, std::size_t row) const {
    const StepModel& model = *rows.model;
    double sum = 0;
    for (std::uint32_t e = model.rowBegin[row]; e < model.rowBegin[row + 1]; ++e)
        sum += static_cast<double>(model.probability[e]) * m_novelty[model.successor[e]];
    return sum;
}

void Collector::arrive(const ModelledRows& rows, std::uint32_t configuration,
                       Transition& transition) {
    const std::size_t words = m_configuration.size();
    std::copy_n(rows.configurations.begin() + static_cast<std::ptrdiff_t>(configuration * words),
                words, m_configuration.begin());
    transition.reached = rows.encodedAs[configuration];
    ++m_step;
    if (m_countsVisits) m_visits.visit(rows.fingerprints[transition.reached]);
    transition.endsEpisode = m_step >= m_spec.stepsPerEpisode || rows.model->endsWorld;
    m_hasEpisode = !transition.endsEpisode;
    if (!m_hasEpisode) return;
    for (std::size_t h = 0; h < m_goals.size(); ++h) {
        const std::uint64_t attained = world().attainedGoals(m_configuration, static_cast<int>(h));
        const bool isAttained = (attained >> m_goals[h] & 1U) != 0;
        if (isAttained || m_rng.uniform() < m_spec.goalResampleProbability) drawGoal(h);
    }
}

std::vector<std::byte> Collector::save() const {
    ByteWriter out;
    out.put(kVersion);
    for (const auto& modeller : m_modellers) {
        const std::string& hash = modeller->facts().contentHash;
        out.putList(std::vector<char>(hash.begin(), hash.end()));
    }
    out.put(m_rng.words());
    out.put(static_cast<std::uint8_t>(m_hasEpisode));
    out.put(m_layout);
    out.put(m_episode);
    out.put(m_step);
    out.putList(m_configuration);
    out.putList(m_goals);
    out.putList(m_ways);
    m_visits.save(out);
    out.put(crc32c(out.bytes()));
    return out.take();
}

void Collector::load(std::span<const std::byte> bytes) {
    constexpr std::size_t kTail = sizeof(std::uint32_t);
    ByteReader in(bytes.first(bytes.size() - std::min(bytes.size(), kTail)), "collector");
    in.require(bytes.size() > kTail, "it ends too early");
    ByteReader tail(bytes.last(kTail), "collector");
    in.require(tail.get<std::uint32_t>() == crc32c(bytes.first(bytes.size() - kTail)),
               "its checksum is wrong");
    const auto version = in.get<std::uint32_t>();
    in.require(version >= 1 && version <= kVersion, "it is of another version");
    for (const auto& modeller : m_modellers) {
        const auto hash = in.getList<char>();
        in.require(std::ranges::equal(hash, modeller->facts().contentHash),
                   "it is of other worlds");
    }
    const auto words = in.get<std::array<std::uint64_t, 4>>();
    const bool hasEpisode = in.get<std::uint8_t>() != 0;
    const auto layout = in.get<int>();
    const auto episode = in.get<std::int64_t>();
    const auto step = in.get<int>();
    in.require(layout >= 0 && layout < std::ssize(m_modellers) && step >= 0, "its place is wrong");
    const World& world = modeller(layout).world();
    auto configuration = in.getList<std::uint64_t>();
    auto goals = in.getList<std::int8_t>();
    in.require(std::ssize(configuration) == world.keyWords() && goals.size() == m_goals.size() &&
                   step <= world.maxSteps() && (!hasEpisode || step < world.maxSteps()),
               "its episode is wrong");
    for (std::size_t h = 0; h < goals.size(); ++h)
        in.require(goals[h] >= 0 && goals[h] < std::ssize(modeller(layout).facts().humans[h].goals),
                   "a goal is not there");
    const auto ways = version == 1 ? std::vector<int>() : in.getList<int>();
    for (std::size_t r = 0; r < ways.size(); ++r)
        in.require(
            ways.size() == m_ofRobots.size() && ways[r] >= 0 && ways[r] < std::ssize(m_ofRobots[r]),
            "a robot's way is not there");
    VisitCounts visits;
    visits.load(in);
    in.requireEnd();
    m_rng.setWords(words);
    m_hasEpisode = hasEpisode;
    m_layout = layout;
    m_episode = episode;
    m_step = step;
    m_configuration = std::move(configuration);
    m_goals = std::move(goals);
    m_ways = ways;
    m_visits = std::move(visits);
}

}  // namespace orrery
