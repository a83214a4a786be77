#include "widgets/imgui/work_scene.h"

#include <QStringList>
#include <algorithm>
#include <cmath>

namespace orrery {

namespace {

constexpr double kLeastNs = 1000;  ///< the shortest time that fills the view
constexpr double kLeastLane = 22, kMostLane = 180;

}  // namespace

QString phaseName(WorkPhase phase) {
    switch (phase) {
        case WorkPhase::Load:
            return QStringLiteral("load");
        case WorkPhase::Explore:
            return QStringLiteral("explore");
        case WorkPhase::Store:
            return QStringLiteral("store");
        case WorkPhase::Phase1:
            return QStringLiteral("phase 1");
        case WorkPhase::Phase2:
            break;
    }
    return QStringLiteral("phase 2");
}

int colorIndexOf(WorkPhase phase) {
    constexpr std::array<int, kNumWorkPhases> kIndices{3, 6, 4, 0, 2};
    return kIndices[static_cast<std::size_t>(phase)];
}

void WorkScene::setTimeline(std::shared_ptr<const WorkTimeline> timeline) {
    m_timeline = std::move(timeline);
    m_laneBegin.clear();
    if (!m_timeline) return;
    std::size_t at = 0;
    for (int thread = 0; thread < m_timeline->threads; ++thread) {
        m_laneBegin.push_back(at);
        while (at < m_timeline->intervals.size() && m_timeline->intervals[at].thread == thread)
            ++at;
    }
    m_laneBegin.push_back(at);
    if (m_showsAll) fit();
}

void WorkScene::fit() {
    m_begin = 0;
    m_end = kLeastNs;
    if (m_timeline) {
        // From the first work to the last; a timeline that is looked at later has not grown.
        for (std::size_t i = 0; i < m_timeline->intervals.size(); ++i) {
            const auto begin = static_cast<double>(m_timeline->intervals[i].beginNs);
            m_begin = i == 0 ? begin : std::min(m_begin, begin);
            m_end = std::max(m_end, static_cast<double>(m_timeline->intervals[i].endNs));
        }
        m_end = std::max(m_end, m_begin + kLeastNs);
    }
    m_showsAll = true;
}

void WorkScene::clamp() {
    WorkScene whole = *this;
    whole.fit();
    const double all = whole.m_end - whole.m_begin;
    const double length = std::clamp(m_end - m_begin, std::min(kLeastNs, all), all);
    m_begin = std::clamp(m_begin, whole.m_begin, whole.m_end - length);
    m_end = m_begin + length;
    m_showsAll = length >= all;
}

void WorkScene::show(double beginNs, double endNs) {
    m_begin = beginNs;
    m_end = std::max(endNs, beginNs + kLeastNs);
    clamp();
}

void WorkScene::zoomAt(double factor, double x) {
    const double fixed = nsAt(x), length = (m_end - m_begin) / factor;
    const double share = (fixed - m_begin) / (m_end - m_begin);
    show(fixed - share * length, fixed + (1 - share) * length);
}

void WorkScene::panBy(double pixels) {
    const double ns = pixels / plot().width() * (m_end - m_begin);
    show(m_begin + ns, m_end + ns);
}

void WorkScene::reveal(int level) {
    std::optional<Span> span = spanOf(level, WorkKind::Solve);
    if (!span) span = spanOf(level, WorkKind::Explore);
    if (!span) return;
    const auto begin = static_cast<double>(span->beginNs), end = static_cast<double>(span->endNs);
    if (begin < m_end && end > m_begin) return;
    const double half = std::max((m_end - m_begin) / 2, (end - begin));
    show((begin + end) / 2 - half, (begin + end) / 2 + half);
}

QRectF WorkScene::plot() const {
    const double top = kOverview + kAxis;
    return {kHead, top, std::max(10.0, m_size.width() - kHead - kRight),
            std::max(10.0, m_size.height() - top - kLegend)};
}

QRectF WorkScene::overview() const {
    return {kHead, 6, plot().width(), kOverview - 12};
}

QRectF WorkScene::lane(int thread) const {
    const QRectF area = plot();
    const double pitch = std::clamp(area.height() / std::max(1, numLanes()), kLeastLane, kMostLane);
    return {area.left(), area.top() + thread * pitch, area.width(), pitch};
}

double WorkScene::lanesBottom() const {
    const double all = plot().bottom();
    return numLanes() == 0 ? all : std::min(all, lane(numLanes() - 1).bottom());
}

QRectF WorkScene::legend() const {
    return {0, lanesBottom(), m_size.width(), kLegend};
}

double WorkScene::xOf(double ns) const {
    const QRectF area = plot();
    return area.left() + (ns - m_begin) / (m_end - m_begin) * area.width();
}

double WorkScene::nsAt(double x) const {
    const QRectF area = plot();
    return m_begin + (x - area.left()) / area.width() * (m_end - m_begin);
}

double WorkScene::overviewX(double ns) const {
    WorkScene whole = *this;
    whole.fit();
    return whole.xOf(ns);
}

double WorkScene::overviewNs(double x) const {
    WorkScene whole = *this;
    whole.fit();
    return whole.nsAt(x);
}

std::size_t WorkScene::firstAfter(int thread, double ns) const {
    const auto [begin, end] = laneRange(thread);
    const auto& all = m_timeline->intervals;
    const auto found = std::lower_bound(
        all.begin() + static_cast<std::ptrdiff_t>(begin),
        all.begin() + static_cast<std::ptrdiff_t>(end), ns,
        [](const WorkInterval& i, double at) { return static_cast<double>(i.endNs) <= at; });
    return static_cast<std::size_t>(found - all.begin());
}

std::vector<WorkScene::Box> WorkScene::boxes(int thread) const {
    std::vector<Box> boxes;
    if (!m_timeline) return boxes;
    const auto& all = m_timeline->intervals;
    const std::size_t end = laneRange(thread).second;
    for (std::size_t i = firstAfter(thread, m_begin); i < end; ++i) {
        const WorkInterval& interval = all[i];
        if (static_cast<double>(interval.beginNs) >= m_end) break;
        const double left = xOf(static_cast<double>(interval.beginNs));
        const double right = xOf(static_cast<double>(interval.endNs));
        const bool isNarrow = right - left < 1;
        if (isNarrow && !boxes.empty() && boxes.back().right - boxes.back().left <= 1 &&
            right - boxes.back().left <= 1) {
            Box& last = boxes.back();
            ++last.numIntervals;
            if (interval.busyNs > all[static_cast<std::size_t>(last.interval)].busyNs)
                last.interval = static_cast<int>(i);
            continue;
        }
        boxes.push_back({left, std::max(right, left + 1), static_cast<int>(i), 1});
    }
    return boxes;
}

std::optional<int> WorkScene::intervalAt(const QPointF& point) const {
    if (isEmpty() || point.x() < plot().left() || point.x() > plot().right()) return std::nullopt;
    for (int thread = 0; thread < numLanes(); ++thread) {
        if (!lane(thread).contains(point)) continue;
        for (const Box& box : boxes(thread))
            if (point.x() >= box.left - 0.5 && point.x() <= box.right + 0.5) return box.interval;
    }
    return std::nullopt;
}

double WorkScene::busyShare(int thread) const {
    if (!m_timeline) return 0;
    double busy = 0;
    const std::size_t end = laneRange(thread).second;
    for (std::size_t i = firstAfter(thread, m_begin); i < end; ++i) {
        const WorkInterval& interval = m_timeline->intervals[i];
        const double from = std::max(m_begin, static_cast<double>(interval.beginNs));
        const double to = std::min(m_end, static_cast<double>(interval.endNs));
        if (to <= from) break;
        const double length = static_cast<double>(interval.endNs - interval.beginNs);
        busy += (to - from) * (length > 0 ? static_cast<double>(interval.busyNs) / length : 1);
    }
    return std::clamp(busy / (m_end - m_begin), 0.0, 1.0);
}

std::optional<WorkScene::Span> WorkScene::spanOf(int level, WorkKind kind) const {
    std::optional<Span> span;
    if (!m_timeline) return span;
    for (const WorkInterval& interval : m_timeline->intervals) {
        if (interval.kind != kind || !interval.holds(level)) continue;
        if (!span) span = Span{interval.beginNs, interval.endNs, 0, 0};
        span->beginNs = std::min(span->beginNs, interval.beginNs);
        span->endNs = std::max(span->endNs, interval.endNs);
        span->busyNs += interval.busyNs;
        span->states += interval.states;
    }
    return span;
}

double WorkScene::tickNs(double pixels) const {
    const double least = pixels / plot().width() * (m_end - m_begin);
    const double power = std::pow(10, std::floor(std::log10(std::max(least, 1e-3))));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least) return factor * power;
    return 10 * power;
}

QString spanText(double ns) {
    const double size = std::abs(ns);
    const auto text = [](double value, const QString& unit) {
        const int decimals = std::abs(value) >= 100 ? 0 : std::abs(value) >= 10 ? 1 : 2;
        return QString::number(value, 'f', decimals) + u' ' + unit;
    };
    if (size >= 1e9) return text(ns * 1e-9, QStringLiteral("s"));
    if (size >= 1e6) return text(ns * 1e-6, QStringLiteral("ms"));
    if (size >= 1e3) return text(ns * 1e-3, QStringLiteral("µs"));
    return QString::number(ns, 'f', 0) + QStringLiteral(" ns");
}

QString tickText(double ns) {
    if (ns == 0) return QStringLiteral("0");
    QStringList parts = spanText(ns).split(u' ');
    QString& number = parts.front();
    while (number.contains(u'.') && (number.endsWith(u'0') || number.endsWith(u'.'))) {
        const bool isPoint = number.endsWith(u'.');
        number.chop(1);
        if (isPoint) break;
    }
    return parts.join(u' ');
}

}  // namespace orrery
