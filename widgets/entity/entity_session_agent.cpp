#include <algorithm>

#include "widgets/entity/entity_session.h"

// What the agent says and does.

namespace orrery {

bool EntitySession::hasAdvice() const {
    return frame() != nullptr && frame()->advice.has_value();
}

EntityFrame* EntitySession::frameOf(std::int64_t id) {
    for (EntityEpisode& episode : m_episodes)
        for (EntityFrame& frame : episode.frames)
            if (frame.id == id) return &frame;
    return nullptr;
}

void EntitySession::ask(EntityFrame& frame, bool inside) {
    if (frame.isFinal()) return;
    frame.isAsked = true;
    frame.isInsideAsked = frame.isInsideAsked || inside;
    m_agent->ask(frame.seen, inside, [this, id = frame.id](EntityAgent::Answer answer) {
        EntityFrame* const asked = frameOf(id);
        if (asked == nullptr) return;
        asked->advice = std::move(answer.advice);
        if (answer.insight) asked->insight = std::move(answer.insight);
        Q_EMIT advised();
    });
}

/// What is shown first, then all that lies before it: the value over the episode.
void EntitySession::askAgent() {
    if (episode() == nullptr || !m_agent->fits(m_spaces)) return;
    EntityEpisode& own = m_episodes[m_current];
    EntityFrame& shown = own.frames[own.shown];
    const bool inside = !m_insiders.isEmpty();
    if (!shown.isAsked || (inside && !shown.isInsideAsked)) ask(shown, inside);
    for (EntityFrame& frame : own.frames)
        if (!frame.isAsked) ask(frame, false);
}

void EntitySession::setInsideWanted(QObject* by, bool isWanted) {
    if (isWanted == m_insiders.contains(by)) return;
    if (isWanted)
        m_insiders.insert(by);
    else
        m_insiders.remove(by);
    askAgent();
}

double EntitySession::shareOf(const HandPlay::Decision& decision, std::int64_t value) const {
    if (value < 0) return 1;
    const std::int64_t options = numOptions(m_spaces, frame()->seen, decision.action);
    return frame()->advice->probabilities[decision.action][static_cast<std::size_t>(
        decision.decider * options + value)];
}

/// One of its options by their probabilities.
std::int64_t EntitySession::drawn(const HandPlay::Decision& decision) {
    double left = m_rng.uniform();
    std::int64_t chosen = decision.options.front().value;
    for (const auto& option : decision.options) {
        const double share = shareOf(decision, option.value);
        if (share <= 0) continue;
        chosen = option.value;  // the last one, where rounding leaves something
        if ((left -= share) < 0) break;
    }
    return chosen;
}

std::optional<std::int64_t> EntitySession::agentsChoice() const {
    if (decision() == nullptr || !hasAdvice()) return std::nullopt;
    std::int64_t best = decision()->options.front().value;
    for (const auto& option : decision()->options)
        if (shareOf(*decision(), option.value) > shareOf(*decision(), best)) best = option.value;
    return best;
}

void EntitySession::takeAgentsChoice() {
    if (const auto value = agentsChoice()) choose(*value);
}

void EntitySession::stepByAgent() {
    if (decision() == nullptr || !hasAdvice()) return;
    const std::int64_t before = play()->steps();
    while (decision() != nullptr && play()->steps() == before && hasAdvice())
        choose(m_isGreedy ? *agentsChoice() : drawn(*decision()));
}

void EntitySession::setGreedy(bool isGreedy) {
    m_isGreedy = isGreedy;
}

bool EntitySession::canGoOn() const {
    if (episode() == nullptr) return false;
    return !episode()->isAtEnd() ||
           (play() != nullptr && !play()->isOver() && m_agent->fits(m_spaces));
}

bool EntitySession::canPlay() const {
    return canGoOn() || (episode() != nullptr && episode()->frames.size() > 1);
}

void EntitySession::setPlaying(bool isPlaying) {
    if (isPlaying == m_timer.isActive() || (isPlaying && !canPlay())) return;
    if (isPlaying && !canGoOn()) showFrame(0);  // it is at its end: once more
    if (isPlaying)
        m_timer.start(1000 / m_speed);
    else
        m_timer.stop();
    Q_EMIT playingChanged();
}

void EntitySession::setSpeed(int speed) {
    m_speed = std::clamp(speed, 1, 60);
    m_timer.setInterval(1000 / m_speed);
    Q_EMIT playingChanged();
}

void EntitySession::tick() {
    if (!canGoOn()) return setPlaying(false);
    if (!episode()->isAtEnd())
        showFrame(episode()->shown + 1);
    else
        stepByAgent();  // once it has answered
    if (!canGoOn()) setPlaying(false);
}

void EntitySession::setAttention(const AttentionChoice& choice) {
    if (choice == m_attention) return;
    m_attention = choice;
    Q_EMIT attentionChanged();
}

std::vector<float> EntitySession::looksOf(std::size_t thing) const {
    if (frame() == nullptr || !frame()->insight) return {};
    const FrameInsight& inside = *frame()->insight;
    if (inside.attention.empty() || inside.heads == 0 ||
        static_cast<std::int64_t>(thing) >= inside.rows)
        return {};
    const std::vector<float>& layer = inside.attention[static_cast<std::size_t>(
        std::clamp(m_attention.layer, 0, static_cast<int>(inside.attention.size()) - 1))];
    const std::int64_t head = std::clamp<std::int64_t>(m_attention.head, 0, inside.heads - 1);
    const auto begin =
        layer.begin() + (head * inside.rows + static_cast<std::int64_t>(thing)) * inside.rows;
    return {begin, begin + inside.rows};
}

}  // namespace orrery
