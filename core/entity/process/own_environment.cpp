#include "core/entity/process/own_environment.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/entity/picture_of_things.h"

namespace orrery {

namespace {

using Frame = nlohmann::json;

std::string textOf(const Frame& json) {
    return json.dump(-1, ' ', false, Frame::error_handler_t::replace);
}

}  // namespace

OwnGamePool::OwnGamePool(const OwnGame& game, const GameSpaces& told,
                         const std::string& optionsJson, OutsideRules rules)
    : m_name(game.name),
      m_told(told),
      m_rules(std::move(rules)),
      m_stopped(m_rules.stop, [this] { m_stop.request_stop(); }) {
    for (int i = 0; i < std::max(1, m_rules.processes); ++i)
        m_processes.push_back(
            std::make_unique<GameProcess>(GameProcess::Wish{.command = game.command,
                                                            .name = game.name,
                                                            .optionsJson = optionsJson,
                                                            .spaces = told.spaces,
                                                            .silence = m_rules.silence,
                                                            .stop = m_stop.get_token()}));
}

OwnGamePool::~OwnGamePool() {
    for (const auto& process : m_processes) process->closeInput();
}

std::unique_ptr<DeferredEnvironment> OwnGamePool::make() {
    int number = 0;
    {
        const MutexLock lock(m_mutex);
        while (m_taken.contains(number)) ++number;
        m_taken.insert(number);
    }
    return std::make_unique<OwnEnvironment>(shared_from_this(), number);
}

/// A process whose environments are all gone ends.
void OwnGamePool::release(int environment) {
    const MutexLock lock(m_mutex);
    m_taken.erase(environment);
    const GameProcess* process = &processOf(environment);
    for (const int other : m_taken)
        if (&processOf(other) == process) return;
    processOf(environment).lose(process->generation());
}

void OwnGamePool::lose(GameProcess& process, int generation, const GameFault& fault) {
    if (fault.isKnown || !process.lose(generation) || fault.isStop) return;
    const MutexLock lock(m_mutex);
    const std::string line = m_name + ": " + fault.text;
    if (!m_rules.mayRestart) throw Error(line + '.', Error::Kind::Failed);
    if (m_rules.say) m_rules.say(line + "; its episodes are cut off.");
    if (m_rules.mayRestart()) return;
    const std::string last = line + ". It was started again too often";
    if (!m_rules.giveUp)
        throw Error(last + "; the run can be resumed from its last checkpoint.",
                    Error::Kind::Failed);
    if (m_stop.request_stop()) m_rules.giveUp(last + '.');
}

OwnEnvironment::OwnEnvironment(std::shared_ptr<OwnGamePool> pool, int number)
    : m_pool(std::move(pool)),
      m_number(number),
      m_process(m_pool->processOf(number)),
      m_ids(std::make_unique<Frame>()) {}

OwnEnvironment::~OwnEnvironment() {
    m_pool->release(m_number);
}

void OwnEnvironment::askReset(std::uint64_t seed) {
    m_seed = seed;
    m_steps = 0;
    m_taken.clear();
    m_isCut = false;
    m_generation = m_process.ask(m_number, GameProcess::Ask::Reset, std::to_string(seed), 0);
}

void OwnEnvironment::takeReset(Observation& out) {
    while (true) {
        try {
            StepResult ignored;
            readSeen(m_process.take(m_number, m_generation), FrameRole::First, ignored);
            break;
        } catch (const GameFault& fault) {
            m_pool->lose(m_process, m_generation, fault);
            if (fault.isStop) {
                if (m_seen.parts.empty())
                    throw Error(m_pool->name() + ": it was stopped before anything was seen.",
                                Error::Kind::Failed);
                m_generation = -1;  // the next step cuts it off
                break;
            }
            m_generation =
                m_process.ask(m_number, GameProcess::Ask::Reset, std::to_string(m_seed), 0);
            m_process.send();
        }
    }
    out = m_seen;
}

void OwnEnvironment::askStep(std::span<const ActionTaken> taken) {
    ++m_steps;
    m_isCut = m_generation != m_process.generation();
    if (m_isCut) return;
    if (taken.size() != spaces().actions.size())
        throw badInput(m_pool->name() + ": actions are missing.");
    if (m_pool->recordsSteps() && !m_pool->told().canSave) {
        auto indices = Frame::array();
        for (const ActionTaken& action : taken) indices.push_back(action.indices);
        m_taken.push_back(indices.dump());
    }
    m_process.ask(m_number, GameProcess::Ask::Act, actionsText(taken), m_steps);
}

void OwnEnvironment::takeStep(StepResult& result, Observation& out) {
    if (!m_isCut) {
        try {
            readSeen(m_process.take(m_number, m_generation), FrameRole::AfterStep, result);
            out = m_seen;
            return;
        } catch (const GameFault& fault) {
            m_pool->lose(m_process, m_generation, fault);
        }
    }
    m_isCut = false;
    m_generation = -1;
    result.rewards.assign(1, 0);
    result.end = EpisodeEnd::TimeOut;
    out = m_seen;
}

void OwnEnvironment::readSeen(Frame frame, FrameRole role, StepResult& result) {
    const std::string problem = readGameFrame(spaces(), frame, role, m_next);
    if (!problem.empty()) throw GameFault{.text = gamePlace(m_number, m_steps) + problem};
    std::swap(m_seen, m_next.seen);
    m_otherMetrics.insert(m_next.otherMetrics.begin(), m_next.otherMetrics.end());
    const auto ids = frame.find("ids");
    *m_ids = ids == frame.end() ? Frame() : std::move(*ids);
    result.rewards.assign(1, m_next.reward);
    result.end = m_next.end;
}

/// What the game calls it; where it has no name, the type and its place among them.
void OwnEnvironment::appendThing(std::int64_t thing, std::string& text) const {
    for (std::size_t type = 0; type < spaces().observations.size(); ++type) {
        const ObservedSpace& space = spaces().observations[type];
        if (space.kind != ObservedSpace::Kind::Entities) continue;
        const std::int64_t count = m_seen.parts[type].begins[0][1];
        if (thing >= count) {
            thing -= count;
            continue;
        }
        const auto ids = m_ids->is_object() ? m_ids->find(space.name) : m_ids->end();
        if (ids != m_ids->end() && ids->is_array())
            text += textOf((*ids)[static_cast<std::size_t>(thing)]);
        else
            text += '[' + textOf(space.name) + ',' + std::to_string(thing) + ']';
        return;
    }
}

std::string OwnEnvironment::actionsText(std::span<const ActionTaken> taken) const {
    std::string text = "{";
    const auto listed = [&text](const char* name, std::size_t count, const auto& append) {
        text += '"';
        text += name;
        text += "\":[";
        for (std::size_t i = 0; i < count; ++i) {
            if (i > 0) text += ',';
            append(i);
        }
        text += ']';
    };
    for (std::size_t i = 0; i < taken.size(); ++i) {
        const ActionSpace& space = spaces().actions[i];
        const ActionOffer& offer = m_seen.offers[i];
        const std::vector<std::int64_t>& indices = taken[i].indices;
        if (i > 0) text += ',';
        text += textOf(space.name);
        text += ":{";
        if (!space.isOfActors) {
            const auto index = static_cast<std::size_t>(indices.at(0));
            text += "\"index\":" + std::to_string(index) + ",\"label\":";
            text += textOf(space.choices.at(index));
        } else {
            if (indices.size() != offer.actors.size())
                throw badInput(m_pool->name() + ": the action \"" + escaped(space.name) +
                               "\" is decided " + std::to_string(offer.actors.size()) +
                               " times, not " + std::to_string(indices.size()) + '.');
            listed("actors", indices.size(),
                   [&](std::size_t k) { appendThing(offer.actors[k], text); });
            text += ',';
            listed("indices", indices.size(),
                   [&](std::size_t k) { text += std::to_string(indices[k]); });
            if (space.kind == ActionSpace::Kind::Select) {
                text += ',';
                listed("actees", indices.size(), [&](std::size_t k) {
                    if (indices[k] < 0)
                        text += "null";
                    else
                        appendThing(offer.candidates.at(static_cast<std::size_t>(indices[k])),
                                    text);
                });
            }
        }
        text += '}';
    }
    return text + '}';
}

std::string OwnEnvironment::state() const {
    Frame state{{"seed", m_seed}, {"steps", m_steps}};
    const bool isThere = m_generation == m_process.generation() && m_process.isRunning();
    if (m_pool->told().canSave && isThere) {
        m_process.ask(m_number, GameProcess::Ask::Save, {}, m_steps);
        m_process.send();
        try {
            state["saved"] = m_process.take(m_number, m_generation);
        } catch (const GameFault& fault) {
            m_pool->lose(m_process, m_generation, fault);
        }
    } else if (m_pool->recordsSteps() && isThere) {
        auto taken = Frame::array();
        for (const std::string& step : m_taken) taken.push_back(Frame::parse(step));
        state["taken"] = std::move(taken);
    }
    return textOf(state);
}

void OwnEnvironment::replay(const Frame& state, Observation& out) {
    reset(state.at("seed").get<std::uint64_t>(), out);
    StepResult result;
    for (const Frame& step : state.at("taken")) {
        std::vector<ActionTaken> taken;
        for (const Frame& indices : step)
            taken.push_back({.indices = indices.get<std::vector<std::int64_t>>(), .numbers = {}});
        DeferredEnvironment::step(taken, result, out);
    }
}

void OwnEnvironment::setState(std::string_view json, Observation& out) {
    m_hasGoneOn = false;
    try {
        const Frame state = Frame::parse(json);
        const auto seed = state.at("seed").get<std::uint64_t>();
        if (state.contains("saved") && m_pool->told().canSave) {
            m_seed = seed;
            m_steps = state.at("steps");
            m_generation =
                m_process.ask(m_number, GameProcess::Ask::Load, textOf(state.at("saved")), m_steps);
            m_process.send();
            StepResult ignored;
            try {
                readSeen(m_process.take(m_number, m_generation), FrameRole::First, ignored);
            } catch (const GameFault& fault) {
                m_process.lose(m_generation);
                throw Error(m_pool->name() + ": a state is not taken back: " + fault.text + '.',
                            Error::Kind::Damaged);
            }
            out = m_seen;
            m_hasGoneOn = true;
        } else if (state.contains("taken")) {
            replay(state, out);
            m_hasGoneOn = true;
        } else {
            reset(seed, out);
        }
    } catch (const Frame::exception& error) {
        throw Error("This is no state of " + m_pool->name() + ": " + error.what(),
                    Error::Kind::Damaged);
    }
}

Picture OwnEnvironment::picture(const PictureWish& wish) const {
    if (m_seen.parts.size() != spaces().observations.size()) return {};
    return pictureOfThings(spaces(), m_seen, wish);
}

}  // namespace orrery
