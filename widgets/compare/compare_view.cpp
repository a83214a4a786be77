#include "widgets/compare/compare_view.h"

#include <QFrame>
#include <QHash>
#include <QPointer>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QUndoStack>
#include <utility>

#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/number_text.h"
#include "widgets/common/selection.h"
#include "widgets/common/written_file.h"
#include "widgets/compare/compare_text.h"
#include "widgets/compare/config_diff.h"
#include "widgets/compare/difference_view.h"
#include "widgets/compare/interval_plot.h"
#include "widgets/compare/metric_charts.h"
#include "widgets/compare/outcome_of_set.h"
#include "widgets/compare/parallel_plot.h"
#include "widgets/compare/report_html.h"
#include "widgets/compare/run_actions.h"
#include "widgets/compare/runs_table.h"
#include "widgets/explore/outcome_heat.h"

namespace orrery {

namespace {

constexpr std::size_t kMostFirstChecked = 12;

}  // namespace

CompareView::CompareView(Archive* archive, Selection* selection, PlanSession* session,
                         BackgroundWorker* worker, QUndoStack* undo, QWidget* parent)
    : QWidget(parent),
      m_archive(archive),
      m_selection(selection),
      m_session(session),
      m_worker(worker),
      m_actions(new RunActions(archive, worker, undo, this)),
      m_columns(new QSplitter(Qt::Horizontal, this)),
      m_leftPanel(new QFrame(m_columns)),
      m_left(new QSplitter(Qt::Vertical, m_leftPanel)),
      m_right(new QSplitter(Qt::Vertical, m_columns)),
      m_below(nullptr),
      m_table(new RunsTable(m_left)),
      m_diff(new ConfigDiff(m_left)),
      m_interval(new IntervalPlot(m_left)),
      m_charts(new MetricCharts(worker, m_right)),
      m_difference(nullptr),
      m_parameters(nullptr),
      m_parallel(nullptr),
      m_outcome(nullptr),
      m_heat(nullptr),
      m_strip(new MessageStrip(this)),
      m_report(new QPushButton(tr("Make a report"), this)) {
    setObjectName(QStringLiteral("compareView"));
    makeLowerParts();
    buildLayout();
    setFocusProxy(m_table->view());
    connectTable();
    connectActions();
    connect(archive, &Archive::left, this, [this] {
        m_wasChecked = false;
        m_checked.clear();
    });
    connect(archive, &Archive::runsChanged, this, &CompareView::readRuns);
    connect(archive, &Archive::rowsWritten, m_charts, &MetricCharts::follow);
    connect(archive, &Archive::failed, this,
            [this](const QString& text) { m_strip->show(MessageKind::Error, text); });
    connect(selection, &Selection::setChanged, this, [this](SelectionKind kind) {
        if (kind == SelectionKind::Run) refreshSet();
    });
    connect(selection, &Selection::hoverChanged, this, [this] {
        const auto& hover = m_selection->hover();
        const auto* run = hover ? std::get_if<RunItem>(&*hover) : nullptr;
        m_parallel->setHovered(run == nullptr ? QString() : run->id);
    });
    connect(selection, &Selection::currentChanged, this, [this](SelectionKind kind) {
        if (kind == SelectionKind::Run) refreshCurrent();
    });
    connect(session, &PlanSession::worldChanged, this, &CompareView::checkAgain);
    readRuns();
}

CompareView::~CompareView() = default;

void CompareView::connectTable() {
    connect(m_table, &RunsTable::checkedByPerson, this, &CompareView::publishChecked);
    const auto pick = [this](const QString& id) { m_selection->setCurrent(RunItem{id}); };
    const auto hover = [this](const QString& id) {
        m_selection->setHover(id.isEmpty() ? std::nullopt
                                           : std::optional<SelectionItem>(RunItem{id}));
    };
    connect(m_table, &RunsTable::picked, this, pick);
    connect(m_table, &RunsTable::hovered, this, hover);
    connect(m_table, &RunsTable::opened, this, &CompareView::reopenRequested);
    connect(m_heat->view(), &OutcomeHeatTable::picked, this, pick);
    connect(m_heat->view(), &OutcomeHeatTable::hovered, this, hover);
    connect(m_heat->view(), &OutcomeHeatTable::opened, this, &CompareView::reopenRequested);
    connect(m_table, &RunsTable::shownChanged, this, &CompareView::statusChanged);
    connect(m_parallel, &ParallelPlot::rangeBrushed, m_table, &RunsTable::setRange);
    connect(m_parallel, &ParallelPlot::runPicked, this, pick);
    connect(m_charts, &MetricCharts::runPicked, this, pick);
    const auto showTrouble = [this](const QString& text) {
        m_strip->show(MessageKind::Error, text);
    };
    connect(m_charts, &MetricCharts::failed, this, showTrouble);
    connect(m_report, &QPushButton::clicked, this, &CompareView::makeReport);
}

void CompareView::connectActions() {
    connect(m_table, &RunsTable::edited, this,
            [this](const QString& id, const QString& key, const QString& text) {
                m_actions->edit(*m_table->model()->sheet(), id, key, text);
            });
    connect(m_table, &RunsTable::trashRequested, this, [this](const QStringList& ids) {
        if (!m_actions->setTrashed(ids, true)) return;
        m_strip->show(MessageKind::Ok, tr("Moved %1 to the trash.").arg(runsText(ids.size())),
                      tr("Undo"), [this, ids] {
                          m_strip->clear();
                          m_actions->setTrashed(ids, false);
                      });
    });
    connect(m_table, &RunsTable::colorChosen, this, [this](const QString& id, int color) {
        const auto& sheet = m_table->model()->sheet();
        const int row = sheet ? sheet->rowOf(id) : -1;
        if (row < 0) return;
        m_colors.choose(*sheet, row, color);
        refreshSet();
    });
    connect(m_table, &RunsTable::restoreRequested, this,
            [this](const QStringList& ids) { m_actions->setTrashed(ids, false); });
    connect(m_table, &RunsTable::deleteRequested, m_actions, &RunActions::measure);
    connect(m_actions, &RunActions::measured, this, [this](const QStringList& ids, qint64 bytes) {
        m_strip->show(MessageKind::Warning,
                      tr("Delete %1 for good? This frees %2 and cannot be undone.")
                          .arg(runsText(ids.size()), bytesText(bytes)),
                      tr("Delete for good"), [this, ids] {
                          m_strip->clear();
                          m_actions->deleteForGood(ids);
                      });
    });
    connect(m_actions, &RunActions::deleted, this, [this](int count, qint64 bytes) {
        m_strip->show(MessageKind::Ok,
                      tr("Deleted %1; %2 are free again.").arg(runsText(count), bytesText(bytes)));
    });
    connect(m_actions, &RunActions::failed, this,
            [this](const QString& text) { m_strip->show(MessageKind::Error, text); });
    connect(m_actions, &RunActions::changed, m_archive, &Archive::refreshRuns);
}

void CompareView::readRuns() {
    const Workspace* workspace = m_archive->workspace();
    if (workspace == nullptr) return;
    if (m_isReading) {
        m_isStale = true;
        return;
    }
    m_isReading = true;
    using Sheet = std::shared_ptr<const RunSheet>;
    const QPointer<CompareView> self(this);
    m_worker->append<Sheet>([folder = workspace->folder(), former = m_table->model()->sheet()](
                                std::stop_token stop) { return readSheet(folder, former, stop); },
                            [self](Sheet sheet) {
                                if (self) self->takeSheet(std::move(sheet));
                            },
                            [self](const QString& text) {
                                if (!self) return;
                                self->m_isReading = false;
                                self->m_strip->show(MessageKind::Error, text);
                            });
}

void CompareView::takeSheet(std::shared_ptr<const RunSheet> sheet) {
    m_isReading = false;
    if (std::exchange(m_isStale, false)) readRuns();
    if (!sheet || sheet->folder != m_archive->workspace()->folder()) return;
    m_table->setSheet(std::move(sheet));
    if (!std::exchange(m_hasEmptiedTrash, true))
        m_actions->emptyOldTrash(*m_table->model()->sheet());
    if (!m_wasChecked)
        checkFirst();
    else
        checkAgain();  // a world was opened while the runs were being read
    refreshSet();
    refreshCurrent();
    Q_EMIT statusChanged();
}

/// The runs of the newest run's world that have finished or are at work, so that the view begins
/// with something to see.
void CompareView::checkFirst() {
    const RunSheet& sheet = *m_table->model()->sheet();
    if (!m_selection->set(SelectionKind::Run).empty() || m_selection->isFrozen() ||
        sheet.runs.empty())
        return;
    QSet<QString> ids;
    const std::string* hash = nullptr;
    for (const RunRecord& run : sheet.runs) {
        const bool isSeen = run.state && (*run.state == RunState::Finished || isLive(*run.state));
        if (!run.trashedUtc.empty() || !isSeen) continue;
        if (hash == nullptr) hash = &run.worldHash;
        if (run.worldHash == *hash && ids.size() < static_cast<int>(kMostFirstChecked))
            ids.insert(QString::fromStdString(run.id));
    }
    if (!ids.isEmpty()) publishChecked(ids);
}

/// What was compared last, where opening a world has emptied the set; a frozen view keeps its own,
/// be it empty.
void CompareView::checkAgain() {
    if (m_selection->isFrozen() || !m_selection->set(SelectionKind::Run).empty()) return;
    if (!m_checked.isEmpty()) publishChecked(m_checked);
}

void CompareView::publishChecked(const QSet<QString>& runIds) {
    m_wasChecked = true;
    m_checked = runIds;
    const auto& sheet = m_table->model()->sheet();
    if (!sheet) return;  // the runs are still being read: takeSheet() publishes then
    std::vector<SelectionItem> items;
    for (const RunRecord& run : sheet->runs)
        if (const QString id = QString::fromStdString(run.id); runIds.contains(id))
            items.emplace_back(RunItem{id});
    m_selection->setSet(SelectionKind::Run, std::move(items));
}

void CompareView::refreshSet() {
    const auto& sheet = m_table->model()->sheet();
    QSet<QString> ids;
    for (const SelectionItem& item : m_selection->set(SelectionKind::Run))
        ids.insert(std::get<RunItem>(item).id);
    if (!ids.isEmpty()) m_checked = ids;
    std::vector<int> rows;
    for (int row = 0; sheet && row < sheet->size(); ++row) {
        const RunRecord& run = sheet->runs[static_cast<std::size_t>(row)];
        if (run.trashedUtc.empty() && ids.contains(QString::fromStdString(run.id)))
            rows.push_back(row);
    }
    m_set = makeCompareSet(sheet, std::move(rows));
    m_colors.apply(m_set);
    m_table->setChecked(ids);
    QHash<int, int> colors;
    for (const Setting& setting : m_set.settings)
        for (const int row : setting.rows) colors.insert(row, setting.color);
    m_table->setColors(colors);
    m_diff->setCompareSet(m_set);
    m_interval->setCompareSet(m_set);
    m_parallel->setCompareSet(m_set);
    if (const QString why = whyNoOutcome(m_set); why.isEmpty()) {
        const OutcomeTable table = outcomeOfSet(m_set);
        m_outcome->setTable(table);
        m_heat->setTable(table);
    } else {
        m_outcome->setNothing(why);
        m_heat->setNothing(why);
    }
    const Workspace* workspace = m_archive->workspace();
    const auto folder = workspace == nullptr ? std::filesystem::path() : workspace->folder();
    m_charts->show(m_set, folder);
    m_difference->show(m_set, folder);
    m_report->setEnabled(!m_set.isEmpty());
    m_report->setToolTip(m_set.isEmpty()
                             ? tr("Check runs to make a report of them")
                             : tr("One file with table, config diff, charts and how to repeat it"));
    Q_EMIT statusChanged();
}

void CompareView::refreshCurrent() {
    const auto* current = m_selection->current<RunItem>();
    const QString id = current == nullptr ? QString() : current->id;
    m_table->setCurrent(id);
    m_charts->emphasize(id);
    m_parallel->setCurrent(id);
    m_heat->setCurrentRun(id);
}

bool CompareView::isWorking() const {
    return m_isReading || m_charts->isWorking() || m_difference->isWorking();
}

QString CompareView::statusText() const {
    const RunTableModel* model = m_table->model();
    return tr("%1 runs · %2 chosen · %3 settings · filter %4 ms")
        .arg(countText(static_cast<std::int64_t>(model->shown().size())))
        .arg(m_set.rows.size())
        .arg(m_set.settings.size())
        .arg(m_table->filterTime(), 0, 'f', 1);
}

void CompareView::makeReport() {
    const QString file = askForFile(this, {.title = tr("Make a report"),
                                           .start = QStringLiteral("report.html"),
                                           .filter = tr("Web pages (*.html)"),
                                           .suffix = QStringLiteral("html")});
    if (file.isEmpty()) return;
    const auto draft = std::make_shared<const ReportDraft>(reportDraft());
    const QPointer<CompareView> self(this);
    m_worker->append<bool>(
        [draft, file](std::stop_token) {
            writeHtmlReport(file, *draft);
            return true;
        },
        [self, file](bool) {
            if (self) showWritten(self->m_strip, tr("The report is in %1.").arg(file), file);
        },
        [self](const QString& text) {
            if (self) self->m_strip->show(MessageKind::Error, text);
        });
}

ReportDraft CompareView::reportDraft() const {
    return draftReport({.set = m_set,
                        .columns = m_table->model()->columns(),
                        .diff = m_diff,
                        .interval = m_interval,
                        .charts = m_charts,
                        .difference = m_difference});
}

void CompareView::writeReport(const QString& file) const {
    writeHtmlReport(file, reportDraft());
}

}  // namespace orrery
