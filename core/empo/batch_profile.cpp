#include "core/empo/batch_profile.h"

#include <algorithm>
#include <cstdio>
#include <span>
#include <vector>

namespace orrery {

namespace {

constexpr std::array<const char*, kNumProfileStages> kNames = {
    "stage1_collect",    "stage2_encode", "stage3_forward", "stage4_scatter", "stage5_v_h_e",
    "tensor_conversion", "backward",      "optimiser",      "actor",          "idle"};

/// One line of the table.
std::string row(const char* name, double milliseconds, double share) {
    char text[96];
    std::snprintf(text, sizeof text, "  %-20s: %8.3f ms (%4.1f%%)\n", name, milliseconds, share);
    return text;
}

std::string rows(const BatchProfileStats& stats, int begin, int end, double total) {
    std::vector<int> order;
    for (int i = begin; i < end; ++i) order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return stats.ns[a] > stats.ns[b]; });
    std::string text;
    for (const int i : order) {
        const double milliseconds = stats.milliseconds(static_cast<ProfileStage>(i));
        text += row(kNames[i], milliseconds, total > 0 ? 100 * milliseconds / total : 0);
    }
    return text;
}

double sum(const BatchProfileStats& stats, int end) {
    double total = 0;
    for (int i = 0; i < end; ++i) total += stats.milliseconds(static_cast<ProfileStage>(i));
    return total;
}

}  // namespace

const char* nameOf(ProfileStage stage) {
    return kNames[static_cast<std::size_t>(stage)];
}

double BatchProfileStats::milliseconds(ProfileStage stage) const {
    if (calls == 0) return 0;
    return static_cast<double>(ns[static_cast<std::size_t>(stage)]) * 1e-6 /
           static_cast<double>(calls);
}

std::int64_t BatchProfileStats::totalNs() const {
    std::int64_t total = 0;
    for (const std::int64_t part : ns) total += part;
    return total;
}

std::string BatchProfileStats::table() const {
    const double total = sum(*this, kNumBatchingStages);
    char last[64];
    std::snprintf(last, sizeof last, "  %-20s: %8.3f ms\n", "TOTAL", total);
    return "=== Batching Profile (" + std::to_string(calls) + " calls) ===\n" +
           rows(*this, 0, kNumBatchingStages, total) + last;
}

std::string BatchProfileStats::tableBeside() const {
    return rows(*this, kNumBatchingStages, kNumProfileStages, sum(*this, kNumProfileStages));
}

double BatchProfile::probeNs() {
    constexpr int kSteps = 10'000;
    constexpr int kProbes = 12;  // a step, as a learner in tables makes them
    BatchProfile profile;
    const auto begin = SpanRecorder::Clock::now();
    for (int i = 0; i < kSteps; ++i) {
        for (int k = 0; k + 1 < kProbes; ++k)
            profile.enter(static_cast<ProfileStage>(k % kNumProfileStages));
        profile.countCall();
        profile.enter(ProfileStage::Idle);
    }
    return static_cast<double>((SpanRecorder::Clock::now() - begin).count()) / (kSteps * kProbes);
}

}  // namespace orrery
