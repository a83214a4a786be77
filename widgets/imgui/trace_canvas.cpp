#include "widgets/imgui/trace_canvas.h"

#include <imgui.h>

#include <QKeyEvent>
#include <algorithm>
#include <set>
#include <utility>

#include "widgets/common/number_text.h"
#include "widgets/imgui/gui_wheel.h"
#include "widgets/imgui/trace_text.h"

namespace orrery {

namespace {

constexpr double kDragPixels = 4, kKeyPan = 0.15, kKeyZoom = 1.4;

bool isPan(int key) {
    return key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_A || key == Qt::Key_D;
}

}  // namespace

TraceCanvas::TraceCanvas(QWidget* parent, const TraceLook& look)
    : ImGuiHost(parent), m_scene(look) {
    setObjectName(QStringLiteral("profileCanvas"));
    setAccessibleName(tr("Threads and stages over time"));
    setMinimumSize(280, 150);
}

void TraceCanvas::setTimeline(std::shared_ptr<const SpanTimeline> timeline) {
    m_hovered.reset();
    m_scene.setTimeline(std::move(timeline));
    requestFrame();
}

void TraceCanvas::fit() {
    m_scene.fit();
    requestFrame();
}

void TraceCanvas::zoomBy(double factor) {
    m_scene.zoomAt(factor, m_scene.plot().center().x());
    requestFrame();
}

void TraceCanvas::setRange(std::optional<SpanRange> range) {
    if (range == m_scene.range()) return;
    m_scene.setRange(range);
    requestFrame();
    Q_EMIT rangeChanged();
}

void TraceCanvas::resizeEvent(QResizeEvent* event) {
    ImGuiHost::resizeEvent(event);
    m_scene.resize(size());
    requestFrame();
}

void TraceCanvas::mouseDoubleClickEvent(QMouseEvent*) {
    fit();
}

void TraceCanvas::handlePointer() {
    const ImGuiIO& io = ImGui::GetIO();
    const QPointF pointer(static_cast<double>(io.MousePos.x), static_cast<double>(io.MousePos.y));
    const bool isInside = QRectF(rect()).contains(pointer);
    if (isInside) gui::followWheel(m_scene, pointer);
    const bool isDown = io.MouseDown[0];
    if (isDown && !m_wasPressed) {
        m_pressedAt = pointer;
        m_pressedNs = m_scene.nsAt(std::max(pointer.x(), m_scene.plot().left()));
        m_hasMoved = false;
        m_drag = pointer.y() < m_scene.look().overview ? Drag::Strip
                 : m_scene.look().hasRanges && (io.KeyShift || m_scene.axis().contains(pointer))
                     ? Drag::Range
                     : Drag::View;
    }
    if (isDown)
        drag(pointer,
             QPointF(static_cast<double>(io.MouseDelta.x), static_cast<double>(io.MouseDelta.y)));
    else if (m_wasPressed)
        release(pointer);
    m_wasPressed = isDown;
    const auto under = isInside && !isDown ? m_scene.spanUnder(pointer) : std::nullopt;
    if (std::exchange(m_hovered, under) != under) hoverChanged();
}

void TraceCanvas::drag(const QPointF& pointer, const QPointF& by) {
    m_hasMoved = m_hasMoved || (pointer - m_pressedAt).manhattanLength() > kDragPixels;
    if (m_drag == Drag::Strip) {
        const auto half = static_cast<double>(m_scene.view().lengthNs()) / 2;
        const double middle = m_scene.overviewNs(pointer.x());
        m_scene.show(middle - half, middle + half);
    } else if (m_drag == Drag::Range && m_hasMoved) {
        const QRectF plot = m_scene.plot();
        const double now = m_scene.nsAt(std::clamp(pointer.x(), plot.left(), plot.right()));
        m_scene.setRange(SpanRange{static_cast<std::int64_t>(std::min(now, m_pressedNs)),
                                   static_cast<std::int64_t>(std::max(now, m_pressedNs))});
    } else if (m_drag == Drag::View && m_hasMoved) {
        m_scene.panBy(-by.x());
        m_scene.scrollBy(-by.y());
    }
}

/// Others hear of it later: views all over the window follow, and this one is being painted.
void TraceCanvas::release(const QPointF&) {
    if (m_drag == Drag::Range && m_hasMoved) {
        QMetaObject::invokeMethod(
            this, [this] { Q_EMIT rangeChanged(); }, Qt::QueuedConnection);
    } else if (m_drag == Drag::View && !m_hasMoved) {
        if (const auto place = m_scene.spanUnder(m_pressedAt)) pressed(*place);
    }
    m_drag = Drag::None;
}

void TraceCanvas::pressed(const SpanPlace& place) {
    const int kind = static_cast<int>(m_scene.spanAt(place).kind());
    QMetaObject::invokeMethod(
        this, [this, kind] { Q_EMIT kindPicked(kind); }, Qt::QueuedConnection);
}

bool TraceCanvas::takesKey(int key) const {
    static const std::set<int> kKeys{Qt::Key_Left, Qt::Key_Right, Qt::Key_Up,    Qt::Key_Down,
                                     Qt::Key_Plus, Qt::Key_Minus, Qt::Key_Equal, Qt::Key_F,
                                     Qt::Key_0,    Qt::Key_L,     Qt::Key_W,     Qt::Key_S,
                                     Qt::Key_A,    Qt::Key_D};
    return kKeys.contains(key) || (key == Qt::Key_Escape && m_scene.range());
}

void TraceCanvas::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    if (!takesKey(key) || event->modifiers() & (Qt::ControlModifier | Qt::AltModifier))
        return ImGuiHost::keyPressEvent(event);
    if (isPan(key))
        m_scene.panBy((key == Qt::Key_Left || key == Qt::Key_A ? -kKeyPan : kKeyPan) *
                      m_scene.plot().width());
    else if (key == Qt::Key_Up || key == Qt::Key_Down)
        m_scene.scrollBy(key == Qt::Key_Up ? -40 : 40);
    else if (key == Qt::Key_Plus || key == Qt::Key_Equal || key == Qt::Key_W)
        zoomBy(kKeyZoom);
    else if (key == Qt::Key_Minus || key == Qt::Key_S)
        zoomBy(1 / kKeyZoom);
    else if (key == Qt::Key_L)
        limitToView();
    else if (key == Qt::Key_Escape)
        setRange(std::nullopt);
    else
        m_scene.fit();
    requestFrame();
}

QString TraceCanvas::tipOf(const SpanPlace& place) const {
    const StageSpan& span = m_scene.spanAt(place);
    const SpanTimeline::StepOfSpan step = m_scene.timeline()->stepOf(place);
    const auto length = static_cast<double>(span.lengthNs());
    QStringList lines;
    lines << tr("%1 · %2").arg(spanPlainName(m_scene.wordsOf(span.kind())),
                               laneTitle(m_scene.laneAt(place.lane)));
    lines << (place.lane == 0 ? tr("step %1") : tr("batch %1")).arg(countText(step.step));
    lines << tr("begins at %1, takes %2").arg(spanText(span.beginNs()), spanText(length));
    if (step.lengthNs > 0)
        lines << tr("%1 of the %2 of its %3")
                     .arg(percentText(length / static_cast<double>(step.lengthNs)),
                          spanText(step.lengthNs), place.lane == 0 ? tr("step") : tr("batch"));
    return lines.join(u'\n');
}

QString TraceCanvas::tipOf(const SpanBin& bin, int lane) const {
    const auto length = static_cast<double>(bin.endNs - bin.beginNs);
    QStringList lines;
    lines << tr("%1 · %2 from %3 on")
                 .arg(laneTitle(m_scene.laneAt(lane)), spanText(length), spanText(bin.beginNs));
    if (bin.steps > 0)
        lines << (lane == 0 ? tr("%1 steps from step %2 on, %3 each") : tr("%1 batches, %3 each"))
                     .replace(QStringLiteral("%1"), countText(bin.steps))
                     .replace(QStringLiteral("%2"), countText(bin.firstStep))
                     .replace(QStringLiteral("%3"),
                              spanText(length / static_cast<double>(bin.steps)));
    std::vector<int> order;
    for (int kind = 0; kind < kNumSpanKinds; ++kind)
        if (bin.ns[static_cast<std::size_t>(kind)] > 0) order.push_back(kind);
    std::ranges::sort(order, std::ranges::greater{},
                      [&](int kind) { return bin.ns[static_cast<std::size_t>(kind)]; });
    for (const int kind : order)
        lines << tr("%1 %2").arg(
            spanPlainName(m_scene.wordsOf(static_cast<SpanKind>(kind))),
            percentText(static_cast<double>(bin.ns[static_cast<std::size_t>(kind)]) / length));
    return lines.join(u'\n');
}

QString TraceCanvas::tipAt(const QPoint& point) const {
    if (m_scene.isEmpty()) return {};
    if (const auto place = m_scene.spanUnder(point)) return tipOf(*place);
    const SpanBin* bin = m_scene.binUnder(point);
    return bin != nullptr ? tipOf(*bin, m_scene.laneUnder(point)) : QString();
}

bool TraceCanvas::event(QEvent* event) {
    return showTip(this, *this, event) || ImGuiHost::event(event);
}

std::vector<NamedSpot> TraceCanvas::namedSpots() const {
    std::vector<NamedSpot> spots;
    if (m_scene.isEmpty()) return spots;
    spots.push_back({QStringLiteral("plot"), m_scene.plot().toAlignedRect()});
    spots.push_back({QStringLiteral("axis"), m_scene.axis().toAlignedRect()});
    spots.push_back({QStringLiteral("overview"), m_scene.overview().toAlignedRect()});
    for (int lane = 0; lane < m_scene.numLanes(); ++lane) {
        const QRectF body = m_scene.body(lane);
        spots.push_back({QStringLiteral("lane %1").arg(lane), body.toAlignedRect()});
        for (const TraceScene::Box& box : m_scene.boxes(lane)) {
            const QRectF rect(box.left, body.top(), box.right - box.left, body.height());
            spots.push_back(spotOf(box.place));
            spots.back().rect = rect.intersected(body).toAlignedRect();
        }
    }
    return spots;
}

NamedSpot TraceCanvas::spotOf(const SpanPlace& place) const {
    const StageSpan& span = m_scene.spanAt(place);
    const std::int64_t step = m_scene.timeline()->stepOf(place).step;
    return {QStringLiteral("span %1/%2/%3").arg(place.lane).arg(place.burst).arg(place.span),
            {},
            {{QStringLiteral("kind"), QString::fromStdString(m_scene.wordsOf(span.kind()).name)},
             {QStringLiteral("step"), static_cast<qint64>(step)},
             {QStringLiteral("ns"), static_cast<qint64>(span.lengthNs())}}};
}

QJsonObject TraceCanvas::spotFacts() const {
    QJsonObject facts{{QStringLiteral("threads"), m_scene.numLanes()},
                      {QStringLiteral("beginNs"), static_cast<qint64>(m_scene.view().beginNs)},
                      {QStringLiteral("endNs"), static_cast<qint64>(m_scene.view().endNs)},
                      {QStringLiteral("frames"), static_cast<qint64>(numFrames())}};
    if (const auto& range = m_scene.range()) {
        facts.insert(QStringLiteral("rangeBeginNs"), static_cast<qint64>(range->beginNs));
        facts.insert(QStringLiteral("rangeEndNs"), static_cast<qint64>(range->endNs));
    }
    return facts;
}

}  // namespace orrery
