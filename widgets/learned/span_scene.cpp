#include "widgets/learned/span_scene.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace orrery {

namespace {

constexpr double kLeastViewNs = 1000;  ///< the shortest time that fills the view
constexpr double kLeastLane = 24, kMostLane = 180;
constexpr double kLeastStep = 8;  ///< pixels

}  // namespace

void SpanScene::setTimeline(std::shared_ptr<const SpanTimeline> timeline) {
    m_timeline = std::move(timeline);
    if (m_showsAll) fit();
    scrollBy(0);
}

SpanRange SpanScene::whole() const {
    SpanRange all;
    for (int i = 0; i < numLanes(); ++i) {
        const SpanRange own = wholeOf(laneAt(i));
        if (i == 0 || own.beginNs < all.beginNs) all.beginNs = own.beginNs;
        all.endNs = std::max(all.endNs, own.endNs);
    }
    return all;
}

SpanRange SpanScene::view() const {
    return {static_cast<std::int64_t>(m_begin), static_cast<std::int64_t>(m_end)};
}

void SpanScene::fit() {
    const SpanRange all = whole();
    m_begin = static_cast<double>(all.beginNs);
    m_end = std::max(static_cast<double>(all.endNs), m_begin + kLeastViewNs);
    m_showsAll = true;
}

void SpanScene::clamp() {
    const SpanRange all = whole();
    const double length = std::max(static_cast<double>(all.lengthNs()), kLeastViewNs);
    const double shown = std::clamp(m_end - m_begin, std::min(kLeastViewNs, length), length);
    const auto first = static_cast<double>(all.beginNs);
    m_begin = std::clamp(m_begin, first, first + length - shown);
    m_end = m_begin + shown;
    m_showsAll = shown >= length;
}

void SpanScene::show(double beginNs, double endNs) {
    m_begin = beginNs;
    m_end = std::max(endNs, beginNs + kLeastViewNs);
    clamp();
}

void SpanScene::zoomAt(double factor, double x) {
    const double fixed = nsAt(x), length = std::max(kLeastViewNs, (m_end - m_begin) / factor);
    const double share = (fixed - m_begin) / (m_end - m_begin);
    show(fixed - share * length, fixed + (1 - share) * length);
}

void SpanScene::panBy(double pixels) {
    const double ns = pixels / plot().width() * (m_end - m_begin);
    show(m_begin + ns, m_end + ns);
}

void SpanScene::scrollBy(double pixels) {
    if (numLanes() == 0) return;
    const double all = lane(numLanes() - 1).bottom() - lane(0).top();
    m_scroll = std::clamp(m_scroll + pixels, 0.0, std::max(0.0, all - plot().height()));
}

QRectF SpanScene::plot() const {
    const double top = kOverview + kAxis;
    return {kHead, top, std::max(10.0, m_size.width() - kHead - kRight),
            std::max(10.0, m_size.height() - top - kLegend)};
}

QRectF SpanScene::overview() const {
    return {kHead, 6, plot().width(), kOverview - 12};
}

QRectF SpanScene::axis() const {
    return {kHead, kOverview, plot().width(), kAxis};
}

QRectF SpanScene::lane(int lane) const {
    const QRectF area = plot();
    const double pitch =
        std::clamp((area.height() - kSteps) / std::max(1, numLanes()), kLeastLane, kMostLane);
    const double top = area.top() - m_scroll + (lane > 0 ? kSteps + lane * pitch : 0);
    return {area.left(), top, area.width(), lane > 0 ? pitch : pitch + kSteps};
}

QRectF SpanScene::body(int lane) const {
    return this->lane(lane).adjusted(0, lane > 0 ? 3 : kSteps + 2, 0, -3);
}

double SpanScene::lanesBottom() const {
    const double all = plot().bottom();
    return isEmpty() ? all : std::min(all, lane(numLanes() - 1).bottom());
}

QRectF SpanScene::legend() const {
    return {0, lanesBottom(), m_size.width(), kLegend};
}

double SpanScene::xOf(double ns) const {
    const QRectF area = plot();
    return area.left() + (ns - m_begin) / (m_end - m_begin) * area.width();
}

double SpanScene::nsAt(double x) const {
    const QRectF area = plot();
    return m_begin + (x - area.left()) / area.width() * (m_end - m_begin);
}

double SpanScene::overviewX(double ns) const {
    SpanScene all = *this;
    all.fit();
    return all.xOf(ns);
}

double SpanScene::overviewNs(double x) const {
    SpanScene all = *this;
    all.fit();
    return all.nsAt(x);
}

bool SpanScene::isWide(const SpanBurst& burst) const {
    const double pixels =
        static_cast<double>(burst.endNs() - burst.beginNs()) / (m_end - m_begin) * plot().width();
    return pixels >=
           kLeastStep * static_cast<double>(std::max<std::size_t>(1, burst.stepEnds.size()));
}

std::vector<SpanScene::Box> SpanScene::boxes(int lane) const {
    std::vector<Box> boxes;
    if (lane >= numLanes()) return boxes;
    const auto& bursts = laneAt(lane).bursts;
    const auto isBefore = [this](const auto& burst) {
        return static_cast<double>(burst->endNs()) <= m_begin;
    };
    const auto first = std::ranges::partition_point(bursts, isBefore);
    for (auto b = first; b != bursts.end(); ++b) {
        const SpanBurst& burst = **b;
        if (static_cast<double>(burst.beginNs()) >= m_end) break;
        if (!isWide(burst)) continue;
        Place place{.lane = lane, .burst = static_cast<int>(b - bursts.begin())};
        for (std::size_t i = 0; i < burst.spans.size(); ++i) {
            const StageSpan& span = burst.spans[i];
            if (static_cast<double>(span.endNs()) <= m_begin) continue;
            if (static_cast<double>(span.beginNs()) >= m_end) break;
            place.span = static_cast<int>(i);
            const double left = xOf(static_cast<double>(span.beginNs()));
            const double right = xOf(static_cast<double>(span.endNs()));
            if (right - left < 1 && !boxes.empty() && right - boxes.back().left <= 1) {
                Box& last = boxes.back();
                if (span.lengthNs() > spanAt(last.place).lengthNs()) last.place = place;
                continue;
            }
            boxes.push_back({left, std::max(right, left + 1), place});
        }
    }
    return boxes;
}

int SpanScene::laneUnder(const QPointF& point) const {
    if (!plot().contains(point)) return -1;
    for (int i = 0; i < numLanes(); ++i)
        if (lane(i).contains(point)) return i;
    return -1;
}

std::optional<SpanScene::Place> SpanScene::spanUnder(const QPointF& point) const {
    const int at = laneUnder(point);
    if (at < 0) return std::nullopt;
    for (const Box& box : boxes(at))
        if (point.x() >= box.left - 0.5 && point.x() <= box.right + 0.5) return box.place;
    return std::nullopt;
}

const SpanBin* SpanScene::binUnder(const QPointF& point) const {
    const int at = laneUnder(point);
    if (at < 0) return nullptr;
    const double ns = nsAt(point.x());
    for (const SpanBin& bin : laneAt(at).bins)
        if (ns >= static_cast<double>(bin.beginNs) && ns < static_cast<double>(bin.endNs))
            return &bin;
    return nullptr;
}

SpanScene::StepOfSpan SpanScene::stepOf(const Place& place) const {
    const SpanBurst& burst = burstAt(place);
    const auto end =
        std::ranges::upper_bound(burst.stepEnds, static_cast<std::uint32_t>(place.span));
    const auto number = end - burst.stepEnds.begin();
    StepOfSpan found{.step = burst.firstStep + number};
    if (end == burst.stepEnds.end() || (number == 0 && burst.isFirstPartial)) return found;
    const std::size_t first =
        number == 0 ? 0 : burst.stepEnds[static_cast<std::size_t>(number - 1)];
    found.lengthNs = burst.spans[*end - 1].endNs() - burst.spans[first].beginNs();
    return found;
}

double SpanScene::tickNs(double pixels) const {
    const double least = pixels / plot().width() * (m_end - m_begin);
    const double power = std::pow(10, std::floor(std::log10(std::max(least, 1e-3))));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least) return factor * power;
    return 10 * power;
}

}  // namespace orrery
