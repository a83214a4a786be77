#include "core/empo/batch_profile.h"

#include <algorithm>
#include <cstdio>
#include <span>

namespace orrery {

namespace {

/// One line of the table.
std::string row(const std::string& name, double milliseconds, double share) {
    char text[96];
    std::snprintf(text, sizeof text, "  %-20s: %8.3f ms (%4.1f%%)\n", name.c_str(), milliseconds,
                  share);
    return text;
}

double sumOf(const StageSums& sums, std::span<const SpanKind> stages) {
    double total = 0;
    for (const SpanKind stage : stages) total += sums.milliseconds(stage);
    return total;
}

std::string rows(const StageSums& sums, std::span<const SpanKind> stages, double total) {
    std::vector<SpanKind> order(stages.begin(), stages.end());
    std::ranges::stable_sort(order, std::ranges::greater{},
                             [&](SpanKind stage) { return sums.milliseconds(stage); });
    std::string text;
    for (const SpanKind stage : order) {
        const double milliseconds = sums.milliseconds(stage);
        text += row(profileName(stage), milliseconds, total > 0 ? 100 * milliseconds / total : 0);
    }
    return text;
}

constexpr std::span<const SpanKind> kAll = kProfileStages;

}  // namespace

const std::vector<SpanWords>& empoSpans() {
    static const std::vector<SpanWords> kSpans = withCommonSpans({
        {ProfileStage::kCollect, "stage1_collect", "collect", 0},
        {ProfileStage::kEncode, "stage2_encode", "encode", 5},
        {ProfileStage::kForward, "stage3_forward", "forward", 2},
        {ProfileStage::kScatter, "stage4_scatter", "scatter", 3},
        {ProfileStage::kVhE, "stage5_v_h_e", "V_h^e", 1},
        {ProfileStage::kConversion, "tensor_conversion", "tensor conversion", 8},
        {ProfileStage::kBackward, "backward", "backward", 4},
        {ProfileStage::kOptimiser, "optimiser", "optimiser", 7},
        {ProfileStage::kActor, "actor", "actor", 6},
        {kErrorsSpan, "errors", "error to exact", 10},
    });
    return kSpans;
}

const std::string& profileName(SpanKind stage) {
    return wordsOf(empoSpans(), stage).name;
}

std::string batchingTable(const StageSums& sums) {
    const auto batching = kAll.first(kNumBatchingStages);
    const double total = sumOf(sums, batching);
    char last[64];
    std::snprintf(last, sizeof last, "  %-20s: %8.3f ms\n", "TOTAL", total);
    return "=== Batching Profile (" + std::to_string(sums.calls) + " calls) ===\n" +
           rows(sums, batching, total) + last;
}

std::string tableBeside(const StageSums& sums) {
    return rows(sums, kAll.subspan(kNumBatchingStages), sumOf(sums, kAll));
}

}  // namespace orrery
