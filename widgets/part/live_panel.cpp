#include "widgets/part/live_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/run/snapshot.h"
#include "widgets/bridge/live_runs.h"
#include "widgets/common/parts.h"
#include "widgets/common/row_list.h"
#include "widgets/common/run_mark.h"
#include "widgets/part/live_part.h"
#include "widgets/part/run_progress.h"
#include "widgets/part/workbench.h"

namespace orrery {

namespace {

constexpr int kRowHeight = 44, kMarkWidth = 18, kLeastRows = 2;

Row rowOf(const LiveRun& run) {
    const auto now = run.snapshot();
    Row row{.title = liveTitle(run), .subtitle = {}, .value = liveStateText(run)};
    row.picture = runMark(now ? now->state : RunState::Queued);
    if (run.isAtWork() && now)
        row.subtitle = progressText(now->progress);
    else
        row.subtitle = run.isHeld() ? LivePanel::tr("kept from its turn until it is let go on")
                                    : LivePanel::tr("begins when another one has ended");
    return row;
}

}  // namespace

LivePanel::LivePanel(Workbench* bench, QWidget* parent)
    : QWidget(parent),
      m_bench(bench),
      m_runs(&bench->live()),
      m_list(new RowList(tr("Live runs"), kRowHeight, kMarkWidth, this)),
      m_empty(makeLabel(tr("Nothing runs, and nothing waits for its turn."), "hint", this)) {
    m_list->setObjectName(QStringLiteral("liveRunsList"));
    m_list->setMinimumHeight(kLeastRows * kRowHeight);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_list, 1);
    column->addWidget(m_empty, 1);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setObjectName(QStringLiteral("liveEmpty"));
    auto* row = new QHBoxLayout;
    constexpr std::array kNames{"liveShow", "livePause", "liveEnd", "liveEarlier", "liveLater"};
    const std::array texts{tr("Show"), tr("Pause"), tr("Stop"), tr("Earlier"), tr("Later")};
    for (int button = 0; button < kNumButtons; ++button) {
        const auto at = static_cast<std::size_t>(button);
        m_buttons[at] = new QPushButton(texts[at], this);
        m_buttons[at]->setObjectName(QLatin1String(kNames[at]));
        connect(m_buttons[at], &QPushButton::clicked, this,
                [this, button] { press(static_cast<Button>(button)); });
        row->addWidget(m_buttons[at]);
    }
    row->addStretch(1);
    column->addLayout(row);
    connect(m_list, &RowList::picked, this, [this](int picked) {
        const auto& runs = m_runs->runs();
        m_current = picked >= 0 && picked < std::ssize(runs)
                        ? runs[static_cast<std::size_t>(picked)]->number()
                        : 0;
        refreshButtons();
    });
    connect(m_bench, &Workbench::liveShown, this, &LivePanel::refresh);
    refreshButtons();
}

void LivePanel::refresh() {
    if (!isVisible()) return;
    if (current() == nullptr && !m_runs->runs().empty())
        m_current = m_runs->runs().front()->number();
    std::vector<Row> rows;
    for (const LiveRun* run : m_runs->runs()) {
        rows.push_back(rowOf(*run));
        rows.back().isCurrent = run->number() == m_current;
    }
    m_list->setVisible(!rows.empty());
    m_empty->setVisible(rows.empty());
    m_list->setRows(std::move(rows));
    refreshButtons();
}

void LivePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

LiveRun* LivePanel::current() const {
    return m_runs->find(m_current);
}

void LivePanel::refreshButtons() {
    const LiveRun* run = current();
    const bool isAtWork = run != nullptr && run->isAtWork();
    const bool isWaiting = run != nullptr && !isAtWork;
    const bool isPaused = (isWaiting && run->isHeld()) || (isAtWork && run->bridge().isPaused());
    m_buttons[kShow]->setEnabled(isAtWork);
    m_buttons[kPause]->setEnabled(run != nullptr);
    m_buttons[kPause]->setText(isPaused ? tr("Resume") : isWaiting ? tr("Hold") : tr("Pause"));
    m_buttons[kEnd]->setEnabled(run != nullptr);
    m_buttons[kEnd]->setText(isWaiting ? tr("Take out") : tr("Stop"));
    m_buttons[kEarlier]->setEnabled(isWaiting);
    m_buttons[kLater]->setEnabled(isWaiting);
}

void LivePanel::press(Button button) {
    LiveRun* run = current();
    if (run == nullptr) return;
    switch (button) {
        case kShow:
            return m_bench->showLive(run->number());
        case kPause:
            if (!run->isAtWork()) return m_runs->hold(*run, !run->isHeld());
            return run->bridge().pauseOrResume();
        case kEnd:
            return m_runs->cancel(*run);
        case kEarlier:
            return m_runs->move(*run, -1);
        case kLater:
            return m_runs->move(*run, 1);
        default:
            return;
    }
}

}  // namespace orrery
