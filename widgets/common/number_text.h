#pragma once

#include <QString>
#include <cstdint>
#include <vector>

namespace orrery {

/// A value with a fixed number of decimals and U+2212 as minus: "−5.151". Values that would show
/// as zero and are not (below 0.0005 with three decimals), and those from 1e6 on, are written with
/// an exponent: "−1.00e−10".
QString valueText(double value, int decimals = 3);

/// A value with at least four significant digits, where values of all sizes stand side by side:
/// "−16.728", "0.02136", "0.0003123", "3.123e−05", "1204.5", "1.204e+06".
QString significantText(double value);

/// How all numbers of a column are written: alike, so that they can be compared.
struct NumberFormat {
    int decimals = 3;
    bool isScientific = false;
};

/// Fixed decimals, unless the largest of the values needs an exponent (see valueText): then all get
/// one. A value that is too small beside the others is written "<0.001". Infinite values and NaN
/// have no say.
NumberFormat columnFormat(const std::vector<double>& values, int decimals = 3);

/// A value of a column; and with its sign, as differences are written: "+0.031", "−1.200", "0.000".
QString valueText(double value, const NumberFormat& format);
QString signedText(double value, const NumberFormat& format);

/// A count with thin spaces between thousands: "41 208".
QString countText(std::int64_t count);

/// A text that wraps, with its numbers kept whole: Qt ends lines in the thin spaces of countText,
/// and in every other space but one.
QString unbroken(QString text);

/// A state's name, with its step: numbers count configurations, of which several steps may have the
/// same. "t 6, s 1 204".
QString stateText(int step, std::int64_t index);

/// A percentage without decimals, or with one below 10 %: "50 %", "2.5 %".
QString percentText(double probability);

/// "0.4 ms", "4 ms", "0.82 s", "12 s", "3 min 5 s", "2 h 10 min"; what is too short to be measured
/// is "0 s".
QString durationText(double seconds);

/// "212 MiB".
QString bytesText(std::int64_t bytes);

/// The letter that a word names: "beta" gives "β"; any other text is given back.
QString greekLetter(const QString& word);

/// A label in which words such as "V_h^e" and "zeta" are symbols where none are set: "Error of
/// Vₕᵉ", "ζ"; names such as "batch_rate" are left as they are.
QString plainSymbol(const QString& text);

/// A symbol such as "V_h^e" or "pi_r" as rich text: "V<sub>h</sub><sup>e</sup>", "π<sub>r</sub>".
QString symbolHtml(const QString& symbol);

/// A label in which words such as "V_h^e" are set as symbols; rich text.
QString wordsHtml(const QString& text);

}  // namespace orrery
