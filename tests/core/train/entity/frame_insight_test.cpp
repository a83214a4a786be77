#include "core/env/frame_insight.h"

#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <filesystem>
#include <memory>
#include <span>

#include "core/checkpoint/checkpoint_folder.h"
#include "core/entity/envs/entity_environments.h"
#include "core/env/observation_text.h"
#include "core/train/entity/driver/entity_method.h"
#include "core/train/train.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

/// Robots, mines and a cannon that is ready, so that all kinds of choices are offered.
EntitySpec specOfMines() {
    EntitySpec spec;
    spec.env.id = "MineSweeper";
    spec.env.kwargs = FieldMap{{"nmines", std::int64_t{4}},
                               {"orbital_cannon", true},
                               {"cooldown_period", std::int64_t{0}}};
    spec.env.maxEpisodeSteps = 8;
    spec.net.dModel = 16;
    spec.net.nHead = 2;
    spec.net.nLayer = 2;
    spec.rollout = {.steps = 4, .numEnvs = 4};
    spec.optim.bs = 16;
    spec.optim.lr = 0.01;
    spec.totalTimesteps = 2 * spec.rollout.frames();
    return spec;
}

std::unique_ptr<Environment> made(const EntitySpec& spec) {
    return environmentNamed(entityEnvironments(), spec.env.id).make(spec.env.optionsJson());
}

}  // namespace

class FrameInsightTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    EntitySpec m_spec = specOfMines();
    std::unique_ptr<AdvisingPolicy> m_policy;
    std::filesystem::path m_checkpoint;
    Observation m_seen;

    ExplainingPolicy& policy() { return dynamic_cast<ExplainingPolicy&>(*m_policy); }

private Q_SLOTS:
    void initTestCase() {
        const std::filesystem::path folder = m_folder.path().toStdString();
        const auto make = [this] { return made(m_spec); };
        const auto method =
            makeEntity({.spec = m_spec, .environment = make, .evalEnvironment = make});
        TrainHooks hooks;
        hooks.saved = [this](const TrainCheckpoint& saved, const NewestMetrics&) {
            m_checkpoint = saved.folder;
        };
        train(*method,
              {.cadence = {.metricInterval = 1, .checkpointSeconds = 0},
               .folder = folder,
               .specJson = "{}"},
              hooks, {});
        const auto environment = made(m_spec);
        environment->reset(5, m_seen);
        m_policy = policyOfCheckpoint(
            {.spec = m_spec, .spaces = environment->spaces(), .checkpoint = m_checkpoint});
    }

    void everyRowSharesItsLooksOut() {
        const FrameInsight insight = policy().explain(m_seen);
        const auto things = std::ssize(observedThings(m_policy->spaces(), m_seen));
        QCOMPARE(insight.rows, things);
        QCOMPARE(insight.heads, m_spec.net.nHead);
        QCOMPARE(std::ssize(insight.attention), m_spec.net.nLayer);
        bool isEven = true;
        for (const std::vector<float>& layer : insight.attention) {
            QCOMPARE(std::ssize(layer), insight.heads * things * things);
            for (auto row = layer.begin(); row != layer.end(); row += things) {
                double sum = 0;
                for (auto at = row; at != row + things; ++at) {
                    QVERIFY(*at >= 0);
                    isEven = isEven && std::abs(*at - *row) < 1e-6F;
                    sum += static_cast<double>(*at);
                }
                QVERIFY(std::abs(sum - 1) < 1e-5);
            }
        }
        QVERIFY(!isEven);
    }

    void whatIsExplainedIsWhatIsAdvised() {
        const Advice advice = policy().advise(m_seen);
        const FrameInsight insight = policy().explain(m_seen);
        QCOMPARE(insight.advice.value, advice.value);
        QVERIFY(insight.advice.probabilities == advice.probabilities);
        QCOMPARE(insight.logits.size(), std::size_t{2});
        for (std::size_t action = 0; action < insight.logits.size(); ++action) {
            QCOMPARE(insight.logits[action].size(), advice.probabilities[action].size());
            for (std::size_t i = 0; i < insight.logits[action].size(); ++i)
                QVERIFY(std::abs(std::exp(static_cast<double>(insight.logits[action][i])) -
                                 advice.probabilities[action][i]) < 1e-6);
        }
    }

    /// The value is a product with the mean of the embeddings.
    void theValueFollowsFromTheEmbeddings() {
        const FrameInsight insight = policy().explain(m_seen);
        QCOMPARE(std::ssize(insight.embeddings), insight.rows * insight.width);
        QCOMPARE(insight.width, m_spec.net.dModel);
        const TensorMap nets = openCheckpoint(m_checkpoint).tensors("model.safetensors");
        const auto weight = nets.numbers<float>("auxiliary_heads.value.weight");
        const auto bias = nets.numbers<float>("auxiliary_heads.value.bias");
        double value = static_cast<double>(bias[0]);
        for (std::int64_t row = 0; row < insight.rows; ++row)
            for (std::int64_t i = 0; i < insight.width; ++i)
                value += static_cast<double>(
                             insight.embeddings[static_cast<std::size_t>(row * insight.width + i)] *
                             weight[static_cast<std::size_t>(i)]) /
                         static_cast<double>(insight.rows);
        QVERIFY(value != 0);
        QVERIFY2(std::abs(value - insight.advice.value) < 1e-5, qPrintable(QString::number(value)));
    }
};

ORRERY_TEST(FrameInsightTest)
#include "frame_insight_test.moc"
