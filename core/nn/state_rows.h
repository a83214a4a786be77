#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/replay/fingerprint.h"

namespace orrery {

/// Numbers states, known by fingerprintOf(bytes, layout), in the order in which they are first
/// added; a row is never removed. One thread may add while any number of others look up.
class StateRows {
public:
    using Row = std::int32_t;
    static constexpr Row kNone = -1;

    StateRows();
    ~StateRows();
    StateRows(const StateRows&) = delete;
    StateRows& operator=(const StateRows&) = delete;

    /// The row of a state, or kNone. A state that another thread is just adding may be missed.
    Row find(const Fingerprint& state) const;
    /// The row of a state, made if there is none.
    /// @throws Error (Resource) at 2^31 - 1 rows
    Row add(const Fingerprint& state);

    Row size() const { return m_size.load(std::memory_order_acquire); }
    std::size_t allocatedBytes() const;

    /// [size] in the order of rows: what a checkpoint keeps. Adding them in this order to an empty
    /// index restores it. Not while another thread adds.
    std::vector<Fingerprint> fingerprints() const;

private:
    // A slot is free while its row is 0; the fingerprint is written before the row.
    struct Slot {
        Fingerprint state;
        std::atomic<std::uint32_t> rowAndOne{0};
    };
    struct Slots {
        explicit Slots(std::size_t count) : mask(count - 1), slots(count) {}
        std::size_t mask;
        std::vector<Slot> slots;
    };
    static Row findIn(const Slots& slots, const Fingerprint& state);
    static void put(Slots& slots, const Fingerprint& state, Row row);

    std::vector<std::unique_ptr<Slots>> m_all;  ///< the last is in use; readers may be in others
    std::atomic<const Slots*> m_current;
    std::atomic<Row> m_size{0};
};

}  // namespace orrery
