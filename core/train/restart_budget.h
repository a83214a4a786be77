#pragma once

#include <chrono>
#include <vector>

namespace orrery {

/// How often something may fail: so many times in ten minutes.
class RestartBudget {
public:
    explicit RestartBudget(int perTenMinutes) : m_most(perTenMinutes) {}
    /// Counts a failure. @return false if that was one too many
    bool take();

private:
    int m_most;
    std::vector<std::chrono::steady_clock::time_point> m_failures;
};

}  // namespace orrery
