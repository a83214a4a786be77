// What a TraceCanvas draws.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "widgets/common/number_text.h"
#include "widgets/common/tokens.h"
#include "widgets/imgui/gui_draw.h"
#include "widgets/imgui/gui_words.h"
#include "widgets/imgui/trace_canvas.h"
#include "widgets/imgui/trace_text.h"

namespace orrery {

using namespace gui;  // NOLINT(google-build-using-namespace)

namespace {

constexpr double kPale = 0.38;
constexpr double kLong = 2.5;  ///< times the median: marked in the strip

double stepNs(const SpanBin& bin) {
    return bin.steps > 0
               ? static_cast<double>(bin.endNs - bin.beginNs) / static_cast<double>(bin.steps)
               : 0;
}

}  // namespace

void TraceCanvas::drawGui() {
    m_scene.resize(size());
    handlePointer();
    const Tokens& t = currentTokens();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    drawOverview(list, t);
    drawAxis(list, t);
    const QRectF plot = m_scene.plot();
    list.PushClipRect(at(0, plot.top()), at(width(), plot.bottom()), true);
    for (int lane = 0; lane < m_scene.numLanes(); ++lane) drawLane(list, t, lane);
    list.PopClipRect();
    drawMarks(list, t);
    drawLegend(list, t);
    if (hasFocus()) outline(list, QRectF(rect()).adjusted(1, 1, -1, -1), packed(t.accent), 2);
}

void TraceCanvas::drawOverview(ImDrawList& list, const Tokens& t) const {
    fillRect(list, QRectF(0, 0, width(), m_scene.look().overview), packed(t.panel));
    list.AddLine(at(0, m_scene.look().overview), at(width(), m_scene.look().overview),
                 packed(t.border));
    if (m_scene.isEmpty()) return;
    drawStrip(list, t);
    if (m_scene.showsAll()) return;
    const SpanRange view = m_scene.view();
    const double left = m_scene.overviewX(static_cast<double>(view.beginNs));
    const double right = std::max(left + 3, m_scene.overviewX(static_cast<double>(view.endNs)));
    const QRectF window(left, 3, right - left, m_scene.look().overview - 6);
    fillRect(list, window, packed(t.accent, 0.25), 3);
    outline(list, window, packed(t.accent), 1.5, 3);
}

void TraceCanvas::drawStrip(ImDrawList& list, const Tokens& t) const {
    const QRectF strip = m_scene.overview();
    const auto& bins = m_scene.laneAt(0).bins;
    std::vector<double> times;
    for (const SpanBin& bin : bins)
        if (bin.steps > 0) times.push_back(stepNs(bin));
    std::ranges::sort(times);
    const double median = times.empty() ? 0 : times[times.size() / 2];
    const double most = times.empty() ? 0 : std::min(times.back(), 4 * median);
    drawText(list, fonts().body, 16, strip.top() - 1, packed(t.text),
             spanText(m_scene.whole().lengthNs()));
    drawText(list, fonts().label, 16, strip.top() + 15, packed(t.text3), tr("step time"));
    const QString top = tr("to %1").arg(spanText(most));
    drawText(list, fonts().number, 16, strip.top() + 28, packed(t.text3), top);
    for (const SpanBin& bin : bins) {
        if (bin.steps == 0 || most <= 0) continue;
        const double high = std::min(1.0, stepNs(bin) / most) * strip.height();
        const double left = m_scene.overviewX(static_cast<double>(bin.beginNs));
        const double wide = m_scene.overviewX(static_cast<double>(bin.endNs)) - left;
        fillRect(
            list,
            QRectF(left, strip.bottom() - high, std::max(1.0, wide - (wide > 3 ? 1 : 0)), high),
            packed(stepNs(bin) > kLong * median ? t.warning : t.data[0]));
    }
}

void TraceCanvas::drawAxis(ImDrawList& list, const Tokens& t) const {
    const QRectF plot = m_scene.plot();
    if (m_scene.isEmpty()) return;
    const double tick = m_scene.tickNs(m_scene.look().tick);
    const double bottom = m_scene.lanesBottom();
    const SpanRange view = m_scene.view();
    const QRectF words = chip();
    // From the left border where the view is short beside its place in the run.
    const bool isRelative =
        m_scene.look().isTickRelative && tick * 100 < static_cast<double>(view.beginNs);
    const double zero = isRelative ? static_cast<double>(view.beginNs) : 0;
    if (isRelative)
        drawText(list, fonts().number, 16, plot.top() - 19, packed(t.text3),
                 tr("at %1").arg(spanText(zero)));
    const double first =
        isRelative ? zero : std::ceil(static_cast<double>(view.beginNs) / tick) * tick;
    for (double ns = first; ns <= static_cast<double>(view.endNs); ns += tick) {
        const double x = m_scene.xOf(ns);
        list.AddLine(at(x, plot.top()), at(x, bottom), packed(t.chartGrid));
        const QString text =
            (isRelative && ns > zero ? QStringLiteral("+") : QString()) + tickText(ns - zero);
        const double wide = textWidth(fonts().number, text);
        const QRectF place(x - wide / 2 - 4, plot.top() - 19, wide + 8, 14);
        if (x + wide / 2 < plot.right() + TraceScene::kRight && !place.intersects(words))
            drawText(list, fonts().number, x - (isRelative && ns == zero ? 0 : wide / 2),
                     plot.top() - 19, packed(t.text3), text);
    }
    list.AddLine(at(plot.left(), plot.top()), at(plot.right(), plot.top()), packed(t.chartAxis));
}

void TraceCanvas::drawLane(ImDrawList& list, const Tokens& t, int lane) const {
    const QRectF all = m_scene.lane(lane), body = m_scene.body(lane);
    if (all.top() > m_scene.plot().bottom()) return;
    const bool isTall = body.height() >= m_scene.look().tallBody;
    drawText(list, fonts().body, 16,
             isTall ? body.top() + m_scene.look().nameTop : body.center().y() - 8, packed(t.text),
             laneTitle(m_scene.laneAt(lane)));
    const QString busy = tr("%1 % busy")
                             .arg(static_cast<int>(std::lround(
                                 100 * busyShare(m_scene.laneAt(lane), m_scene.view()))));
    if (isTall)
        drawText(list, fonts().label, 16, body.top() + m_scene.look().nameTop + 16, packed(t.text3),
                 busy);
    list.AddLine(at(0, all.bottom()), at(width(), all.bottom()), packed(t.border));
    list.PushClipRect(at(all.left(), std::max(all.top(), m_scene.plot().top())),
                      at(all.right(), std::min(all.bottom(), m_scene.plot().bottom())), true);
    if (lane == 0 && m_scene.look().steps > 0) drawSteps(list, t);
    drawBins(list, t, lane);
    for (const TraceScene::Box& box : m_scene.boxes(lane)) drawBox(list, t, body, box);
    list.PopClipRect();
}

void TraceCanvas::drawBins(ImDrawList& list, const Tokens& t, int lane) const {
    const QRectF body = m_scene.body(lane);
    const SpanRange view = m_scene.view();
    for (const SpanBin& bin : m_scene.laneAt(lane).bins) {
        if (bin.endNs <= view.beginNs || bin.beginNs >= view.endNs || bin.endNs <= bin.beginNs)
            continue;
        const double left = m_scene.xOf(static_cast<double>(bin.beginNs));
        const double wide = m_scene.xOf(static_cast<double>(bin.endNs)) - left;
        double bottom = body.bottom();
        for (int k = 0; k < kNumSpanKinds; ++k) {
            const auto kind = static_cast<SpanKind>(k);
            const double high = body.height() *
                                static_cast<double>(bin.ns[static_cast<std::size_t>(k)]) /
                                static_cast<double>(bin.endNs - bin.beginNs);
            if (high < 0.2) continue;
            if (!isIdle(kind))
                fillRect(list, QRectF(left, bottom - high, std::max(1.0, wide), high),
                         packed(mixed(t.canvas, spanColor(m_scene.wordsOf(kind), t), kPale)));
            bottom -= high;
        }
    }
}

void TraceCanvas::drawBox(ImDrawList& list, const Tokens& t, const QRectF& body,
                          const TraceScene::Box& box) const {
    const StageSpan& span = m_scene.spanAt(box.place);
    const double gap = box.right - box.left > 4 ? 1 : 0;
    const QRectF whole(box.left, body.top(), box.right - box.left - gap, body.height());
    const QRectF rect = whole.intersected(body.adjusted(-2, 0, 2, 0));
    if (rect.isEmpty()) return;
    const double rounding = rect.width() > 8 ? 2 : 0;
    const SpanWords& words = m_scene.wordsOf(span.kind());
    const QColor color = spanColor(words, t);
    // What lies below, of the bins, must not shine through.
    fillRect(list, rect, packed(isIdle(span.kind()) ? t.canvas : color), rounding);
    if (isIdle(span.kind())) hatch(list, rect, packed(color, 0.6));
    if (m_hovered && *m_hovered == box.place) outline(list, rect, packed(t.hover), 2, rounding);
    if (isIdle(span.kind()))
        drawBoxText(list, rect, spanName(words), 0, {t.text2, QColor()}, t.canvas);
    else
        drawBoxText(list, rect, spanName(words), span.lengthNs(), {textOn(color), textOn(color)});
}

bool TraceCanvas::drawBoxText(ImDrawList& list, const QRectF& rect, const QString& name,
                              std::int64_t lengthNs, const std::pair<QColor, QColor>& inks,
                              const QColor& behind) const {
    const double wide = wordsWidth(fonts().label, name);
    if (rect.width() < wide + 12 || rect.height() < 14) return false;
    const double y = rect.center().y() - 7;
    if (behind.isValid()) fillRect(list, QRectF(rect.left() + 3, y, wide + 6, 15), packed(behind));
    drawWords(list, fonts().label, rect.left() + 6, y, packed(inks.first), name);
    const QString time = spanText(lengthNs);
    const double timeWide = textWidth(fonts().number, time);
    if (inks.second.isValid() && rect.width() >= wide + timeWide + 28)
        drawText(list, fonts().number, rect.right() - timeWide - 6, y, packed(inks.second), time);
    return true;
}

void TraceCanvas::drawSteps(ImDrawList& list, const Tokens& t) const {
    const QRectF lane = m_scene.lane(0);
    for (const auto& burst : m_scene.laneAt(0).bursts) {
        std::size_t begin = 0;
        for (std::size_t k = 0; k < burst->stepEnds.size(); ++k) {
            const std::size_t end = burst->stepEnds[k], first = std::exchange(begin, end);
            if (end == first) continue;
            const auto from = static_cast<double>(burst->spans[first].beginNs());
            const auto to = static_cast<double>(burst->spans[end - 1].endNs());
            const double left = m_scene.xOf(from), right = m_scene.xOf(to);
            if (right < lane.left() || left > lane.right() || right - left < 6) continue;
            const QRectF rect(left, lane.top() + 1, right - left - 1, m_scene.look().steps - 2);
            fillRect(list, rect, packed(t.raised), 2);
            const double inner = std::max(left, lane.left());
            const QString name =
                tr("step %1").arg(countText(burst->firstStep + static_cast<std::int64_t>(k)));
            const double wide = textWidth(fonts().label, name);
            if (right - inner < wide + 10) continue;
            drawText(list, fonts().label, inner + 5, lane.top(), packed(t.text2), name);
            const QString time = spanText(to - from);
            const double timeWide = textWidth(fonts().number, time);
            if (right - inner > wide + timeWide + 24 && right <= lane.right())
                drawText(list, fonts().number, right - timeWide - 6, lane.top(), packed(t.text3),
                         time);
        }
    }
}

void TraceCanvas::drawMarks(ImDrawList& list, const Tokens& t) const {
    if (!m_scene.range() || m_scene.isEmpty()) return;
    const QRectF plot = m_scene.plot();
    const SpanRange range = *m_scene.range();
    const double left = m_scene.xOf(static_cast<double>(range.beginNs));
    const double right = m_scene.xOf(static_cast<double>(range.endNs));
    const QString text = spanText(range.lengthNs());
    const QRectF place = chipOf(range, textWidth(fonts().number, text), 23);
    if (place.isNull()) return;
    const double bottom = m_scene.lanesBottom();
    for (const auto& [from, to] : {std::pair(plot.left(), left), std::pair(right, plot.right())})
        if (to > from)
            fillRect(list,
                     QRectF(std::max(from, plot.left()), plot.top(),
                            std::min(to, plot.right()) - std::max(from, plot.left()),
                            bottom - plot.top()),
                     packed(t.canvas, 0.55));
    drawChip(list, t, range, 6, place, fonts().number, text);
}

QRectF TraceCanvas::chipOf(const SpanRange& stretch, double wide, double above) const {
    const QRectF plot = m_scene.plot();
    const double left = m_scene.xOf(static_cast<double>(stretch.beginNs));
    const double right = m_scene.xOf(static_cast<double>(stretch.endNs));
    if (right < plot.left() || left > plot.right()) return {};
    const double half = wide / 2 + 8;
    const double middle =
        std::clamp((std::max(left, plot.left()) + std::min(right, plot.right())) / 2,
                   plot.left() + half, plot.right() - half);
    return {middle - half, plot.top() - above, 2 * half, 18};
}

void TraceCanvas::drawChip(ImDrawList& list, const Tokens& t, const SpanRange& stretch,
                           double above, const QRectF& place, const ImFont* font,
                           const QString& text) const {
    const QRectF plot = m_scene.plot();
    for (const std::int64_t ns : {stretch.beginNs, stretch.endNs})
        if (const double x = m_scene.xOf(static_cast<double>(ns));
            x >= plot.left() && x <= plot.right())
            drawDashes(list, x, plot.top() - above, m_scene.lanesBottom(), packed(t.accent));
    fillRect(list, place, packed(t.currentRow), 5);
    outline(list, place, packed(t.accent), 1, 5);
    drawText(list, font, place.left() + 8, place.top() + 2, packed(t.text), text);
}

bool TraceCanvas::isInLegend(SpanKind kind) const {
    for (int lane = 0; lane < m_scene.numLanes(); ++lane)
        for (const SpanBin& bin : m_scene.laneAt(lane).bins)
            if (bin.ns[static_cast<std::size_t>(kind)] > 0) return true;
    return false;
}

double TraceCanvas::legendBegin(ImDrawList&, const Tokens&, double) const {
    return 16;
}

QString TraceCanvas::keysText() const {
    return tr("wheel zooms · drag pans · Shift drag marks a range · F8 table");
}

void TraceCanvas::drawLegend(ImDrawList& list, const Tokens& t) const {
    const TraceLook& look = m_scene.look();
    const double y = m_scene.legend().top() + look.legendTop;
    double x = legendBegin(list, t, y);
    if (m_scene.timeline())
        for (const SpanWords& words : m_scene.timeline()->words) {
            if (!isInLegend(words.kind)) continue;
            const QString name = spanName(words);
            const double wide = look.legendText + wordsWidth(fonts().label, name) + look.legendGap;
            if (x + wide > width()) return;
            const QRectF sample(x, y + 2, 11, 11);
            if (isIdle(words.kind))
                hatch(list, sample, packed(spanColor(words, t), 0.8));
            else
                fillRect(list, sample, packed(spanColor(words, t)), 2);
            drawWords(list, fonts().label, x + look.legendText, y, packed(t.text2), name);
            x += wide;
        }
    const QString keys = keysText();
    const double wide = textWidth(fonts().label, keys);
    if (x + wide + 16 < width())
        drawText(list, fonts().label, width() - wide - 16, y, packed(t.text3), keys);
}

}  // namespace orrery
