#include "widgets/world/episode_strip.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/world/moment_text.h"

namespace orrery {

namespace {

constexpr double kStripLeft = 16, kTop = 24, kWidth = 88, kHeight = 58, kPictureGap = 8;
constexpr int kMostPreviews = 12;

void paintHead(QPainter& painter, const QRectF& box, const QString& step, const QString& text,
               const QColor& stepColor, const QColor& textColor) {
    const QRectF line(box.left(), 6, box.width(), 14);
    painter.setPen(stepColor);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, step);
    const double wide = QFontMetricsF(painter.font()).horizontalAdvance(step) + 6;
    painter.setFont(interfaceFont(10));
    painter.setPen(textColor);
    painter.drawText(
        line, Qt::AlignRight | Qt::AlignVCenter,
        QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, line.width() - wide));
}

}  // namespace

EpisodeStrip::EpisodeStrip(PlanSession* session, StateScene scene, QWidget* parent)
    : PaintedWidget(parent),
      m_session(session),
      m_scene(std::move(scene)),
      m_worker(new BackgroundWorker(this)) {
    setObjectName(QStringLiteral("episodeStrip"));
    setAccessibleName(tr("Walk"));
    setToolTip(
        tr("The states you walked through; click one to go back to it. Faded: what follows "
           "most probably."));
    setFixedHeight(92);
    setFocusPolicy(Qt::StrongFocus);
    connect(session, &PlanSession::stateChanged, this, [this] {
        refreshPreview();
        update();
    });
    connect(session, &PlanSession::worldChanged, this, [this] {
        m_thumbnails.clear();
        m_preview = {};
    });
}

EpisodeStrip::~EpisodeStrip() = default;

bool EpisodeStrip::isWorking() const {
    return m_worker->numOpenJobs() > 0;
}

void EpisodeStrip::refreshPreview() {
    const auto last = m_session->walk().back().state;
    const auto solution = m_session->solution();
    if (!solution || last.index < 0) {
        m_worker->stopAll();
        m_preview = {};
        return;
    }
    const State from{last.step, static_cast<ConfigIndex>(last.index)};
    if (m_preview.from == from && !m_preview.states.empty()) return;
    m_preview = {};
    using Future = std::shared_ptr<const std::vector<State>>;
    m_worker->replace<Future>(
        [solution, from](std::stop_token stop) {
            return likelyFuture(*solution, from, kMostPreviews, std::move(stop));
        },
        [this, from](const Future& future) {
            if (!future) return;
            m_preview = {from, *future, std::vector<QPixmap>(future->size())};
            update();
        },
        [](const QString&) {});
}

std::size_t EpisodeStrip::numFitting() const {
    return static_cast<std::size_t>(
        std::max(1.0, (width() - 2 * kStripLeft + kPictureGap) / (kWidth + kPictureGap)));
}

std::size_t EpisodeStrip::numPreviews() const {
    return m_preview.states.size();
}

std::size_t EpisodeStrip::firstShown() const {
    const std::size_t fits = numFitting();
    const std::size_t count = m_session->walk().size() + numPreviews();
    if (count <= fits) return 0;
    // The current moment stands at two thirds, so that what follows it is seen too.
    const std::size_t before = fits * 2 / 3;
    const std::size_t at = m_session->walkIndex();
    return std::min(at > before ? at - before : 0, count - fits);
}

QRectF EpisodeStrip::momentRect(std::size_t index) const {
    const std::size_t first = firstShown();
    if (index < first) return {};
    const QRectF box(kStripLeft + static_cast<double>(index - first) * (kWidth + kPictureGap), kTop,
                     kWidth, kHeight);
    return box.right() <= width() ? box : QRectF();
}

QPixmap EpisodeStrip::drawn(std::span<const std::uint64_t> words) const {
    const WorldScene whole = m_scene(words);
    const WorldScene scene = thumbnailOf(whole, isWalled(whole));
    const Tokens& tokens = currentTokens();
    QPixmap picture((QSizeF(kWidth - 4, kHeight - 4) * devicePixelRatioF()).toSize());
    picture.setDevicePixelRatio(devicePixelRatioF());
    picture.fill(tokens.canvas);
    QPainter painter(&picture);
    paintWorld(painter, scene, layoutWorld(QRectF(0, 0, kWidth - 4, kHeight - 4), scene), tokens);
    return picture;
}

const QPixmap& EpisodeStrip::pictureOf(std::size_t index) {
    if (m_thumbnails.size() <= index) m_thumbnails.resize(index + 1);
    Thumbnail& thumbnail = m_thumbnails[index];
    const StateItem& state = m_session->walk()[index].state;
    if (thumbnail.picture.isNull() || !(thumbnail.state == state))
        thumbnail = {state, drawn(state.words)};
    return thumbnail.picture;
}

void EpisodeStrip::paintMoment(QPainter& painter, std::size_t index) {
    const Tokens& t = currentTokens();
    const QRectF box = momentRect(index);
    const bool isCurrent = index == m_session->walkIndex();
    painter.setFont(numberFont(10, isCurrent ? QFont::DemiBold : QFont::Normal));
    paintHead(painter, box, QStringLiteral("t %1").arg(m_session->walk()[index].state.step),
              isCurrent    ? tr("now")
              : index == 0 ? tr("start")
                           : deedText(*m_session, index),
              isCurrent ? t.accent : t.text2, isCurrent ? t.text : t.text3);
    painter.setPen(isCurrent ? QPen(t.accent, 3) : QPen(t.border, 1));
    painter.setBrush(t.canvas);
    painter.drawRoundedRect(box, 4, 4);
    painter.drawPixmap(box.topLeft() + QPointF(2, 2), pictureOf(index));
    if (!isCurrent) return;
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box, 4, 4);
}

void EpisodeStrip::paintPreview(QPainter& painter, std::size_t index) {
    const Tokens& t = currentTokens();
    const QRectF box = momentRect(m_session->walk().size() + index);
    QPixmap& picture = m_preview.pictures[index];
    if (picture.isNull()) {
        picture =
            drawn(m_session->solution()->graph().configuration(m_preview.states[index].config));
    }
    painter.setFont(numberFont(10));
    paintHead(painter, box, QStringLiteral("t %1").arg(m_preview.states[index].step), tr("preview"),
              t.text3, t.text3);
    painter.setOpacity(0.4);
    painter.drawPixmap(box.topLeft() + QPointF(2, 2), picture);
    painter.setOpacity(1);
    QPen pen(t.border, 1);
    pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box, 4, 4);
}

void EpisodeStrip::paintEvent(QPaintEvent*) {
    if (!m_session->isOpen()) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const std::size_t numPlayed = m_session->walk().size();
    for (std::size_t i = firstShown(); i < numPlayed + numPreviews(); ++i) {
        if (momentRect(i).isNull()) break;
        i < numPlayed ? paintMoment(painter, i) : paintPreview(painter, i - numPlayed);
    }
    if (hasFocus()) {
        painter.setPen(QPen(currentTokens().accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

void EpisodeStrip::mousePressEvent(QMouseEvent* event) {
    if (!m_session->isOpen()) return;
    for (std::size_t i = firstShown(); i < m_session->walk().size(); ++i)
        if (momentRect(i).contains(event->position())) return m_session->showMoment(i);
}

void EpisodeStrip::keyPressEvent(QKeyEvent* event) {
    if (!m_session->isOpen()) return QWidget::keyPressEvent(event);
    const std::size_t at = m_session->walkIndex();
    if (event->key() == Qt::Key_Left)
        m_session->showMoment(at > 0 ? at - 1 : 0);
    else if (event->key() == Qt::Key_Right)
        m_session->showMoment(at + 1);
    else if (event->key() == Qt::Key_Home)
        m_session->showMoment(0);
    else if (event->key() == Qt::Key_End)
        m_session->showMoment(m_session->walk().size() - 1);
    else
        QWidget::keyPressEvent(event);
}

void EpisodeStrip::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        m_thumbnails.clear();
        std::ranges::fill(m_preview.pictures, QPixmap());
    }
    QWidget::changeEvent(event);
}

}  // namespace orrery
