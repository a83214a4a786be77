#include "widgets/replay/replay_health.h"

#include <QPainter>
#include <algorithm>

#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/style.h"
#include "widgets/common/table_model.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr double kHealthMargin = 12, kCardWidth = 118, kHistogramLeast = 150;

double shareOf(std::int64_t part, std::int64_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

QString each(std::int64_t part, std::int64_t whole) {
    return QObject::tr("%1 each").arg(valueText(shareOf(part, whole), 1));
}

}  // namespace

ReplayHealth::ReplayHealth(QWidget* parent) : PaintedWidget(parent), m_table(new ReadyTable(this)) {
    setObjectName(QStringLiteral("replayHealth"));
    setAccessibleName(tr("Health of the replay buffer"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_OpaquePaintEvent);
    refresh();
}

void ReplayHealth::setSource(std::shared_ptr<const ReplaySource> source) {
    m_source = std::move(source);
    refresh();
}

void ReplayHealth::setLive(const std::optional<ReplayNumbers>& numbers) {
    m_live = numbers;
    refresh();
}

QAbstractItemModel* ReplayHealth::tableModel() {
    return m_table;
}

void ReplayHealth::refresh() {
    m_cards.clear();
    if (m_source) {
        const ReplayStatistics& s = m_source->replay->statistics();
        const double fill = shareOf(s.size, s.capacity);
        m_cards.push_back({tr("Filled"), countText(s.size), tr("of %1").arg(countText(s.capacity)),
                           tr("Transitions that are there; the oldest make room"), fill});
        m_cards.push_back({tr("Made"), countText(s.added),
                           m_live ? tr("%1 dropped").arg(countText(m_live->dropped))
                                  : tr("%1 gone").arg(countText(s.evicted)),
                           tr("Transitions that came into the buffer since the beginning")});
        m_cards.push_back({tr("Sampled"), countText(s.sampled), each(s.sampled, s.added),
                           tr("Draws for training since the beginning")});
        m_cards.push_back(
            {tr("Distinct states"), countText(s.states),
             m_source->exactStates > 0
                 ? tr("%1 of %2")
                       .arg(percentText(shareOf(m_source->startStates, m_source->exactStates)),
                            countText(m_source->exactStates))
                 : tr("%1 B each").arg(s.states > 0 ? s.stateBytes / s.states : 0),
             tr("Different states, successors included; below, how many of all states transitions "
                "start in, or the memory of a state")});
        if (m_live && m_live->queueCapacity > 0)
            m_cards.push_back({tr("Queue"), countText(m_live->queueSize),
                               tr("of %1").arg(countText(m_live->queueCapacity)),
                               tr("Transitions on their way from the actors to the learner"),
                               shareOf(m_live->queueSize, m_live->queueCapacity)});
    }
    fillTable();
    update();
}

void ReplayHealth::fillTable() {
    std::vector<QStringList> rows;
    const auto add = [&](const QString& what, const QString& value) {
        rows.push_back({what, value});
    };
    if (m_source) {
        const ReplayStatistics& s = m_source->replay->statistics();
        add(tr("as of training step"), countText(m_source->step));
        add(tr("transitions"), countText(s.size));
        add(tr("capacity"), countText(s.capacity));
        add(tr("filled"), percentText(shareOf(s.size, s.capacity)));
        add(tr("made since the beginning"), countText(s.added));
        add(tr("made room"), countText(s.evicted));
        add(tr("sampled since the beginning"), countText(s.sampled));
        add(tr("sampled, each"), valueText(shareOf(s.sampled, s.added), 2));
        add(tr("distinct states, successors included"), countText(s.states));
        add(tr("distinct states where transitions start"), countText(m_source->startStates));
        add(tr("transitions that start like another"), countText(s.size - s.models));
        if (m_source->exactStates > 0)
            add(tr("states of the worlds, each step"), countText(m_source->exactStates));
        if (m_source->exactStates > 0)
            add(tr("share of them where transitions start"),
                percentText(shareOf(m_source->startStates, m_source->exactStates)));
        add(tr("memory"), bytesText(s.bytes()));
        add(tr("bytes a state"),
            s.states > 0 ? valueText(shareOf(s.stateBytes, s.states), 1) : QString());
        add(tr("oldest stored at step"), countText(s.oldestStep));
        add(tr("newest stored at step"), countText(s.newestStep));
        for (const Mark& mark : marks()) add(mark.text, countText(mark.step));
        for (std::size_t bin = 0; bin < s.byAge.size(); ++bin)
            add(binText(bin), countText(s.byAge[bin]));
    }
    if (m_live) {
        add(tr("now: made by the actors"), countText(m_live->produced));
        add(tr("now: taken by the learner"), countText(m_live->consumed));
        add(tr("now: dropped"), countText(m_live->dropped));
        add(tr("now: in the queue"), countText(m_live->queueSize));
    }
    m_table->setContent({tr("what"), tr("value")}, std::move(rows), 1);
}

/// Where the buffer was cleared, or how far it fades out by now.
std::vector<ReplayHealth::Mark> ReplayHealth::marks() const {
    std::vector<Mark> marks;
    const EmpoSchedule& schedule = m_source->schedule;
    for (const std::int64_t step : {schedule.rampBegin(), schedule.rampEnd()})
        if (schedule.clearsBuffer(step) && step <= m_source->step &&
            (marks.empty() || marks.back().step != step))
            marks.push_back({step, tr("cleared at step %1").arg(countText(step))});
    if (const std::int64_t oldest = schedule.oldestSampled(m_source->step); oldest > 0)
        marks.push_back(
            {oldest, tr("not sampled if stored before step %1").arg(countText(oldest))});
    return marks;
}

/// Its x in the histogram; nothing if it is not among the steps that are left there.
std::optional<double> ReplayHealth::placeOf(const Mark& mark) const {
    const ReplayStatistics& s = m_source->replay->statistics();
    if (mark.step < s.oldestStep || mark.step > s.newestStep) return std::nullopt;
    const double share = shareOf(mark.step - s.oldestStep, s.newestStep - s.oldestStep);
    return histogramRect().left() + share * histogramRect().width();
}

QString ReplayHealth::binText(std::size_t bin) const {
    const ReplayStatistics& s = m_source->replay->statistics();
    const double width =
        static_cast<double>(s.newestStep - s.oldestStep) / static_cast<double>(s.byAge.size());
    const auto edge = [&](std::size_t i) {
        return countText(s.oldestStep + static_cast<std::int64_t>(width * static_cast<double>(i)));
    };
    return tr("stored in steps %1 to %2").arg(edge(bin), edge(bin + 1));
}

int ReplayHealth::cardsThatFit() const {
    const double room = width() - 2 * kHealthMargin - kHistogramLeast;
    return std::clamp(static_cast<int>(room / kCardWidth), 1, static_cast<int>(m_cards.size()));
}

QRectF ReplayHealth::cardRect(int card) const {
    return {kHealthMargin + card * kCardWidth, 8, kCardWidth - 12, height() - 16.0};
}

QRectF ReplayHealth::histogramRect() const {
    const double left = kHealthMargin + cardsThatFit() * kCardWidth;
    return {left, 8, width() - kHealthMargin - left, height() - 16.0};
}

void ReplayHealth::paintEvent(QPaintEvent*) {
    const Tokens& t = currentTokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), t.panel);
    if (!m_source) {
        painter.setPen(t.text3);
        painter.setFont(interfaceFont(12));
        paintEmptyText(painter, rect(), tr("No buffer is loaded"));
        return;
    }
    for (int i = 0; i < cardsThatFit(); ++i) {
        const Card& card = m_cards[static_cast<std::size_t>(i)];
        const QRectF box = cardRect(i);
        painter.setFont(interfaceFont(11));
        painter.setPen(t.text2);
        painter.drawText(QRectF(box.topLeft(), QSizeF(box.width(), 16)), Qt::AlignLeft, card.name);
        painter.setFont(numberFont(16, QFont::DemiBold));
        painter.setPen(t.text);
        painter.drawText(QRectF(box.left(), box.top() + 16, box.width(), 24), Qt::AlignLeft,
                         card.value);
        painter.setFont(interfaceFont(11));
        painter.setPen(t.text3);
        painter.drawText(QRectF(box.left(), box.top() + 40, box.width(), 16), Qt::AlignLeft,
                         card.more);
        if (card.share < 0) continue;
        const QRectF track(box.left(), box.top() + 60, box.width(), 6);
        painter.setPen(Qt::NoPen);
        painter.setBrush(t.border);
        painter.drawRoundedRect(track, 2, 2);
        painter.setBrush(t.data[0]);
        painter.drawRoundedRect(
            QRectF(track.topLeft(), QSizeF(track.width() * std::clamp(card.share, 0.0, 1.0), 6)), 2,
            2);
    }
    paintHistogram(painter);
}

/// How many were stored when, and where the buffer was cleared.
void ReplayHealth::paintHistogram(QPainter& painter) const {
    const Tokens& t = currentTokens();
    const QRectF box = histogramRect();
    painter.setFont(interfaceFont(11));
    painter.setPen(t.text2);
    painter.drawText(QRectF(box.topLeft(), QSizeF(box.width(), 16)), Qt::AlignLeft,
                     tr("Stored at training step"));
    const ReplayStatistics& s = m_source->replay->statistics();
    if (s.byAge.empty()) return;
    const std::int64_t most = std::max<std::int64_t>(1, *std::ranges::max_element(s.byAge));
    const double step = box.width() / static_cast<double>(s.byAge.size());
    const double base = box.bottom() - 14, top = box.top() + 18;
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.data[0]);
    for (std::size_t bin = 0; bin < s.byAge.size(); ++bin) {
        const double height = (base - top) * shareOf(s.byAge[bin], most);
        painter.drawRect(QRectF(box.left() + static_cast<double>(bin) * step, base - height,
                                std::max(1.0, step - 1), height));
    }
    painter.setPen(QPen(t.accent, 1.5));
    for (const Mark& mark : marks())
        if (const auto x = placeOf(mark)) painter.drawLine(QPointF(*x, top), QPointF(*x, base));
    painter.setPen(t.text3);
    painter.setFont(numberFont(10));
    const QRectF axis(box.left(), base + 1, box.width(), 14);
    painter.drawText(axis, Qt::AlignLeft, countText(s.oldestStep));
    painter.drawText(axis, Qt::AlignRight, countText(s.newestStep));
}

QString ReplayHealth::tipAt(const QPoint& point) const {
    if (!m_source) return {};
    const QPointF at(point);
    for (int i = 0; i < cardsThatFit(); ++i)
        if (cardRect(i).contains(at)) return m_cards[static_cast<std::size_t>(i)].tip;
    const ReplayStatistics& s = m_source->replay->statistics();
    const QRectF box = histogramRect();
    if (!box.contains(at) || s.byAge.empty()) return {};
    const auto bin =
        std::min(s.byAge.size() - 1, static_cast<std::size_t>((at.x() - box.left()) / box.width() *
                                                              static_cast<double>(s.byAge.size())));
    QString tip = tr("%1 transitions %2").arg(countText(s.byAge[bin]), binText(bin));
    for (const Mark& mark : marks())
        if (placeOf(mark)) tip += u'\n' + mark.text;
    return tip;
}

std::vector<NamedSpot> ReplayHealth::namedSpots() const {
    std::vector<NamedSpot> spots;
    if (!m_source) return spots;
    for (int i = 0; i < cardsThatFit(); ++i) {
        const Card& card = m_cards[static_cast<std::size_t>(i)];
        spots.push_back({.name = card.name,
                         .rect = cardRect(i).toAlignedRect(),
                         .facts = {{QStringLiteral("value"), card.value},
                                   {QStringLiteral("more"), card.more}}});
    }
    const QRectF ages = histogramRect();
    spots.push_back({.name = tr("ages"), .rect = ages.toAlignedRect()});
    for (const Mark& mark : marks())
        if (const auto x = placeOf(mark))
            spots.push_back({.name = mark.text,
                             .rect = QRectF(*x - 2, ages.top(), 4, ages.height()).toAlignedRect()});
    return spots;
}

}  // namespace orrery
