#include <ATen/ATen.h>

#include <QTest>
#include <cmath>
#include <string>

#include "core/base/error.h"
#include "core/ppo/learner/ppo_loss.h"
#include "tests/support/test_program.h"

using namespace orrery;
using Floats = std::vector<float>;

class PpoLossTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Parts of 3 and 2 frames add up to the whole of 5.
    void microBatchesChangeMemoryOnly() {
        at::manual_seed(1);
        const at::Tensor value = at::randn({5}), old = at::randn({5}), returns = at::randn({5}),
                         advantages = normalised(at::randn({5})), log = -at::rand({7}),
                         oldLog = -at::rand({7}),
                         frame =
                             at::tensor(std::vector<std::int64_t>{0, 0, 1, 2, 3, 3, 4}, at::kLong);
        const auto part = [&](std::int64_t begin, std::int64_t frames, std::int64_t row,
                              std::int64_t rows, const at::Tensor& logs, const at::Tensor& values) {
            const at::Tensor own = logs.narrow(0, row, rows);
            return PpoFrames{.actions = {{.logProbability = own,
                                          .entropy = own.square(),
                                          .oldLogProbability = oldLog.narrow(0, row, rows),
                                          .frame = frame.narrow(0, row, rows) - begin}},
                             .value = values.narrow(0, begin, frames),
                             .oldValue = old.narrow(0, begin, frames),
                             .returns = returns.narrow(0, begin, frames),
                             .advantages = advantages.narrow(0, begin, frames)};
        };
        const PpoRates rates{.clipCoef = 0.2, .entCoef = 0.1, .vfCoef = 0.5};
        const at::Tensor logs = log.clone().requires_grad_(),
                         values = value.clone().requires_grad_();
        const PpoFrames whole = part(0, 5, 0, 7, logs, values);
        const PpoTotals totals = totalsOf(whole);
        ppoLoss(whole, totals, {}, rates).total.backward();
        const at::Tensor logsOfParts = log.clone().requires_grad_(),
                         valuesOfParts = value.clone().requires_grad_();
        ppoLoss(part(0, 3, 0, 4, logsOfParts, valuesOfParts), totals, {}, rates).total.backward();
        ppoLoss(part(3, 2, 4, 3, logsOfParts, valuesOfParts), totals, {}, rates).total.backward();
        QVERIFY(at::allclose(logs.grad(), logsOfParts.grad(), 1e-5, 1e-7));
        QVERIFY(at::allclose(values.grad(), valuesOfParts.grad(), 1e-5, 1e-7));
    }

    void anActionWithoutRowsChangesNothing() {
        const at::Tensor log = at::tensor(Floats{-1, -2}).requires_grad_();
        PpoFrames frames{
            .actions = {{.logProbability = log,
                         .entropy = at::ones({2}),
                         .oldLogProbability = at::tensor(Floats{-1.5F, -1.5F}),
                         .frame = at::tensor(std::vector<std::int64_t>{0, 1}, at::kLong)}},
            .value = at::zeros({2}),
            .oldValue = at::zeros({2}),
            .returns = at::ones({2}),
            .advantages = at::tensor(Floats{1, -1})};
        const PpoRates rates{.clipCoef = 0.2, .entCoef = 0.1, .vfCoef = 0.5};
        const PpoLoss one = ppoLoss(frames, totalsOf(frames), {}, rates);
        frames.actions.push_back({.logProbability = at::empty({0}),
                                  .entropy = at::empty({0}),
                                  .oldLogProbability = at::empty({0}),
                                  .frame = at::empty({0}, at::kLong)});
        const PpoLoss two = ppoLoss(frames, totalsOf(frames), {}, rates);
        for (auto part : {&PpoLoss::policy, &PpoLoss::entropy, &PpoLoss::total, &PpoLoss::approxKl,
                          &PpoLoss::clipped})
            QVERIFY(at::equal(one.*part, two.*part));
        frames.actions.erase(frames.actions.begin());
        const PpoLoss none = ppoLoss(frames, totalsOf(frames), {}, rates);
        QCOMPARE(none.policy.item<float>(), 0.F);
        QCOMPARE(none.entropy.item<float>(), 0.F);
    }

    void oneFrameCannotBeNormalised() {
        QVERIFY_THROWS_EXCEPTION(Error, normalised(at::ones({1})));
    }

    void explainedVarianceIsOneOfRightValues() {
        const at::Tensor returns = at::tensor(Floats{1, 2, 4});
        QCOMPARE(explainedVariance(returns, returns), 1.0);
        QVERIFY(std::abs(explainedVariance(at::zeros({3}), returns)) < 1e-6);
        QVERIFY(std::isnan(explainedVariance(returns, at::ones({3}))));
    }
};

ORRERY_TEST(PpoLossTest)
#include "ppo_loss_test.moc"
