#pragma once

#include <QString>
#include <cstdint>

namespace orrery {

/// A value with a fixed number of decimals and U+2212 as minus: "−5.151". Values below 1e-4 in
/// magnitude (but not zero) and above 1e6 are written with an exponent: "−1.00e−10".
QString valueText(double value, int decimals = 3);

/// A count with thin spaces between thousands: "41 208".
QString countText(std::int64_t count);

/// A percentage without decimals, or with one below 10 %: "50 %", "2.5 %".
QString percentText(double probability);

/// "0.8 s", "12 s", "3 min 5 s", "2 h 10 min".
QString durationText(double seconds);

/// "212 MiB".
QString bytesText(std::int64_t bytes);

/// The letter that a word names: "beta" gives "β"; any other text is given back.
QString greekLetter(const QString& word);

/// A symbol such as "V_h^e" or "pi_r" as rich text: "V<sub>h</sub><sup>e</sup>", "π<sub>r</sub>".
QString symbolHtml(const QString& symbol);

}  // namespace orrery
