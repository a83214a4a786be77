#include "widgets/history/runs_panel.h"

#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include "widgets/bridge/archive.h"
#include "widgets/common/parts.h"
#include "widgets/common/row_list.h"
#include "widgets/common/run_mark.h"
#include "widgets/common/run_title.h"
#include "widgets/common/selection.h"

namespace orrery {

namespace {

Row rowOf(const RunRecord& run, const QString& time, bool isCurrent) {
    Row row;
    row.title = runName(run.name, run.id);
    row.subtitle = QStringLiteral("%1 · %2").arg(runStateText(run.state), timeText(run.createdUtc));
    row.value = QString::fromStdString(run.id);
    row.isCurrent = isCurrent;
    QStringList tip{row.title};
    if (!time.isEmpty()) tip << time;
    tip << QObject::tr("Double-click or Enter opens the run with its values");
    row.tip = tip.join(u'\n');
    row.picture = runMark(run.state);
    return row;
}

}  // namespace

RunsPanel::RunsPanel(Selection* selection, QWidget* parent)
    : QWidget(parent),
      m_selection(selection),
      m_filter(new QLineEdit(this)),
      m_list(new RowList(QStringLiteral("runList"), 44, 20, this)),
      m_empty(makeLabel({}, "name", this)),
      m_place(makeLabel({}, "hint", this)),
      m_whyNone(tr("Reading the runs of the workspace ...")) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 0, 8, 12);
    layout->setSpacing(8);
    m_filter->setObjectName(QStringLiteral("runFilter"));
    m_filter->setPlaceholderText(tr("Filter by name, id or note"));
    m_filter->setClearButtonEnabled(true);
    layout->addWidget(m_filter);
    m_count = makeLabel({}, "hint", this);
    layout->addWidget(m_count);
    m_empty->setWordWrap(true);
    m_empty->setObjectName(QStringLiteral("runsEmpty"));
    layout->addWidget(m_empty);
    layout->addWidget(m_list, 1);
    m_place->setWordWrap(true);
    layout->addWidget(m_place);
    connect(m_filter, &QLineEdit::textChanged, this, &RunsPanel::refresh);
    connect(m_list, &RowList::activated, this, [this](const QModelIndex& index) {
        if (index.row() < std::ssize(m_shown))
            Q_EMIT reopenRequested(
                QString::fromStdString(m_runs[m_shown[static_cast<std::size_t>(index.row())]].id));
    });
    connect(selection, &Selection::currentChanged, this, [this](SelectionKind kind) {
        if (kind == SelectionKind::Run) refresh();
    });
    refresh();
}

void RunsPanel::setRuns(const std::vector<RunRecord>& runs,
                        const std::map<std::string, double>& runSeconds) {
    m_runs = runs;
    m_runSeconds = runSeconds;
    m_whyNone.clear();
    refresh();
}

void RunsPanel::setNoRuns(const QString& text) {
    m_whyNone = text;
    refresh();
}

void RunsPanel::setPlace(const QString& text) {
    m_place->setText(text);
}

void RunsPanel::refresh() {
    const auto* current = m_selection->current<RunItem>();
    const QString filter = m_filter->text().trimmed();
    m_shown.clear();
    std::vector<Row> rows;
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        const RunRecord& run = m_runs[i];
        const QString words = QString::fromStdString(run.id + ' ' + run.name + ' ' + run.note);
        if (!words.contains(filter, Qt::CaseInsensitive)) continue;
        m_shown.push_back(i);
        rows.push_back(rowOf(run, runTimeText(run, m_runSeconds),
                             current && current->id.toStdString() == run.id));
    }
    m_count->setVisible(m_whyNone.isEmpty());
    m_count->setText(rows.size() == m_runs.size()
                         ? tr("%1 runs").arg(rows.size())
                         : tr("%1 of %2").arg(rows.size()).arg(m_runs.size()));
    m_empty->setVisible(m_runs.empty() || rows.empty());
    m_empty->setText(
        !m_whyNone.isEmpty() ? m_whyNone
        : m_runs.empty()
            ? tr("No runs yet. Open a world and press Solve (F5); the run "
                 "stays here with its values.")
            : tr("The filter hides all %1 runs; clear it to see them.").arg(m_runs.size()));
    m_list->setVisible(!rows.empty());
    m_list->setRows(std::move(rows));
}

}  // namespace orrery
