#include "widgets/entity/entity_session.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/run/jobs/environments.h"
#include "widgets/common/selection.h"

namespace orrery {

EntitySession::EntitySession(Selection* selection, QObject* parent)
    : QObject(parent), m_selection(selection), m_agent(new EntityAgent(this)) {
    connect(m_agent, &EntityAgent::changed, this, [this] {
        for (EntityEpisode& episode : m_episodes)
            for (EntityFrame& frame : episode.frames) {
                frame.advice.reset();
                frame.insight.reset();
                frame.isAsked = frame.isInsideAsked = false;
            }
        if (!canGoOn()) setPlaying(false);
        askAgent();
        Q_EMIT advised();
    });
    connect(m_selection, &Selection::currentChanged, this, [this](SelectionKind kind) {
        if (kind != SelectionKind::Env) return;
        if (const auto* env = m_selection->current<EnvItem>())
            showEpisode(static_cast<std::size_t>(std::max(0, env->env)));
    });
    connect(&m_timer, &QTimer::timeout, this, &EntitySession::tick);
    const EnvironmentCatalogue catalogue = knownEnvironments();
    if (!catalogue.empty()) m_id = QString::fromStdString(catalogue.front().id);
    again();
}

const EntityEpisode* EntitySession::episode() const {
    return m_current < m_episodes.size() ? &m_episodes[m_current] : nullptr;
}

const EntityFrame* EntitySession::frame() const {
    return episode() != nullptr ? &episode()->frame() : nullptr;
}

const HandPlay* EntitySession::play() const {
    return shownPlay();
}

HandPlay* EntitySession::shownPlay() const {
    return episode() != nullptr ? episode()->play.get() : nullptr;
}

const HandPlay::Decision* EntitySession::decision() const {
    return play() != nullptr && episode()->isAtEnd() ? play()->decision() : nullptr;
}

std::int64_t EntitySession::step() const {
    return episode() != nullptr ? episode()->firstStep + static_cast<std::int64_t>(episode()->shown)
                                : 0;
}

double EntitySession::total() const {
    double sum = 0;
    for (std::size_t i = 0; episode() != nullptr && i <= episode()->shown; ++i)
        sum += episode()->frames[i].reward;
    return sum;
}

void EntitySession::clear() {
    setPlaying(false);
    m_episodes.clear();
    m_current = 0;
    m_trouble.clear();
}

void EntitySession::addFrame(EntityEpisode& episode) {
    const HandPlay& play = *episode.play;
    episode.frames.push_back({.id = ++m_numFrames,
                              .seen = play.seen(),
                              .things = play.things(),
                              .picture = play.environment().picture({}),
                              .reward = play.reward(),
                              .end = play.end()});
    episode.shown = episode.frames.size() - 1;
}

void EntitySession::add(std::unique_ptr<HandPlay> play, const QString& name) {
    m_spaces = play->spaces();
    m_episodes.push_back({.name = name, .play = std::move(play), .frames = {}});
    addFrame(m_episodes.back());
}

void EntitySession::open(const QString& id, const QString& options, std::uint64_t seed, int count) {
    clear();
    m_id = id;
    m_options = options;
    m_seed = seed;
    m_count = std::clamp(count, 1, kMostEpisodes);
    m_states.clear();
    try {
        const EnvironmentEntry& entry = environmentNamed(knownEnvironments(), id.toStdString());
        if (entry.isOwn())  // its steps may take long, which this thread must not wait for
            throw badInput(tr("%1 is served by a program of yours: train it here, or play it in a "
                              "terminal by: orrery env play %1")
                               .arg(id)
                               .toStdString());
        for (int i = 0; i < m_count; ++i) {
            const std::uint64_t own = seed + static_cast<std::uint64_t>(i);
            add(std::make_unique<HandPlay>(entry.make(options.toStdString()), own),
                tr("Seed %1").arg(own));
        }
    } catch (const Error& error) {
        m_episodes.clear();
        m_trouble = QString::fromUtf8(error.what());
    }
    finishOpening();
}

void EntitySession::openStates(const QString& id, const QString& options,
                               const std::vector<std::string>& states) {
    clear();
    m_id = id;
    m_options = options;
    m_count = static_cast<int>(states.size());
    m_states = states;
    try {
        const EnvironmentEntry& entry = environmentNamed(knownEnvironments(), id.toStdString());
        for (const std::string& state : states)
            add(std::make_unique<HandPlay>(entry.make(options.toStdString()),
                                           std::string_view(state)),
                tr("Environment %1").arg(m_episodes.size()));
    } catch (const Error& error) {
        m_episodes.clear();
        m_trouble = QString::fromUtf8(error.what());
    }
    finishOpening();
}

void EntitySession::openFrames(const QString& id, const QString& options,
                               const EnvironmentSpaces& spaces, std::vector<EntityEpisode> episodes,
                               std::size_t shown) {
    clear();
    m_id = id;
    m_options = options;
    m_states.clear();
    m_spaces = spaces;
    m_episodes = std::move(episodes);
    for (EntityEpisode& episode : m_episodes)
        for (EntityFrame& frame : episode.frames) frame.id = ++m_numFrames;
    m_current = shown;
    finishOpening();
}

void EntitySession::finishOpening() {
    const int shown = static_cast<int>(m_current);
    m_rng = Rng(m_seed, std::uint64_t{1} << 33);
    m_selection->clearCurrent(SelectionKind::Entity);
    m_selection->setCurrent(EnvItem{shown});
    Q_EMIT opened();
    tell();
}

void EntitySession::again() {
    const std::size_t shown = m_current;
    if (m_states.empty())
        open(m_id, m_options, m_seed, m_count);
    else
        openStates(m_id, m_options, std::vector<std::string>(m_states));
    if (shown != m_current) showEpisode(shown);
}

/// The frame that is shown, or what is known of it, is another one.
void EntitySession::tell() {
    if (const auto* entity = m_selection->current<EntityItem>();
        entity != nullptr && (frame() == nullptr || !pickedThing()))
        m_selection->clearCurrent(SelectionKind::Entity);
    askAgent();
    Q_EMIT changed();
}

void EntitySession::showEpisode(std::size_t episode) {
    if (episode >= m_episodes.size() || episode == m_current) return;
    m_current = episode;
    m_selection->setCurrent(EnvItem{static_cast<int>(episode)});
    tell();
}

void EntitySession::showFrame(std::size_t frame) {
    if (episode() == nullptr) return;
    EntityEpisode& own = m_episodes[m_current];
    const std::size_t wanted = std::min(frame, own.frames.size() - 1);
    if (wanted == own.shown) return;
    own.shown = wanted;
    tell();
}

/// What the play came to since its last frame.
void EntitySession::takeFrames() {
    EntityEpisode& own = m_episodes[m_current];
    const auto steps = static_cast<std::size_t>(own.play->steps());
    while (own.frames.size() > steps + 1) own.frames.pop_back();
    if (own.frames.size() < steps + 1) addFrame(own);
    own.shown = own.frames.size() - 1;
    EntityFrame& last = own.frames.back();
    last.taken = own.play->isOver() ? std::vector<ActionTaken>() : own.play->taken();
}

void EntitySession::choose(std::int64_t value) {
    if (decision() == nullptr) return;
    HandPlay& own = *shownPlay();
    // What the step is made of is gone once it is made.
    std::vector<ActionTaken> taken = own.taken();
    if (value >= 0)
        taken[own.decision()->action].indices[static_cast<std::size_t>(own.decision()->decider)] =
            value;
    const std::int64_t before = own.steps();
    own.choose(value);
    if (own.steps() > before) m_episodes[m_current].frames.back().taken = std::move(taken);
    takeFrames();
    tell();
}

void EntitySession::turnTo(const HandPlay::Open& open) {
    if (decision() == nullptr) return;
    shownPlay()->turnTo(open);
    if (open.actor >= 0) pickThing(static_cast<std::size_t>(open.actor));
    Q_EMIT changed();
}

bool EntitySession::turnToNext() {
    if (decision() == nullptr) return false;
    for (const HandPlay::Open& open : play()->open()) {
        const bool isLater =
            open.action > decision()->action ||
            (open.action == decision()->action && open.decider > decision()->decider);
        if (!isLater) continue;
        turnTo(open);
        return true;
    }
    return false;
}

void EntitySession::goBack() {
    if (episode() == nullptr) return;
    if (!episode()->isAtEnd() || play() == nullptr) {
        if (episode()->shown > 0) showFrame(episode()->shown - 1);
        return;
    }
    if (!play()->canGoBack()) return;
    setPlaying(false);
    shownPlay()->goBack();
    takeFrames();
    tell();
}

void EntitySession::takeOver() {
    if (play() == nullptr || episode()->isAtEnd()) return;
    setPlaying(false);
    HandPlay& own = *shownPlay();
    const auto wanted = static_cast<std::int64_t>(episode()->shown);
    while (own.steps() > wanted) own.goBack();
    takeFrames();
    tell();
}

bool EntitySession::canTrain() const {
    if (!m_episodes.empty()) return true;
    const EnvironmentEntry* entry = findEnvironment(knownEnvironments(), m_id.toStdString());
    return entry != nullptr && entry->isOwn();
}

std::optional<RunSpec> EntitySession::training() const {
    if (!canTrain()) return std::nullopt;
    return suggestedTraining(m_id.toStdString(), m_options.toStdString());
}

std::optional<std::size_t> EntitySession::pickedThing() const {
    const auto* entity = m_selection->current<EntityItem>();
    if (entity == nullptr || frame() == nullptr || entity->entity < 0 ||
        static_cast<std::size_t>(entity->env) != m_current ||
        static_cast<std::size_t>(entity->entity) >= frame()->things.size())
        return std::nullopt;
    return static_cast<std::size_t>(entity->entity);
}

void EntitySession::pickThing(std::size_t thing) {
    m_selection->setCurrent(EntityItem{static_cast<int>(m_current), static_cast<int>(thing)});
}

}  // namespace orrery
