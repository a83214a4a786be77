#include "core/solve/level_store.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"

namespace orrery {

std::uint16_t halfFromDouble(double value) {
    const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const double magnitude = std::abs(value);
    if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7E00);
    if (magnitude >= 65520.0) return static_cast<std::uint16_t>(sign | 0x7C00);
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    // Spacing of half numbers at this size: 11 significant bits, at least 2^-24.
    const int unit = std::max(exponent - 11, -24);
    const double steps = std::nearbyint(std::ldexp(magnitude, -unit));
    if (steps == 0.0) return sign;
    // Rounding up may have reached the next power of two.
    const double rounded = std::ldexp(steps, unit);
    std::frexp(rounded, &exponent);
    if (exponent < -13)
        return static_cast<std::uint16_t>(sign | static_cast<int>(std::ldexp(rounded, 24)));
    const int fraction = static_cast<int>(std::ldexp(rounded, 11 - exponent)) - 1024;
    return static_cast<std::uint16_t>(sign | ((exponent + 14) << 10) | fraction);
}

double doubleFromHalf(std::uint16_t half) {
    const double sign = (half & 0x8000) != 0 ? -1.0 : 1.0;
    const int exponent = half >> 10 & 0x1F;
    const int fraction = half & 0x3FF;
    if (exponent == 31) return fraction == 0 ? sign * HUGE_VAL : std::nan("");
    if (exponent == 0) return sign * std::ldexp(fraction, -24);
    return sign * std::ldexp(1024 + fraction, exponent - 25);
}

LevelStore::LevelStore(const StateGraph& graph, ValueStorage storage, int goals, bool hasPhase2)
    : m_storage(storage), m_goals(goals), m_hasPhase2(hasPhase2), m_levels(graph.numLevels()) {}

std::size_t LevelStore::width() const {
    return m_storage == ValueStorage::Double ? 8 : m_storage == ValueStorage::Float ? 4 : 2;
}

std::size_t LevelStore::recordBytes() const {
    const std::size_t goals = static_cast<std::size_t>(m_goals) * width();
    return m_hasPhase2 ? sizeof(double) + 2 * goals : goals;
}

double LevelStore::rounded(double value) const {
    switch (m_storage) {
        case ValueStorage::Double:
            return value;
        case ValueStorage::Float:
            return static_cast<double>(static_cast<float>(value));
        case ValueStorage::Half:
            return doubleFromHalf(halfFromDouble(value));
    }
    return value;
}

std::int64_t LevelStore::levelBytes(const StateGraph& graph, int step) const {
    return static_cast<std::int64_t>(recordBytes()) *
           (graph.levelEnd(step) - graph.levelBegin(step));
}

void LevelStore::allocate(const StateGraph& graph, int step,
                          const std::filesystem::path& spillFolder) {
    Level& level = m_levels[step];
    const auto bytes = static_cast<std::size_t>(levelBytes(graph, step));
    if (spillFolder.empty() || bytes == 0) {
        level.memory.resize(bytes);
        level.writable = level.memory.data();
        m_memoryBytes += static_cast<std::int64_t>(bytes);
    } else {
        // Without a name, so that it is gone with the process, however that ends.
        const FileDescriptor fd = openFile(spillFolder, O_TMPFILE | O_RDWR);
        if (!fd) throwFileError("make a temporary file in", spillFolder, errno);
        // Room is taken now, so that a full disk shows here and not as a broken mapping later.
        if (const int error = posix_fallocate(fd.get(), 0, static_cast<off_t>(bytes)); error != 0)
            throwFileError("reserve room in", spillFolder, error);
        void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
        if (memory == MAP_FAILED) throwFileError("map a file in", spillFolder, errno);
        level.keeper = std::shared_ptr<const void>(
            memory, [bytes](const void* m) { munmap(const_cast<void*>(m), bytes); });
        level.writable = static_cast<std::byte*>(memory);
    }
    level.bytes = {level.writable, bytes};
}

void LevelStore::adopt(int step, std::span<const std::byte> memory,
                       std::shared_ptr<const void> keeper) {
    m_levels[step].bytes = memory;
    m_levels[step].keeper = std::move(keeper);
}

void LevelStore::write(int step, ConfigIndex offset, const double* v_h, const double* v_r,
                       const double* v_h_e) {
    std::byte* next = m_levels[step].writable + offset * recordBytes();
    const auto put = [&](const double* values) {
        for (int k = 0; k < m_goals; ++k, next += width()) {
            if (m_storage == ValueStorage::Double) {
                std::memcpy(next, &values[k], sizeof(double));
            } else if (m_storage == ValueStorage::Float) {
                const auto small = static_cast<float>(values[k]);
                std::memcpy(next, &small, sizeof small);
            } else {
                const std::uint16_t half = halfFromDouble(values[k]);
                std::memcpy(next, &half, sizeof half);
            }
        }
    };
    if (m_hasPhase2) {
        std::memcpy(next, v_r, sizeof(double));
        next += sizeof(double);
    }
    put(v_h);
    if (m_hasPhase2) put(v_h_e);
}

double LevelStore::value(int step, ConfigIndex offset, int index) const {
    // By memcpy, here and below: a record of halves leaves what follows it without alignment.
    const std::byte* at = m_levels[step].bytes.data() + offset * recordBytes() +
                          (m_hasPhase2 ? sizeof(double) : 0) +
                          static_cast<std::size_t>(index) * width();
    switch (m_storage) {
        case ValueStorage::Double: {
            double value = 0;
            std::memcpy(&value, at, sizeof value);
            return value;
        }
        case ValueStorage::Float: {
            float value = 0;
            std::memcpy(&value, at, sizeof value);
            return value;
        }
        case ValueStorage::Half: {
            std::uint16_t value = 0;
            std::memcpy(&value, at, sizeof value);
            return doubleFromHalf(value);
        }
    }
    return 0;
}

double LevelStore::v_r(int step, ConfigIndex offset) const {
    if (!m_hasPhase2) return 0.0;
    double value = 0;
    std::memcpy(&value, m_levels[step].bytes.data() + offset * recordBytes(), sizeof value);
    return value;
}

double LevelStore::v_h(int step, ConfigIndex offset, int goal) const {
    return value(step, offset, goal);
}

double LevelStore::v_h_e(int step, ConfigIndex offset, int goal) const {
    return m_hasPhase2 ? value(step, offset, m_goals + goal) : 0.0;
}

}  // namespace orrery
