#pragma once

#include <QColor>
#include <QString>

#include "core/trace/stage_spans.h"

namespace orrery {

struct Tokens;

/// What a thread does, for people; "V_h^e" is to be set as a symbol.
QString spanName(const SpanWords& words);
/// The same where nothing can be set: "Vₕᵉ".
QString spanPlainName(const SpanWords& words);
/// The colour of its pieces; of idle ones that of the slanting lines they are drawn with.
QColor spanColor(const SpanWords& words, const Tokens& t);

/// "Learner", "Actor 0".
QString laneTitle(const SpanLane& lane);

/// "1.24 s", "3.2 ms", "850 µs": three digits.
QString spanText(double ns);
inline QString spanText(std::int64_t ns) {
    return spanText(static_cast<double>(ns));
}
/// The same without zeros at the end, for ticks, which are round: "0", "2.5 ms".
QString tickText(double ns);

}  // namespace orrery
