#include "app/selfcheck/tally.h"

#include <algorithm>
#include <cmath>

#include "core/base/text.h"

namespace orrery {

bool Tolerance::accepts(double a, double b) const {
    if (a == b) return true;
    if (!std::isfinite(a) || !std::isfinite(b)) return false;
    return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b)) + absolute;
}

bool Tally::count(bool agrees, const std::string& where, const std::string& inFile,
                  const std::string& computed) {
    ++m_compared;
    if (agrees) {
        ++m_passed;
        return true;
    }
    ++m_failed;
    m_report(escaped(where) + ": the file has " + escaped(inFile) + ", Orrery has " +
             escaped(computed));
    return false;
}

bool Tally::number(const std::string& where, double inFile, double computed, Tolerance tolerance) {
    if (tolerance.accepts(inFile, computed)) return count(true, where, {}, {});
    return count(false, where, formatDouble(inFile), formatDouble(computed));
}

bool Tally::text(const std::string& where, const std::string& inFile, const std::string& computed) {
    return count(inFile == computed, where, inFile, computed);
}

bool Tally::truth(const std::string& where, bool inFile, bool computed) {
    return count(inFile == computed, where, inFile ? "true" : "false", computed ? "true" : "false");
}

void Tally::fail(const std::string& where, const std::string& what) {
    ++m_failed;
    m_report(escaped(where) + ": " + escaped(what));
}

void Tally::note(const std::string& where, const std::string& what) {
    m_report(escaped(where) + ": " + escaped(what));
}

}  // namespace orrery
