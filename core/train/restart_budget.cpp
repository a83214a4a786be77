#include "core/train/restart_budget.h"

namespace orrery {

bool RestartBudget::take() {
    const auto now = std::chrono::steady_clock::now();
    std::erase_if(m_failures, [now](auto at) { return now - at > std::chrono::minutes(10); });
    m_failures.push_back(now);
    return std::ssize(m_failures) <= m_most;
}

}  // namespace orrery
