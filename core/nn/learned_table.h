#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/nn/state_rows.h"

namespace orrery {

/// The values of a table at one moment. Immutable; any thread. Outlives its table.
class TableVersion {
public:
    using Row = StateRows::Row;

    TableVersion() = default;
    ~TableVersion() {
        if (m_hasEnded) m_hasEnded->store(true, std::memory_order_release);
    }
    TableVersion(TableVersion&&) = default;
    TableVersion& operator=(TableVersion&&) = default;

    int columns() const { return m_columns; }
    Row rows() const { return m_rows; }
    float defaultValue() const { return m_default; }

    /// [columns] of one row. Rows from rows() on, and kNone, hold the default.
    const float* row(Row row) const {
        const auto block = static_cast<std::size_t>(row) >> m_shift;  // kNone: beyond all blocks
        if (block >= m_blocks.size()) return m_defaults.get();
        return m_blocks[block] +
               (static_cast<std::size_t>(row) & ((std::size_t{1} << m_shift) - 1)) * m_columns;
    }
    float at(Row row, int column) const { return this->row(row)[column]; }

    /// @param rows  [n]
    /// @param out   [n x columns]
    void gather(std::span<const Row> rows, std::span<float> out) const;

private:
    friend class LearnedTable;

    int m_columns = 1;
    int m_shift = 0;
    Row m_rows = 0;
    float m_default = 0;
    std::shared_ptr<float[]> m_defaults;            ///< [columns]
    std::vector<float*> m_blocks;                   ///< [2^m_shift x columns] each
    std::shared_ptr<const void> m_memory;           ///< what blocks lie in
    std::shared_ptr<std::atomic<bool>> m_hasEnded;  ///< tells the table that nobody reads any more
};

struct TableSpec {
    int columns = 1;         ///< >= 1
    float defaultValue = 0;  ///< of entries that no update reached
    enum class Rule : std::uint8_t {
        Adam,  ///< moments and bias correction by the entry's own count of updates
        /// Step max(rateFloor, 1 / n), n gradients that the entry had so far; of m in one update
        /// 1 / m at most, so that they never overshoot their mean.
        Adaptive,
        Sgd,  ///< step `rate`
    };
    Rule rule = Rule::Adam;
    double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;  ///< of Adam
    double rateFloor = 1e-6;                            ///< of Adaptive, (0, 1]
};

/// One learned number for each (state, column), by the rows of a StateRows. On the CPU.
///
/// Adam's moments are lazy: an entry's moments and its count stand still while no gradient reaches
/// it, so an update costs the entries it names whatever the number of rows, and an entry that is
/// touched at every step gets exactly the dense Adam. Entries without an update hold the default.
///
/// One thread at a time; versions may be read by any.
class LearnedTable {
public:
    using Row = StateRows::Row;

    explicit LearnedTable(const TableSpec& spec);
    LearnedTable(LearnedTable&&) = default;
    LearnedTable& operator=(LearnedTable&&) = default;

    const TableSpec& spec() const { return m_spec; }
    int columns() const { return m_spec.columns; }
    Row rows() const { return m_live.m_rows; }
    /// Makes rows up to `rows`; fewer than there are changes nothing. Amortised O(new rows).
    void growTo(Row rows);

    /// [columns] of one row; as TableVersion::row. Valid until the next update or growth.
    const float* row(Row row) const { return m_live.row(row); }
    float at(Row row, int column) const { return m_live.at(row, column); }
    void gather(std::span<const Row> rows, std::span<float> out) const { m_live.gather(rows, out); }
    /// How many updates reached an entry (with Adaptive: gradients); 0: never visited.
    std::uint32_t updates(Row row, int column) const;
    /// Entries that an update reached.
    std::size_t visitedEntries() const { return m_visited; }

    /// One step of the rule. Gradients of the same entry count as one that is their sum (with
    /// Adaptive as that many). The result does not depend on anything but the arguments' order.
    /// @param rows, columns, gradients  [n]; rows in [0, rows()); gradients finite
    /// @param rate  > 0; Adaptive multiplies its step by it
    /// O(n)
    void apply(std::span<const Row> rows, std::span<const std::int32_t> columns,
               std::span<const float> gradients, double rate);
    /// The same for whole rows.
    /// @param gradients  [n x columns]
    void applyRows(std::span<const Row> rows, std::span<const float> gradients, double rate);
    /// Writes one value, its count and moments staying as they are.
    void set(Row row, int column, float value);

    /// The values as they are now: a target copy, or what collectors read. Cheap: blocks of rows
    /// are shared and copied when they change next. Asked again without a change, the same object.
    std::shared_ptr<const TableVersion> version();

    /// What a checkpoint keeps: [rows x columns] each. The moments are empty unless the rule is
    /// Adam.
    struct Arrays {
        std::vector<float> values, firstMoment, secondMoment;
        std::vector<std::uint32_t> updates;
    };
    Arrays arrays() const;
    /// Replaces everything.
    /// @throws Error (Damaged) if the sizes do not fit columns and each other
    void restore(const Arrays& arrays);

    std::size_t allocatedBytes() const;

private:
    struct Entry {
        float firstMoment = 0, secondMoment = 0;
        std::uint32_t updates = 0;
        std::uint32_t place = 0;  ///< in m_merged, if that names this entry
    };
    struct Merged {
        Entry* entry;
        Row row;
        std::int32_t column;
        std::uint32_t count;
        float gradient;
    };
    std::size_t place(Row row, int column) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(m_spec.columns) +
               static_cast<std::size_t>(column);
    }
    float* writable(Row row);
    float* newBlock();
    void reuseBlocks();
    /// Asks for the memory of an entry, so that many misses of caches overlap.
    void prefetch(Row row, std::int32_t column) const;
    void merge(Row row, std::int32_t column, float gradient);
    void step(double rate);
    float adamStep(Entry& entry, float gradient) const;

    // Blocks lie in slabs. One made when m_version was c and replaced when it was r belongs to the
    // versions c to r - 1.
    struct Slabs {
        std::vector<std::unique_ptr<float[]>> all;
    };
    struct Replaced {
        std::uint64_t made, replaced;
        float* block;
    };
    struct Reader {
        std::uint64_t version;
        std::shared_ptr<std::atomic<bool>> hasEnded;
    };

    TableSpec m_spec;
    TableVersion m_live;
    std::vector<std::uint64_t> m_made;  ///< [blocks] m_version when the block was made
    std::uint64_t m_version = 0;
    std::shared_ptr<const TableVersion> m_last;  ///< null once something changed
    std::shared_ptr<Slabs> m_slabs = std::make_shared<Slabs>();
    std::vector<float*> m_spare;  ///< blocks without use
    std::vector<Replaced> m_replaced;
    std::vector<Reader> m_readers;

    std::vector<Entry> m_entries;  ///< [rows x columns]
    std::vector<Merged> m_merged;
    std::vector<float> m_correction1, m_correction2;  ///< 1 - beta^t by t, as far as listed
    std::size_t m_visited = 0;
};

}  // namespace orrery
