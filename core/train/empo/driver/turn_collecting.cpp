#include <algorithm>
#include <span>

#include "core/base/error.h"
#include "core/base/fault.h"
#include "core/train/empo/driver/collecting.h"
#include "core/train/restart_budget.h"

namespace orrery {

namespace {

class TurnCollecting : public Collecting {
public:
    TurnCollecting(const EmpoSpec& spec, const TrainWorlds& worlds,
                   std::span<const std::vector<std::byte>> saved)
        : m_environmentSteps(spec.environmentStepsPerTrainingStep),
          m_trainingSteps(spec.trainingStepsPerEnvironmentStep),
          m_budget(spec.restartsPerTenMinutes) {
        for (int i = 0; i < spec.numCollectors; ++i) {
            m_collectors.push_back(makeActingCollector(spec, worlds, i));
            m_faultNames.push_back(faultNameOf(i));
            if (static_cast<std::size_t>(i) < saved.size())
                m_collectors.back().collector->load(saved[static_cast<std::size_t>(i)]);
        }
        m_numbers.resize(m_collectors.size());
    }

    bool collect(Training& training) override {
        // Several training steps may follow one step of the environment.
        if (m_state->trainingSteps % m_trainingSteps != 0) return true;
        for (int k = 0; k < m_environmentSteps; ++k) {
            // Whose turn it is follows from the count, so that a resumed run goes on alike.
            const auto turn =
                static_cast<std::size_t>(training.environmentSteps) % m_collectors.size();
            const std::optional<std::size_t> next = nextRunning(turn);
            if (next) collectBy(*next, training);
        }
        return true;
    }

    void publish(std::shared_ptr<const ActingState> state) override {
        if (!m_state || state->weights != m_state->weights)
            for (const ActingCollector& acting : m_collectors) acting.values->use(state->weights);
        m_state = std::move(state);
    }

    bool setPaused(int collector, bool isPaused) override {
        if (collector < 0 || collector >= std::ssize(m_collectors)) return false;
        m_numbers[static_cast<std::size_t>(collector)].state =
            isPaused ? CollectorNumbers::State::Paused : CollectorNumbers::State::Running;
        return true;
    }
    bool isPaused(int collector) const override {
        return m_numbers[static_cast<std::size_t>(collector)].state ==
               CollectorNumbers::State::Paused;
    }

    std::vector<std::vector<std::byte>> save(Training&) override {
        std::vector<std::vector<std::byte>> saved;
        for (const ActingCollector& acting : m_collectors)
            saved.push_back(acting.collector->save());
        return saved;
    }

    std::vector<CollectorNumbers> numbers() const override {
        std::vector<CollectorNumbers> all = m_numbers;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Collector& collector = *m_collectors[i].collector;
            all[i].weightsStep = m_collectors[i].values->weightsStep();
            all[i].world = collector.layout();
            all[i].episodeStep = collector.stepOfEpisode();
            for (const std::int8_t goal : collector.goals())
                all[i].goals.push_back(static_cast<std::uint8_t>(goal));
            const std::span<const std::uint64_t> configuration = collector.configuration();
            all[i].configuration.assign(configuration.begin(), configuration.end());
        }
        return all;
    }

    void addNumbers(ReplayNumbers&) const override {}
    std::vector<std::string> takeMessages() override { return std::exchange(m_messages, {}); }

private:
    std::optional<std::size_t> nextRunning(std::size_t from) const {
        for (std::size_t k = 0; k < m_collectors.size(); ++k) {
            const std::size_t i = (from + k) % m_collectors.size();
            if (m_numbers[i].state != CollectorNumbers::State::Paused) return i;
        }
        return std::nullopt;
    }

    void collectBy(std::size_t index, Training& training) {
        Collector& collector = *m_collectors[index].collector;
        CollectorNumbers& numbers = m_numbers[index];
        Transition newest;
        try {
            faultPoint("actor.step");
            faultPoint(m_faultNames[index]);
            newest = collector.step(m_state->rates);
        } catch (const Error& error) {
            // The episode is lost, what was collected stays.
            collector.abandonEpisode();
            ++numbers.restarts;
            numbers.trouble = error.what();
            m_messages.push_back("Actor " + std::to_string(index) + " failed: " + error.what());
            if (!m_budget.take())
                throw Error("Actor " + std::to_string(index) +
                                " keeps failing: " + std::string(error.what()) +
                                " The run can be resumed from its last checkpoint.",
                            Error::Kind::Diverged);
            return;
        }
        training.take(newest);
        ++numbers.environmentSteps;
        if (newest.endsEpisode) ++numbers.episodes;
    }

    int m_environmentSteps, m_trainingSteps;
    RestartBudget m_budget;
    std::vector<ActingCollector> m_collectors;
    std::vector<std::string> m_faultNames;
    std::vector<CollectorNumbers> m_numbers;
    std::shared_ptr<const ActingState> m_state;
    std::vector<std::string> m_messages;
};

}  // namespace

std::unique_ptr<Collecting> makeTurnCollecting(const EmpoSpec& spec, const TrainWorlds& worlds,
                                               std::span<const std::vector<std::byte>> saved) {
    return std::make_unique<TurnCollecting>(spec, worlds, saved);
}

}  // namespace orrery
