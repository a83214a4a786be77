#pragma once

#include <QColor>
#include <QString>

#include "core/empo/stage_spans.h"

namespace orrery {

struct Tokens;

/// "collect", "forward", "act", "hand over", ...: what a thread does, for people.
QString spanName(SpanKind kind);
/// The colour of its pieces; of idle ones that of the slanting lines they are drawn with.
QColor spanColor(SpanKind kind, const Tokens& t);

}  // namespace orrery
