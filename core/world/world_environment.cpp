#include "core/world/world_environment.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/world/world_picture.h"

namespace orrery {

namespace {

EnvironmentSpaces spacesOf(const World& world) {
    EnvironmentSpaces spaces;
    ObservedSpace variables{.name = "variables",
                            .shape = {std::max<std::int64_t>(1, std::ssize(world.variables()))}};
    for (const Variable& variable : world.variables()) variables.features.push_back(variable.name);
    spaces.observations = {std::move(variables)};
    for (const AgentInfo& agent : world.agents())
        spaces.actions.push_back({.name = agent.name, .choices = agent.actions});
    spaces.rewards.clear();
    for (const HumanGoals& human : world.goals()) {
        const std::string& name = world.agents()[static_cast<std::size_t>(human.agent)].name;
        spaces.rewards.push_back(name);
        spaces.facts.push_back(name + ".goal");
    }
    if (spaces.rewards.empty()) spaces.rewards = {"nothing"};
    return spaces;
}

std::size_t drawnBy(std::span<const double> weights, Rng& rng) {
    double sum = 0;
    for (const double weight : weights) sum += weight;
    double left = rng.uniform() * sum;
    for (std::size_t i = 0; i + 1 < weights.size(); ++i)
        if ((left -= weights[i]) < 0) return i;
    return weights.size() - 1;
}

const Outcome& drawnFrom(const std::vector<Outcome>& outcomes, Rng& rng) {
    double left = rng.uniform();
    for (std::size_t i = 0; i + 1 < outcomes.size(); ++i)
        if ((left -= outcomes[i].probability) < 0) return outcomes[i];
    return outcomes.back();
}

// 64 bits as text: many readers of JSON keep 53 of a number.
std::string hexOf(std::uint64_t word) {
    char text[16];
    const auto [end, error] = std::to_chars(std::begin(text), std::end(text), word, 16);
    return {text, end};
}

std::uint64_t wordOf(const nlohmann::json& hex) {
    const auto& text = hex.get_ref<const std::string&>();
    std::uint64_t word = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), word, 16);
    if (error != std::errc() || end != text.data() + text.size() || text.empty())
        throw Error("not hexadecimal: " + text, Error::Kind::Damaged);
    return word;
}

template <std::size_t N>
nlohmann::json hexList(const std::array<std::uint64_t, N>& words) {
    nlohmann::json list = nlohmann::json::array();
    for (const std::uint64_t word : words) list.push_back(hexOf(word));
    return list;
}

}  // namespace

WorldEnvironment::WorldEnvironment(std::shared_ptr<const World> world)
    : m_world(std::move(world)),
      m_spaces(spacesOf(*m_world)),
      m_values(m_world->variables().size()),
      m_actions(m_world->agents().size()) {
    static_cast<void>(m_world->numProfiles());  // throws where there are too many
    m_now.configuration = m_world->initialConfiguration();
    m_now.goals.resize(m_world->goals().size());
    m_now.attained.resize(m_world->goals().size());
}

void WorldEnvironment::observe(Observation& out) {
    m_world->valuate(m_now.configuration, m_values);
    out.parts.resize(1);
    out.parts[0].begins.clear();
    out.parts[0].values.assign(m_values.begin(), m_values.end());
    if (m_values.empty()) out.parts[0].values.assign(1, 0.F);
    out.offers.resize(m_spaces.actions.size());
}

void WorldEnvironment::reset(std::uint64_t seed, Observation& out) {
    m_now.rng = Rng(seed);
    m_now.configuration = m_world->initialConfiguration();
    m_now.step = 0;
    for (std::size_t h = 0; h < m_now.goals.size(); ++h)
        m_now.goals[h] = static_cast<int>(drawnBy(m_world->goals()[h].weights, m_now.rng));
    std::ranges::fill(m_now.attained, 0);
    observe(out);
}

void WorldEnvironment::step(std::span<const ActionTaken> taken, StepResult& result,
                            Observation& out) {
    if (std::ssize(taken) != m_world->numAgents())
        throw badInput("A step of world \"" + m_world->name() + "\" takes an action of each of " +
                       std::to_string(m_world->numAgents()) + " agents.");
    for (std::size_t agent = 0; agent < taken.size(); ++agent)
        m_actions[agent] =
            taken[agent].indices.size() == 1 ? static_cast<int>(taken[agent].indices[0]) : -1;
    const std::vector<Outcome> outcomes =
        m_world->outcomes(m_now.configuration, m_now.step, m_world->profileIndex(m_actions));
    m_now.configuration = drawnFrom(outcomes, m_now.rng).successor;
    ++m_now.step;
    result.rewards.assign(m_spaces.rewards.size(), 0);
    for (std::size_t h = 0; h < m_now.goals.size(); ++h)
        if ((m_world->attainedGoals(m_now.configuration, static_cast<int>(h)) >> m_now.goals[h]) &
            1) {
            result.rewards[h] = 1;
            m_now.attained[h] = 1;
        }
    const bool isOver = m_now.step >= m_world->maxSteps();
    const bool isDone = std::ranges::all_of(m_now.attained, [](int done) { return done != 0; });
    result.end = !isOver ? EpisodeEnd::None : isDone ? EpisodeEnd::Success : EpisodeEnd::Failure;
    observe(out);
}

std::string WorldEnvironment::state() const {
    nlohmann::json words = nlohmann::json::array();
    for (const std::uint64_t word : m_now.configuration) words.push_back(hexOf(word));
    return nlohmann::json{{"configuration", std::move(words)},
                          {"step", m_now.step},
                          {"goals", m_now.goals},
                          {"attained", m_now.attained},
                          {"rng", hexList(m_now.rng.words())},
                          {"world", m_world->contentHash()}}
        .dump();
}

WorldEnvironment::Moment WorldEnvironment::momentOf(std::string_view text) const {
    const nlohmann::json json = nlohmann::json::parse(text);
    if (json.at("world") != m_world->contentHash())
        throw Error("it is of another world", Error::Kind::Damaged);
    Moment moment;
    for (const nlohmann::json& word : json.at("configuration"))
        moment.configuration.push_back(wordOf(word));
    moment.step = json.at("step").get<int>();
    moment.goals = json.at("goals").get<std::vector<int>>();
    moment.attained = json.at("attained").get<std::vector<int>>();
    std::array<std::uint64_t, 4> words{};
    for (std::size_t i = 0; i < words.size(); ++i) words.at(i) = wordOf(json.at("rng").at(i));
    moment.rng.setWords(words);
    const std::size_t humans = m_world->goals().size();
    bool isSound = moment.configuration.size() == m_now.configuration.size() && moment.step >= 0 &&
                   moment.step <= m_world->maxSteps() && moment.goals.size() == humans &&
                   moment.attained.size() == humans && words != std::array<std::uint64_t, 4>{};
    for (std::size_t h = 0; isSound && h < humans; ++h)
        isSound = moment.goals[h] >= 0 && moment.goals[h] < std::ssize(m_world->goals()[h].goals);
    if (!isSound) throw Error("it does not fit the world", Error::Kind::Damaged);
    return moment;
}

void WorldEnvironment::setState(std::string_view json, Observation& out) {
    try {
        m_now = momentOf(json);
    } catch (const std::exception& error) {  // of JSON: text, types and members
        throw Error(
            "The state of world \"" + m_world->name() + "\" cannot be used: " + error.what() + ".",
            Error::Kind::Damaged);
    }
    observe(out);
}

void WorldEnvironment::facts(std::span<double> out) const {
    std::ranges::copy(m_now.goals, out.begin());
}

Picture WorldEnvironment::picture(const PictureWish& wish) const {
    return pictureOf(*m_world, m_now.configuration, wish);
}

}  // namespace orrery
