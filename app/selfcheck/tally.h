#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace orrery {

/// How far two numbers may differ: |a - b| <= relative * max(|a|, |b|) + absolute.
struct Tolerance {
    double relative = 0;
    double absolute = 0;

    /// Equal infinities agree; a NaN agrees with nothing.
    bool accepts(double a, double b) const;
};

/// Counts the values that a verification compares and hands out one line for each that differs.
/// Used by one thread.
class Tally {
public:
    explicit Tally(std::function<void(const std::string& line)> report)
        : m_report(std::move(report)) {}

    /// Each compares one value and returns whether it agrees. `where` names the value in the file.
    bool number(const std::string& where, double inFile, double computed, Tolerance tolerance);
    bool text(const std::string& where, const std::string& inFile, const std::string& computed);
    bool truth(const std::string& where, bool inFile, bool computed);

    /// One failure that is no comparison: a missing section, a state that does not exist.
    void fail(const std::string& where, const std::string& what);
    /// A line that is neither success nor failure.
    void note(const std::string& where, const std::string& what);

    std::int64_t passed() const { return m_passed; }
    std::int64_t failed() const { return m_failed; }
    std::int64_t compared() const { return m_compared; }

private:
    bool count(bool agrees, const std::string& where, const std::string& inFile,
               const std::string& computed);

    std::function<void(const std::string&)> m_report;
    std::int64_t m_passed = 0;
    std::int64_t m_failed = 0;    // differing values and failures that are no comparison
    std::int64_t m_compared = 0;  // values, equal or not
};

}  // namespace orrery
