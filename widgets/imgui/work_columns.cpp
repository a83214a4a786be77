#include "widgets/imgui/work_columns.h"

#include "core/trace/work_trace.h"
#include "widgets/common/number_text.h"

namespace orrery {

namespace {

QString shortMs(std::int64_t ns) {
    return QString::number(static_cast<double>(ns) * 1e-6, 'f', 3);
}

QString shortMsOfSolve(const SpanTimeline& t, const SpanPlace& at, std::int64_t ns) {
    return t.spanAt(at).kind() == WorkKind::kSolve ? shortMs(ns) : QString();
}

QString levelsOf(const SpanWork& work) {
    return work.level == work.lastLevel
               ? QString::number(work.level)
               : QStringLiteral("%1–%2").arg(work.level).arg(work.lastLevel);
}

}  // namespace

std::span<const TraceColumn> workColumns() {
    using T = SpanTimeline;
    using P = SpanPlace;
    static const TraceColumn kColumns[] = {
        {QT_TRANSLATE_NOOP("TraceModel", "Thread"), false,
         [](const T&, const P& at) { return QString::number(at.lane); }},
        {QT_TRANSLATE_NOOP("TraceModel", "Work"), true,
         [](const T& t, const P& at) {
             return QString::fromStdString(wordsOf(t.words, t.spanAt(at).kind()).name);
         }},
        {QT_TRANSLATE_NOOP("TraceModel", "Level"), false,
         [](const T& t, const P& at) {
             return t.workAt(at).level < 0 ? QString() : levelsOf(t.workAt(at));
         }},
        {QT_TRANSLATE_NOOP("TraceModel", "Begin, ms"), false,
         [](const T& t, const P& at) { return shortMs(t.spanAt(at).beginNs()); }},
        {QT_TRANSLATE_NOOP("TraceModel", "Duration, ms"), false,
         [](const T& t, const P& at) { return shortMs(t.spanAt(at).lengthNs()); }},
        {QT_TRANSLATE_NOOP("TraceModel", "Busy, ms"), false,
         [](const T& t, const P& at) { return shortMs(t.workAt(at).busyNs); }},
        {QT_TRANSLATE_NOOP("TraceModel", "Phase 1, ms"), false,
         [](const T& t, const P& at) { return shortMsOfSolve(t, at, t.workAt(at).phase1Ns); }},
        {QT_TRANSLATE_NOOP("TraceModel", "Phase 2, ms"), false,
         [](const T& t, const P& at) {
             return shortMsOfSolve(t, at, t.workAt(at).busyNs - t.workAt(at).phase1Ns);
         }},
        {QT_TRANSLATE_NOOP("TraceModel", "States"), false,
         [](const T& t, const P& at) { return countText(t.workAt(at).states); }},
        {QT_TRANSLATE_NOOP("TraceModel", "Entries"), false,
         [](const T& t, const P& at) { return countText(t.workAt(at).entries); }},
        {QT_TRANSLATE_NOOP("TraceModel", "Entries/s"), false,
         [](const T& t, const P& at) { return rateText(t.workAt(at)); }},
    };
    return kColumns;
}

QString levelText(const SpanWork& work) {
    if (work.level < 0) return {};
    return (work.level == work.lastLevel ? QStringLiteral("level ") : QStringLiteral("levels ")) +
           levelsOf(work);
}

QString rateText(const SpanWork& work) {
    if (work.busyNs <= 0) return {};
    return countText(static_cast<std::int64_t>(static_cast<double>(work.entries) * 1e9 /
                                               static_cast<double>(work.busyNs)));
}

}  // namespace orrery
