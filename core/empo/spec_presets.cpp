#include <array>

#include "core/empo/spec_fields.h"

namespace orrery {

namespace {

/// Tables of all that is learned.
EmpoSpec inTables() {
    EmpoSpec spec;
    for (const Quantity quantity : kQuantities)
        if (spec.isUsed(quantity)) spec.of(quantity).kind = Approximator::Table;
    return spec;
}

/// Rates that follow each row's own count, targets that follow at once, long stages, and humans and
/// robots that explore to the end.
EmpoSpec inExactTables() {
    EmpoSpec spec = inTables();
    for (const Quantity quantity : kQuantities) {
        if (!spec.isUsed(quantity)) continue;
        spec.of(quantity).targetCopySteps = 1;
        spec.of(quantity).warmupSteps = 20'000;
    }
    spec.adaptiveTables = true;
    spec.tableRateFloor = 0.2;
    spec.trainingSteps = 400'000;
    spec.environmentStepsPerTrainingStep = 4;
    spec.batchSize = 32;
    spec.rampSteps = 60'000;
    spec.rateDecay = RateDecay::None;
    spec.stepsPerEpisode = 50;
    spec.goalResampleProbability = 1;
    spec.epsilonEnd_h = 0.5;
    spec.epsilonEnd_r = 0.5;
    spec.epsilonSteps = 200'000;
    return spec;
}

SpecPreset exactTables() {
    SpecPreset preset = presetFrom(
        "exact-tables",
        "Tables that come close to the exact values of a small world in a minute or two.",
        empoFields(), inExactTables());
    preset.values.emplace_back("metric_interval", std::int64_t{500});
    return preset;
}

}  // namespace

std::span<const SpecPreset> empoPresets() {
    static const std::array kPresets{
        presetFrom("networks", "A network of each quantity that is learned: the defaults.",
                   empoFields(), EmpoSpec()),
        presetFrom("tables", "A table of each quantity that is learned, one row a state.",
                   empoFields(), inTables()),
        exactTables()};
    return kPresets;
}

}  // namespace orrery
