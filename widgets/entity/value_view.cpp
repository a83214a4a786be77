#include "widgets/entity/value_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/ppo/advantages.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/entity/entity_session.h"

namespace orrery {

namespace {

constexpr double kPlotLeft = 56, kPlotRight = 14, kPlotTop = 30, kPlotBottom = 24,
                 kPlotBetween = 14;
constexpr double kValueShare = 0.6;  ///< of the height
constexpr double kMarkerReach = 12;  ///< pixels around the marker that drag it

std::optional<double> valueOf(const EntityFrame& frame) {
    if (frame.value) return frame.value;
    return frame.advice ? std::optional(frame.advice->value) : std::nullopt;
}

/// Those of one environment over the steps of its episode.
Advantages estimated(const EntityEpisode& episode, const std::vector<float>& values,
                     const std::vector<float>& rewards, const PpoSpec& ppo) {
    const EpisodeEnd end = episode.frames.back().end;
    const std::array<float, 1> nextValue{
        values.size() > rewards.size() ? values.back() : 0.F};  // nothing is behind the end
    const std::array<std::uint8_t, 1> nextDone{end == EpisodeEnd::None ? std::uint8_t{0}
                                                                       : std::uint8_t{1}};
    std::vector<std::uint8_t> dones(rewards.size());
    dones.front() = 1;
    std::vector<float> cut(rewards.size());
    if (end == EpisodeEnd::TimeOut && ppo.bootstrapTruncated) cut.back() = nextValue.front();
    const RolloutRewards rollout{.steps = std::ssize(rewards),
                                 .environments = 1,
                                 .rewards = rewards,
                                 .values = std::span(values).first(rewards.size()),
                                 .dones = dones,
                                 .nextValue = nextValue,
                                 .nextDone = nextDone,
                                 .cutValues = cut};
    return ppo.gae ? generalisedAdvantages(rollout, ppo.gamma, ppo.gaeLambda)
                   : discountedAdvantages(rollout, ppo.gamma);
}

void widen(double& low, double& high, double value) {
    low = std::min(low, value);
    high = std::max(high, value);
}

}  // namespace

bool EpisodeValues::hasValues() const {
    return std::ranges::any_of(values, [](const auto& value) { return value.has_value(); });
}

EpisodeValues episodeValues(const EntityEpisode& episode, const PpoSpec& ppo) {
    EpisodeValues all;
    std::vector<float> values, rewards;
    for (const EntityFrame& frame : episode.frames) {
        all.values.push_back(valueOf(frame));
        if (all.values.back()) values.push_back(static_cast<float>(*all.values.back()));
    }
    for (std::size_t i = 1; i < episode.frames.size(); ++i) {
        all.rewards.push_back(episode.frames[i].reward);
        rewards.push_back(static_cast<float>(episode.frames[i].reward));
        all.advantages.push_back(episode.frames[i - 1].advantage);
    }
    const bool isGiven = std::ranges::any_of(all.advantages, [](const auto& a) { return bool(a); });
    const std::size_t needed = episode.frames.size() - (episode.frames.back().isFinal() ? 1 : 0);
    if (isGiven || rewards.empty() || values.size() != needed) return all;
    const Advantages own = estimated(episode, values, rewards, ppo);
    for (std::size_t i = 0; i < rewards.size(); ++i)
        all.advantages[i] = static_cast<double>(own.advantages[i]);
    return all;
}

ValueView::ValueView(EntitySession* session, QWidget* parent)
    : PaintedWidget(parent), m_session(session) {
    setObjectName(QStringLiteral("entityValue"));
    setAccessibleName(tr("Value and advantage"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(140, 110);
    for (const auto signal : {&EntitySession::changed, &EntitySession::advised})
        connect(session, signal, this, &ValueView::refresh);
    refresh();
}

void ValueView::refresh() {
    const EntityEpisode* episode = m_session->episode();
    const auto& facts = m_session->agent().facts();
    m_values = episode != nullptr ? episodeValues(*episode, facts ? facts->ppo : PpoSpec())
                                  : EpisodeValues();
    if (m_table != nullptr) {
        std::vector<CellModel::Row> rows;
        const auto number = [](const std::optional<double>& value) {
            return value ? CellModel::value(*value) : CellModel::word({});
        };
        for (std::size_t i = 0; i < m_values.values.size(); ++i) {
            const bool isLast = i >= m_values.rewards.size();
            rows.push_back(
                {.cells = {CellModel::count(static_cast<double>(episode->firstStep +
                                                                static_cast<std::int64_t>(i))),
                           number(m_values.values[i]),
                           isLast ? CellModel::word({}) : CellModel::value(m_values.rewards[i]),
                           number(isLast ? std::nullopt : m_values.advantages[i])}});
        }
        m_table->setTable({tr("Step"), tr("Value (learned)"), tr("Reward"), tr("Advantage")},
                          std::move(rows));
    }
    update();
}

QAbstractItemModel* ValueView::tableModel() {
    if (m_table == nullptr) {
        m_table = new CellModel(this);
        refresh();
    }
    return m_table;
}

QString ValueView::remark() const {
    const auto& facts = m_session->agent().facts();
    if (!facts) return {};
    return facts->ppo.gae
               ? QStringLiteral("γ %1, λ %2").arg(facts->ppo.gamma).arg(facts->ppo.gaeLambda)
               : QStringLiteral("γ %1").arg(facts->ppo.gamma);
}

QString ValueView::figureCaption() const {
    return tr("Advantages by generalised advantage estimation, %1").arg(remark());
}

ValueView::Plot ValueView::plotIn(const QRectF& room) const {
    const QRectF inner = room.adjusted(kPlotLeft, kPlotTop, -kPlotRight, -kPlotBottom);
    Plot plot;
    plot.values = {inner.left(), inner.top(), inner.width(), inner.height() * kValueShare};
    plot.bars = {inner.left(), plot.values.bottom() + kPlotBetween, inner.width(),
                 std::max(1.0, inner.bottom() - plot.values.bottom() - kPlotBetween)};
    const std::size_t frames = std::max<std::size_t>(2, m_values.values.size());
    plot.stepWidth = inner.width() / static_cast<double>(frames - 1);
    return plot;
}

std::size_t ValueView::frameAt(double x) const {
    const Plot plot = plotIn(QRectF(rect()));
    const double at = std::round((x - plot.values.left()) / plot.stepWidth);
    const double most = static_cast<double>(std::max<std::size_t>(1, m_values.values.size()) - 1);
    return static_cast<std::size_t>(std::clamp(at, 0.0, most));
}

void ValueView::paintValues(QPainter& painter, const Plot& plot, const Tokens& tokens) const {
    double low = 1e300, high = -1e300;
    for (const auto& value : m_values.values)
        if (value) widen(low, high, *value);
    if (low > high) return;
    if (high - low < 1e-9) {
        low -= 0.5;
        high += 0.5;
    }
    const auto yAt = [&](double value) {
        return plot.values.bottom() - (value - low) / (high - low) * plot.values.height();
    };
    painter.setFont(numberFont(10));
    for (const double value : {low, (low + high) / 2, high}) {
        painter.setPen(QPen(tokens.chartGrid, 1));
        painter.drawLine(QPointF(plot.values.left(), yAt(value)),
                         QPointF(plot.values.right(), yAt(value)));
        painter.setPen(tokens.text3);
        painter.drawText(QRectF(plot.values.left() - kPlotLeft, yAt(value) - 8, kPlotLeft - 6, 16),
                         Qt::AlignRight | Qt::AlignVCenter, significantText(value));
    }
    QPainterPath line;
    bool isBroken = true;
    for (std::size_t i = 0; i < m_values.values.size(); ++i) {
        if (m_values.values[i]) {
            const QPointF at(plot.xAt(i), yAt(*m_values.values[i]));
            if (isBroken)
                line.moveTo(at);
            else
                line.lineTo(at);
        }
        isBroken = !m_values.values[i];
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(tokens.data[0], 2));
    painter.drawPath(line);
    const std::size_t shown = m_session->episode()->shown;
    if (shown < m_values.values.size() && m_values.values[shown]) {
        painter.setBrush(tokens.data[0]);
        painter.setPen(QPen(tokens.canvas, 1.5));
        painter.drawEllipse(QPointF(plot.xAt(shown), yAt(*m_values.values[shown])), 4, 4);
    }
}

/// Rewards and advantages, beside each other between the frames.
void ValueView::paintBars(QPainter& painter, const Plot& plot, const Tokens& tokens) const {
    double low = 0, high = 0;
    for (const double reward : m_values.rewards) widen(low, high, reward);
    for (const auto& advantage : m_values.advantages)
        if (advantage) widen(low, high, *advantage);
    if (high - low < 1e-9) high = low + 1;
    const auto yAt = [&](double value) {
        return plot.bars.bottom() - (value - low) / (high - low) * plot.bars.height();
    };
    const double width = std::clamp(plot.stepWidth * 0.35, 1.0, 14.0);
    const auto bar = [&](double x, double value, const QColor& color) {
        painter.fillRect(QRectF(QPointF(x, yAt(0)), QPointF(x + width, yAt(value))).normalized(),
                         color);
    };
    for (std::size_t i = 0; i < m_values.rewards.size(); ++i) {
        bar(plot.xAt(i) + 1, m_values.rewards[i], tokens.data[2]);
        if (m_values.advantages[i])
            bar(plot.xAt(i) + 1 + width, *m_values.advantages[i], tokens.data[1]);
    }
    painter.setPen(QPen(tokens.chartAxis, 1));
    painter.drawLine(QPointF(plot.bars.left(), yAt(0)), QPointF(plot.bars.right(), yAt(0)));
    painter.setFont(numberFont(10));
    painter.setPen(tokens.text3);
    for (const double value : {low, high})
        if (value != 0)
            painter.drawText(
                QRectF(plot.bars.left() - kPlotLeft, yAt(value) - 8, kPlotLeft - 6, 16),
                Qt::AlignRight | Qt::AlignVCenter, significantText(value));
}

void ValueView::paintInto(QPainter& painter, const QRectF& room, const Tokens& tokens) const {
    const Plot plot = plotIn(room);
    painter.setFont(interfaceFont(11));
    double x = room.left() + 12;
    const auto legend = [&](const QString& text, const QColor& color) {
        painter.fillRect(QRectF(x, room.top() + 11, 9, 9), color);
        painter.setPen(tokens.text2);
        const double width = QFontMetricsF(painter.font()).horizontalAdvance(text);
        painter.drawText(QRectF(x + 14, room.top() + 6, width + 4, 18), Qt::AlignVCenter, text);
        x += width + 30;
    };
    legend(tr("value (learned)"), tokens.data[0]);
    legend(tr("reward"), tokens.data[2]);
    legend(tr("advantage"), tokens.data[1]);
    painter.setPen(tokens.text3);
    if (room.right() - x > 90)
        painter.drawText(QRectF(x, room.top() + 6, room.right() - x - 12, 18),
                         Qt::AlignRight | Qt::AlignVCenter, remark());
    paintValues(painter, plot, tokens);
    paintBars(painter, plot, tokens);
    painter.setFont(numberFont(10));
    painter.setPen(tokens.text3);
    const std::int64_t first = m_session->episode()->firstStep;
    const std::size_t last = m_values.values.size() - 1;
    painter.drawText(QRectF(plot.bars.left() - 20, plot.bars.bottom() + 4, 40, 16), Qt::AlignCenter,
                     QString::number(first));
    painter.drawText(QRectF(plot.bars.right() - 40, plot.bars.bottom() + 4, 48, 16), Qt::AlignRight,
                     QString::number(first + static_cast<std::int64_t>(last)));
    const double at = plot.xAt(m_session->episode()->shown);
    painter.setPen(QPen(tokens.accent, 2));
    painter.drawLine(QPointF(at, plot.values.top() - 4), QPointF(at, plot.bars.bottom() + 2));
}

void ValueView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens& tokens = currentTokens();
    painter.fillRect(rect(), tokens.canvas);
    if (!m_values.hasValues()) {
        painter.setPen(tokens.text2);
        paintEmptyText(painter, rect(),
                       m_session->agent().facts()
                           ? tr("Asking the agent...")
                           : tr("Choose an agent: a run that learned in this environment."));
        return;
    }
    paintInto(painter, QRectF(rect()), tokens);
    if (!hasFocus()) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(tokens.accent, 2));
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

void ValueView::paintFigure(QPainter& painter, const FigurePage& page) {
    painter.setRenderHint(QPainter::Antialiasing);
    paintInto(painter, QRectF(QPointF(), page.size), *page.tokens);
}

QString ValueView::tipAt(const QPoint& point) const {
    if (!m_values.hasValues()) return {};
    const std::size_t frame = frameAt(point.x());
    QString text =
        tr("Step %1").arg(m_session->episode()->firstStep + static_cast<std::int64_t>(frame));
    if (m_values.values[frame]) text += tr(", value %1").arg(*m_values.values[frame], 0, 'g', 7);
    if (frame < m_values.rewards.size()) {
        text += tr(", reward %1").arg(m_values.rewards[frame], 0, 'g', 7);
        if (m_values.advantages[frame])
            text += tr(", advantage %1").arg(*m_values.advantages[frame], 0, 'g', 7);
    }
    return text;
}

std::vector<NamedSpot> ValueView::namedSpots() const {
    if (!m_values.hasValues()) return {};
    const Plot plot = plotIn(QRectF(rect()));
    std::vector<NamedSpot> spots{{QStringLiteral("values"), plot.values.toAlignedRect(), {}, {}},
                                 {QStringLiteral("advantages"), plot.bars.toAlignedRect(), {}, {}}};
    const double at = plot.xAt(m_session->episode()->shown);
    spots.push_back({QStringLiteral("marker"),
                     QRectF(at - kMarkerReach / 2, plot.values.top(), kMarkerReach,
                            plot.bars.bottom() - plot.values.top())
                         .toAlignedRect(),
                     {{QStringLiteral("frame"), static_cast<int>(m_session->episode()->shown)}},
                     tipAt(QPoint(static_cast<int>(at), 0))});
    return spots;
}

QJsonObject ValueView::spotFacts() const {
    const auto known = [](const auto& list) {
        return static_cast<int>(
            std::ranges::count_if(list, [](const auto& one) { return one.has_value(); }));
    };
    return {{QStringLiteral("values"), known(m_values.values)},
            {QStringLiteral("advantages"), known(m_values.advantages)}};
}

void ValueView::mousePressEvent(QMouseEvent* event) {
    PaintedWidget::mousePressEvent(event);
    if (event->button() == Qt::LeftButton && m_values.hasValues())
        m_session->showFrame(frameAt(event->position().x()));
}

void ValueView::mouseMoveEvent(QMouseEvent* event) {
    if (!m_values.hasValues()) return;
    if (event->buttons() & Qt::LeftButton) m_session->showFrame(frameAt(event->position().x()));
    showTipAt(event->position());
}

void ValueView::keyPressEvent(QKeyEvent* event) {
    const EntityEpisode* episode = m_session->episode();
    if (episode != nullptr && event->key() == Qt::Key_Left && episode->shown > 0)
        return m_session->showFrame(episode->shown - 1);
    if (episode != nullptr && event->key() == Qt::Key_Right)
        return m_session->showFrame(episode->shown + 1);
    PaintedWidget::keyPressEvent(event);
}

}  // namespace orrery
