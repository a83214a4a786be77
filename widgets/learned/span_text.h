#pragma once

#include <QColor>
#include <QString>

#include "core/empo/stage_spans.h"

namespace orrery {

struct Tokens;

/// "collect", "forward", "act", "hand over", ...: what a thread does, for people. "V_h^e" is to be
/// set as a symbol.
QString spanName(SpanKind kind);
/// The same where nothing can be set: "Vₕᵉ".
QString spanPlainName(SpanKind kind);
/// The colour of its pieces; of idle ones that of the slanting lines they are drawn with.
QColor spanColor(SpanKind kind, const Tokens& t);

}  // namespace orrery
