#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QLayoutItem>
#include <QMenu>
#include <QObject>
#include <QPoint>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/history/records.h"
#include "core/run/archive/run_reach.h"
#include "core/run/run_kind.h"
#include "widgets/bridge/archive.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/row_list.h"
#include "widgets/common/run_mark.h"
#include "widgets/common/run_title.h"
#include "widgets/home/home_view.h"
#include "widgets/home/workspace_card.h"
#include "widgets/home/workspace_row.h"

// The right side of the page: workspaces, interrupted and latest runs.

namespace orrery {

namespace {

constexpr int kCardPad = 16;
constexpr int kMaxLatest = 8, kMaxInterrupted = 3;

QString tipOf(const RunRecord& run, const std::map<std::string, double>& runSeconds) {
    const QString opens =
        QObject::tr("%1: opens the run with its values").arg(QString::fromStdString(run.id));
    const QString time = runTimeText(run, runSeconds);
    return time.isEmpty() ? opens : opens + u'\n' + time;
}

InterruptedRow interruptedRow(const RunRecord& run,
                              const std::map<std::string, RunReach>& reached) {
    const bool isLearning = isTraining(run);
    const auto reach = reached.find(run.id);
    return {
        .id = QString::fromStdString(run.id),
        .title = runTitle(run.name, run.id),
        .why = isLearning && reach != reached.end()
                   ? interruptedText(reach->second)
                   : QObject::tr("The program ended before the solve did. Its parameters and "
                                 "world are kept."),
        .button = isLearning ? QObject::tr("Resume the training") : QObject::tr("Solve it again"),
        .when = timeText(run.createdUtc)};
}

}  // namespace

QWidget* HomeView::makeAside() {
    auto* aside = new QWidget(this);
    aside->setFixedWidth(kAsideWidth);
    auto* column = new QVBoxLayout(aside);
    column->setContentsMargins(0, 4, kAsideRight, 0);
    column->setSpacing(12);
    m_continuePart = new QWidget(aside);
    m_continue = new QVBoxLayout(m_continuePart);
    m_continue->setContentsMargins(0, 0, 0, 12);
    m_continue->setSpacing(12);
    column->addWidget(m_continuePart);
    m_continuePart->hide();
    makeRecent(column, aside);
    column->addWidget(makeLabel(tr("Latest runs"), "title", aside));
    m_noRuns = makeLabel(tr("Reading the runs of the workspace ..."), "name", aside);
    m_noRuns->setObjectName(QStringLiteral("latestRunsRemark"));
    m_noRuns->setWordWrap(true);
    column->addWidget(m_noRuns);
    m_latest = new RowList(QStringLiteral("latestRuns"), 44, 20, aside);
    m_latest->setFitsRows(true);
    m_latest->setAccessibleName(tr("Latest runs"));
    connect(m_latest, &RowList::picked, this, [this](int row) {
        if (row >= 0 && row < std::ssize(m_runs))
            Q_EMIT runChosen(QString::fromStdString(m_runs[static_cast<std::size_t>(row)].id));
    });
    column->addWidget(m_latest);
    m_place = makeLabel({}, "hint", aside);
    m_place->setWordWrap(true);
    column->addWidget(m_place);
    column->addStretch(1);
    return aside;
}

void HomeView::makeRecent(QVBoxLayout* column, QWidget* aside) {
    m_recentPart = new QWidget(aside);
    m_recentPart->setObjectName(QStringLiteral("recentWorkspaces"));
    auto* part = new QVBoxLayout(m_recentPart);
    part->setContentsMargins(0, 0, 0, 12);
    part->setSpacing(8);
    auto* heading = new QHBoxLayout;
    heading->addWidget(makeLabel(tr("Recent"), "title", m_recentPart));
    heading->addStretch(1);
    m_recentCount = makeLabel({}, "hint", m_recentPart);
    heading->addWidget(m_recentCount);
    part->addLayout(heading);
    m_recent = new QVBoxLayout;
    m_recent->setSpacing(8);
    part->addLayout(m_recent);
    m_recentPart->hide();
    column->addWidget(m_recentPart);
}

void HomeView::setWorkspaces(const std::vector<WorkspaceRow>& workspaces) {
    const auto isShownBy = [](const WorkspaceCard* card, const WorkspaceRow& row) {
        return card->workspace() == row;
    };
    if (std::ranges::equal(m_workspaceCards, workspaces, isShownBy)) return;
    for (WorkspaceCard* card : m_workspaceCards) delete card;
    m_workspaceCards.clear();
    for (const WorkspaceRow& workspace : workspaces) {
        auto* card = new WorkspaceCard(workspace, m_recentPart);
        card->setObjectName(QStringLiteral("workspace_%1").arg(m_workspaceCards.size()));
        connect(card, &QAbstractButton::clicked, this, [this, card] {
            if (card->isGone())
                offerToForget(card);
            else
                Q_EMIT workspaceChosen(card->workspace().folder);
        });
        card->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(card, &QWidget::customContextMenuRequested, this,
                [this, card] { offerToForget(card); });
        m_recent->addWidget(card);
        m_workspaceCards.push_back(card);
    }
    const auto count = static_cast<int>(workspaces.size());
    m_recentCount->setText(count == 1 ? tr("1 workspace") : tr("%1 workspaces").arg(count));
    m_recentPart->setVisible(count > 0);
}

void HomeView::offerToForget(WorkspaceCard* card) {
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("workspaceMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Take it from this list"), this, [this, folder = card->workspace().folder] {
        Q_EMIT workspaceForgotten(folder);
    });
    menu->popup(card->mapToGlobal(QPoint(46, card->height() - 4)));
}

void HomeView::setRuns(const std::vector<RunRecord>& runs,
                       const std::map<std::string, RunReach>& reached,
                       const std::map<std::string, double>& runSeconds) {
    m_runs.assign(runs.begin(),
                  runs.begin() + std::min<std::ptrdiff_t>(kMaxLatest, std::ssize(runs)));
    std::vector<Row> rows;
    for (const RunRecord& run : m_runs)
        rows.push_back({.title = runName(run.name, run.id),
                        .subtitle = runStateText(run.state) + QStringLiteral(" · ") +
                                    QString::fromStdString(run.id),
                        .value = timeText(run.createdUtc),
                        .tip = tipOf(run, runSeconds),
                        .picture = runMark(run.state)});
    m_latest->setVisible(!rows.empty());
    m_noRuns->setText(
        tr("No runs yet. Press Run on an example: its run stays here with all its "
           "values."));
    m_noRuns->setVisible(rows.empty());
    m_latest->setRows(std::move(rows));
    showInterrupted(runs, reached);
    m_solvedIn.clear();
    for (const RunRecord& run : runs)  // the newest of each world
        if (const auto known = runSeconds.find(run.id); known != runSeconds.end() && hasValues(run))
            m_solvedIn.emplace(run.worldHash, known->second);
    showExperience();
}

void HomeView::setNoRuns(const QString& text) {
    m_noRuns->setText(text);
}

void HomeView::showInterrupted(const std::vector<RunRecord>& runs,
                               const std::map<std::string, RunReach>& reached) {
    std::vector<InterruptedRow> interrupted;
    for (const RunRecord& run : runs)
        if (run.state == RunState::Interrupted && interrupted.size() < kMaxInterrupted)
            interrupted.push_back(interruptedRow(run, reached));
    // A button that is being pressed stays where nothing of it has changed.
    if (interrupted == m_interrupted) return;
    m_interrupted = std::move(interrupted);
    while (QLayoutItem* item = m_continue->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    if (!m_interrupted.empty())
        m_continue->addWidget(makeLabel(tr("Continue"), "title", m_continuePart));
    for (const InterruptedRow& run : m_interrupted) addInterrupted(run);
    m_continuePart->setVisible(!m_interrupted.empty());
}

void HomeView::addInterrupted(const InterruptedRow& run) {
    auto* card = new QFrame(m_continuePart);
    card->setProperty("look", QStringLiteral("warningCard"));
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(kCardPad, 12, kCardPad, 12);
    column->setSpacing(6);
    column->addWidget(makeLabel(tr("Interrupted: %1").arg(run.title), "section", card));
    QLabel* why = makeLabel(run.why, "name", card);
    why->setObjectName(QStringLiteral("interrupted_") + run.id);
    why->setWordWrap(true);
    why->ensurePolished();
    // The page is as high as its parts ask for at least, and would take a line of it.
    why->setMinimumHeight(why->heightForWidth(kAsideWidth - kAsideRight - 2 * kCardPad));
    column->addWidget(why);
    auto* row = new QHBoxLayout;
    auto* open = new QPushButton(run.button, card);
    open->setObjectName(QStringLiteral("continue_") + run.id);
    connect(open, &QPushButton::clicked, this, [this, id = run.id] { Q_EMIT runContinued(id); });
    row->addWidget(open);
    row->addStretch(1);
    row->addWidget(makeLabel(run.when, "hint", card));
    column->addLayout(row);
    m_continue->addWidget(card);
}

void HomeView::setPlace(const QString& text) {
    m_place->setText(text);
}

}  // namespace orrery
