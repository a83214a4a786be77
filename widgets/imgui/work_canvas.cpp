#include "widgets/imgui/work_canvas.h"

#include <imgui.h>

#include <QKeyEvent>
#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "widgets/common/number_text.h"
#include "widgets/common/tokens.h"
#include "widgets/imgui/gui_draw.h"
#include "widgets/imgui/trace_text.h"
#include "widgets/imgui/work_columns.h"

namespace orrery {

using namespace gui;  // NOLINT(google-build-using-namespace)

namespace {

constexpr std::size_t kOverviewColumns = 512;

QColor workColor(SpanKind kind, const Tokens& t) {
    return spanColor(wordsOf(workSpans(), kind), t);
}

/// Of the work, how much is of phase 1.
double phase1Share(const SpanWork& work) {
    return work.busyNs > 0 ? static_cast<double>(work.phase1Ns) / static_cast<double>(work.busyNs)
                           : 0;
}

}  // namespace

WorkCanvas::WorkCanvas(Selection* selection, QWidget* parent)
    : TraceCanvas(parent, kWorkLook), m_selection(selection) {
    setObjectName(QStringLiteral("solverTimelineCanvas"));
    setAccessibleName(tr("Solver timeline"));
    setMinimumSize(320, 140);
    connect(selection, &Selection::currentChanged, this, [this](SelectionKind kind) {
        if (kind != SelectionKind::Level) return;
        reveal();
        requestFrame();
    });
    connect(selection, &Selection::hoverChanged, this, [this] { requestFrame(); });
}

void WorkCanvas::setTimeline(std::shared_ptr<const SpanTimeline> timeline) {
    TraceCanvas::setTimeline(std::move(timeline));
    countOverview();
}

int WorkCanvas::currentLevel() const {
    const auto* level = m_selection->current<LevelItem>();
    return level != nullptr ? level->step : -1;
}

std::optional<LevelTime> WorkCanvas::currentTime() const {
    if (!scene().timeline()) return std::nullopt;
    const auto time = timeOfLevel(*scene().timeline(), currentLevel(), WorkKind::kSolve);
    return time ? time : timeOfLevel(*scene().timeline(), currentLevel(), WorkKind::kExplore);
}

/// Brings the current level into sight if none of it is.
void WorkCanvas::reveal() {
    const auto time = currentTime();
    const SpanRange view = scene().view();
    if (!time || (time->beginNs < view.endNs && time->endNs > view.beginNs)) return;
    const auto begin = static_cast<double>(time->beginNs), end = static_cast<double>(time->endNs);
    const double half = std::max(static_cast<double>(view.lengthNs()) / 2, end - begin);
    m_scene.show((begin + end) / 2 - half, (begin + end) / 2 + half);
}

void WorkCanvas::countOverview() {
    m_overview.assign(kOverviewColumns, {});
    if (scene().isEmpty()) return;
    const SpanRange whole = scene().whole();
    const auto wholeBegin = static_cast<double>(whole.beginNs);
    const double columnNs =
        static_cast<double>(std::max<std::int64_t>(1, whole.lengthNs())) / kOverviewColumns;
    const auto share = static_cast<float>(1.0 / std::max(1, scene().numLanes()));
    for (const SpanPlace& place : scene().timeline()->places()) {
        const StageSpan& span = scene().spanAt(place);
        const double begin = (static_cast<double>(span.beginNs()) - wholeBegin) / columnNs;
        const double end = (static_cast<double>(span.endNs()) - wholeBegin) / columnNs;
        const auto first = static_cast<float>(phase1Share(workAt(place)));
        for (auto c = static_cast<std::size_t>(begin);
             c < kOverviewColumns && static_cast<double>(c) < end; ++c) {
            const auto column = static_cast<double>(c);
            const auto part =
                static_cast<float>(std::min(end, column + 1) - std::max(begin, column)) * share;
            m_overview[c][static_cast<std::size_t>(WorkKind::kPhase1)] += part * first;
            m_overview[c][static_cast<std::size_t>(span.kind())] += part * (1 - first);
        }
    }
}

bool WorkCanvas::takesKey(int key) const {
    static const std::set<int> kKeys{Qt::Key_Left,  Qt::Key_Right, Qt::Key_Up,
                                     Qt::Key_Down,  Qt::Key_Plus,  Qt::Key_Minus,
                                     Qt::Key_Equal, Qt::Key_F,     Qt::Key_0};
    return kKeys.contains(key);
}

void WorkCanvas::keyPressEvent(QKeyEvent* event) {
    const bool isLevel = event->key() == Qt::Key_Up || event->key() == Qt::Key_Down;
    if (!isLevel || event->modifiers() & (Qt::ControlModifier | Qt::AltModifier))
        return TraceCanvas::keyPressEvent(event);
    pickNextLevel(event->key() == Qt::Key_Up ? -1 : 1);
    requestFrame();
}

void WorkCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    ImGuiHost::mouseDoubleClickEvent(event);
}

void WorkCanvas::pickNextLevel(int direction) {
    if (scene().isEmpty()) return;
    std::set<int> levels;
    for (const SpanPlace& place : scene().timeline()->places())
        if (workAt(place).level >= 0) levels.insert(workAt(place).level);
    const int now = currentLevel();
    if (direction > 0) {
        const auto next = levels.upper_bound(now);
        if (next != levels.end()) Q_EMIT levelPicked(*next);
    } else {
        const auto here = levels.lower_bound(now);
        if (here != levels.begin()) Q_EMIT levelPicked(*std::prev(here));
    }
}

void WorkCanvas::pressed(const SpanPlace& place) {
    const int level = workAt(place).level;
    if (level >= 0)
        QMetaObject::invokeMethod(
            this, [this, level] { Q_EMIT levelPicked(level); }, Qt::QueuedConnection);
}

void WorkCanvas::hoverChanged() {
    const int level = hovered() ? workAt(*hovered()).level : -1;
    QMetaObject::invokeMethod(
        this,
        [this, level] {
            if (level >= 0)
                m_selection->setHover(LevelItem{level});
            else
                m_selection->setHover(std::nullopt);
        },
        Qt::QueuedConnection);
}

QString WorkCanvas::tipOf(const SpanPlace& place) const {
    const StageSpan& span = scene().spanAt(place);
    const SpanWork& work = workAt(place);
    QStringList lines;
    QString title = QString::fromStdString(scene().wordsOf(span.kind()).name);
    if (const QString level = levelText(work); !level.isEmpty())
        title += QStringLiteral(" · ") + level;
    lines << tr("%1 · thread %2").arg(title).arg(place.lane);
    lines << tr("%1, busy %2").arg(spanText(span.lengthNs()), spanText(work.busyNs));
    if (span.kind() == WorkKind::kSolve)
        lines << tr("phase 1 about %1, phase 2 about %2 (by turns, state by state)")
                     .arg(spanText(work.phase1Ns), spanText(work.busyNs - work.phase1Ns));
    if (work.states > 0)
        lines << tr("%1 states, %2 entries").arg(countText(work.states), countText(work.entries));
    if (const QString rate = rateText(work); work.entries > 0 && !rate.isEmpty())
        lines << tr("%1 entries/s").arg(rate);
    return lines.join(u'\n');
}

NamedSpot WorkCanvas::spotOf(const SpanPlace& place) const {
    std::size_t number = static_cast<std::size_t>(place.span);
    for (int lane = 0; lane < place.lane; ++lane)
        for (const auto& burst : scene().laneAt(lane).bursts) number += burst->spans.size();
    const SpanKind kind = scene().spanAt(place).kind();
    const SpanWork& work = workAt(place);
    return {QStringLiteral("block %1").arg(number),
            {},
            {{QStringLiteral("thread"), place.lane},
             {QStringLiteral("kind"), QString::fromStdString(scene().wordsOf(kind).name)},
             {QStringLiteral("level"), work.level},
             {QStringLiteral("states"), static_cast<qint64>(work.states)},
             {QStringLiteral("current"), work.holds(currentLevel())}}};
}

QJsonObject WorkCanvas::spotFacts() const {
    QJsonObject facts = TraceCanvas::spotFacts();
    facts.insert(QStringLiteral("intervals"),
                 scene().timeline() ? static_cast<qint64>(scene().timeline()->places().size()) : 0);
    facts.insert(QStringLiteral("live"), m_isLive);
    return facts;
}

void WorkCanvas::drawStrip(ImDrawList& list, const Tokens& t) const {
    const QRectF strip = scene().overview();
    drawText(list, fonts().body, 16, strip.top() + 1, packed(t.text),
             spanText(scene().overviewNs(strip.right()) - scene().overviewNs(strip.left())));
    drawText(list, fonts().label, 16, strip.top() + 17, packed(t.text3), tr("threads at work"));
    const double pitch = strip.width() / static_cast<double>(kOverviewColumns);
    for (std::size_t c = 0; c < m_overview.size(); ++c) {
        double bottom = strip.bottom();
        for (const SpanWords& words : workSpans()) {
            const double height =
                std::min(1.0,
                         static_cast<double>(m_overview[c][static_cast<std::size_t>(words.kind)])) *
                strip.height();
            if (height < 0.25) continue;
            const double left = strip.left() + static_cast<double>(c) * pitch;
            fillRect(list, QRectF(left, bottom - height, pitch + 0.3, height),
                     packed(spanColor(words, t)));
            bottom -= height;
        }
    }
}

void WorkCanvas::drawBox(ImDrawList& list, const Tokens& t, const QRectF& body,
                         const TraceScene::Box& box) const {
    const StageSpan& span = scene().spanAt(box.place);
    const SpanWork& work = workAt(box.place);
    const double gap = box.right - box.left > 4 ? 1 : 0;
    const QRectF rect(box.left, body.top(), box.right - box.left - gap, body.height());
    const double rounding = rect.width() > 8 ? 2 : 0;
    const bool isSolve = span.kind() == WorkKind::kSolve;
    const double share = isSolve ? phase1Share(work) : 0;
    const QColor all = workColor(span.kind(), t), first = workColor(WorkKind::kPhase1, t);
    fillRect(list, rect, packed(all), rounding);
    if (isSolve) {
        QRectF part = rect;
        if (rect.width() < 3)
            part.setHeight(rect.height() * share);
        else
            part.setWidth(rect.width() * share);
        fillRect(list, part, packed(first), share >= 1 ? rounding : 0);
    }
    if (hovered() == box.place) outline(list, rect, packed(t.hover), 2, rounding);
    if (work.holds(currentLevel()) && rect.width() > 2)
        outline(list, rect, packed(t.isDark ? QColor(Qt::white) : t.text), 2, rounding);
    const std::pair inks(textOn(share > 0.5 ? first : all),
                         textOn(isSolve && work.phase1Ns >= work.busyNs ? first : all));
    const QRectF room = rect.intersected(body);
    const QString name = work.level < 0 ? spanName(scene().wordsOf(span.kind())) : levelText(work);
    if (!drawBoxText(list, room, name, span.lengthNs(), inks) && work.level >= 0 &&
        work.level == work.lastLevel)
        drawBoxText(list, room, QString::number(work.level), span.lengthNs(), inks);
}

QString WorkCanvas::currentText(const LevelTime& time) const {
    return tr("level %1 · %2").arg(currentLevel()).arg(spanText(time.endNs - time.beginNs));
}

/// Where the time of the current level is written.
QRectF WorkCanvas::chip() const {
    const auto time = currentTime();
    if (!time) return {};
    return chipOf({time->beginNs, time->endNs}, textWidth(fonts().label, currentText(*time)), 22);
}

void WorkCanvas::drawMarks(ImDrawList& list, const Tokens& t) const {
    const QRectF plot = scene().plot();
    if (m_isLive && scene().timeline()) {
        const double x = scene().xOf(static_cast<double>(scene().timeline()->untilNs));
        if (x > plot.left() && x < plot.right())
            drawDashes(list, x, plot.top(), plot.bottom(), packed(t.info));
    }
    const QRectF place = chip();
    if (place.isNull()) return;
    const auto time = currentTime();
    drawChip(list, t, {time->beginNs, time->endNs}, 4, place, fonts().label, currentText(*time));
}

bool WorkCanvas::isInLegend(SpanKind) const {
    return true;
}

double WorkCanvas::legendBegin(ImDrawList& list, const Tokens& t, double y) const {
    if (width() < 520) return 16;
    drawText(list, fonts().strong, 16, y, packed(t.text), tr("Work"));
    return scene().look().head;
}

QString WorkCanvas::keysText() const {
    return tr("wheel zooms · drag pans · F all · Up Down level · F8 table");
}

}  // namespace orrery
