#include "core/history/quick_check.h"

#include "core/base/text.h"

namespace orrery {

std::string quickCheck(Database& database, std::chrono::milliseconds budget) {
    using Clock = std::chrono::steady_clock;
    constexpr int kInstructionsBetweenLooks = 10'000;
    Clock::time_point deadline = Clock::now() + budget;
    sqlite3_progress_handler(
        database.handle(), kInstructionsBetweenLooks,
        [](void* end) { return Clock::now() > *static_cast<Clock::time_point*>(end) ? 1 : 0; },
        &deadline);
    std::string damage;
    try {
        damage = database.text("PRAGMA quick_check(1)");
        if (damage == "ok") damage.clear();
    } catch (const DatabaseError& e) {
        const bool outOfTime = Clock::now() > deadline && e.fault() == DbFault::Busy;
        if (e.fault() == DbFault::Corrupt) damage = e.what();
        sqlite3_progress_handler(database.handle(), 0, nullptr, nullptr);
        if (!outOfTime && damage.empty()) throw;
    }
    sqlite3_progress_handler(database.handle(), 0, nullptr, nullptr);
    return escaped(damage);
}

}  // namespace orrery
