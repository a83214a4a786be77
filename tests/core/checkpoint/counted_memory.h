#pragma once

#include <cstdint>

/// Bytes that `new` has given out in this program and not got back, and the most there were since
/// resetPeak(). Programs that link counted_memory.cpp replace the global operators.
std::int64_t countedBytes();
std::int64_t countedPeak();
void resetPeak();
