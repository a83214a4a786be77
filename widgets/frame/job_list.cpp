#include "widgets/frame/job_list.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableView>
#include <algorithm>

#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr std::size_t kMaxJobs = 200;

QString stateText(JobList::State state) {
    switch (state) {
        case JobList::State::Running:
            return JobList::tr("running");
        case JobList::State::Paused:
            return JobList::tr("paused");
        case JobList::State::Done:
            return JobList::tr("done");
        case JobList::State::Stopped:
            return JobList::tr("cancelled");
        case JobList::State::Failed:
            return JobList::tr("failed");
    }
    return {};
}

bool isLive(JobList::State state) {
    return state == JobList::State::Running || state == JobList::State::Paused;
}

/// Draws the share done as a bar.
class BarDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Tokens& tokens = currentTokens();
        if (option.state & QStyle::State_Selected)
            painter->fillRect(option.rect, tokens.currentRow);
        const double share = index.data(Qt::UserRole).toDouble();
        const QRectF track(option.rect.x() + 8, option.rect.center().y() - 3,
                           option.rect.width() - 16, 8);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(tokens.border);
        painter->drawRoundedRect(track, 4, 4);
        painter->setBrush(tokens.info);
        painter->drawRoundedRect(QRectF(track.topLeft(), QSizeF(track.width() * share, 8)), 4, 4);
        painter->restore();
    }
};

}  // namespace

JobList::JobList(QObject* parent)
    : TableModel({{tr("Job")}, {tr("State")}, {tr("Progress")}, {tr("Rate")}, {tr("Left")}},
                 parent) {}

JobList::Job* JobList::find(int id) {
    const auto found = std::ranges::find(m_jobs, id, &Job::id);
    return found == m_jobs.end() ? nullptr : &*found;
}

int JobList::add(const QString& title, std::function<void()> cancel) {
    beginInsertRows({}, 0, 0);
    m_jobs.insert(m_jobs.begin(), Job{.id = m_nextId, .title = title, .cancel = std::move(cancel)});
    endInsertRows();
    if (m_jobs.size() > kMaxJobs && !isLive(m_jobs.back().state)) {
        const int last = static_cast<int>(m_jobs.size()) - 1;
        beginRemoveRows({}, last, last);
        m_jobs.pop_back();
        endRemoveRows();
    }
    Q_EMIT liveJobsChanged();
    return m_nextId++;
}

void JobList::tell(const Job& job) {
    const int row = static_cast<int>(&job - m_jobs.data());
    Q_EMIT dataChanged(index(row, 0), index(row, kNumColumns - 1));
    Q_EMIT liveJobsChanged();
}

void JobList::setProgress(int id, const JobProgress& progress, bool isPaused) {
    Job* job = find(id);
    if (!job || !isLive(job->state)) return;
    job->progress = progress;
    job->state = isPaused ? State::Paused : State::Running;
    tell(*job);
}

void JobList::finish(int id, State state, const QString& outcome) {
    Job* job = find(id);
    if (!job) return;
    job->state = state;
    job->outcome = outcome;
    job->cancel = nullptr;
    tell(*job);
}

void JobList::cancel(int row) {
    if (row < 0 || row >= rowCount()) return;
    if (const auto& cancel = m_jobs[static_cast<std::size_t>(row)].cancel) cancel();
}

int JobList::numLive() const {
    return static_cast<int>(
        std::ranges::count_if(m_jobs, [](const Job& job) { return isLive(job.state); }));
}

int JobList::numRows() const {
    return static_cast<int>(m_jobs.size());
}

QString JobList::text(int row, int column) const {
    const Job& job = m_jobs[static_cast<std::size_t>(row)];
    const JobProgress& progress = job.progress;
    switch (column) {
        case kTitle:
            return job.title;
        case kState:
            return isLive(job.state) && !progress.phase.isEmpty() ? progress.phase
                                                                  : stateText(job.state);
        case kProgress:
            return progress.total > 0
                       ? tr("%1 %").arg(100 * progress.done / progress.total, 0, 'f', 0)
                       : QString();
        case kRate:
            return progress.rate;
        default:
            return isLive(job.state) ? progress.remaining : job.outcome;
    }
}

QVariant JobList::extra(int row, int, int role) const {
    const Job& job = m_jobs[static_cast<std::size_t>(row)];
    if (role == Qt::UserRole)
        return job.progress.total > 0 ? std::clamp(job.progress.done / job.progress.total, 0.0, 1.0)
               : job.state == State::Done ? 1.0
                                          : 0.0;
    if (role == Qt::ToolTipRole && !job.outcome.isEmpty()) return job.outcome;
    return {};
}

JobsPanel::JobsPanel(JobList* jobs, QWidget* parent)
    : QWidget(parent),
      m_jobs(jobs),
      m_table(new QTableView(this)),
      m_empty(makeLabel(tr("Nothing runs. Long work appears here with its progress and a way to "
                           "cancel it."),
                        "hint", this)),
      m_cancel(new QPushButton(tr("Cancel job"), this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 0, 8, 8);
    m_empty->setContentsMargins(8, 4, 8, 4);
    layout->addWidget(m_empty, 1, Qt::AlignTop);
    m_table->setObjectName(QStringLiteral("jobTable"));
    m_table->setAccessibleName(tr("Jobs"));
    m_table->setModel(jobs);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setTabKeyNavigation(false);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(28);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->setItemDelegateForColumn(JobList::kProgress, new BarDelegate(m_table));
    m_table->setColumnWidth(JobList::kTitle, 240);
    m_table->setColumnWidth(JobList::kProgress, 160);
    m_table->setColumnWidth(JobList::kRate, 160);
    layout->addWidget(m_table, 1);
    m_cancel->setObjectName(QStringLiteral("cancelJobButton"));
    layout->addWidget(m_cancel, 0, Qt::AlignTop);
    connect(m_cancel, &QPushButton::clicked, this, [this] { m_jobs->cancel(meantRow()); });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &JobsPanel::refresh);
    connect(jobs, &JobList::liveJobsChanged, this, &JobsPanel::refresh);
    refresh();
}

/// The job that the button means: the chosen one, else the newest.
int JobsPanel::meantRow() const {
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    return rows.isEmpty() ? 0 : rows.first().row();
}

void JobsPanel::refresh() {
    const bool isEmpty = m_jobs->rowCount() == 0;
    m_empty->setVisible(isEmpty);
    m_table->setVisible(!isEmpty);
    m_cancel->setVisible(!isEmpty);
    const int row = meantRow();
    m_cancel->setEnabled(row < m_jobs->rowCount() &&
                         isLive(m_jobs->jobs()[static_cast<std::size_t>(row)].state));
}

}  // namespace orrery
