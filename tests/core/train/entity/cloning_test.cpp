#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/checkpoint/checkpoint_manifest.h"
#include "core/entity/entity_game.h"
#include "core/train/entity/driver/cloning_loss.h"
#include "sample_training.h"
#include "tests/support/fast_folder.h"
#include "tests/support/test_program.h"

using namespace orrery;

/// Policies that are learned from samples.
class CloningTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folders{fastFolder()};

    fs::path folder(const std::string& name) const {
        fs::path path = m_folders.filePath(QString::fromStdString(name)).toStdString();
        fs::create_directories(path);
        return path;
    }

    /// A policy that knows hotdogs, and what it saw and did: made once.
    fs::path teacher() {
        const fs::path place = folder("teacher");
        fs::path file = place / kSampleFolder / "seen.samples";
        if (fs::exists(file)) return file;
        EntitySpec spec = hotdogs();
        spec.eval = EntityEvalSpec{.interval = 1'000'000, .steps = 20, .numEnvs = 75};
        spec.eval->runsOnFirstStep = false;
        spec.eval->episodes = 0;
        spec.eval->capture = {.file = "seen.samples", .logits = false};
        learned(spec, place);
        return file;
    }

    EntitySpec cloning(CloningSpec::Loss loss = CloningSpec::Loss::Mse) {
        EntitySpec spec = hotdogs();
        spec.seed = 11;
        spec.cloning = CloningSpec{.file = teacher().string(),
                                   .epochs = 30,
                                   .bs = 64,
                                   .lr = 0.01,
                                   .loss = loss,
                                   .testShare = 0};
        return spec;
    }

private Q_SLOTS:
    void samplesOfEvaluationsAreWholeEpisodes() {
        const std::vector<Sample> samples = samplesIn(teacher());
        QCOMPARE(samples.size(), std::size_t{20});
        std::set<std::int64_t> episodes;
        for (const Sample& sample : samples) {
            QCOMPARE(sample.frames.frames(), 75);
            QVERIFY(sample.logits.empty());
            QVERIFY(std::ranges::all_of(sample.step, [](auto step) { return step == 0; }));
            episodes.insert(sample.episode.begin(), sample.episode.end());
        }
        QCOMPARE(episodes.size(), std::size_t{1500});  // each of one step
    }

    void aPolicyIsCloned_data() {
        QTest::addColumn<int>("loss");
        QTest::newRow("mse") << 0;
        QTest::newRow("kl") << 1;
    }
    void aPolicyIsCloned() {
        QFETCH(const int, loss);
        EntitySpec spec = cloning(loss == 0 ? CloningSpec::Loss::Mse : CloningSpec::Loss::Kl);
        spec.eval = EntityEvalSpec{.interval = 1'000'000, .steps = 1, .numEnvs = 500};
        const Heard heard = learned(spec, folder("cloned" + std::to_string(loss)));
        // Of 1500 frames 23 minibatches of 64 in 30 epochs.
        QCOMPARE(heard.outcome.steps, 30 * 23 * 64);
        const auto& train = heard.curves.at("cloning/train_loss");
        QVERIFY2(
            train.back().second < 0.02 && train.front().second > 10 * train.back().second,
            (std::to_string(train.front().second) + " to " + std::to_string(train.back().second))
                .c_str());
        const auto& reward = heard.curves.at("eval/episodic_reward.mean");
        QVERIFY(reward.front().second < 0.7);
        QVERIFY2(reward.back().second > 0.95, std::to_string(reward.back().second).c_str());
        QVERIFY(std::abs(heard.curves.at("charts/learning_rate").front().second - 0.01) < 1e-9);
        QVERIFY(heard.curves.at("charts/learning_rate").back().second < 2e-5);
    }

    void testsAreNotLearnedFrom() {
        EntitySpec spec = cloning();
        spec.cloning->epochs = 5;
        spec.cloning->testShare = 0.1;
        const SampleSplit split = splitSamples(spec.cloning->file, 0.1);
        QCOMPARE(split.testSamples, 2);
        QCOMPARE(split.testFrames, 150);
        QCOMPARE(split.trainFrames, 1350);
        const Heard heard = learned(spec, folder("tested"));
        QCOMPARE(heard.outcome.steps, 5 * (1350 / 64 * 64));
        const auto& tests = heard.curves.at("cloning/test_loss");
        QCOMPARE(tests.size(), std::size_t{6});  // before each epoch, and at the end
        QVERIFY(tests.back().second < tests.front().second / 3);
    }

    void threadsChangeNothingInCloning() {
        EntitySpec spec = cloning();
        spec.cloning->epochs = 2;
        spec.net.dModel = 512;  // several shards
        const fs::path one = folder("one"), two = folder("two");
        const Heard heard = learned(spec, one);
        spec.rollout.threads = 2;
        QVERIFY(learned(spec, two).curves == heard.curves);
        QVERIFY(filesOf(one, heard.outcome.steps) == filesOf(two, heard.outcome.steps));
    }

    void anInterruptedCloningIsTheSame_data() {
        QTest::addColumn<int>("pieces");
        for (const int pieces : {1, 3, 8, 25, 50}) QTest::addRow("%d", pieces) << pieces;
    }
    void anInterruptedCloningIsTheSame() {
        QFETCH(const int, pieces);
        EntitySpec spec = mines(4);
        const fs::path source = folder("source");
        if (!fs::exists(source / kSampleFolder)) learned(spec, source);
        spec.capture.file.reset();
        spec.net.embdPdrop = 0.1;
        spec.cloning = CloningSpec{.file = (source / kSampleFolder / "rollouts.samples").string(),
                                   .epochs = 3,
                                   .bs = 16,
                                   .lr = 0.003,
                                   .loss = CloningSpec::Loss::Kl};
        const fs::path whole = folder("whole clone");
        const Heard unbroken = learned(spec, whole);
        const fs::path broken = folder("broken clone " + std::to_string(pieces));
        const Heard first = learned(spec, broken, pieces);
        QCOMPARE(first.outcome.state, RunState::Stopped);
        const Heard second =
            learned(spec, broken, -1, broken / checkpointFolderName(first.outcome.steps));
        QVERIFY(filesOf(broken, unbroken.outcome.steps) == filesOf(whole, unbroken.outcome.steps));
        for (const auto& [name, points] : unbroken.curves) {
            auto joined = first.curves.contains(name) ? first.curves.at(name)
                                                      : decltype(second.curves)::mapped_type();
            if (second.curves.contains(name))
                for (const auto& point : second.curves.at(name))
                    if (joined.empty() || joined.back().first < point.first)
                        joined.push_back(point);
            QVERIFY2(joined == points, name.c_str());
        }
    }

    void otherSamplesAreRefusedWhereARunGoesOn() {
        EntitySpec spec = mines(2);
        const fs::path source = folder("changing");
        learned(spec, source);
        const fs::path file = source / kSampleFolder / "rollouts.samples";
        spec.capture.file.reset();
        spec.cloning = CloningSpec{.file = file.string(), .epochs = 2, .bs = 16};
        const fs::path place = folder("changed");
        const Heard first = learned(spec, place, 12);
        fs::resize_file(file, fs::file_size(file) - 5);
        try {
            learned(spec, place, -1, place / checkpointFolderName(first.outcome.steps));
            QFAIL("it went on");
        } catch (const Error& error) {
            QVERIFY2(QByteArray(error.what()).contains("not as it was"), error.what());
        }
        spec.cloning->file = (source / "nothing").string();
        try {
            learned(spec, place);
            QFAIL("it began");
        } catch (const Error& error) {
            QVERIFY2(QByteArray(error.what()).contains("nothing"), error.what());
        }
    }

    /// Rewards are learned from where samples left off.
    void aClonedPolicyIsLearnedFurther() {
        EntitySpec spec = cloning();
        spec.cloning->epochs = 20;
        const fs::path place = folder("first by samples");
        const Heard heard = learned(spec, place);
        spec.cloning.reset();
        spec.totalTimesteps = heard.outcome.steps + 640;
        const Heard further = learned(spec, folder("then by rewards"), -1,
                                      place / checkpointFolderName(heard.outcome.steps));
        QCOMPARE(further.outcome.steps, spec.totalTimesteps / 64 * 64);
        QVERIFY(further.curves.at("episodic_reward.mean").front().second > 0.85);
    }

    /// By hand: two deciders of two choices, and one that selects among two and three.
    void lossesAreThoseOfTheirFormulas() {
        const EntityLayout layout =
            entityLayoutOf({.observations = {thingsOf("A", {"x"})},
                            .actions = {choiceOf("move", {"a", "b"}), selectionOf("aim")}});
        Sample sample(layout);
        const std::vector<float> cells{0, 0, 0};
        const auto whole = [](std::vector<std::int64_t> numbers) { return numbers; };
        for (int frame = 0; frame < 2; ++frame) {
            sample.frames.things[0].push(3, cells);
            sample.frames.offers[0].actors.push(1, whole({0}));
            sample.frames.offers[1].actors.push(1, whole({1}));
        }
        sample.frames.offers[1].candidates.push(2, whole({0, 2}));
        sample.frames.offers[1].candidates.push(3, whole({0, 1, 2}));
        sample.frames.reward.assign(2, 0);
        sample.frames.done.assign(2, 0);
        sample.frames.truncated.assign(2, 0);
        const auto rows = [](RaggedBuffer<float>& to, std::vector<float> one,
                             std::vector<float> two) {
            to.push(1, one);
            to.push(1, two);
        };
        const float half = std::log(0.5F), quarter = std::log(0.25F), three = std::log(0.75F);
        sample.chosen[0].push(1, whole({0}));
        sample.chosen[0].push(1, whole({1}));
        sample.chosen[1].push(1, whole({1}));
        sample.chosen[1].push(1, whole({2}));
        sample.logProbabilities.assign(2, RaggedBuffer<float>(1));
        rows(sample.logProbabilities[0], {half}, {quarter});
        rows(sample.logProbabilities[1], {half}, {half});
        sample.logits = {RaggedBuffer<float>(2), RaggedBuffer<float>(3)};
        rows(sample.logits[0], {half, half}, {three, quarter});
        rows(sample.logits[1], {half, half, -1e9F}, {quarter, quarter, half});
        CloneSet set(layout);
        const std::vector<std::int64_t> both{0, 1};
        set.add(layout, sample, both);
        QVERIFY(set.hasLogits());

        const NetInputs inputs({.dModel = 8, .nLayer = 0}, layout);
        const FrameShard shard{
            .frames = both, .policy = netFramesOf(inputs, set.frames), .values = {}};
        const auto table = [](const std::vector<double>& numbers, std::int64_t width) {
            return at::tensor(at::ArrayRef<double>(numbers), at::kFloat).reshape({2, width});
        };
        ActorCritic::Output output{.actions = {{}, {}}, .value = {}};
        output.actions[0].logProbabilities =
            table({std::log(0.25), std::log(0.75), std::log(0.5), std::log(0.5)}, 2);
        const double never = -std::numeric_limits<double>::infinity(), third = std::log(1 / 3.0);
        output.actions[1].logProbabilities =
            table({std::log(0.5), std::log(0.5), never, third, third, third}, 3);
        const std::vector<std::int64_t> deciders{2, 2};
        const auto lossOf = [&](CloningSpec::Loss kind) {
            return cloningLoss(output, shard, set, deciders, kind).loss.item<double>();
        };
        const auto square = [](double x) { return x * x; };
        const double mse = (square(std::log(0.25 / 0.5)) + square(std::log(0.5 / 0.25))) / 2 +
                           square(std::log((1 / 3.0) / 0.5)) / 2;
        QVERIFY(std::abs(lossOf(CloningSpec::Loss::Mse) - mse) < 1e-5);
        const double kl = (0.5 * std::log(0.5 / 0.25) + 0.5 * std::log(0.5 / 0.75) +
                           0.75 * std::log(0.75 / 0.5) + 0.25 * std::log(0.25 / 0.5)) /
                              2 +
                          (0.5 * std::log(0.25 * 3) + 0.5 * std::log(0.5 * 3)) / 2;
        QVERIFY(std::abs(lossOf(CloningSpec::Loss::Kl) - kl) < 1e-5);
        // Without logits: the choice against all others.
        sample.logits.clear();
        CloneSet plain(layout);
        plain.add(layout, sample, both);
        QVERIFY(!plain.hasLogits());
        const double choice = (0.5 * std::log(0.5 / 0.25) + 0.5 * std::log(0.5 / 0.75) +
                               0.25 * std::log(0.25 / 0.5) + 0.75 * std::log(0.75 / 0.5)) /
                                  2 +
                              (0.5 * std::log(0.5 * 3) + 0.5 * std::log(0.5 / (2 / 3.0))) / 2;
        QVERIFY(std::abs(cloningLoss(output, shard, plain, deciders, CloningSpec::Loss::Kl)
                             .loss.item<double>() -
                         choice) < 1e-4);
    }
};

ORRERY_TEST(CloningTest)
#include "cloning_test.moc"
