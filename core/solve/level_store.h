#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "core/dag/big_array.h"
#include "core/dag/state_graph.h"
#include "core/solve/spec.h"

namespace orrery {

/// The stored values of all levels: V_r in double, and V and V_h^e of every human and goal in the
/// precision of a ValueStorage. A level is one array of records [V_r | V (goals) | V_h^e (goals)]
/// by configuration from levelBegin on; it lives in memory or in a mapped file. The last level is
/// known without being stored.
struct LevelStore {
    LevelStore(const StateGraph& graph, ValueStorage storage, int goals, bool hasPhase2);

    int numGoals() const { return m_goals; }
    bool hasPhase2() const { return m_hasPhase2; }
    ValueStorage storage() const { return m_storage; }
    /// A V or V_h^e as it will be read back.
    double rounded(double value) const;
    std::size_t recordBytes() const;

    /// Bytes that a level takes.
    std::int64_t levelBytes(const StateGraph& graph, int step) const;

    /// Makes a level's memory; with a folder in a file there, which vanishes with this object.
    /// @throws Error (Resource) if the disk is full
    void allocate(const StateGraph& graph, int step, const std::filesystem::path& spillFolder);
    /// Uses memory that `keeper` keeps alive; it must have levelBytes.
    void adopt(int step, std::span<const std::byte> memory, std::shared_ptr<const void> keeper);

    /// Writes a record. `v_r`, `v_h_e` may be null without phase 2.
    void write(int step, ConfigIndex offset, const double* v_h, const double* v_r,
               const double* v_h_e);

    double v_r(int step, ConfigIndex offset) const;
    double v_h(int step, ConfigIndex offset, int goal) const;
    double v_h_e(int step, ConfigIndex offset, int goal) const;

    std::span<const std::byte> level(int step) const { return m_levels[step].bytes; }
    std::int64_t memoryBytes() const { return m_memoryBytes; }

private:
    struct Level {
        std::span<const std::byte> bytes;
        std::byte* writable = nullptr;
        BigArray<std::byte> memory;
        std::shared_ptr<const void> keeper;
    };
    std::size_t width() const;
    double value(int step, ConfigIndex offset, int index) const;

    ValueStorage m_storage;
    int m_goals;
    bool m_hasPhase2;
    std::vector<Level> m_levels;
    std::int64_t m_memoryBytes = 0;
};

/// IEEE half precision, rounded to nearest even.
std::uint16_t halfFromDouble(double value);
double doubleFromHalf(std::uint16_t half);

}  // namespace orrery
