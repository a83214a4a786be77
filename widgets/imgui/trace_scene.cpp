#include "widgets/imgui/trace_scene.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace orrery {

namespace {

constexpr double kLeastViewNs = 1000;  ///< the shortest time that fills the view
constexpr double kMostLane = 180;
constexpr double kLeastStep = 8;  ///< pixels

std::int64_t endOf(const std::shared_ptr<const SpanBurst>& burst) {
    return burst->endNs();
}

}  // namespace

void TraceScene::setTimeline(std::shared_ptr<const SpanTimeline> timeline) {
    m_timeline = std::move(timeline);
    if (m_showsAll) fit();
    scrollBy(0);
}

SpanRange TraceScene::whole() const {
    SpanRange all;
    for (int i = 0; i < numLanes(); ++i) {
        const SpanRange own = wholeOf(laneAt(i));
        if (own == SpanRange()) continue;
        all.beginNs = all == SpanRange() ? own.beginNs : std::min(all.beginNs, own.beginNs);
        all.endNs = std::max(all.endNs, own.endNs);
    }
    return all;
}

SpanRange TraceScene::view() const {
    return {static_cast<std::int64_t>(m_begin), static_cast<std::int64_t>(m_end)};
}

void TraceScene::fit() {
    const SpanRange all = whole();
    m_begin = static_cast<double>(all.beginNs);
    m_end = std::max(static_cast<double>(all.endNs), m_begin + kLeastViewNs);
    m_showsAll = true;
}

void TraceScene::clamp() {
    const SpanRange all = whole();
    const double length = std::max(static_cast<double>(all.lengthNs()), kLeastViewNs);
    const double shown = std::clamp(m_end - m_begin, std::min(kLeastViewNs, length), length);
    const auto first = static_cast<double>(all.beginNs);
    m_begin = std::clamp(m_begin, first, first + length - shown);
    m_end = m_begin + shown;
    m_showsAll = shown >= length;
}

void TraceScene::show(double beginNs, double endNs) {
    m_begin = beginNs;
    m_end = std::max(endNs, beginNs + kLeastViewNs);
    clamp();
}

void TraceScene::zoomAt(double factor, double x) {
    const double fixed = nsAt(x), length = std::max(kLeastViewNs, (m_end - m_begin) / factor);
    const double share = (fixed - m_begin) / (m_end - m_begin);
    show(fixed - share * length, fixed + (1 - share) * length);
}

void TraceScene::panBy(double pixels) {
    const double ns = pixels / plot().width() * (m_end - m_begin);
    show(m_begin + ns, m_end + ns);
}

void TraceScene::scrollBy(double pixels) {
    if (numLanes() == 0) return;
    const double all = lane(numLanes() - 1).bottom() - lane(0).top();
    m_scroll = std::clamp(m_scroll + pixels, 0.0, std::max(0.0, all - plot().height()));
}

QRectF TraceScene::plot() const {
    const double top = m_look.overview + m_look.axis;
    return {m_look.head, top, std::max(10.0, m_size.width() - m_look.head - kRight),
            std::max(10.0, m_size.height() - top - m_look.legend)};
}

QRectF TraceScene::overview() const {
    return {m_look.head, 6, plot().width(), m_look.overview - 12};
}

QRectF TraceScene::axis() const {
    return {m_look.head, m_look.overview, plot().width(), m_look.axis};
}

QRectF TraceScene::lane(int lane) const {
    const QRectF area = plot();
    const double pitch = std::clamp((area.height() - m_look.steps) / std::max(1, numLanes()),
                                    m_look.leastLane, kMostLane);
    const double top = area.top() - m_scroll + (lane > 0 ? m_look.steps + lane * pitch : 0);
    return {area.left(), top, area.width(), lane > 0 ? pitch : pitch + m_look.steps};
}

QRectF TraceScene::body(int lane) const {
    return this->lane(lane).adjusted(0, lane > 0 ? m_look.margin : m_look.firstMargin, 0,
                                     -m_look.margin);
}

double TraceScene::lanesBottom() const {
    const double all = plot().bottom();
    return numLanes() == 0 ? all : std::min(all, lane(numLanes() - 1).bottom());
}

QRectF TraceScene::legend() const {
    return {0, lanesBottom(), m_size.width(), m_look.legend};
}

double TraceScene::xOf(double ns) const {
    const QRectF area = plot();
    return area.left() + (ns - m_begin) / (m_end - m_begin) * area.width();
}

double TraceScene::nsAt(double x) const {
    const QRectF area = plot();
    return m_begin + (x - area.left()) / area.width() * (m_end - m_begin);
}

double TraceScene::overviewX(double ns) const {
    TraceScene all = *this;
    all.fit();
    return all.xOf(ns);
}

double TraceScene::overviewNs(double x) const {
    TraceScene all = *this;
    all.fit();
    return all.nsAt(x);
}

bool TraceScene::isWide(const SpanBurst& burst) const {
    const double pixels =
        static_cast<double>(burst.endNs() - burst.beginNs()) / (m_end - m_begin) * plot().width();
    return pixels >=
           kLeastStep * static_cast<double>(std::max<std::size_t>(1, burst.stepEnds.size()));
}

std::vector<TraceScene::Box> TraceScene::boxes(int lane) const {
    std::vector<Box> boxes;
    if (lane >= numLanes()) return boxes;
    const auto isBefore = [this](std::int64_t endNs) {
        return static_cast<double>(endNs) <= m_begin;
    };
    const auto& bursts = laneAt(lane).bursts;
    const auto first = std::ranges::partition_point(bursts, isBefore, &endOf);
    for (auto b = first; b != bursts.end(); ++b) {
        const SpanBurst& burst = **b;
        if (static_cast<double>(burst.beginNs()) >= m_end) break;
        if (!laneAt(lane).bins.empty() && !isWide(burst)) continue;
        SpanPlace place{.lane = lane, .burst = static_cast<int>(b - bursts.begin())};
        const auto from = std::ranges::partition_point(burst.spans, isBefore, &StageSpan::endNs);
        for (auto span = from; span != burst.spans.end(); ++span) {
            if (static_cast<double>(span->beginNs()) >= m_end) break;
            place.span = static_cast<int>(span - burst.spans.begin());
            const double left = xOf(static_cast<double>(span->beginNs()));
            const double right = xOf(static_cast<double>(span->endNs()));
            if (right - left < 1 && !boxes.empty() && right - boxes.back().left <= 1) {
                SpanPlace& last = boxes.back().place;
                if (m_timeline->busyNs(place) > m_timeline->busyNs(last)) last = place;
                continue;
            }
            boxes.push_back({left, std::max(right, left + 1), place});
        }
    }
    return boxes;
}

int TraceScene::laneUnder(const QPointF& point) const {
    if (!plot().contains(point)) return -1;
    for (int i = 0; i < numLanes(); ++i)
        if (lane(i).contains(point)) return i;
    return -1;
}

std::optional<SpanPlace> TraceScene::spanUnder(const QPointF& point) const {
    const int at = laneUnder(point);
    if (at < 0) return std::nullopt;
    for (const Box& box : boxes(at))
        if (point.x() >= box.left - 0.5 && point.x() <= box.right + 0.5) return box.place;
    return std::nullopt;
}

const SpanBin* TraceScene::binUnder(const QPointF& point) const {
    const int at = laneUnder(point);
    if (at < 0) return nullptr;
    const double ns = nsAt(point.x());
    for (const SpanBin& bin : laneAt(at).bins)
        if (ns >= static_cast<double>(bin.beginNs) && ns < static_cast<double>(bin.endNs))
            return &bin;
    return nullptr;
}

double TraceScene::tickNs(double pixels) const {
    const double least = pixels / plot().width() * (m_end - m_begin);
    const double power = std::pow(10, std::floor(std::log10(std::max(least, 1e-3))));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least) return factor * power;
    return 10 * power;
}

}  // namespace orrery
