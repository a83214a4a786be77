#include "core/empo/learner/learner.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/fault.h"
#include "core/base/memory.h"
#include "core/cuda/torch_cuda.h"
#include "core/empo/batch_room.h"
#include "core/empo/learner/human_learner.h"
#include "core/empo/learner/learner_parts.h"
#include "core/empo/nets/gpu_kernels.h"
#include "core/empo/spec_fields.h"
#include "core/nn/torch_errors.h"

namespace orrery {

namespace {

// Streams of a run's seed: weights, and what is drawn at each training step.
constexpr std::uint64_t kBatchSalt = 0x5EEDBA7C4;
constexpr std::uint64_t kNoveltySalt = 0x5EED0E3;
/// Training steps after which collectors get new weights of novelty. Source: spec empo 6.4.
constexpr std::int64_t kNoveltySyncSteps = 10;
constexpr std::int64_t kSkipsBeforeDivergence = 3;
constexpr std::int64_t kLargeBatch = std::int64_t{256} << 20;  ///< bytes; always there

/// Goals that targets ask of a successor, over its humans.
std::int64_t pairsOfState(const FlatNeeds& needs, const EmpoSpec& spec, const ValueFacts& facts) {
    const std::int64_t humans = facts.numHumans, goals = facts.goals.maxGoals;
    const std::int64_t chosen =
        needs.usesEveryGoal ? goals : std::min<std::int64_t>(goals, spec.goalsPerHuman);
    return (needs.forV_h_e ? humans : 0) + (needs.x_hIsComputed ? humans * chosen : 0);
}

/// Networks go to a GPU where there is one, tables never.
at::Device chosenDevice(const EmpoSpec& spec) {
    if (spec.device == Device::Cpu ||
        (spec.device == Device::Auto && !spec.hasNetworks() && !spec.hasHumanNetwork()))
        return at::kCPU;
    try {
        loadTorchCuda();
    } catch (const Error&) {
        if (spec.device == Device::Cuda) throw;
        return at::kCPU;
    }
    return at::kCUDA;
}

/// What a table's entry says before any update.
float defaultOf(const EmpoSpec& spec, Quantity quantity) {
    const double value = spec.of(quantity).tableDefault;
    // The original passes its raw default through -softplus.
    if (spec.originalRules && quantity == Quantity::Q_r)
        return static_cast<float>(-std::log1p(std::exp(-value)));
    return static_cast<float>(value);
}

std::unique_ptr<LearnedTable> makeTable(const ValueFacts& facts, Quantity quantity) {
    TableSpec table;
    table.columns = facts.columnsOf(quantity);
    table.defaultValue = defaultOf(facts.spec, quantity);
    table.rule = facts.spec.adaptiveTables ? TableSpec::Rule::Adaptive : TableSpec::Rule::Adam;
    table.rateFloor = facts.spec.tableRateFloor;
    return std::make_unique<LearnedTable>(table);
}

}  // namespace

void useOneThread() {
    static thread_local bool isSet = false;
    if (!isSet) at::set_num_threads(1);
    isSet = true;
}

Learner::Parts::Parts(const EmpoSpec& theSpec, std::vector<WorldFacts> worlds,
                      const at::Device& theDevice)
    : spec(theSpec),
      facts(std::make_shared<ValueFacts>(theSpec, std::move(worlds), theDevice)),
      actingFacts(theDevice.is_cpu()
                      ? facts
                      : std::make_shared<ValueFacts>(theSpec, facts->worlds, at::kCPU)),
      schedule(theSpec),
      device(theDevice),
      flattener(facts->worlds, facts->goals, theSpec),
      batcher(facts, &profile) {
    // A GPU shall compute what the CPU does; its short formats keep ten bits.
    if (device.is_cuda()) at::globalContext().setAllowTF32CuDNN(false);
    live.facts = target.facts = facts;
    live.rows = target.rows = rows;
    if (spec.hasNetworks()) {
        nets = std::make_shared<QuantityNets>(netSpecOf(*facts), spec.seed);
        nets->moveTo(device);
        targetNets = nets->frozen();
        live.nets = nets;
        target.nets = targetNets;
    }
    for (const Quantity quantity : kQuantities) {
        const std::size_t i = index(quantity);
        switch (spec.of(quantity).kind) {
            case Approximator::Table:
                tables[i] = makeTable(*facts, quantity);
                target.tables[i] = tables[i]->version();
                break;
            case Approximator::Network:
                optimisers[i] =
                    std::make_unique<Adam>(nets->parametersOf(static_cast<NetHead>(i)),
                                           AdamSettings{.weightDecay = spec.weightDecay});
                break;
            case Approximator::Computed:
                break;
        }
    }
    // Novelty is learned in the same step, and asks the host.
    if (!device.is_cpu() && !spec.hasTables() && !spec.hasRnd())
        lateNorms = std::make_unique<LateNorms>(device);
    if (spec.learnsHumans())
        humans = std::make_unique<HumanLearner>(spec, facts, actingFacts, device, rows);
    if (spec.hasRnd()) {
        novelty = std::make_shared<NoveltyNets>(noveltyInputs(target), spec.seed ^ kNoveltySalt);
        novelty->moveTo(device);
        noveltyOptimiser = std::make_unique<Adam>(novelty->trained(), AdamSettings());
    }
    publish();
}

Learner::Parts::~Parts() = default;

Rng Learner::Parts::batchStream(bool isOfTransitions) const {
    return Rng(spec.seed ^ kBatchSalt,
               2 * static_cast<std::uint64_t>(stepsDone) + (isOfTransitions ? 1 : 0));
}

StepReport Learner::Parts::step(ReplayBuffer& buffer, bool wantsTheNumbers) {
    wantsNumbers = wantsTheNumbers;
    profile.enter(ProfileStage::kCollect);
    if (schedule.clearsBuffer(stepsDone)) buffer.clear();
    const bool isOfHumans = schedule.isOfHumans(stepsDone);
    StepReport report = isOfHumans ? humanStep(buffer) : robotStep(buffer);
    skippedInARow = report.wasSkipped ? skippedInARow + 1 : report.hasTrained ? 0 : skippedInARow;
    skippedSteps += report.wasSkipped;
    report.hasDiverged = report.wasSkipped && skippedInARow >= kSkipsBeforeDivergence;
    numbers.q_h.isActive = isOfHumans;
    if (wantsNumbers && (report.hasTrained || report.wasSkipped)) fillNumbers();
    ++stepsDone;
    profile.enter(ProfileStage::kOptimiser);
    if (isOfHumans) {
        endHumanStep();
        report.hasHumans = frozenHumans.load() != nullptr;
    }
    report.hasNewWeights = copyTargets();
    profile.countCall(stepsDone);
    profile.enter(ProfileStage::kIdle);
    return report;
}

StepReport Learner::Parts::robotStep(ReplayBuffer& buffer) {
    StepReport report;
    const TargetRequest request{.active = schedule.stageAt(stepsDone).active,
                                .beta_eff = spec.beta_r * schedule.powerFactor(stepsDone)};
    if (sample(buffer, request)) {
        Rng rng = batchStream(true);
        FlatNeeds needs = needsOf(request, spec);
        if (spec.numSteps == 1) requireRoomForBatch(buffer, pairsOfState(needs, spec, *facts));
        needs.gamma_h = schedule.gamma_h(stepsDone);
        needs.gamma_r = schedule.gamma_r(stepsDone);
        const FlatBatch& batch = flattener.flatten(buffer, batchSlots, xSlots, needs, rng);
        const bool hasRows = std::ranges::any_of(tables, [](const auto& table) { return !!table; });
        const StateBatch& states =
            prepare(buffer, batch.states, batch.layouts, nets.get(), hasRows);
        const Targets targets = computeTargets(batch, states, target, request, profile);
        profile.enter(ProfileStage::kBackward);
        if (novelty) learnNovelty(batch, states);
        makeSteps(batch, states, targets);
        profile.enter(ProfileStage::kOptimiser);
        if (lateNorms) {
            applyOnDevice(report);
        } else {
            report.hasTrained = isFinite(report.trouble);
            report.wasSkipped = !report.hasTrained;
            report.troubleStep = stepsDone + 1;
            if (report.hasTrained) applySteps();
        }
    }
    return report;
}

bool Learner::Parts::sample(ReplayBuffer& buffer, const TargetRequest& request) {
    const std::int64_t oldest = schedule.oldestSampled(stepsDone);
    const std::size_t there = buffer.numSince(oldest);
    if (there < static_cast<std::size_t>(spec.batchSize)) return false;
    Rng rng = batchStream(false);
    buffer.sample(static_cast<std::size_t>(spec.batchSize), oldest, rng, batchSlots);
    xSlots.clear();
    const auto wanted = static_cast<std::size_t>(spec.xhBatchSize.value_or(spec.batchSize));
    if (request.isActive(Quantity::X_h) && wanted != batchSlots.size())
        buffer.sample(std::min(wanted, there), oldest, rng, xSlots);
    return true;
}

void Learner::Parts::requireRoomForBatch(const ReplayBuffer& buffer,
                                         std::int64_t pairsOfState) const {
    if (!device.is_cpu()) return;  // its own memory tells
    const BatchSize size = sizeOf(buffer, batchSlots, pairsOfState);
    const std::int64_t bytes = bytesOf(size, spec, buffer.shape().width, buffer.shape().height);
    if (bytes < kLargeBatch) return;
    const auto freeBytes = static_cast<std::int64_t>(availableMemory());
    if (freeBytes > 0) requireRoom(bytes, size, freeBytes);
}

const StateBatch& Learner::Parts::prepare(ReplayBuffer& buffer,
                                          const std::vector<StateStore::Index>& states,
                                          const std::vector<std::uint16_t>& layouts,
                                          const QuantityNets* by, bool hasRows) {
    profile.enter(ProfileStage::kEncode);
    const std::size_t count = states.size();
    stateRows.resize(hasRows ? count : 0);
    if (hasRows) {
        const bool isUniform = facts->isUniform();
        for (std::size_t i = 0; i < count; ++i) {
            const StateStore::Index state = states[i];
            // Equal bytes of two layouts are one stored state, but two rows.
            std::uint32_t& note = buffer.note(state);
            if (isUniform && note != StateStore::kNoNote) {
                stateRows[i] = static_cast<StateRows::Row>(note);
                continue;
            }
            stateRows[i] = rows->add(fingerprintOf(buffer.states().at(state), layouts[i]));
            note = static_cast<std::uint32_t>(stateRows[i]);
        }
        for (const auto& table : tables)
            if (table) table->growTo(rows->size());
        if (humans) humans->growTo(rows->size());
    }
    if (by || novelty) {
        statePlaces.resize(count);
        for (std::size_t i = 0; i < count; ++i)
            statePlaces[i] = buffer.states().at(states[i]).data();
    } else {
        statePlaces.assign(count, nullptr);
    }
    const StateBatch& made = batcher.make(statePlaces, layouts, stateRows, by);
    if (made.tensors.agents.defined() && faultNan("observation"))
        made.tensors.agents.fill_(std::numeric_limits<float>::quiet_NaN());
    return made;
}

std::vector<at::Tensor> Learner::Parts::networkNorms() const {
    std::vector<at::Tensor> norms;
    for (const Quantity quantity : kQuantities)
        if ((stepped >> index(quantity) & 1U) != 0 && isNetwork(quantity))
            norms.push_back(gradientNorms[index(quantity)]);
    return norms;
}

/// isFinite and applySteps without waiting for the device: what is not finite stops the optimisers
/// there, and the host learns of it some steps later.
void Learner::Parts::applyOnDevice(StepReport& report) {
    const std::vector<at::Tensor> norms = networkNorms();
    if (norms.empty()) return;
    applySteps(lateNorms->note(stepsDone, stepped, norms));
    report.hasTrained = true;
    if (!wantsNumbers && !lateNorms->isFull()) return;
    LateNorms::Reading reading = lateNorms->read();
    for (const unsigned quantities : reading.skippedQuantities)
        for (const Quantity quantity : kQuantities)
            updates[index(quantity)] -= quantities >> index(quantity) & 1U;
    report.hasTrained = reading.skipped == 0;
    report.wasSkipped = !report.hasTrained;
    report.trouble = std::move(reading.trouble);
    report.troubleStep = reading.step + 1;
    if (reading.skipped == 0) return;
    // The step that goes on from here counts one of them.
    skippedSteps += reading.skipped - 1;
    skippedInARow = reading.mostInARow - 1;
}

bool Learner::Parts::isFinite(std::string& culprit) const {
    // All norms come from the device at once.
    std::vector<at::Tensor> norms = networkNorms();
    if (novelty) norms.push_back(noveltyNorm.to(device));
    at::Tensor onHost;
    if (!norms.empty()) onHost = at::stack(norms).cpu();
    std::int64_t next = 0;
    for (const Quantity quantity : kQuantities) {
        const std::size_t i = index(quantity);
        if ((stepped >> i & 1U) == 0) continue;
        const double norm =
            tables[i] ? tableSquares[i] : double{onHost.const_data_ptr<float>()[next++]};
        if (std::isfinite(norm)) continue;
        culprit = notFiniteText(nameOf(quantity));
        return false;
    }
    if (!novelty || std::isfinite(onHost.const_data_ptr<float>()[next])) return true;
    culprit = notFiniteText("novelty");
    return false;
}

void Learner::Parts::applySteps(const at::Tensor& notFinite) {
    if (novelty) applyNovelty();
    for (const Quantity quantity : kQuantities) {
        const std::size_t i = index(quantity);
        if ((stepped >> i & 1U) == 0) continue;
        if (tables[i]) {
            const TableStep& own = tableSteps[i];
            const double rate =
                spec.adaptiveTables ? schedule.rateFactor(stepsDone) : rateOf(quantity);
            tables[i]->apply(own.rows, own.columns, own.gradients, rate);
        } else {
            optimisers[i]->step(rateOf(quantity), notFinite);
        }
        ++updates[i];
    }
}

bool Learner::Parts::copyTargets() {
    bool isPublished = false;
    for (const Quantity quantity : kQuantities) {
        const std::size_t i = index(quantity);
        if (!spec.isUsed(quantity) || stepsDone % spec.of(quantity).targetCopySteps != 0) continue;
        if (tables[i])
            target.tables[i] = tables[i]->version();
        else
            targetNets->copyFrom(*nets, static_cast<NetHead>(i));
        // Networks of Q_r read the shared encoders, which V_h^e trains.
        isPublished |=
            quantity == Quantity::Q_r || (quantity == Quantity::V_h_e && isNetwork(Quantity::Q_r));
    }
    isPublished |= novelty && stepsDone % kNoveltySyncSteps == 0;
    if (isPublished) publish();
    return isPublished;
}

void Learner::Parts::publish() {
    auto values = std::make_shared<QuantityValues>();
    values->facts = actingFacts;
    values->rows = rows;
    values->tables = target.tables;
    if (isNetwork(Quantity::Q_r) || (novelty && targetNets)) {
        std::shared_ptr<QuantityNets> copy = targetNets->frozen();
        copy->moveTo(at::kCPU);
        values->nets = std::move(copy);
    }
    if (novelty) {
        const std::shared_ptr<NoveltyNets> copy = novelty->frozen();
        copy->moveTo(at::kCPU);
        values->novelty = copy;
        values->noveltyWeights = noveltyWeights();
    }
    acting.store(std::make_shared<const ActingWeights>(
        ActingWeights{stepsDone, ++published, std::move(values)}));
}

QuantityValues Learner::Parts::liveValues() {
    QuantityValues values = live;
    for (std::size_t i = 0; i < tables.size(); ++i)
        if (tables[i]) values.tables[i] = tables[i]->version();
    return values;
}

Learner::Learner(const EmpoSpec& spec, std::vector<WorldFacts> facts) {
    translatingTorchErrors(
        [&] { m_parts = std::make_unique<Parts>(spec, std::move(facts), chosenDevice(spec)); });
}

std::unique_ptr<Learner> Learner::on(const std::string& device, const EmpoSpec& spec,
                                     std::vector<WorldFacts> facts) {
    std::unique_ptr<Learner> learner(new Learner);
    translatingTorchErrors([&] {
        learner->m_parts = std::make_unique<Parts>(spec, std::move(facts), at::Device(device));
    });
    return learner;
}

Learner::Learner() = default;
Learner::~Learner() = default;

std::string Learner::deviceNote() const {
    if (!m_parts->device.is_cuda() || gpuKernels() != nullptr) return {};
    return "The kernels of the GPU are not used, tensor operations do their work: " +
           whyNoGpuKernels();
}

const EmpoSpec& Learner::spec() const {
    return m_parts->spec;
}
const std::vector<WorldFacts>& Learner::facts() const {
    return m_parts->facts->worlds;
}
std::string Learner::deviceName() const {
    return m_parts->device.is_cpu() ? "cpu" : "cuda";
}

void Learner::setLive(const EmpoSpec& spec) {
    EmpoSpec& own = m_parts->spec;
    for (const SpecRow<EmpoSpec>& field : empoFields().rows())
        if (field.isLive) field.set(own, field.get(spec));
    m_parts->schedule = EmpoSchedule(own);
}

StepReport Learner::step(ReplayBuffer& buffer, bool wantsNumbers) {
    StepReport report;
    useOneThread();
    translatingTorchErrors([&] { report = m_parts->step(buffer, wantsNumbers); });
    return report;
}

std::span<const ReplayBuffer::Slot> Learner::lastBatch() const {
    return m_parts->batchSlots;
}

std::int64_t Learner::stepsDone() const {
    return m_parts->stepsDone;
}
const EmpoSchedule& Learner::schedule() const {
    return m_parts->schedule;
}
double Learner::beta_eff() const {
    return m_parts->spec.beta_r * m_parts->schedule.powerFactor(m_parts->stepsDone);
}
const LearnerNumbers& Learner::numbers() const {
    return m_parts->numbers;
}
StageClock& Learner::profile() {
    return m_parts->profile;
}

std::shared_ptr<const ActingWeights> Learner::actingWeights() const {
    return m_parts->acting.load();
}

const QuantityValues& Learner::targetValues() const {
    return m_parts->target;
}

}  // namespace orrery
