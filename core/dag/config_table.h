#pragma once

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/thread_team.h"
#include "core/dag/big_array.h"
#include "core/dag/state_graph_storage.h"

namespace orrery {

/// A concurrent hash set of configurations for one exploration, keys of at most 63 bits kept
/// inline. Threads insert during a batch; between batches one thread numbers the new keys. Slots
/// change only in grow(), so a slot number stays good during a batch.
class NarrowTable {
public:
    NarrowTable(int /*keyWords*/, int threads) : m_fresh(threads) { allocate(1U << 12); }

    std::size_t capacity() const { return m_key.size(); }
    std::int64_t bytes() const { return m_key.bytes() + m_index.bytes(); }

    void prefetch(const std::uint64_t* key) const {
        __builtin_prefetch(&m_key[hashKey(key, 1) & m_mask], 1);
    }

    /// The slot of a key, put in if it is new. kNoIndex if the table is too full.
    std::uint32_t insert(const std::uint64_t* key, int thread) {
        const std::uint64_t wanted = *key | kUsed;
        std::size_t at = hashKey(key, 1) & m_mask;
        for (;; at = (at + 1) & m_mask) {
            std::atomic_ref<std::uint64_t> slot(m_key[at]);
            std::uint64_t seen = slot.load(std::memory_order_relaxed);
            if (seen == wanted) return static_cast<std::uint32_t>(at);
            if (seen != 0) continue;
            Fresh& fresh = m_fresh[thread];
            if (fresh.slots.size() >= m_freshLimit) return kNoIndex;
            if (slot.compare_exchange_strong(seen, wanted, std::memory_order_relaxed)) {
                fresh.slots.push_back(static_cast<std::uint32_t>(at));
                return static_cast<std::uint32_t>(at);
            }
            if (seen == wanted) return static_cast<std::uint32_t>(at);
        }
    }

    std::uint32_t indexOf(std::uint32_t slot) const { return m_index[slot]; }
    void prefetchIndex(std::uint32_t slot) const { __builtin_prefetch(&m_index[slot]); }

    /// Numbers the new keys from `next` on in ascending key order and appends them to `keys`.
    void number(std::uint32_t next, BigArray<std::uint64_t>& keys, ThreadTeam& team);
    /// Takes the new keys out again.
    void forgetFresh();
    /// Makes room for a batch of up to `more` new keys, `threads` sharing it.
    void reserve(std::size_t configs, std::size_t more);
    void grow(std::size_t capacity);

private:
    static constexpr std::uint64_t kUsed = std::uint64_t{1} << 63;
    struct alignas(128) Fresh {
        std::vector<std::uint32_t> slots;
        std::vector<std::pair<std::uint64_t, std::uint32_t>> order;  // key, slot
    };

    void allocate(std::size_t capacity);

    BigArray<std::uint64_t> m_key;    // [capacity] key | kUsed, 0 empty
    BigArray<std::uint32_t> m_index;  // [capacity] kNoIndex while new
    std::size_t m_mask = 0;
    std::size_t m_freshLimit = 0;  // per thread and batch
    std::vector<Fresh> m_fresh;    // [threads]
};

/// The same for keys of any width: slots hold a tag and the place of the key in a store.
class WideTable {
public:
    WideTable(int keyWords, int threads) : m_words(keyWords), m_fresh(threads) {
        allocate(1U << 12);
    }

    std::size_t capacity() const { return m_slot.size(); }
    std::int64_t bytes() const { return m_slot.bytes() + m_store.bytes(); }

    void prefetch(const std::uint64_t* key) const {
        __builtin_prefetch(&m_slot[hashKey(key, m_words) & m_mask], 1);
    }
    std::uint32_t insert(const std::uint64_t* key, int thread);
    std::uint32_t indexOf(std::uint32_t slot) const {
        return static_cast<std::uint32_t>(m_slot[slot]) - 1;
    }
    void prefetchIndex(std::uint32_t slot) const { __builtin_prefetch(&m_slot[slot]); }
    void number(std::uint32_t next, BigArray<std::uint64_t>& keys, ThreadTeam& team);
    void forgetFresh();
    void reserve(std::size_t configs, std::size_t more);
    void grow(std::size_t capacity);

private:
    struct alignas(128) Fresh {
        std::vector<std::uint32_t> slots;
        std::uint32_t used = 0;  // of this thread's part of the store
    };

    void allocate(std::size_t capacity);
    const std::uint64_t* stored(std::uint64_t entry) const {
        return m_store.data() + ((entry & 0xFFFFFFFFU) - 1) * m_words;
    }

    int m_words;
    BigArray<std::uint64_t> m_slot;   // [capacity] tag << 32 | place + 1, 0 empty
    BigArray<std::uint64_t> m_store;  // [(numbered + fresh room) x words]
    std::size_t m_numbered = 0;
    std::size_t m_mask = 0;
    std::size_t m_freshLimit = 0;
    std::vector<Fresh> m_fresh;
};

}  // namespace orrery
