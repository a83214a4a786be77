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

}  // namespace orrery
