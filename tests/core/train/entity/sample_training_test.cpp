#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/checkpoint/checkpoint_manifest.h"
#include "core/entity/files/sample_split.h"
#include "core/train/entity/driver/policy.h"
#include "sample_training.h"
#include "tests/support/fast_folder.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

/// Shows one feature more, in front, and the first two of the first type in the other order; or
/// lacks the last one.
class OtherFeatures : public Environment {
public:
    OtherFeatures(std::unique_ptr<Environment> inner, bool isLess)
        : m_inner(std::move(inner)), m_isLess(isLess), m_spaces(m_inner->spaces()) {
        std::vector<std::string>& features = m_spaces.observations[0].features;
        m_spaces.observations[0].shape[0] += isLess ? -1 : 1;
        if (isLess) {
            features.pop_back();
            return;
        }
        std::swap(features[0], features[1]);
        features.insert(features.begin(), "noise");
    }
    const EnvironmentSpaces& spaces() const override { return m_spaces; }
    void reset(std::uint64_t seed, Observation& out) override {
        m_inner->reset(seed, out);
        change(out);
    }
    void step(std::span<const ActionTaken> taken, StepResult& result, Observation& out) override {
        m_inner->step(taken, result, out);
        change(out);
    }
    std::string state() const override { return m_inner->state(); }
    void setState(std::string_view json, Observation& out) override {
        m_inner->setState(json, out);
        change(out);
    }
    Picture picture(const PictureWish& wish) const override { return m_inner->picture(wish); }

private:
    void change(Observation& out) const {
        std::vector<float>& cells = out.parts[0].values;
        const auto width = static_cast<std::size_t>(m_inner->spaces().observations[0].shape[0]);
        std::vector<float> changed;
        for (std::size_t begin = 0; begin < cells.size(); begin += width) {
            std::vector<float> row(cells.begin() + static_cast<std::ptrdiff_t>(begin),
                                   cells.begin() + static_cast<std::ptrdiff_t>(begin + width));
            if (m_isLess) {
                row.pop_back();
            } else {
                std::swap(row[0], row[1]);
                row.insert(row.begin(), 17);
            }
            changed.insert(changed.end(), row.begin(), row.end());
        }
        cells = std::move(changed);
    }

    std::unique_ptr<Environment> m_inner;
    bool m_isLess;
    EnvironmentSpaces m_spaces;
};

EnvironmentMaker otherwise(const EnvironmentMaker& maker, bool isLess) {
    return [maker, isLess] { return std::make_unique<OtherFeatures>(maker(), isLess); };
}

}  // namespace

/// Samples that trainings keep, and policies where more is shown than they learned from.
class SampleTrainingTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folders{fastFolder()};

    fs::path folder(const std::string& name) const {
        fs::path path = m_folders.filePath(QString::fromStdString(name)).toStdString();
        fs::create_directories(path);
        return path;
    }

private Q_SLOTS:
    void rolloutsAreKept() {
        const EntitySpec spec = mines(3);
        const fs::path place = folder("rollouts");
        const Heard heard = learned(spec, place);
        const std::vector<Sample> samples = samplesIn(place / kSampleFolder / "rollouts.samples");
        QCOMPARE(samples.size(), std::size_t{18});
        std::vector<std::int64_t> episode(8), step(8);
        std::set<std::int64_t> episodes;
        double reward = 0;
        for (std::size_t t = 0; t < samples.size(); ++t) {
            const Sample& sample = samples[t];
            QCOMPARE(sample.frames.frames(), 8);
            for (std::size_t i = 0; i < 8; ++i) {
                const bool isFirst = t == 0 || sample.frames.done[i] != 0;
                QCOMPARE(sample.step[i], isFirst ? 0 : step[i] + 1);
                QVERIFY(isFirst ? episodes.insert(sample.episode[i]).second
                                : sample.episode[i] == episode[i]);
                episode[i] = sample.episode[i];
                step[i] = sample.step[i];
                reward += sample.frames.reward[i];
            }
            // The logarithm of a choice is that among all.
            for (std::size_t a = 0; a < sample.chosen.size(); ++a) {
                const RaggedBuffer<float>& all = sample.logits[a];
                for (std::int64_t row = 0; row < all.items(); ++row) {
                    const std::int64_t choice = sample.chosen[a].flat()[row];
                    if (choice < 0) continue;
                    QCOMPARE(all.flat()[row * all.size2() + choice],
                             sample.logProbabilities[a].flat()[row]);
                    double sum = 0;
                    for (std::int64_t k = 0; k < all.size2(); ++k)
                        sum += std::exp(all.flat()[row * all.size2() + k]);
                    QVERIFY(std::abs(sum - 1) < 1e-5);
                }
            }
        }
        double told = 0;
        for (const auto& [at, mean] : heard.curves.at("reward.mean")) told += mean * 48;
        // The rewards of the last step come in a frame that is not among them.
        QVERIFY(std::abs(told - reward) <= 8);
    }

    void noEpisodeIsLearnedFromAndMeasuredBy() {
        const fs::path place = folder("split");
        learned(mines(12), place);
        const fs::path file = place / kSampleFolder / "rollouts.samples";
        const SampleSplit split = splitSamples(file, 0.1);
        QCOMPARE(split.testSamples, 8);  // of 72, with 8 frames each
        const std::vector<Sample> samples = samplesIn(file);
        std::set<std::int64_t> tested;
        std::int64_t left = 0;
        for (std::size_t i = 0; i < samples.size(); ++i)
            for (const std::int64_t episode : samples[i].episode) {
                if (i < 8) tested.insert(episode);
                left += i >= 8 && !tested.contains(episode) ? 1 : 0;
            }
        QCOMPARE(split.testEpisodes, tested);
        QCOMPARE(split.trainFrames, left);
        QVERIFY(left < 512 && left > 400);
        QCOMPARE(splitSamples(file, 0).trainFrames, 72 * 8);
    }

    void oneOfSoManyIsKept() {
        EntitySpec spec = mines(4);
        spec.capture.subsample = 4;
        const fs::path place = folder("subsample");
        learned(spec, place);
        std::int64_t frames = 0;
        for (const Sample& sample : samplesIn(place / kSampleFolder / "rollouts.samples"))
            frames += sample.frames.frames();
        QVERIFY2(frames > 20 && frames < 85, std::to_string(frames).c_str());  // 48 expected
    }

    /// Wherever it is broken off, and whatever a crash left behind.
    void samplesOfAResumedRunAreTheSame_data() {
        QTest::addColumn<int>("pieces");
        for (const int pieces : {4, 9, 17, 26, 40}) QTest::addRow("%d", pieces) << pieces;
    }
    void samplesOfAResumedRunAreTheSame() {
        QFETCH(const int, pieces);
        EntitySpec spec = mines(4);
        spec.capture.subsample = 2;
        spec.eval = EntityEvalSpec{
            .interval = spec.rollout.frames(), .steps = 7, .numEnvs = 3, .episodes = 0};
        spec.eval->capture.file = "evaluations.samples";
        const fs::path whole = folder("unbroken");
        if (!fs::exists(whole / kSampleFolder)) learned(spec, whole);
        const fs::path broken = folder("broken" + std::to_string(pieces));
        const Heard first = learned(spec, broken, pieces);
        QCOMPARE(first.outcome.state, RunState::Stopped);
        const fs::path file = broken / kSampleFolder / "rollouts.samples";
        std::ofstream(file, std::ios::app | std::ios::binary) << "left by a crash";
        learned(spec, broken, -1, broken / checkpointFolderName(first.outcome.steps));
        QVERIFY(bytesIn(file) == bytesIn(whole / kSampleFolder / "rollouts.samples"));
        QVERIFY(bytesIn(broken / kSampleFolder / "evaluations.samples") ==
                bytesIn(whole / kSampleFolder / "evaluations.samples"));
        QVERIFY(filesOf(broken, spec.totalTimesteps) == filesOf(whole, spec.totalTimesteps));
    }

    /// What an environment shows has grown and is in another order, or lacks something.
    void aPolicyActsWhereMoreIsShown() {
        EntitySpec spec;
        spec.env.id = "MoveToOrigin";
        spec.net.dModel = 16;
        spec.net.nLayer = 1;
        spec.vfNet = spec.net;
        spec.rollout = {.steps = 8, .numEnvs = 8};
        spec.optim.bs = 32;
        spec.totalTimesteps = 128;
        const fs::path place = folder("plain");
        learned(spec, place);
        const EntityRequest plain = requestIn(spec, place);
        EntityEvaluateRequest wish{.spec = spec,
                                   .environment = plain.environment,
                                   .checkpoint = place / checkpointFolderName(128),
                                   .episodes = 10};
        const std::vector<double> due = evaluateEntity(wish, {}, {}).rewards;
        wish.environment = otherwise(plain.environment, false);
        QCOMPARE(evaluateEntity(wish, {}, {}).rewards, due);
        const auto names = [](const Error& error, const char* what) {
            return QByteArray(error.what()).contains(what);
        };
        wish.environment = otherwise(plain.environment, true);
        try {
            evaluateEntity(wish, {}, {});
            QFAIL("it was taken");
        } catch (const Error& error) {
            QVERIFY2(names(error, "'step'") && names(error, "'Spaceship'"), error.what());
        }
        // Its advice is the same, too.
        const auto environment = plain.environment();
        const auto wider = otherwise(plain.environment, false)();
        const auto policy = policyOfCheckpoint(
            {.spec = spec, .spaces = environment->spaces(), .checkpoint = wish.checkpoint});
        Observation seen, seenWider;
        environment->reset(3, seen);
        wider->reset(3, seenWider);
        const Advice advice = policy->advise(seen);
        policy->actIn(wider->spaces());
        const Advice again = policy->advise(seenWider);
        QCOMPARE(again.probabilities, advice.probabilities);
        QCOMPARE(again.value, advice.value);
        // A fork learns on there, as it would have where it began, and can be resumed.
        spec.totalTimesteps = 256;
        const auto forked = [&](const char* name, bool isOther) {
            const fs::path own = folder(name);
            EntityRequest request = requestIn(spec, own);
            if (isOther) request.environment = otherwise(request.environment, false);
            Heard heard;
            TrainHooks hooks;
            hooks.metric = [&](std::int64_t step, const std::string& key, double value) {
                if (key != "throughput") heard.curves[key].emplace_back(step, value);
            };
            const auto method = makeEntity(request);
            heard.outcome = train(*method,
                                  {.cadence = {.metricInterval = 1, .checkpointSeconds = 0},
                                   .folder = own,
                                   .resumeFrom = wish.checkpoint,
                                   .specJson = "{}"},
                                  hooks, {});
            return heard;
        };
        const Heard wide = forked("wide", true);
        QCOMPARE(wide.outcome.steps, 256);
        QVERIFY(wide.curves.contains("losses/policy_loss"));
        const Checkpoint kept = Checkpoint::open(folder("wide"), 256);
        const Checkpoint usual = Checkpoint::open(place, 128);
        QCOMPARE(kept.text("learned.msgpack"), usual.text("learned.msgpack"));
        QVERIFY(kept.text("shown.msgpack") != usual.text("shown.msgpack"));
    }
};

ORRERY_TEST(SampleTrainingTest)
#include "sample_training_test.moc"
