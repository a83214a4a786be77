#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <QTest>
#include <cmath>
#include <optional>
#include <string>

#include "core/entity/entity_game.h"
#include "core/entity/net/rogue_net.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

/// The largest error, divided by the number where that is above 1; infinities must be the same.
double errorOf(const at::Tensor& ours, const at::Tensor& due) {
    if (ours.numel() != due.numel()) return INFINITY;
    const at::Tensor a = ours.detach().reshape({-1}).to(at::kDouble),
                     b = due.reshape({-1}).to(at::kDouble);
    double worst = 0;
    for (std::int64_t i = 0; i < a.numel(); ++i) {
        const double x = a[i].item<double>(), y = b[i].item<double>();
        if (x == y) continue;
        const double error = std::abs(x - y) / std::max(1.0, std::abs(y));
        if (!(error <= worst)) worst = error;
    }
    return worst;
}

#define COMPARE_NEAR(ours, due, tolerance)                                                   \
    do {                                                                                     \
        const double error = errorOf(ours, due);                                             \
        QVERIFY2(error <= (tolerance), qPrintable(QStringLiteral(#ours ": %1").arg(error))); \
    } while (false)

/// Things A, which move and pick among the Bs, and B.
EnvironmentSpaces smallSpaces() {
    return {.observations = {thingsOf("A", {"x", "y"}), thingsOf("B", {"z"})},
            .actions = {choiceOf("move", {"n", "e", "s", "w"}), selectionOf("pick")}};
}

/// Frames of so many As and Bs with numbers of their own. @param only  of them; none: all
VecObs smallBatch(const EntityLayout& layout, const std::vector<std::pair<int, int>>& sizes,
                  std::optional<std::size_t> only = {}) {
    static const EnvironmentSpaces kSpaces = smallSpaces();
    Rng rng(3);
    std::vector<Observation> seen;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto [numA, numB] = sizes[i];
        Observation frame;
        FrameWriter out(kSpaces, frame);
        for (float& number : out.things(0, numA)) number = static_cast<float>(rng.normal());
        for (float& number : out.things(1, numB)) number = static_cast<float>(rng.normal());
        for (const std::size_t action : {0, 1}) out.addActors(action, 0, numA);
        out.addCandidates(1, out.first(1), numB);
        if (!only || *only == i) seen.push_back(frame);
    }
    VecObs batch(layout);
    batch.take(layout, seen);
    return batch;
}

}  // namespace

class RogueNetTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void parametersBeginAsTheOriginals() {
        const EntityLayout layout = entityLayoutOf(smallSpaces());
        const RogueNet net({.dModel = 64, .nLayer = 1}, layout, 3);
        for (const NetParameter& parameter : net.parameters()) {
            const at::Tensor x = parameter.tensor.detach();
            if (parameter.name == "action_heads.move.proj.weight")
                QVERIFY(at::allclose(x.matmul(x.t()), 1e-4 * at::eye(x.size(0)), 1e-4, 1e-8));
            if (parameter.name.starts_with("auxiliary_heads")) QVERIFY(x.eq(0).all().item<bool>());
            if (parameter.name == "backbone.blocks.0.mlp.0.weight")
                QVERIFY(std::abs(x.std().item<double>() - 0.02) < 1e-3);
            if (parameter.name == "embedding.embeddings.A.1.weight")
                QVERIFY(x.abs().max().item<double>() <= 1 / std::sqrt(2.0));
        }
    }

    void statisticsMoveWhereTheyAreTakenIn() {
        const EntityLayout layout = entityLayoutOf(smallSpaces());
        RogueNet net({.dModel = 8, .nLayer = 1}, layout, 3);
        const NetFrames frames = netFramesOf(net.inputs(), smallBatch(layout, {{1, 2}, {2, 1}}));
        const auto counts = [&] { return net.buffers()[0].tensor.item<double>(); };
        net.forward(frames);
        QCOMPARE(counts(), 0.0);
        net.takeIn(frames);
        QCOMPARE(counts(), 3.0);
        net.forward(frames);
        QCOMPARE(counts(), 3.0);
    }

    /// Frames know nothing of each other.
    void aBatchGivesWhatItsFramesGive() {
        const EntityLayout layout = entityLayoutOf(smallSpaces());
        for (const RogueNetSpec::Pooling pooling :
             {RogueNetSpec::Pooling::None, RogueNetSpec::Pooling::MeanMax}) {
            const RogueNet net({.dModel = 16, .nLayer = 2, .pooling = pooling}, layout, 5);
            const std::vector<std::pair<int, int>> sizes{{1, 2}, {4, 0}, {0, 3}, {2, 2}};
            const NetOutput all = net.forward(netFramesOf(net.inputs(), smallBatch(layout, sizes)));
            std::int64_t row = 0;
            for (std::size_t i = 0; i < sizes.size(); ++i) {
                const NetOutput one =
                    net.forward(netFramesOf(net.inputs(), smallBatch(layout, sizes, i)));
                const std::int64_t rows = one.embeddings.size(0);
                COMPARE_NEAR(all.embeddings.narrow(0, row, rows), one.embeddings, 1e-5);
                COMPARE_NEAR(all.value[static_cast<std::int64_t>(i)], one.value[0], 1e-5);
                row += rows;
            }
        }
    }

    void aSingleAllowedTargetIsCertain() {
        const EntityLayout layout = entityLayoutOf(smallSpaces());
        const RogueNet net({.dModel = 8}, layout, 3);
        VecObs batch = smallBatch(layout, {{2, 2}, {1, 0}});
        // Two As choose among two Bs, one of them a single one; the A of the second frame has none.
        batch.offers[1].allowed = RaggedBuffer<bool>::fromFlattened(
            std::vector<std::uint8_t>{0, 1, 1, 1}, 1, std::vector<std::int64_t>{4, 0});
        const NetOutput out = net.forward(netFramesOf(net.inputs(), batch));
        const ActionLogits& pick = out.actions[1];
        Rng rng(1);
        const at::Tensor drawn = sampleChoices(pick, rng), best = greedyChoices(pick);
        for (const at::Tensor& chosen : {drawn, best}) {
            QCOMPARE(chosen[0].item<std::int64_t>(), 1);
            QCOMPARE(chosen[2].item<std::int64_t>(), -1);
        }
        const at::Tensor log = pick.logProbabilityOf(drawn), entropy = pick.entropy();
        for (const int row : {0, 2}) {
            QCOMPARE(log[row].item<float>(), 0.F);
            QCOMPARE(entropy[row].item<float>(), 0.F);
        }
        QVERIFY(entropy[1].item<float>() > 0);
        (log.sum() + entropy.sum()).backward();
        for (const NetParameter& parameter : net.parameters())
            if (parameter.tensor.grad().defined())
                QVERIFY2(parameter.tensor.grad().isfinite().all().item<bool>(),
                         parameter.name.c_str());
    }

    void samplesFollowTheProbabilities() {
        ActionLogits logits{
            .logProbabilities = at::log(at::tensor(std::vector<float>{0.2F, 0.5F, 0.3F}))
                                    .unsqueeze(0)
                                    .expand({20'000, 3}),
            .isFree = {}};
        Rng rng(7);
        const at::Tensor counts = at::bincount(sampleChoices(logits, rng), {}, 3);
        const double shares[] = {0.2, 0.5, 0.3};
        for (int i = 0; i < 3; ++i)
            QVERIFY(std::abs(counts[i].item<double>() / 20'000 - shares[i]) < 0.015);
    }
};

ORRERY_TEST(RogueNetTest)
#include "rogue_net_test.moc"
