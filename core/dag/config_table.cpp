#include "core/dag/config_table.h"

#include <algorithm>
#include <bit>

namespace orrery {

namespace {

/// Room for `keys` at a load of at most a half, as a power of two.
std::size_t roomFor(std::size_t keys) {
    return std::bit_ceil(keys * 2);
}

}  // namespace

void NarrowTable::allocate(std::size_t capacity) {
    m_key = {};
    m_index = {};
    m_key.resize(capacity);
    m_index.resize(capacity);
    std::fill_n(m_index.data(), capacity, kNoIndex);
    m_mask = capacity - 1;
}

void NarrowTable::grow(std::size_t capacity) {
    const BigArray<std::uint64_t> keys = std::move(m_key);
    const BigArray<std::uint32_t> indices = std::move(m_index);
    allocate(capacity);
    for (std::size_t old = 0; old < keys.size(); ++old) {
        if (keys[old] == 0) continue;
        const std::uint64_t key = keys[old] & ~kUsed;
        std::size_t at = hashKey(&key, 1) & m_mask;
        while (m_key[at] != 0) at = (at + 1) & m_mask;
        m_key[at] = keys[old];
        m_index[at] = indices[old];
    }
}

void NarrowTable::reserve(std::size_t configs, std::size_t more) {
    const std::size_t wanted = roomFor(configs + more);
    if (wanted > capacity()) grow(wanted);
    m_freshLimit = (capacity() / 8 * 7 - configs) / m_fresh.size();
}

void NarrowTable::number(std::uint32_t next, BigArray<std::uint64_t>& keys, ThreadTeam& team) {
    team.run([this](int thread) {
        Fresh& fresh = m_fresh[thread];
        fresh.order.clear();
        for (const std::uint32_t slot : fresh.slots)
            fresh.order.emplace_back(m_key[slot] & ~kUsed, slot);
        fresh.slots.clear();
        std::ranges::sort(fresh.order);
    });
    std::vector<std::pair<std::uint64_t, std::uint32_t>> order = std::move(m_fresh[0].order);
    for (std::size_t thread = 1; thread < m_fresh.size(); ++thread) {
        const auto middle = std::ssize(order);
        const auto& more = m_fresh[thread].order;
        order.insert(order.end(), more.begin(), more.end());
        std::inplace_merge(order.begin(), order.begin() + middle, order.end());
    }
    const std::size_t old = keys.size();
    keys.resize(old + order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        keys[old + k] = order[k].first;
        m_index[order[k].second] = next++;
    }
}

void NarrowTable::forgetFresh() {
    // Numbered keys are put back by grow(), which drops nothing; so empty the new slots first and
    // rebuild, because probing must not meet holes.
    for (Fresh& fresh : m_fresh) {
        for (const std::uint32_t slot : fresh.slots) m_key[slot] = 0;
        fresh.slots.clear();
    }
    grow(capacity() * 2);
}

void WideTable::allocate(std::size_t capacity) {
    m_slot = {};
    m_slot.resize(capacity);
    m_mask = capacity - 1;
}

std::uint32_t WideTable::insert(const std::uint64_t* key, int thread) {
    const std::uint64_t hash = hashKey(key, m_words);
    const std::uint64_t tag = hash >> 32 << 32;
    std::size_t at = hash & m_mask;
    bool written = false;
    Fresh& fresh = m_fresh[thread];
    std::uint64_t entry = 0;
    for (;; at = (at + 1) & m_mask) {
        std::atomic_ref<std::uint64_t> slot(m_slot[at]);
        std::uint64_t seen = slot.load(std::memory_order_acquire);
        if (seen == 0) {
            if (fresh.used >= m_freshLimit) return kNoIndex;
            if (!written) {
                const std::size_t place =
                    m_numbered + static_cast<std::size_t>(thread) * m_freshLimit + fresh.used;
                std::copy_n(key, m_words, &m_store[place * m_words]);
                entry = tag | static_cast<std::uint64_t>(place + 1);
                written = true;
            }
            if (slot.compare_exchange_strong(seen, entry, std::memory_order_acq_rel)) {
                ++fresh.used;
                fresh.slots.push_back(static_cast<std::uint32_t>(at));
                return static_cast<std::uint32_t>(at);
            }
        }
        if (seen >> 32 << 32 == tag && std::equal(key, key + m_words, stored(seen)))
            return static_cast<std::uint32_t>(at);
    }
}

void WideTable::grow(std::size_t capacity) {
    const BigArray<std::uint64_t> slots = std::move(m_slot);
    allocate(capacity);
    for (std::size_t old = 0; old < slots.size(); ++old) {
        if (slots[old] == 0) continue;
        std::size_t at = hashKey(stored(slots[old]), m_words) & m_mask;
        while (m_slot[at] != 0) at = (at + 1) & m_mask;
        m_slot[at] = slots[old];
    }
}

void WideTable::reserve(std::size_t configs, std::size_t more) {
    const std::size_t wanted = roomFor(configs + more);
    if (wanted > capacity()) grow(wanted);
    m_freshLimit = (capacity() / 8 * 7 - configs) / m_fresh.size();
    m_numbered = configs;
    m_store.resize((configs + m_freshLimit * m_fresh.size()) * m_words);
}

void WideTable::number(std::uint32_t next, BigArray<std::uint64_t>& keys, ThreadTeam& /*team*/) {
    std::vector<std::uint32_t> order;
    for (Fresh& fresh : m_fresh) {
        order.insert(order.end(), fresh.slots.begin(), fresh.slots.end());
        fresh.slots.clear();
        fresh.used = 0;
    }
    std::ranges::sort(order, [this](std::uint32_t a, std::uint32_t b) {
        const std::uint64_t* x = stored(m_slot[a]);
        const std::uint64_t* y = stored(m_slot[b]);
        return std::lexicographical_compare(x, x + m_words, y, y + m_words);
    });
    const std::size_t old = keys.size();
    keys.resize(old + order.size() * m_words);
    for (std::size_t k = 0; k < order.size(); ++k) {
        std::uint64_t& entry = m_slot[order[k]];
        std::copy_n(stored(entry), m_words, &keys[old + k * m_words]);
        entry = (entry >> 32 << 32) | (std::uint64_t{next++} + 1);
    }
    m_store.resize(std::max(m_store.size(), keys.size()));
    std::copy_n(&keys[old], keys.size() - old, &m_store[old]);
}

void WideTable::forgetFresh() {
    for (Fresh& fresh : m_fresh) {
        for (const std::uint32_t slot : fresh.slots) m_slot[slot] = 0;
        fresh.slots.clear();
        fresh.used = 0;
    }
    grow(capacity() * 2);
}

}  // namespace orrery
