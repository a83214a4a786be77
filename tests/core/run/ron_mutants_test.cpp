#include <QTest>
#include <algorithm>
#include <string>
#include <vector>

#include "core/base/cpu.h"
#include "core/base/file_descriptor.h"
#include "core/base/rng.h"
#include "core/files/diagnostic.h"
#include "core/run/jobs/entity_job.h"
#include "core/run/run_spec.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

/// Configurations of the original, old ones and new ones.
std::vector<std::string> configurations() {
    return {
        readFile(sourcePath("tests/data/entity/enn/latest-step000000002048/config.ron"), 1 << 20),
        "ExperimentConfig(version: 1, env: (id: \"FloorIsLava\"), net: (n_layer: 2, "
        "relpos_encoding: (extent: [1, 1], position_features: [\"x\", \"y\"], radial: false, "
        "value_gate: None)), optim: (bs: 256, lr: 0.01), rollout: (steps: 1, num_envs: 256), "
        "ppo: (ent_coef: \"step: 0.3@0 lin 0.1@1e4\"), // a comment\n eval: Some((interval: 10, "
        "steps: 1, capture_samples: \"/tmp/a.samples\")))",
        "(env: (id: \"MineSweeper\", kwargs: \"{\\\"width\\\": 8}\"), vf_net: (d_model: 16))"};
}

/// One to three random damages: bytes, and pieces that mean something.
std::string mutantOf(std::string text, const std::vector<std::string>& all, Rng& rng) {
    static const std::vector<std::string> kPieces{"(",
                                                  ")",
                                                  "[",
                                                  "]",
                                                  "{",
                                                  "}",
                                                  "\"",
                                                  ",",
                                                  ":",
                                                  "Some(",
                                                  "None",
                                                  "1e999",
                                                  "-1",
                                                  "'",
                                                  "//",
                                                  "/*",
                                                  "r#\"",
                                                  "\\u{d8}",
                                                  "\xff",
                                                  "0x",
                                                  std::string(1, '\0'),
                                                  std::string(500, '(')};
    for (std::size_t n = 1 + rng.below(3); n > 0; --n) {
        const std::size_t at = rng.below(text.size() + 1);
        const std::string& other = all[rng.below(all.size())];
        switch (rng.below(5)) {
            case 0:
                text.resize(at);
                break;
            case 1:
                if (at < text.size()) text[at] = static_cast<char>(rng.below(256));
                break;
            case 2:
                text.erase(at, rng.below(30));
                break;
            case 3:
                text.insert(at, kPieces[rng.below(kPieces.size())]);
                break;
            default:
                text.insert(at, other.substr(rng.below(other.size()), rng.below(80)));
        }
    }
    return text;
}

}  // namespace

/// Whatever a configuration's bytes are: a spec that is written and read again, or errors in a line
/// each.
class RonMutantsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsNoneThereIsUnderstood() {
        const RunSpecReading reading = readRunSpec(configurations()[1], "x.ron");
        QVERIFY(reading.spec.has_value());
        const EntitySpec& spec = reading.spec->job.as<EntityJob>().entity;
        QVERIFY(spec.net.relpos->valueGate == RelposSpec::Gate::None);
        QVERIFY(spec.net.relpos->perEntityValues == false);
        QCOMPARE(spec.eval->numEnvs, 256);
        QCOMPARE(*spec.eval->capture.file, std::string("a.samples"));
        QVERIFY(spec.eval->capture.logits);
        QVERIFY(!spec.capture.file);
        QCOMPARE(reading.diagnostics.size(), std::size_t{1});  // that it is kept elsewhere
        const RunSpecReading plain = readRunSpec(configurations()[0], "x.ron");
        QVERIFY(plain.spec->job.as<EntityJob>().entity.net.pooling == RogueNetSpec::Pooling::None);
    }

    void configurationsAreReadOrRefused() {
        const std::vector<std::string> all = configurations();
        for (const std::string& text : all) QVERIFY(readRunSpec(text, "x.ron").spec.has_value());
        Rng rng(20260105);
        int accepted = 0, refused = 0;
        const double end = threadCpuMs() + 3'000;
        while (accepted + refused < 20'000 && threadCpuMs() < end) {
            const std::string text = mutantOf(all[rng.below(all.size())], all, rng);
            const RunSpecReading reading = readRunSpec(text, "x.ron");
            for (const Diagnostic& diagnostic : reading.diagnostics) {
                const std::string line = diagnosticLine(diagnostic);
                QVERIFY2(line.size() <= 300 &&
                             std::ranges::none_of(
                                 line, [](char c) { return static_cast<unsigned char>(c) < 0x20; }),
                         line.c_str());
            }
            if (!reading.spec) {
                QVERIFY2(!reading.diagnostics.empty(), text.c_str());
                ++refused;
                continue;
            }
            ++accepted;
            const std::string json = toJson(*reading.spec);
            QVERIFY2(toJson(runSpecFromJson(json, "again")) == json, text.c_str());
        }
        QVERIFY2(refused > 200 && accepted > 20,
                 (std::to_string(refused) + " " + std::to_string(accepted)).c_str());
        if (qEnvironmentVariableIsSet("ORRERY_TELL"))
            qInfo("%d refused, %d accepted", refused, accepted);
    }
};

ORRERY_TEST(RonMutantsTest)
#include "ron_mutants_test.moc"
