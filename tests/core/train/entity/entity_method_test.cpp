#include "core/train/entity/driver/entity_method.h"

#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <filesystem>
#include <map>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "core/checkpoint/checkpoint_manifest.h"
#include "core/entity/envs/entity_environments.h"
#include "core/env/catalogue.h"
#include "core/train/train.h"
#include "slow_method.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

/// What a training told, and how it ended.
struct Told {
    std::map<std::string, std::vector<std::pair<std::int64_t, double>>> curves;  // step, value
    std::vector<AppliedChange> changes;
    std::vector<std::string> messages;
    std::vector<std::int64_t> saved;
    std::shared_ptr<const EntitySnapshot> snapshot;
    TrainOutcome outcome;

    double last(const std::string& curve) const { return curves.at(curve).back().second; }
    /// All but those of the clock.
    auto numbers() const {
        auto all = curves;
        all.erase("throughput");
        return all;
    }
};

EnvironmentMaker makerOf(const EntityPlaceSpec& place) {
    return [place] {
        return environmentNamed(entityEnvironments(), place.id).make(place.optionsJson());
    };
}

EntityRequest requestOf(const EntitySpec& spec) {
    return {.spec = spec,
            .environment = makerOf(spec.env),
            .evalEnvironment = makerOf(spec.evalPlace())};
}

TrainHooks hooksInto(Told& told) {
    TrainHooks hooks;
    hooks.metric = [&](std::int64_t step, const std::string& key, double value) {
        told.curves[key].emplace_back(step, value);
    };
    hooks.message = [&](const event::Message& message) { told.messages.push_back(message.text); };
    hooks.changed = [&](const AppliedChange& change) { told.changes.push_back(change); };
    hooks.saved = [&](const TrainCheckpoint& checkpoint, const NewestMetrics&) {
        told.saved.push_back(checkpoint.step);
    };
    hooks.snapshot = [&](const std::shared_ptr<const TrainingSnapshot>& snapshot) {
        told.snapshot = std::dynamic_pointer_cast<const EntitySnapshot>(snapshot);
    };
    return hooks;
}

/// With no checkpoint by time.
TrainRequest quietly(const std::filesystem::path& folder = {}) {
    return {.cadence = {.metricInterval = 1, .checkpointSeconds = 0},
            .folder = folder,
            .specJson = "{}"};
}

Told trained(const EntitySpec& spec, const TrainRequest& request = quietly()) {
    Told told;
    const auto method = makeEntity(requestOf(spec));
    told.outcome = train(*method, request, hooksInto(told), {});
    return told;
}

/// A small network in a small field of mines.
EntitySpec mineSweeper(std::int64_t updates) {
    EntitySpec spec;
    spec.env.id = "MineSweeper";
    spec.env.kwargs = FieldMap{{"width", std::int64_t{4}},
                               {"height", std::int64_t{4}},
                               {"nmines", std::int64_t{2}},
                               {"orbital_cannon", true},
                               {"cooldown_period", std::int64_t{2}}};
    spec.env.maxEpisodeSteps = 12;
    spec.net.dModel = 16;
    spec.net.nLayer = 1;
    spec.rollout = {.steps = 6, .numEnvs = 8};
    spec.optim.bs = 16;
    spec.optim.updateEpochs = 2;
    spec.totalTimesteps = updates * spec.rollout.frames();
    return spec;
}

/// What a checkpoint holds, but for the clock's.
std::map<std::string, std::string> contentOf(const std::filesystem::path& folder,
                                             std::int64_t step) {
    std::map<std::string, std::string> content;
    const Checkpoint checkpoint = Checkpoint::open(folder, step);
    for (const CheckpointFile& file : checkpoint.manifest().files)
        if (file.name != "clock.safetensors") content[file.name] = file.sha256;
    return content;
}

}  // namespace

class EntityMethodTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folders;

    std::filesystem::path folder(const char* name) const {
        std::filesystem::path path = m_folders.filePath(QString::fromUtf8(name)).toStdString();
        std::filesystem::create_directories(path);
        return path;
    }

private Q_SLOTS:
    /// The original's own test: 500 frames.
    void aBanditIsLearned() {
        EntitySpec spec;
        spec.env.id = "MultiArmedBandit";
        spec.net.nLayer = 0;
        spec.rollout = {.steps = 16, .numEnvs = 4};
        spec.optim.lr = 0.05;
        spec.optim.bs = 16;
        spec.optim.updateEpochs = 4;
        spec.ppo.entCoef = 0;
        spec.ppo.gamma = 0.5;
        spec.totalTimesteps = 500;
        const Told told = trained(spec);
        QCOMPARE(told.outcome.state, RunState::Finished);
        QCOMPARE(told.outcome.steps, 448);  // what is left of 500 is no rollout
        qInfo("reward of a step times 32: %.4f; %s", 32 * told.last("reward.mean"),
              told.outcome.summary.c_str());
        QVERIFY(32 * told.last("reward.mean") > 0.95);
        QVERIFY(32 * told.curves.at("reward.mean").front().second < 0.5);
        QCOMPARE(told.last("actions/pull/A") + told.last("actions/pull/B") +
                     told.last("actions/pull/C") + told.last("actions/pull/D") +
                     told.last("actions/pull/E"),
                 1.0);
    }

    void threadsChangeNothing() {
        EntitySpec spec = mineSweeper(3);
        spec.net.dModel = 256;  // so that a minibatch has several shards
        spec.net.nHead = 4;
        spec.optim.bs = 48;
        spec.rollout.steps = 24;
        spec.totalTimesteps = 3 * spec.rollout.frames();
        spec.optim.bs = spec.rollout.frames();
        const auto folderOf = [&](int threads) {
            return folder(("threads " + std::to_string(threads)).c_str());
        };
        const Told one = trained(spec, quietly(folderOf(1)));
        for (const int threads : {2, 4}) {
            spec.rollout.threads = threads;
            const Told more = trained(spec, quietly(folderOf(threads)));
            QVERIFY(more.numbers() == one.numbers());
            QVERIFY(contentOf(folderOf(threads), one.outcome.steps) ==
                    contentOf(folderOf(1), one.outcome.steps));
        }
        spec.seed = 2;
        QVERIFY(trained(spec).numbers() != one.numbers());
    }

    void anInterruptedTrainingIsTheSame_data() {
        QTest::addColumn<int>("pieces");
        QTest::newRow("between two updates") << 0;
        QTest::newRow("in a rollout") << 3;
        QTest::newRow("at the begin of a minibatch") << 6;
        QTest::newRow("within a minibatch") << 8;
        QTest::newRow("in a later epoch") << 18;
    }
    void anInterruptedTrainingIsTheSame() {
        QFETCH(const int, pieces);
        EntitySpec spec = mineSweeper(6);
        spec.eval = EntityEvalSpec{
            .interval = 2 * spec.rollout.frames(), .steps = 20, .numEnvs = 3, .episodes = 1};
        spec.net.embdPdrop = 0.1;
        const std::filesystem::path whole = folder("whole");
        const Told unbroken = trained(spec, quietly(whole));

        // The same until the third update and so many pieces of its work.
        const std::filesystem::path broken = folder(QTest::currentDataTag());
        std::stop_source stop;
        Told first;
        TrainHooks hooks = hooksInto(first);
        const std::unique_ptr<Method> method = makeEntity(requestOf(spec));
        int left = pieces;
        hooks.boundary = [&](const Progress& progress) -> std::int64_t {
            if (progress.done == 3 * spec.rollout.frames() && left-- <= 0) stop.request_stop();
            return 0;
        };
        hooks.snapshotPause = [] { return std::chrono::milliseconds(1); };
        EveryPiece slow(*method);
        const TrainOutcome stopped = train(slow, quietly(broken), hooks, stop.get_token());
        QCOMPARE(stopped.state, RunState::Stopped);
        QCOMPARE(stopped.steps, 3 * spec.rollout.frames());
        QCOMPARE(first.saved, std::vector{stopped.steps});

        TrainRequest request = quietly(broken);
        request.resumeFrom = broken / checkpointFolderName(stopped.steps);
        request.newest = stopped.newest;
        const Told second = trained(spec, request);
        QVERIFY(contentOf(broken, unbroken.outcome.steps) ==
                contentOf(whole, unbroken.outcome.steps));
        auto joined = first.numbers();
        for (const auto& [name, points] : second.numbers())
            for (const auto& point : points) {
                auto& curve = joined[name];
                if (curve.empty() || curve.back().first < point.first) curve.push_back(point);
            }
        for (const auto& [name, points] : unbroken.numbers()) {
            const auto& own = joined[name];
            QVERIFY2(own.size() == points.size(), name.c_str());
            for (std::size_t i = 0; i < points.size(); ++i) {
                const bool bothNan = std::isnan(own[i].second) && std::isnan(points[i].second);
                QVERIFY2(bothNan || own[i] == points[i], name.c_str());
            }
        }
    }

    void aSteeredRateIsWhatWasTyped() {
        EntitySpec spec = mineSweeper(8);
        spec.optim.lr = 0.001;
        const std::int64_t frames = spec.rollout.frames();
        Told told;
        TrainHooks hooks = hooksInto(told);
        bool hasAsked = false, hasTakenBack = false;
        std::string before;
        hooks.snapshotPause = [] { return std::chrono::milliseconds(1); };
        hooks.boundary = [](const Progress&) -> std::int64_t { return 0; };
        std::int64_t done = 0;
        hooks.takeChanges = [&]() -> std::vector<TrainChange> {
            if (done >= 2 * frames && !std::exchange(hasAsked, true))
                return {{.key = "optim.lr", .value = "0.0003", .source = "test"},
                        {.key = "optim.update_epochs", .value = "4", .source = "test"}};
            if (done >= 5 * frames && !std::exchange(hasTakenBack, true))
                return {{.key = "optim.lr",
                         .value = told.changes.front().oldValue,
                         .source = "test",
                         .isUndo = true}};
            return {};
        };
        const std::unique_ptr<Method> method = makeEntity(requestOf(spec));
        EveryPiece slow(*method, [&](std::int64_t steps) { done = steps; });
        train(slow, quietly(), hooks, {});

        QCOMPARE(told.changes.size(), 3U);
        const AppliedChange& change = told.changes.front();
        QCOMPARE(change.problem, std::string());
        QCOMPARE(change.oldValue, std::string("0.001"));
        const auto rateAt = [&](std::int64_t update) {
            for (const auto& [step, rate] : told.curves.at("charts/learning_rate"))
                if (step == update * frames) return rate;
            return -1.0;
        };
        // It falls by an eighth of what it was at the start with each update.
        QCOMPARE(rateAt(1), 0.001);
        const std::int64_t from = change.change.step / frames + 1;
        QCOMPARE_LE(std::abs(rateAt(from) - 0.0003), 1e-12);
        const double left = 1 - static_cast<double>(from - 1) / 8;
        QCOMPARE_LE(std::abs(rateAt(from + 1) - 0.0003 * (left - 1.0 / 8) / left), 1e-12);
        const std::int64_t back = told.changes.back().change.step / frames + 1;
        QCOMPARE_LE(std::abs(rateAt(back) - 0.001 * (1 - static_cast<double>(back - 1) / 8)),
                    1e-12);

        // Repeated from what was told, it is the same.
        TrainRequest again = quietly();
        for (const AppliedChange& each : told.changes) {
            again.changes.push_back(each.change);
            again.changes.back().isReplay = true;
            again.changes.back().isUndo = false;
        }
        QVERIFY(trained(spec, again).numbers() == told.numbers());
    }

    void whatIsFixedIsRefused() {
        EntitySpec spec = mineSweeper(2);
        TrainRequest request = quietly();
        request.changes = {{.step = 0, .key = "net.d_model", .value = "32"}};
        const Told told = trained(spec, request);
        QCOMPARE(told.changes.size(), 1U);
        QVERIFY(QString::fromStdString(told.changes[0].problem).contains("fork"));
    }

    /// It draws from streams of its own and takes nothing in.
    void evaluationsDisturbNothing() {
        EntitySpec spec = mineSweeper(4);
        const Told without = trained(spec);
        spec.eval = EntityEvalSpec{
            .interval = spec.rollout.frames(), .steps = 30, .numEnvs = 4, .episodes = 2};
        const Told with = trained(spec);
        const auto evaluated = with.curves.at("eval/episodic_reward.count");
        QCOMPARE(evaluated.size(), 5U);  // at the start, after each update
        QCOMPARE(evaluated.front(), (std::pair<std::int64_t, double>{0, 8}));
        auto others = with.numbers();
        std::erase_if(others, [](const auto& curve) { return curve.first.starts_with("eval/"); });
        QVERIFY(others == without.numbers());
    }

    void valuesMayHaveANetworkOfTheirOwn() {
        EntitySpec spec = mineSweeper(3);
        spec.vfNet = spec.net;
        spec.vfNet->dModel = 8;
        const Told told = trained(spec);
        QCOMPARE(told.outcome.state, RunState::Finished);
        QVERIFY(told.last("losses/vf_gradnorm") > 0);
        QVERIFY(told.last("losses/gradnorm") > 0);
        const Told one = trained(mineSweeper(3));
        QVERIFY(!one.curves.contains("losses/vf_gradnorm"));
    }

    void microBatchesChangeMemoryAlone() {
        EntitySpec spec = mineSweeper(3);
        const Told whole = trained(spec);
        spec.optim.microBs = 3;
        const Told parts = trained(spec);
        const auto a = whole.numbers(), b = parts.numbers();
        for (const char* curve : {"losses/policy_loss", "losses/value_loss", "losses/entropy",
                                  "losses/gradnorm", "episodic_reward.mean"}) {
            QCOMPARE(b.at(curve).size(), a.at(curve).size());
            for (std::size_t i = 0; i < a.at(curve).size(); ++i)
                QVERIFY2(std::abs(a.at(curve)[i].second - b.at(curve)[i].second) < 1e-4, curve);
        }
    }

    void aRateTooHighDiverges() {
        EntitySpec spec = mineSweeper(40);
        spec.optim.lr = 1e30;
        const std::filesystem::path place = folder("diverges");
        const Told told = trained(spec, quietly(place));
        QCOMPARE(told.outcome.state, RunState::Diverged);
        QVERIFY2(told.outcome.summary.find("not finite") != std::string::npos,
                 told.outcome.summary.c_str());
        QVERIFY(told.saved.empty());
    }

    void anEvaluationIsAFunctionOfTheCheckpoint() {
        const EntitySpec spec = mineSweeper(3);
        const std::filesystem::path place = folder("evaluated");
        const Told told = trained(spec, quietly(place));
        EntityEvaluateRequest request{.spec = spec,
                                      .environment = makerOf(spec.env),
                                      .checkpoint = place / checkpointFolderName(told.saved.back()),
                                      .episodes = 70,
                                      .seed = 5};
        const EntityEvaluation one = evaluateEntity(request, {}, {});
        QCOMPARE(one.step, told.saved.back());
        QCOMPARE(one.rewards.size(), 70U);
        QCOMPARE(one.lengths.size(), 70U);
        for (const std::int64_t length : one.lengths) QVERIFY(length >= 1 && length <= 12);
        request.spec.rollout.threads = 2;
        QCOMPARE(evaluateEntity(request, {}, {}).rewards, one.rewards);
        request.isGreedy = true;
        QVERIFY(evaluateEntity(request, {}, {}).lengths != one.lengths);
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(evaluateEntity(request, {}, stop.get_token()).rewards.size(), 0U);
    }
};

ORRERY_TEST(EntityMethodTest)
#include "entity_method_test.moc"
