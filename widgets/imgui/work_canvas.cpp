#include "widgets/imgui/work_canvas.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "widgets/common/number_text.h"
#include "widgets/common/tokens.h"
#include "widgets/imgui/gui_draw.h"
#include "widgets/imgui/work_model.h"

namespace orrery {

using namespace gui;  // NOLINT(google-build-using-namespace)

namespace {

constexpr std::size_t kOverviewColumns = 512;

QColor colorOf(const Tokens& t, WorkPhase phase) {
    return t.data[static_cast<std::size_t>(colorIndexOf(phase))];
}

WorkPhase plainPhaseOf(WorkKind kind) {
    switch (kind) {
        case WorkKind::Load:
            return WorkPhase::Load;
        case WorkKind::Explore:
            return WorkPhase::Explore;
        case WorkKind::Store:
            return WorkPhase::Store;
        case WorkKind::Solve:
            break;
    }
    return WorkPhase::Phase2;
}

}  // namespace

WorkCanvas::WorkCanvas(Selection* selection, QWidget* parent)
    : ImGuiHost(parent), m_selection(selection) {
    setObjectName(QStringLiteral("solverTimelineCanvas"));
    setAccessibleName(tr("Solver timeline"));
    setMinimumSize(320, 140);
    connect(selection, &Selection::currentChanged, this, [this](SelectionKind kind) {
        if (kind != SelectionKind::Level) return;
        m_scene.reveal(currentLevel());
        requestFrame();
    });
    connect(selection, &Selection::hoverChanged, this, [this] { requestFrame(); });
}

void WorkCanvas::setTimeline(std::shared_ptr<const WorkTimeline> timeline, bool isLive) {
    m_hovered.reset();
    m_isLive = isLive;
    m_scene.setTimeline(std::move(timeline));
    countOverview();
    requestFrame();
}

void WorkCanvas::fit() {
    m_scene.fit();
    requestFrame();
}

void WorkCanvas::zoomBy(double factor) {
    m_scene.zoomAt(factor, m_scene.plot().center().x());
    requestFrame();
}

int WorkCanvas::currentLevel() const {
    const auto* level = m_selection->current<LevelItem>();
    return level != nullptr ? level->step : -1;
}

void WorkCanvas::countOverview() {
    m_overview.assign(kOverviewColumns, {});
    if (m_scene.isEmpty()) return;
    WorkScene whole = m_scene;
    whole.fit();
    const double columnNs = (whole.endNs() - whole.beginNs()) / kOverviewColumns;
    const auto share = static_cast<float>(1.0 / std::max(1, m_scene.numLanes()));
    for (const WorkInterval& i : m_scene.timeline()->intervals) {
        const double begin = (static_cast<double>(i.beginNs) - whole.beginNs()) / columnNs;
        const double end = (static_cast<double>(i.endNs) - whole.beginNs()) / columnNs;
        const double first =
            i.busyNs > 0 ? static_cast<double>(i.phase1Ns) / static_cast<double>(i.busyNs) : 0;
        for (auto c = static_cast<std::size_t>(begin);
             c < kOverviewColumns && static_cast<double>(c) < end; ++c) {
            const auto column = static_cast<double>(c);
            const auto part =
                static_cast<float>(std::min(end, column + 1) - std::max(begin, column)) * share;
            if (i.kind == WorkKind::Solve) {
                m_overview[c][static_cast<std::size_t>(WorkPhase::Phase1)] +=
                    part * static_cast<float>(first);
                m_overview[c][static_cast<std::size_t>(WorkPhase::Phase2)] +=
                    part * static_cast<float>(1 - first);
            } else {
                m_overview[c][static_cast<std::size_t>(plainPhaseOf(i.kind))] += part;
            }
        }
    }
}

void WorkCanvas::resizeEvent(QResizeEvent* event) {
    ImGuiHost::resizeEvent(event);
    m_scene.resize(size());
    requestFrame();
}

void WorkCanvas::drawGui() {
    m_scene.resize(size());
    handlePointer();
    const Tokens& t = currentTokens();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    drawOverview(list, t);
    drawAxis(list, t);
    const QRectF plot = m_scene.plot();
    list.PushClipRect(at(0, plot.top()), at(width(), plot.bottom()), true);
    for (int thread = 0; thread < m_scene.numLanes(); ++thread) drawLane(list, t, thread);
    list.PopClipRect();
    drawCurrent(list, t);
    drawLegend(list, t);
    if (hasFocus())
        list.AddRect(at(1, 1), at(width() - 1, height() - 1), packed(t.accent), 0, 0, 2);
}

QString WorkCanvas::tipOf(int interval) const {
    const WorkInterval& i = m_scene.timeline()->intervals[static_cast<std::size_t>(interval)];
    QStringList lines;
    QString title = i.kind == WorkKind::Solve ? tr("solve") : phaseName(plainPhaseOf(i.kind));
    if (const QString level = levelText(i); !level.isEmpty())
        title += QStringLiteral(" · ") + level;
    lines << tr("%1 · thread %2").arg(title).arg(i.thread);
    lines << tr("%1, busy %2")
                 .arg(spanText(static_cast<double>(i.endNs - i.beginNs)),
                      spanText(static_cast<double>(i.busyNs)));
    if (i.kind == WorkKind::Solve)
        lines << tr("phase 1 about %1, phase 2 about %2 (by turns, state by state)")
                     .arg(spanText(static_cast<double>(i.phase1Ns)),
                          spanText(static_cast<double>(i.busyNs - i.phase1Ns)));
    if (i.states > 0)
        lines << tr("%1 states, %2 entries").arg(countText(i.states), countText(i.entries));
    if (i.entries > 0 && i.busyNs > 0)
        lines << tr("%1 entries/s")
                     .arg(countText(static_cast<std::int64_t>(static_cast<double>(i.entries) * 1e9 /
                                                              static_cast<double>(i.busyNs))));
    return lines.join(u'\n');
}

void WorkCanvas::drawOverview(ImDrawList& list, const Tokens& t) const {
    const QRectF strip = m_scene.overview();
    fillRect(list, QRectF(0, 0, width(), WorkScene::kOverview), packed(t.panel));
    drawText(list, fonts().body, 16, strip.top() + 1, packed(t.text),
             m_scene.isEmpty()
                 ? QString()
                 : spanText(m_scene.overviewNs(strip.right()) - m_scene.overviewNs(strip.left())));
    drawText(list, fonts().label, 16, strip.top() + 17, packed(t.text3), tr("threads at work"));
    const double pitch = strip.width() / static_cast<double>(kOverviewColumns);
    for (std::size_t c = 0; c < m_overview.size(); ++c) {
        double bottom = strip.bottom();
        for (int p = 0; p < kNumWorkPhases; ++p) {
            const double height =
                std::min(1.0, static_cast<double>(m_overview[c][static_cast<std::size_t>(p)])) *
                strip.height();
            if (height < 0.25) continue;
            const double left = strip.left() + static_cast<double>(c) * pitch;
            fillRect(list, QRectF(left, bottom - height, pitch + 0.3, height),
                     packed(colorOf(t, static_cast<WorkPhase>(p))));
            bottom -= height;
        }
    }
    list.AddLine(at(0, WorkScene::kOverview), at(width(), WorkScene::kOverview), packed(t.border));
    if (m_scene.showsAll()) return;
    const double left = m_scene.overviewX(m_scene.beginNs());
    const double right = std::max(left + 3, m_scene.overviewX(m_scene.endNs()));
    list.AddRectFilled(at(left, 3), at(right, WorkScene::kOverview - 3), packed(t.accent, 0.25), 3);
    list.AddRect(at(left, 3), at(right, WorkScene::kOverview - 3), packed(t.accent), 3, 0, 1.5F);
}

void WorkCanvas::drawAxis(ImDrawList& list, const Tokens& t) const {
    const QRectF plot = m_scene.plot();
    if (m_scene.isEmpty()) return;
    const double tick = m_scene.tickNs(96);
    const QRectF chip = currentChip();
    const double bottom = m_scene.lanesBottom();
    for (double ns = std::ceil(m_scene.beginNs() / tick) * tick; ns <= m_scene.endNs();
         ns += tick) {
        const double x = m_scene.xOf(ns);
        list.AddLine(at(x, plot.top()), at(x, bottom), packed(t.chartGrid));
        const QString text = tickText(ns);
        const double width = textWidth(fonts().number, text);
        const QRectF place(x - width / 2 - 4, plot.top() - 19, width + 8, 14);
        if (place.right() - 4 < plot.right() + WorkScene::kRight && !place.intersects(chip))
            drawText(list, fonts().number, x - width / 2, plot.top() - 19, packed(t.text3), text);
    }
    list.AddLine(at(plot.left(), plot.top()), at(plot.right(), plot.top()), packed(t.chartAxis));
}

void WorkCanvas::drawLane(ImDrawList& list, const Tokens& t, int thread) const {
    const QRectF lane = m_scene.lane(thread);
    if (lane.top() > m_scene.plot().bottom()) return;
    const bool isTall = lane.height() >= 36;
    drawText(list, fonts().body, 16, lane.top() + (isTall ? 5 : lane.height() / 2 - 8),
             packed(t.text), tr("Thread %1").arg(thread));
    const QString busy =
        tr("%1 % busy").arg(static_cast<int>(std::lround(100 * m_scene.busyShare(thread))));
    if (isTall) drawText(list, fonts().label, 16, lane.top() + 21, packed(t.text3), busy);
    list.AddLine(at(0, lane.bottom()), at(width(), lane.bottom()), packed(t.border));
    list.PushClipRect(at(lane.left(), lane.top()), at(lane.right(), lane.bottom()), true);
    for (const WorkScene::Box& box : m_scene.boxes(thread)) drawBox(list, t, lane, box);
    list.PopClipRect();
}

void WorkCanvas::drawBox(ImDrawList& list, const Tokens& t, const QRectF& lane,
                         const WorkScene::Box& box) const {
    const WorkInterval& i = m_scene.timeline()->intervals[static_cast<std::size_t>(box.interval)];
    const double gap = box.right - box.left > 4 ? 1 : 0;
    const QRectF rect(box.left, lane.top() + 4, box.right - box.left - gap, lane.height() - 8);
    const double rounding = rect.width() > 8 ? 2 : 0;
    QColor fill = colorOf(t, plainPhaseOf(i.kind));
    if (i.kind == WorkKind::Solve && i.busyNs > 0) {
        const double share = static_cast<double>(i.phase1Ns) / static_cast<double>(i.busyNs);
        fillRect(list, rect, packed(fill), rounding);
        QRectF first = rect;
        first.setWidth(rect.width() * share);
        if (rect.width() < 3)
            first = QRectF(rect.left(), rect.top(), rect.width(), rect.height() * share);
        fillRect(list, first, packed(colorOf(t, WorkPhase::Phase1)), share >= 1 ? rounding : 0);
        if (share > 0.5) fill = colorOf(t, WorkPhase::Phase1);
    } else {
        fillRect(list, rect, packed(fill), rounding);
    }
    if (m_hovered && *m_hovered == box.interval)
        list.AddRect(at(rect.left(), rect.top()), at(rect.right(), rect.bottom()), packed(t.hover),
                     static_cast<float>(rounding), 0, 2);
    if (i.holds(currentLevel()) && rect.width() > 2)
        list.AddRect(at(rect.left(), rect.top()), at(rect.right(), rect.bottom()),
                     packed(t.isDark ? QColor(Qt::white) : t.text), static_cast<float>(rounding), 0,
                     2);
    drawBoxText(list, rect.intersected(lane), i, fill);
}

void WorkCanvas::drawBoxText(ImDrawList& list, const QRectF& rect, const WorkInterval& interval,
                             const QColor& fill) const {
    if (rect.height() < 14) return;
    QString name =
        interval.level >= 0 ? levelText(interval) : phaseName(plainPhaseOf(interval.kind));
    double width = textWidth(fonts().label, name);
    if (rect.width() < width + 12 && interval.level >= 0 && interval.level == interval.lastLevel) {
        name = QString::number(interval.level);
        width = textWidth(fonts().label, name);
    }
    if (rect.width() < width + 12) return;
    const ImU32 color = packed(textOn(fill));
    const double y = rect.center().y() - 7;
    drawText(list, fonts().label, rect.left() + 6, y, color, name);
    const QString time = spanText(static_cast<double>(interval.endNs - interval.beginNs));
    const double timeWidth = textWidth(fonts().number, time);
    if (rect.width() < width + timeWidth + 28) return;
    const QColor last =
        interval.kind == WorkKind::Solve
            ? colorOf(currentTokens(),
                      interval.phase1Ns >= interval.busyNs ? WorkPhase::Phase1 : WorkPhase::Phase2)
            : fill;
    drawText(list, fonts().number, rect.right() - timeWidth - 6, y, packed(textOn(last)), time);
}

std::optional<WorkScene::Span> WorkCanvas::currentSpan() const {
    const auto span = m_scene.spanOf(currentLevel(), WorkKind::Solve);
    return span ? span : m_scene.spanOf(currentLevel(), WorkKind::Explore);
}

QString WorkCanvas::currentText(const WorkScene::Span& span) const {
    return tr("level %1 · %2")
        .arg(currentLevel())
        .arg(spanText(static_cast<double>(span.endNs - span.beginNs)));
}

/// Where the time of the current level is written, over the axis; null: its time is not in view.
QRectF WorkCanvas::currentChip() const {
    const auto span = currentSpan();
    if (!span) return {};
    const QRectF plot = m_scene.plot();
    const double left = m_scene.xOf(static_cast<double>(span->beginNs));
    const double right = m_scene.xOf(static_cast<double>(span->endNs));
    if (right < plot.left() || left > plot.right()) return {};
    const double width = textWidth(fonts().label, currentText(*span)) + 16;
    const double middle =
        std::clamp((std::max(left, plot.left()) + std::min(right, plot.right())) / 2,
                   plot.left() + width / 2, plot.right() - width / 2);
    return {middle - width / 2, plot.top() - 22, width, 18};
}

void WorkCanvas::drawCurrent(ImDrawList& list, const Tokens& t) const {
    const QRectF plot = m_scene.plot();
    if (m_isLive && m_scene.timeline()) {
        const double x = m_scene.xOf(static_cast<double>(m_scene.timeline()->untilNs));
        if (x > plot.left() && x < plot.right())
            drawDashes(list, x, plot.top(), plot.bottom(), packed(t.info));
    }
    const QRectF chip = currentChip();
    if (chip.isNull()) return;
    const auto span = currentSpan();
    const double left = m_scene.xOf(static_cast<double>(span->beginNs));
    const double right = m_scene.xOf(static_cast<double>(span->endNs));
    const double bottom = m_scene.lanesBottom();
    for (const double x : {left, right})
        if (x >= plot.left() && x <= plot.right())
            drawDashes(list, x, plot.top() - 4, bottom, packed(t.accent));
    fillRect(list, chip, packed(t.currentRow), 5);
    list.AddRect(at(chip.left(), chip.top()), at(chip.right(), chip.bottom()), packed(t.accent), 5,
                 0, 1);
    drawText(list, fonts().label, chip.left() + 8, chip.top() + 2, packed(t.text),
             currentText(*span));
}

void WorkCanvas::drawLegend(ImDrawList& list, const Tokens& t) const {
    const double y = m_scene.legend().top() + 8;
    const bool isWide = width() >= 520;
    if (isWide) drawText(list, fonts().strong, 16, y, packed(t.text), tr("Work"));
    double x = isWide ? WorkScene::kHead : 16;
    for (int p = 0; p < kNumWorkPhases; ++p) {
        const auto phase = static_cast<WorkPhase>(p);
        fillRect(list, QRectF(x, y + 2, 11, 11), packed(colorOf(t, phase)), 2);
        drawText(list, fonts().label, x + 17, y, packed(t.text2), phaseName(phase));
        x += 17 + textWidth(fonts().label, phaseName(phase)) + 18;
    }
    const QString keys = tr("wheel zooms · drag pans · F all · Up Down level · F8 table");
    const double width = textWidth(fonts().label, keys);
    if (x + width + 16 < this->width())
        drawText(list, fonts().label, this->width() - width - 16, y, packed(t.text3), keys);
}

}  // namespace orrery
