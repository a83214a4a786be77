#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

namespace orrery::test {

/// When a process told how many points of its curves, in a file that outlives a kill. One process
/// notes, others read once it is dead. All times are of the steady clock, which they share.
class StepClock {
public:
    static constexpr std::int64_t kMost = 1 << 20;

    /// @param file   made if it does not exist; empty: nothing is noted
    /// @param isNew  what another process noted before is forgotten
    StepClock(const std::string& file, bool isNew) {
        if (file.empty()) return;
        // Not by openFile, whose faults are others' business.
        const int descriptor =
            ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | (isNew ? O_TRUNC : 0), 0600);
        if (descriptor < 0) return;
        if (::ftruncate(descriptor, sizeof(Table)) == 0) {
            void* const place =
                ::mmap(nullptr, sizeof(Table), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
            if (place != MAP_FAILED) m_table = static_cast<Table*>(place);
        }
        ::close(descriptor);
    }
    ~StepClock() {
        if (m_table != nullptr) ::munmap(m_table, sizeof(Table));
    }
    StepClock(const StepClock&) = delete;
    StepClock& operator=(const StepClock&) = delete;

    static std::int64_t now() {
        return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
    }

    /// @param since  no point beyond those noted before was told before this time
    void note(std::int64_t since, std::int64_t points) {
        const std::int64_t count = m_table == nullptr ? kMost : m_table->count.load();
        if (count >= kMost) return;
        m_table->entries[count] = {since, points};
        m_table->count.store(count + 1);
    }

    /// What a process that died at `end` had told beyond `kept` points.
    struct Loss {
        std::int64_t points = 0;
        double seconds = 0;  ///< the age of the oldest of them, at most
    };
    Loss lossBeyond(std::int64_t kept, std::int64_t end) const {
        const std::int64_t count = m_table == nullptr ? 0 : m_table->count.load();
        for (std::int64_t i = 0; i < count; ++i)
            if (m_table->entries[i].points > kept)
                return {m_table->entries[count - 1].points - kept,
                        static_cast<double>(end - m_table->entries[i].since) * 1e-9};
        return {};
    }
    std::int64_t points() const {
        const std::int64_t count = m_table == nullptr ? 0 : m_table->count.load();
        return count == 0 ? 0 : m_table->entries[count - 1].points;
    }

private:
    struct Entry {
        std::int64_t since, points;
    };
    struct Table {
        std::atomic<std::int64_t> count;
        Entry entries[kMost];
    };
    Table* m_table = nullptr;
};

}  // namespace orrery::test
