#pragma once

#include <QString>
#include <span>

#include "widgets/imgui/trace_model.h"

namespace orrery {

/// Of a solve's table of spans.
struct WorkColumn {
    enum {
        kThread,
        kKind,
        kLevel,
        kBegin,
        kDuration,
        kBusy,
        kPhase1,
        kPhase2,
        kStates,
        kEntries,
        kRate
    };
};
std::span<const TraceColumn> workColumns();

/// "level 5", or "levels 5-9" where several were merged; empty without a level.
QString levelText(const SpanWork& work);
/// Graph entries a second; empty: none can be told.
QString rateText(const SpanWork& work);

}  // namespace orrery
