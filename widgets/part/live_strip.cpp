#include "widgets/part/live_strip.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "core/run/run_kind.h"
#include "widgets/bridge/live_runs.h"
#include "widgets/part/live_part.h"

namespace orrery {

namespace {

constexpr int kMostChips = 4, kNameWidth = 140;
constexpr double kMostWidth = .4;  ///< of the window's

QToolButton* makeChip(QWidget* parent) {
    auto* chip = new QToolButton(parent);
    chip->setProperty("look", QStringLiteral("plain"));
    return chip;
}

}  // namespace

LiveStrip::LiveStrip(LiveRuns* runs, QWidget* parent)
    : QWidget(parent), m_runs(runs), m_row(new QHBoxLayout(this)) {
    setObjectName(QStringLiteral("liveStrip"));
    m_row->setContentsMargins(0, 0, 8, 0);
    m_row->setSpacing(4);
    m_more = makeChip(this);
    m_more->setObjectName(QStringLiteral("moreLive"));
    m_more->setToolTip(tr("All runs that are at work or wait for their turn"));
    m_row->addWidget(m_more);
    m_row->addStretch(1);
    connect(m_more, &QToolButton::clicked, this, &LiveStrip::listWanted);
    parent->installEventFilter(this);
    refresh();
}

void LiveStrip::setShown(int number) {
    if (std::exchange(m_shown, number) != number) refresh();
}

/// Whether the window tells of a run anyway.
bool LiveStrip::isTold(const LiveRun& run) const {
    return run.isAtWork() && (run.number() == m_shown || !run.spec().job.kind().isTraining());
}

void LiveStrip::refresh() {
    const auto& runs = m_runs->runs();
    const bool needsNone = runs.empty() || (runs.size() == 1 && isTold(*runs.front()));
    const auto numChips = needsNone ? 0 : std::min<std::size_t>(runs.size(), kMostChips);
    for (; m_chips.size() > numChips; m_chips.pop_back()) delete m_chips.back();
    while (m_chips.size() < numChips) {
        QToolButton* chip = m_chips.emplace_back(makeChip(this));
        chip->setCheckable(true);
        m_row->insertWidget(static_cast<int>(m_chips.size()) - 1, chip);
        connect(chip, &QToolButton::clicked, this, [this, chip] {
            Q_EMIT wanted(chip->property("run").toInt());
            refresh();  // it is not the click that marks it
        });
    }
    for (std::size_t i = 0; i < numChips; ++i) showRun(*m_chips[i], *runs[i]);
    setVisible(numChips > 0);
    fit();
    updateGeometry();
}

/// Hangs on the window, not on what the line says: chips that stay do not move, so that a click
/// meets what it was meant for.
QSize LiveStrip::sizeHint() const {
    const int room = static_cast<int>(kMostWidth * window()->width());
    return {widthOf(numFitting(room)), QWidget::sizeHint().height()};
}

QSize LiveStrip::minimumSizeHint() const {
    return {widthOf(0), QWidget::minimumSizeHint().height()};
}

bool LiveStrip::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) updateGeometry();
    return QWidget::eventFilter(watched, event);
}

void LiveStrip::resizeEvent(QResizeEvent*) {
    fit();
}

std::size_t LiveStrip::numFitting(int width) const {
    std::size_t num = m_chips.size();
    while (num > 0 && widthOf(num) > width) --num;
    return num;
}

/// Of the first chips and what counts the others.
int LiveStrip::widthOf(std::size_t numChips) const {
    if (m_chips.empty()) return 0;
    const QMargins margins = m_row->contentsMargins();
    int width = margins.left() + margins.right();
    for (std::size_t i = 0; i < numChips; ++i)
        width += m_chips[i]->sizeHint().width() + m_row->spacing();
    if (numChips == m_runs->runs().size()) return width - m_row->spacing();
    const QFontMetrics metrics = m_more->fontMetrics();
    return width + m_more->sizeHint().width() - metrics.horizontalAdvance(m_more->text()) +
           metrics.horizontalAdvance(restText(numChips));
}

QString LiveStrip::restText(std::size_t numChips) const {
    const auto rest = m_runs->runs().size() - numChips;
    return numChips > 0 ? tr("+%1").arg(rest) : tr("%1 runs").arg(rest);
}

/// As many chips as can be read whole; the others are counted.
void LiveStrip::fit() {
    const std::size_t numShown = numFitting(width());
    for (std::size_t i = 0; i < m_chips.size(); ++i) m_chips[i]->setVisible(i < numShown);
    m_more->setText(restText(numShown));
    m_more->setVisible(numShown < m_runs->runs().size());
}

void LiveStrip::showRun(QToolButton& chip, const LiveRun& run) const {
    const QString title = liveTitle(run), state = liveStateText(run);
    chip.setObjectName(QStringLiteral("live_%1").arg(run.number()));
    chip.setProperty("run", run.number());
    const QString name = chip.fontMetrics().elidedText(
        QString::fromStdString(run.spec().name).simplified(), Qt::ElideMiddle, kNameWidth);
    chip.setChecked(run.number() == m_shown);
    chip.setText(QStringLiteral("%1 · %2").arg(name, state));
    chip.setToolTip(tr("%1: %2. A click shows it.").arg(title, state));
}

}  // namespace orrery
