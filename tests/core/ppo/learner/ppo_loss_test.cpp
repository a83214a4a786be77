#include <ATen/ATen.h>

#include <QFile>
#include <QTest>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.h"
#include "core/nn/adam.h"
#include "core/ppo/advantages.h"
#include "core/ppo/learner/ppo_loss.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using namespace orrery;
using nlohmann::json;
using Floats = std::vector<float>;

namespace {

const json& document() {
    static const json kDocument = [] {
        QFile file(QString::fromStdString(sourcePath("tests/data/entity/ppo.json")));
        if (!file.open(QIODevice::ReadOnly)) qFatal("no oracle");
        return json::parse(file.readAll().toStdString());
    }();
    return kDocument;
}

at::Tensor tensorOf(const json& list) {
    return at::tensor(list.get<Floats>(), at::kFloat);
}

bool isNear(double ours, double due) {
    return std::abs(ours - due) <= std::max(1e-5 * std::abs(due), 1e-6);
}

bool areNear(const at::Tensor& ours, const json& due) {
    const auto numbers = due.get<Floats>();
    if (ours.numel() != std::ssize(numbers)) return false;
    for (std::int64_t i = 0; i < ours.numel(); ++i)
        if (!isNear(ours.detach().reshape({-1})[i].item<double>(),
                    static_cast<double>(numbers[static_cast<std::size_t>(i)])))
            return false;
    return true;
}

void addRows(const char* part) {
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < document().at(part).size(); ++i)
        QTest::addRow("%d", static_cast<int>(i)) << static_cast<int>(i);
}

}  // namespace

class PpoLossTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void advantagesAreTheOriginals_data() { addRows("gae"); }
    void advantagesAreTheOriginals() {
        QFETCH(int, index);
        const json& entry = document().at("gae")[static_cast<std::size_t>(index)];
        const auto flagsOf = [](const json& list) {
            std::vector<std::uint8_t> flags;
            for (const json& value : list) flags.push_back(value.get<float>() != 0 ? 1 : 0);
            return flags;
        };
        const auto rewards = entry.at("rewards").at("data").get<Floats>(),
                   values = entry.at("values").at("data").get<Floats>(),
                   nextValue = entry.at("next_value").get<Floats>();
        const auto dones = flagsOf(entry.at("dones").at("data")),
                   nextDone = flagsOf(entry.at("next_done"));
        const RolloutRewards rollout{.steps = entry.at("rewards").at("shape")[0],
                                     .environments = entry.at("rewards").at("shape")[1],
                                     .rewards = rewards,
                                     .values = values,
                                     .dones = dones,
                                     .nextValue = nextValue,
                                     .nextDone = nextDone};
        const double gamma = entry.at("gamma");
        const Advantages ours = entry.at("gae").get<bool>()
                                    ? generalisedAdvantages(rollout, gamma, entry.at("gae_lambda"))
                                    : discountedAdvantages(rollout, gamma);
        QVERIFY(areNear(at::tensor(ours.advantages), entry.at("advantages").at("data")));
        QVERIFY(areNear(at::tensor(ours.returns), entry.at("returns").at("data")));
    }

    void lossesAndTheirGradientsAreTheOriginals_data() { addRows("losses"); }
    void lossesAndTheirGradientsAreTheOriginals() {
        QFETCH(int, index);
        const json& entry = document().at("losses")[static_cast<std::size_t>(index)];
        PpoFrames frames{.actions = {},
                         .value = tensorOf(entry.at("new_value")).requires_grad_(),
                         .oldValue = tensorOf(entry.at("old_value")),
                         .returns = tensorOf(entry.at("returns")),
                         .advantages = tensorOf(entry.at("advantages"))};
        if (entry.at("norm_adv").get<bool>()) frames.advantages = normalised(frames.advantages);
        std::vector<std::string> names;
        for (const auto& [name, old] : entry.at("old_logprob").items()) {
            std::vector<std::int64_t> frame;
            const auto lengths = old.at("lengths").get<std::vector<std::int64_t>>();
            for (std::size_t i = 0; i < lengths.size(); ++i)
                frame.insert(frame.end(), static_cast<std::size_t>(lengths[i]),
                             static_cast<std::int64_t>(i));
            const at::Tensor now = tensorOf(entry.at("new_logprob").at(name)).requires_grad_();
            frames.actions.push_back({.logProbability = now,
                                      .entropy = at::zeros_like(now),
                                      .oldLogProbability = tensorOf(old.at("data")),
                                      .frame = at::tensor(frame, at::kLong)});
            names.push_back(name);
        }
        const PpoSpec spec{.clipVloss = entry.at("clip_vloss")};
        const PpoLoss loss =
            ppoLoss(frames, totalsOf(frames), spec,
                    {.clipCoef = entry.at("clip_coef"), .entCoef = 0, .vfCoef = 1});
        QVERIFY(isNear(loss.policy.item<double>(), entry.at("policy_loss")));
        QVERIFY(isNear(loss.value.item<double>(), entry.at("value_loss")));
        QVERIFY(isNear(loss.clipped.item<double>(), entry.at("clipfrac")));
        QVERIFY(isNear(loss.approxKl.item<double>(), entry.at("approx_kl")));
        loss.total.backward();
        QVERIFY(areNear(frames.value.grad(), entry.at("dvalue")));
        for (std::size_t i = 0; i < names.size(); ++i)
            if (frames.actions[i].logProbability.numel() > 0)
                QVERIFY(areNear(frames.actions[i].logProbability.grad(),
                                entry.at("dpolicy_dlogprob").at(names[i])));
    }

    void stepsOfAdamWAreTheOriginals_data() { addRows("adamw"); }
    void stepsOfAdamWAreTheOriginals() {
        QFETCH(int, index);
        const json& entry = document().at("adamw")[static_cast<std::size_t>(index)];
        const at::Tensor parameter = tensorOf(entry.at("initial")).requires_grad_();
        Adam adam({{"p", parameter}}, {.epsilon = entry.at("eps"),
                                       .weightDecay = entry.at("weight_decay"),
                                       .isDecoupled = true});
        for (const json& step : entry.at("steps")) {
            adam.zeroGradients();
            parameter.mutable_grad() = tensorOf(step.at("grad"));
            QVERIFY(isNear(adam.clipGradients(entry.at("max_grad_norm")).item<double>(),
                           step.at("grad_norm")));
            adam.step(entry.at("lr"));
            QVERIFY(areNear(parameter, step.at("param")));
        }
    }

    void schedulesAreTheOriginals_data() { addRows("schedules"); }
    void schedulesAreTheOriginals() {
        QFETCH(int, index);
        const json& entry = document().at("schedules")[static_cast<std::size_t>(index)];
        OptimSpec optim{.lr = entry.at("lr").get<double>(), .originalWarmup = true};
        if (!entry.at("lr_warmup_steps").is_null())
            optim.lrWarmupSteps = entry.at("lr_warmup_steps");
        const PpoSpec ppo{.entCoef = 1};
        const std::int64_t frames =
            entry.at("num_envs").get<std::int64_t>() * entry.at("steps").get<std::int64_t>();
        const std::int64_t updates = entry.at("total_timesteps").get<std::int64_t>() / frames;
        QCOMPARE(updates, entry.at("num_updates").get<std::int64_t>());
        for (const json& row : entry.at("update_lr_entropyfrac")) {
            const PpoRates rates = ratesOf(
                optim, ppo, {.update = row[0], .updates = updates, .framesOfUpdate = frames});
            QVERIFY(isNear(rates.lr, row[1]));
            QVERIFY(isNear(rates.entCoef, row[2]));
        }
    }

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
