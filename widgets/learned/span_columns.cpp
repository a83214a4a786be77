#include "widgets/learned/span_columns.h"

#include "widgets/common/number_text.h"
#include "widgets/imgui/trace_text.h"

namespace orrery {

namespace {

/// "1.5200 ms" of ns.
QString millisecondsText(std::int64_t ns) {
    return QStringLiteral("%1 ms").arg(QString::number(static_cast<double>(ns) * 1e-6, 'f', 4));
}

}  // namespace

std::span<const TraceColumn> spanColumns() {
    using T = SpanTimeline;
    using P = SpanPlace;
    static const TraceColumn kColumns[] = {
        {QT_TRANSLATE_NOOP("TraceModel", "thread"), true,
         [](const T& t, const P& at) { return QString::fromStdString(t.laneAt(at.lane).name); }},
        {QT_TRANSLATE_NOOP("TraceModel", "step"), false,
         [](const T& t, const P& at) { return countText(t.stepOf(at).step); }},
        {QT_TRANSLATE_NOOP("TraceModel", "stage"), true,
         [](const T& t, const P& at) {
             return spanPlainName(wordsOf(t.words, t.spanAt(at).kind()));
         }},
        {QT_TRANSLATE_NOOP("TraceModel", "begin"), false,
         [](const T& t, const P& at) { return millisecondsText(t.spanAt(at).beginNs()); }},
        {QT_TRANSLATE_NOOP("TraceModel", "duration"), false,
         [](const T& t, const P& at) { return millisecondsText(t.spanAt(at).lengthNs()); }},
        {QT_TRANSLATE_NOOP("TraceModel", "share of step"), false,
         [](const T& t, const P& at) {
             const auto whole = static_cast<double>(t.stepOf(at).lengthNs);
             return whole > 0 ? percentText(static_cast<double>(t.spanAt(at).lengthNs()) / whole)
                              : QStringLiteral("–");
         }},
    };
    return kColumns;
}

}  // namespace orrery
