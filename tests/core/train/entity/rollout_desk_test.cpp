#include "core/train/rollout_desk.h"

#include <QTest>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/entity/envs/entity_environments.h"
#include "core/train/entity/driver/entity_method.h"
#include "core/train/train.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

EntitySpec specOfRollouts() {
    EntitySpec spec;
    spec.env.id = "MineSweeper";
    spec.env.kwargs = FieldMap{{"width", std::int64_t{4}},
                               {"height", std::int64_t{4}},
                               {"nmines", std::int64_t{2}},
                               {"orbital_cannon", true},
                               {"cooldown_period", std::int64_t{1}}};
    spec.env.maxEpisodeSteps = 5;
    spec.net.dModel = 16;
    spec.net.nLayer = 1;
    spec.rollout = {.steps = 12, .numEnvs = 4};
    spec.optim.bs = 16;
    spec.optim.updateEpochs = 2;
    spec.totalTimesteps = 15 * spec.rollout.frames();
    return spec;
}

struct Trained {
    std::map<std::string, std::vector<double>> curves = {};
    std::vector<std::shared_ptr<const RolloutCopy>> copies = {};
};

Trained trainedWith(bool asks) {
    const EntitySpec spec = specOfRollouts();
    const auto make = [&] {
        return environmentNamed(entityEnvironments(), spec.env.id).make(spec.env.optionsJson());
    };
    const auto method = makeEntity({.spec = spec, .environment = make, .evalEnvironment = make});
    Trained told;
    TrainHooks hooks;
    hooks.metric = [&](std::int64_t, const std::string& key, double value) {
        if (key != "throughput") told.curves[key].push_back(value);
    };
    hooks.snapshotPause = [] { return std::chrono::milliseconds(1); };
    hooks.snapshot = [&](const std::shared_ptr<const TrainingSnapshot>& snapshot) {
        const auto desk = rolloutDeskOf(*snapshot);
        if (!desk || !asks) return;
        const auto copy = desk->rollout();
        if (copy && (told.copies.empty() || told.copies.back() != copy))
            told.copies.push_back(copy);
        desk->askForRollout();
    };
    train(*method, {.cadence = {.metricInterval = 1, .checkpointSeconds = 0}, .specJson = "{}"},
          hooks, {});
    return told;
}

}  // namespace

class RolloutDeskTest : public QObject {
    Q_OBJECT

    Trained m_told;

    /// The last one that the update had passed over.
    const RolloutCopy& complete() const {
        for (auto copy = m_told.copies.rbegin(); copy != m_told.copies.rend(); ++copy)
            if ((*copy)->isLearned) return **copy;
        qFatal("no rollout was whole");
    }

private Q_SLOTS:
    void initTestCase() { m_told = trainedWith(true); }

    void askingChangesNoNumber() {
        QVERIFY(m_told.copies.size() > 1);
        QVERIFY(trainedWith(false).curves == m_told.curves);
    }

    void numbersAreThoseOfTheRollout() {
        const RolloutCopy& rollout = complete();
        const EntitySpec spec = specOfRollouts();
        QCOMPARE(rollout.rows(), spec.rollout.frames());
        const auto rows = static_cast<std::size_t>(rollout.rows());
        const auto width = static_cast<std::size_t>(rollout.environments);
        int ended = 0, cut = 0;
        for (std::size_t row = 0; row < rows; ++row) {
            QVERIFY(std::abs(rollout.returns[row] - rollout.value[row] - rollout.advantage[row]) <
                    1e-5F);
            QVERIFY(rollout.ratio[row] > 0.2F && rollout.ratio[row] < 5.F);
            QVERIFY(rollout.entropy[row] >= 0.F && rollout.entropy[row] <= std::log(5.F) + 1e-5F);
            QVERIFY(rollout.done[row] != 0 || rollout.truncated[row] == 0);
            if (row + width < rows) QCOMPARE(rollout.done[row], rollout.isFirst[row + width]);
            ended += rollout.done[row];
            cut += rollout.truncated[row];
        }
        QVERIFY(ended > 0 && cut > 0);
        // What is behind an episode has no say: the last advantage is the reward less the value,
        // where the episode was not cut off.
        for (std::size_t row = 0; row < rows; ++row)
            if (rollout.done[row] != 0 && rollout.truncated[row] == 0)
                QVERIFY(std::abs(rollout.advantage[row] -
                                 (rollout.reward[row] - rollout.value[row])) < 1e-5F);
    }

    /// What was taken was offered, and leads from one frame to the next.
    void framesAreThoseOfTheEnvironments() {
        const RolloutCopy& rollout = complete();
        const EnvironmentSpaces& spaces = rollout.frames->spaces();
        int checked = 0;
        for (std::int64_t row = 0; row < rollout.rows(); ++row) {
            const Observation seen = rollout.frames->seen(row);
            const auto problems = problemsOf(spaces, seen);
            QVERIFY2(problems.empty(), problems.empty() ? "" : problems.front().c_str());
            const std::vector<ActionTaken> taken = rollout.frames->taken(row);
            QCOMPARE(problemOf(spaces, seen, taken), std::string());
            const auto at = static_cast<std::size_t>(row);
            if (row + rollout.environments >= rollout.rows() || rollout.done[at] != 0) continue;
            // Nobody defused a mine or was shot: there are as many robots as before at least.
            const Observation next = rollout.frames->seen(row + rollout.environments);
            QVERIFY(next.parts[0].begins[0][1] <= seen.parts[0].begins[0][1]);
            ++checked;
        }
        QVERIFY(checked > 10);
    }
};

ORRERY_TEST(RolloutDeskTest)
#include "rollout_desk_test.moc"
