#include "widgets/part/live_strip.h"

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
    refresh();
}

void LiveStrip::setShown(int number) {
    if (std::exchange(m_shown, number) != number) refresh();
}

/// Whether the window tells of a run anyway.
bool LiveStrip::isTold(const LiveRun& run) const {
    return run.isAtWork() && (run.number() == m_shown || !run.spec().job.kind().isTraining());
}

/// Chips stay as long as their number does, so that a click meets what it was meant for.
void LiveStrip::refresh() {
    const auto& runs = m_runs->runs();
    const bool needsNone = runs.empty() || (runs.size() == 1 && isTold(*runs.front()));
    const auto numChips = needsNone ? 0 : std::min<std::size_t>(runs.size(), kMostChips);
    const bool hasMore = numChips > 0 && runs.size() > numChips;
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
    if (hasMore && m_more == nullptr) {
        m_more = makeChip(this);
        m_more->setObjectName(QStringLiteral("moreLive"));
        m_row->addWidget(m_more);
        connect(m_more, &QToolButton::clicked, this, &LiveStrip::listWanted);
    }
    if (m_more != nullptr) {
        m_more->setText(tr("+%1").arg(runs.size() - numChips));
        m_more->setToolTip(tr("All runs that are at work or wait for their turn"));
        m_more->setVisible(hasMore);
    }
    setVisible(numChips > 0);
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
