#pragma once

#include <span>

#include "widgets/imgui/trace_model.h"

namespace orrery {

/// Of a training's table of spans.
struct SpanColumn {
    enum { kThread, kStep, kStage, kBegin, kDuration, kShare };
};
std::span<const TraceColumn> spanColumns();

}  // namespace orrery
