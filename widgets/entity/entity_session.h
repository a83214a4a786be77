#pragma once

#include <QObject>
#include <QSet>
#include <QString>
#include <QTimer>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/rng.h"
#include "core/run/run_spec.h"
#include "widgets/entity/entity_agent.h"
#include "widgets/entity/entity_episode.h"

namespace orrery {

class Selection;

/// What the perspective Entities shows: one environment, or some side by side, each with its
/// episode; which frame of it; and what an agent says of the frames. GUI thread only.
class EntitySession : public QObject {
    Q_OBJECT

public:
    static constexpr int kMostEpisodes = 16;

    /// @param selection  of the window: which environment and which thing are picked
    explicit EntitySession(Selection* selection, QObject* parent = nullptr);

    const QString& id() const { return m_id; }
    const QString& options() const { return m_options; }  ///< as typed, JSON
    std::uint64_t seed() const { return m_seed; }         ///< of the first episode
    /// How many episodes are played side by side.
    int count() const { return m_count; }
    /// That the episodes begin in; empty: they begin by seeds.
    const std::vector<std::string>& states() const { return m_states; }
    const QString& trouble() const { return m_trouble; }  ///< why there is none; empty: there is

    const std::vector<EntityEpisode>& episodes() const { return m_episodes; }
    std::size_t current() const { return m_current; }
    /// The episode that is shown; null while there is none, which trouble() explains.
    const EntityEpisode* episode() const;
    /// Its frame that is shown; null likewise.
    const EntityFrame* frame() const;
    const EnvironmentSpaces& spaces() const { return m_spaces; }
    /// The play of the episode; null where there is none, or a training gave the frames.
    const HandPlay* play() const;
    /// What is to be decided in the frame that is shown; null in those that are past.
    const HandPlay::Decision* decision() const;
    /// Steps of the frame that is shown, and its rewards so far.
    std::int64_t step() const;
    double total() const;

    /// Begins episodes, that many with one seed after the other.
    void open(const QString& id, const QString& options, std::uint64_t seed, int count = 1);
    /// Episodes that begin in these states.
    void openStates(const QString& id, const QString& options,
                    const std::vector<std::string>& states);
    /// Shows frames that a training gave, one of them at first.
    void openFrames(const QString& id, const QString& options, const EnvironmentSpaces& spaces,
                    std::vector<EntityEpisode> episodes, std::size_t shown);
    void again();

    void showEpisode(std::size_t episode);
    void showFrame(std::size_t frame);
    void choose(std::int64_t value);
    void turnTo(const HandPlay::Open& open);
    /// Asks for the decision after the one that is asked for. @return false if that was the last
    bool turnToNext();
    /// Takes the last decision or step back; of frames that are past, goes to the one before.
    void goBack();
    /// Forgets what follows the frame that is shown: the play goes on from it.
    void takeOver();

    EntityAgent& agent() const { return *m_agent; }
    /// Whether it knows what to do here.
    bool hasAdvice() const;
    /// What it gives one of the options of the decision that is asked for. hasAdvice() alone.
    double shareOf(const HandPlay::Decision& decision, std::int64_t value) const;
    /// Its choice for the decision that is asked for; nothing while it says none.
    std::optional<std::int64_t> agentsChoice() const;
    void takeAgentsChoice();
    /// What is left to decide in this step, by the agent.
    void stepByAgent();
    /// It takes its likeliest choices, or draws by its probabilities.
    bool isGreedy() const { return m_isGreedy; }
    void setGreedy(bool isGreedy);
    /// Shows frame after frame; behind the last one the agent plays on.
    bool isPlaying() const { return m_timer.isActive(); }
    void setPlaying(bool isPlaying);
    bool canPlay() const;
    int speed() const { return m_speed; }  ///< steps a second
    void setSpeed(int speed);

    /// Whether somebody looks at what goes on in the agent's network: it is asked for it then.
    void setInsideWanted(QObject* by, bool isWanted);
    /// Which layer and head views of attention show, and whether as lines over the picture.
    struct AttentionChoice {
        int layer = 0, head = 0;
        bool hasLines = true;
        bool operator==(const AttentionChoice&) const = default;
    };
    const AttentionChoice& attention() const { return m_attention; }
    void setAttention(const AttentionChoice& choice);
    /// How much a thing looks at each thing of the frame; empty if it is not known.
    std::vector<float> looksOf(std::size_t thing) const;

    Selection& selection() const { return *m_selection; }
    /// The thing of the shown frame that is picked; nothing if none is.
    std::optional<std::size_t> pickedThing() const;
    void pickThing(std::size_t thing);

    bool canTrain() const;
    /// A training in it, with the settings that suit it; the options are those that stand here.
    /// @return nothing where the options are wrong
    std::optional<RunSpec> training() const;

Q_SIGNALS:
    void opened();   ///< another environment, or none
    void changed();  ///< another frame, or a decision was made or taken back; after opened() too
    void advised();  ///< the agent said something of a frame, or there is another agent
    void attentionChanged();
    void playingChanged();

private:
    void clear();
    void add(std::unique_ptr<HandPlay> play, const QString& name);
    void addFrame(EntityEpisode& episode);
    void finishOpening();
    void tell();
    void takeFrames();
    void askAgent();
    void ask(EntityFrame& frame, bool inside);
    EntityFrame* frameOf(std::int64_t id);
    HandPlay* shownPlay() const;
    std::int64_t drawn(const HandPlay::Decision& decision);
    bool canGoOn() const;
    void tick();

    Selection* m_selection;
    QString m_id, m_options = QStringLiteral("{}"), m_trouble;
    std::uint64_t m_seed = 1;
    int m_count = 1;
    EnvironmentSpaces m_spaces;
    std::vector<EntityEpisode> m_episodes;
    std::vector<std::string> m_states;  ///< that the episodes begin in; empty: by seeds
    std::size_t m_current = 0;
    std::int64_t m_numFrames = 0;  ///< made so far
    EntityAgent* m_agent;
    Rng m_rng{1};
    bool m_isGreedy = false;
    QTimer m_timer;
    int m_speed = 4;
    QSet<QObject*> m_insiders;
    AttentionChoice m_attention;
};

}  // namespace orrery
