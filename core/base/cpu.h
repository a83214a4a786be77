#pragma once

namespace orrery {

/// Instruction sets for which hot loops are compiled; all give the same bits.
enum class CpuLevel { Baseline, Avx2, Avx512 };

/// The best level of this processor, unless the environment variable ORRERY_CPU (baseline, avx2,
/// avx512) asks for a lower one. Constant while the program runs.
CpuLevel cpuLevel();

/// "baseline", "avx2", "avx512".
const char* cpuLevelName(CpuLevel level);

/// CPU time of the calling thread since it began, in milliseconds: other work on the machine counts
/// little.
double threadCpuMs();

}  // namespace orrery
