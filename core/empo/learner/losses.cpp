#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "core/base/fault.h"
#include "core/empo/learner/learner_parts.h"
#include "core/empo/learner/moments.h"
#include "core/empo/nets/activations.h"

namespace orrery {

namespace {

/// The stream of what is dropped out.
constexpr std::uint64_t kDropoutStream = 0x5EEDD209;
/// No gradient is scaled down to this norm.
constexpr double kNoClip = 1e30;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Mean square of what is there.
at::Tensor meanSquare(const at::Tensor& difference, const at::Tensor& isThere) {
    if (!isThere.defined()) return difference.square().mean();
    return (difference.square() * isThere).sum() / isThere.sum();
}

}  // namespace

std::array<double, kNumQuantities> Learner::Parts::noveltyWeights() const {
    std::array<double, kNumQuantities> weights = {};
    for (const Quantity quantity : kQuantities)
        weights[index(quantity)] = schedule.stageShare(quantity, stepsDone);
    return weights;
}

void Learner::Parts::learnNovelty(const FlatBatch& batch, const StateBatch& states) {
    const at::Tensor errors = novelty->errors(
        noveltyFeatures(target, states.first(batch.numCurrent), noveltyWeights()));  // [C]
    networkScale = spec.rndScalesRates ? novelty->relativeError(errors) : at::Tensor();
    // Only tables wait for the device.
    const bool isRead = spec.rndScalesRates && spec.hasTables();
    gradientScale = isRead ? numberOf(networkScale) : 1;
    noveltyErrors = errors.detach();
    noveltyOptimiser->zeroGradients();
    errors.mean().backward();
    noveltyNorm = noveltyOptimiser->clipGradients(kNoClip);
    if (!wantsNumbers) return;
    numbers.rndLoss = numberOf(errors.mean());
    numbers.rndNovelty = spec.curiosityScale * momentsOf(novelty->noveltyOf(errors)).mean();
    numbers.rndScale = networkScale.defined() ? numberOf(networkScale) : 1;
}

void Learner::Parts::applyNovelty() {
    novelty->follow(noveltyErrors);
    noveltyOptimiser->step(spec.rndLearningRate * schedule.rateFactor(stepsDone));
}

void Learner::Parts::makeSteps(const FlatBatch& batch, const StateBatch& states,
                               const Targets& targets) {
    stepped = 0;
    const std::array<at::Tensor, kNumQuantities> wanted = {targets.v_h_e, targets.x_h, targets.u_rY,
                                                           targets.q_r, targets.v_r};
    // Networks read the states where transitions start, with gradients; tables by their rows.
    StateBatch current;
    std::unique_ptr<ValueReader> reader;
    Rng dropout(spec.seed ^ kDropoutStream, static_cast<std::uint64_t>(stepsDone));
    if (nets) {
        current = states.first(batch.numCurrentX);
        reader =
            std::make_unique<ValueReader>(live, current, NetPass{.training = &dropout}, &profile);
    }
    for (const Quantity quantity : kQuantities) {
        const std::size_t i = index(quantity);
        if (!wanted[i].defined()) continue;
        stepped |= 1U << i;
        if (tables[i])
            differTable(quantity, batch, states, wanted[i], targets.pi_r);
        else
            optimisers[i]->zeroGradients();
    }
    for (const Quantity quantity : kQuantities)
        if ((stepped >> index(quantity) & 1U) != 0 && isNetwork(quantity))
            differNetwork(quantity, batch, *reader, targets);
    for (const Quantity quantity : kQuantities) {
        const std::size_t i = index(quantity);
        if ((stepped >> i & 1U) == 0 || !optimisers[i]) continue;
        const double rate = spec.autoClip ? rateOf(quantity) / kClipRate : 1;
        gradientNorms[i] =
            optimisers[i]->clipGradients(spec.clipsGradients ? spec.clipNorm * rate : kNoClip);
        if (networkScale.defined())
            for (const auto& parameter : nets->parametersOf(static_cast<NetHead>(i)))
                if (parameter.tensor.grad().defined())
                    parameter.tensor.mutable_grad().mul_(networkScale);
    }
}

void Learner::Parts::differTable(Quantity quantity, const FlatBatch& batch,
                                 const StateBatch& states, const at::Tensor& goal,
                                 const at::Tensor& pi_r) {
    const std::size_t i = index(quantity);
    const LearnedTable& table = *tables[i];
    TableStep& own = tableSteps[i];
    own.clear();
    const bool isOfX = quantity == Quantity::X_h;
    const bool isTakenOnly = quantity == Quantity::Q_r && batch.isTakenOnly;
    const at::Tensor wanted =
        (quantity == Quantity::U_r ? u_rOfY(goal, spec.eta) : goal).cpu().contiguous();
    const float* to = wanted.const_data_ptr<float>();
    const auto& starts = isOfX ? batch.xStateOf : batch.stateOf;
    const std::vector<float>* isThere = nullptr;
    if (isOfX) isThere = &batch.xHasHuman;
    if (quantity == Quantity::V_h_e) isThere = &batch.hasHuman;
    const std::int64_t width = wanted.numel() / std::ssize(starts);

    at::Tensor weights;  // [B, A] of Q_r's loss
    if (quantity == Quantity::Q_r && spec.weightsActions)
        weights = (pi_r * (1 - pi_r) + spec.actionWeightFloor).cpu().contiguous();
    const std::int64_t count = isTakenOnly ? std::ssize(starts) : wanted.numel();
    // An adaptive table moves by its own count towards the target; others follow the gradient of
    // the mean square.
    double scale = spec.adaptiveTables ? 1.0 : 2.0 * gradientScale / static_cast<double>(count);
    if (faultNan("loss")) scale = kNan;
    double squares = 0, gradients = 0, taken = 0;
    Moments predictions, targets;
    for (std::int64_t b = 0; b < std::ssize(starts); ++b) {
        const StateRows::Row row = states.rows[starts[b]];
        const float* values = table.row(row);
        for (std::int64_t k = 0; k < width; ++k) {
            const std::int64_t at = b * width + k;
            if (isThere && (*isThere)[at] == 0) continue;
            const bool isTaken = quantity == Quantity::Q_r && batch.takenGroup[b] == at;
            if (isTakenOnly && !isTaken) continue;
            const std::int64_t column =
                quantity == Quantity::V_h_e ? k * facts->goals.maxGoals + batch.goalColumn[at] : k;
            const float difference = values[column] - to[at];
            float gradient = static_cast<float>(scale) * difference;
            if (weights.defined() && !spec.adaptiveTables)
                gradient *= weights.const_data_ptr<float>()[at];
            own.add(row, column, gradient);
            const double square = double{difference} * difference;
            squares += square;
            gradients += double{gradient} * gradient;
            if (isTaken) taken += square;
            if (wantsNumbers) predictions.add(values[column]), targets.add(to[at]);
        }
    }
    if (faultNan("gradient")) gradients = kNan;
    tableSquares[i] = gradients;
    if (!wantsNumbers) return;
    put(numbers.quantities[i],
        squares / static_cast<double>(std::max<std::size_t>(own.rows.size(), 1)), predictions,
        targets);
    if (quantity == Quantity::Q_r)
        numbers.qLossTaken = taken / static_cast<double>(batch.numTransitions);
}

at::Tensor Learner::Parts::q_rLoss(const FlatBatch& batch, const RobotOutput& output,
                                   const Targets& targets) {
    const bool isInZ = usesZLoss() && output.z.defined();
    const at::Tensor index = asTensor(batch.stateOf, device, &profile);
    at::Tensor predicted = (isInZ ? output.z : output.value).index_select(0, index);  // [B, A]
    at::Tensor wanted = isInZ ? zOfQ(targets.q_r, spec.eta, spec.xi) : targets.q_r;
    const at::Tensor takenIndex = asTensor(batch.takenGroup, device, &profile);
    if (wantsNumbers) {
        const at::Tensor difference = (output.value.index_select(0, index) - targets.q_r).detach();
        numbers.qLossTaken =
            numberOf(difference.reshape({-1}).index_select(0, takenIndex).square().mean());
        if (output.z.defined()) {
            numbers.z_rMean = momentsOf(output.z).mean();
            numbers.z_rTargetMean = momentsOf(zOfQ(targets.q_r, spec.eta, spec.xi)).mean();
        }
    }
    if (batch.isTakenOnly) {
        predicted = predicted.reshape({-1}).index_select(0, takenIndex);
        wanted = wanted.reshape({-1}).index_select(0, takenIndex);
    }
    const at::Tensor squares = (predicted - wanted).square();
    if (!spec.weightsActions || batch.isTakenOnly) return squares.mean();
    const at::Tensor weights = targets.pi_r * (1 - targets.pi_r) + spec.actionWeightFloor;
    return (squares * weights).mean();
}

void Learner::Parts::differNetwork(Quantity quantity, const FlatBatch& batch, ValueReader& reader,
                                   const Targets& targets) {
    const bool isUniform = facts->isUniform();
    const std::int64_t numHumans = facts->numHumans;
    const at::Tensor start =
        asTensor(quantity == Quantity::X_h ? batch.xStateOf : batch.stateOf, device, &profile);
    at::Tensor predicted, wanted, loss, isThere;
    switch (quantity) {
        case Quantity::V_h_e:
            predicted = reader.v_h_e(batch.ownPairs).view({batch.numTransitions, numHumans});
            wanted = targets.v_h_e;
            if (!isUniform) isThere = asTensor(batch.hasHuman, device, &profile).view_as(wanted);
            loss = meanSquare(predicted - wanted, isThere);
            break;
        case Quantity::X_h:
            predicted = reader.x_h().index_select(0, start);
            wanted = targets.x_h;
            if (!isUniform) isThere = asTensor(batch.xHasHuman, device, &profile).view_as(wanted);
            loss = meanSquare(predicted - wanted, isThere);
            break;
        case Quantity::U_r:
            predicted = reader.u_rY().index_select(0, start);
            wanted = targets.u_rY;
            loss = usesZLoss() ? meanSquare(zOfY(predicted, spec.xi) - zOfY(wanted, spec.xi), {})
                               : meanSquare(predicted - wanted, {});
            break;
        case Quantity::Q_r: {
            const RobotOutput output = reader.robot(Quantity::Q_r);
            loss = q_rLoss(batch, output, targets);
            predicted = output.value.index_select(0, start);
            wanted = targets.q_r;
            break;
        }
        case Quantity::V_r: {
            const RobotOutput output = reader.robot(Quantity::V_r);
            predicted = output.value.index_select(0, start);
            wanted = targets.v_r;
            loss = usesZLoss() && output.z.defined()
                       ? meanSquare(
                             output.z.index_select(0, start) - zOfQ(wanted, spec.eta, spec.xi), {})
                       : meanSquare(predicted - wanted, {});
            break;
        }
    }
    if (faultNan("loss")) loss = loss * kNan;
    // Attached encoders are shared by several losses.
    loss.backward({}, spec.ownEncoders == OwnEncoders::Attached);
    if (faultNan("gradient"))
        for (const auto& parameter : nets->parametersOf(static_cast<NetHead>(index(quantity))))
            if (parameter.tensor.grad().defined()) parameter.tensor.mutable_grad().mul_(kNan);
    if (!wantsNumbers) return;
    if (quantity == Quantity::U_r) {
        numbers.y_rMean = momentsOf(predicted).mean();
        numbers.y_rDeviation = momentsOf(predicted).deviation();
        numbers.y_rTargetMean = momentsOf(wanted).mean();
        predicted = u_rOfY(predicted, spec.eta);
        wanted = u_rOfY(wanted, spec.eta);
    }
    put(numbers.quantities[index(quantity)], numberOf(loss), momentsOf(predicted),
        momentsOf(wanted));
}

void Learner::Parts::fillNumbers() {
    numbers.step = stepsDone + 1;
    numbers.powerFactor = schedule.powerFactor(stepsDone);
    numbers.beta_eff = spec.beta_r * numbers.powerFactor;
    numbers.gamma_h = schedule.gamma_h(stepsDone);
    numbers.gamma_r = schedule.gamma_r(stepsDone);
    numbers.rateFactor = schedule.rateFactor(stepsDone);
    numbers.epsilon_r = schedule.epsilon_r(stepsDone);
    numbers.epsilon_h = schedule.epsilon_h(stepsDone);
    numbers.stage = schedule.stageIndex(stepsDone);
    numbers.isWarmup = schedule.isWarmup(stepsDone);
    numbers.isDecaying = stepsDone >= schedule.decayBegin();
    numbers.skippedSteps = skippedSteps;
    for (const Quantity quantity : kQuantities) {
        const std::size_t i = index(quantity);
        QuantityNumbers& own = numbers.quantities[i];
        own.isActive = schedule.isActive(quantity, stepsDone);
        own.learningRate = rateOf(quantity);
        own.updates = updates[i];
        if (tables[i]) {
            own.tableRows = tables[i]->rows();
            own.tableEntries = static_cast<std::int64_t>(tables[i]->visitedEntries());
        }
        if ((stepped >> i & 1U) == 0) continue;
        own.gradientNorm = tables[i] ? std::sqrt(tableSquares[i]) : numberOf(gradientNorms[i]);
        if (optimisers[i]) {
            double squares = 0;
            for (const auto& parameter : nets->parametersOf(static_cast<NetHead>(i)))
                squares += numberOf(parameter.tensor.detach().square().sum());
            own.parameterNorm = std::sqrt(squares);
        }
    }
}

}  // namespace orrery
