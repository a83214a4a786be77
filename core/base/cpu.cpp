#include "core/base/cpu.h"

#include <time.h>

#include <cstdlib>
#include <string_view>

namespace orrery {

namespace {

CpuLevel detect() {
    CpuLevel best = CpuLevel::Baseline;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) best = CpuLevel::Avx2;
    if (best == CpuLevel::Avx2 && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        best = CpuLevel::Avx512;
#endif
    // Read once, before any thread of ours could change the environment.
    const char* wish = std::getenv("ORRERY_CPU");  // NOLINT(concurrency-mt-unsafe)
    if (wish == nullptr) return best;
    for (const CpuLevel level : {CpuLevel::Baseline, CpuLevel::Avx2})
        if (std::string_view(wish) == cpuLevelName(level) && level < best) return level;
    return best;
}

}  // namespace

CpuLevel cpuLevel() {
    static const CpuLevel level = detect();
    return level;
}

const char* cpuLevelName(CpuLevel level) {
    switch (level) {
        case CpuLevel::Baseline:
            return "baseline";
        case CpuLevel::Avx2:
            return "avx2";
        case CpuLevel::Avx512:
            return "avx512";
    }
    return "";
}

double threadCpuMs() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

}  // namespace orrery
