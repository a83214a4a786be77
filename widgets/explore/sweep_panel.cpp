#include "widgets/explore/sweep_panel.h"

#include <QComboBox>
#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

#include "core/base/error.h"
#include "core/base/text.h"
#include "widgets/bridge/queue_bridge.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/explore/outcome_heat.h"

namespace orrery {

namespace {

constexpr std::size_t kShownValues = 6;
/// Below this width the runs have no room of their own.
constexpr int kThreeColumnsFrom = 860;

/// "beta_r 1, 2, 5, 10" with at most some values written out.
QString axisText(const SweepAxis& axis) {
    QStringList values;
    for (std::size_t k = 0; k < axis.values.size() && k < kShownValues; ++k)
        values << QString::fromStdString(fieldText(axis.values[k]));
    if (axis.values.size() > kShownValues) values << QStringLiteral("…");
    return symbolHtml(QString::fromStdString(axis.field)) + QLatin1Char(' ') +
           values.join(QStringLiteral(", "));
}

/// A column with a margin around it; what is over stays empty below.
QWidget* padded(QWidget* content) {
    auto* column = new QWidget;
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->addWidget(content, 1);
    return column;
}

}  // namespace

SweepPanel::SweepPanel(QueueBridge* queue, Base base, QWidget* parent)
    : QWidget(parent),
      m_queue(queue),
      m_base(std::move(base)),
      m_outcome(new OutcomeChart(this)),
      m_heat(new OutcomeHeat(this)),
      m_outcomes(new QTabWidget(this)) {
    setObjectName(QStringLiteral("sweepPanel"));
    m_split = new QSplitter(Qt::Horizontal, this);
    m_split->setChildrenCollapsible(false);
    m_split->addWidget(padded(makeForm()));
    m_runs = padded(makeRuns());
    m_split->addWidget(m_runs);
    m_outcomes->setObjectName(QStringLiteral("sweepOutcomes"));
    m_outcomes->setDocumentMode(true);
    m_outcomes->addTab(m_outcome, tr("Chart"));
    m_outcomes->addTab(m_heat, tr("Heat table"));
    m_outcomes->setTabToolTip(0, tr("A result against a parameter of the sweep"));
    m_outcomes->setTabToolTip(1, tr("A result against both parameters of the sweep, in cells"));
    m_split->addWidget(m_outcomes);
    m_split->setSizes({270, 290, 330});
    m_split->setStretchFactor(2, 1);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_split);
    connect(queue, &QueueBridge::changed, this, &SweepPanel::followQueue);
    connect(queue, &QueueBridge::ended, this, &SweepPanel::followQueue);
    refresh();
    followQueue();
}

SweepPanel::Axis SweepPanel::makeAxis(int number, QWidget* form, QWidget* label) {
    Axis axis{new QComboBox(form), new QLineEdit(form)};
    axis.field->setObjectName(QStringLiteral("sweepField%1").arg(number));
    axis.field->setAccessibleName(tr("Parameter %1 of the sweep").arg(number));
    if (number > 1) axis.field->addItem(tr("none"), QString());
    for (const std::string& field : sweepFields("solve"))
        axis.field->addItem(QString::fromStdString(field), QString::fromStdString(field));
    if (number == 1) axis.field->setCurrentIndex(axis.field->findData(QStringLiteral("beta_r")));
    axis.values->setObjectName(QStringLiteral("sweepValues%1").arg(number));
    axis.values->setAccessibleName(tr("Values of parameter %1").arg(number));
    axis.values->setPlaceholderText(number == 1 ? QStringLiteral("1, 2, 5, 10")
                                                : QStringLiteral("1:3:0.5"));
    // The field shrinks first: a list of four values is read whole.
    axis.field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    axis.field->setMinimumContentsLength(4);
    axis.values->setMinimumWidth(
        axis.values->fontMetrics().horizontalAdvance(QStringLiteral("1, 2, 5, 10")) + 20);
    axis.values->setToolTip(tr("A list as in 1, 2, 5 or ranges FROM:TO:STEP as in 1:3:0.5"));
    qobject_cast<QLabel*>(label)->setBuddy(axis.field);
    connect(axis.field, &QComboBox::currentIndexChanged, this, &SweepPanel::refresh);
    connect(axis.values, &QLineEdit::textChanged, this, &SweepPanel::refresh);
    connect(axis.values, &QLineEdit::returnPressed, this, &SweepPanel::start);
    return axis;
}

QWidget* SweepPanel::makeForm() {
    auto* form = new QWidget(this);
    auto* grid = new QGridLayout(form);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(2, 1);
    for (int number = 1; number <= static_cast<int>(kMaxSweepAxes); ++number) {
        QLabel* label = makeLabel(number == 1 ? tr("Sweep") : tr("and"), "name", form);
        m_axes.push_back(makeAxis(number, form, label));
        grid->addWidget(label, number - 1, 0);
        grid->addWidget(m_axes.back().field, number - 1, 1);
        grid->addWidget(m_axes.back().values, number - 1, 2);
    }
    m_preview = makeLabel({}, "label", form);
    m_preview->setObjectName(QStringLiteral("sweepPreview"));
    m_preview->setWordWrap(true);
    m_preview->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_preview->setMinimumHeight(2 * m_preview->fontMetrics().lineSpacing() + 2);
    m_problem = makeLabel({}, "problem", form);
    m_problem->setObjectName(QStringLiteral("sweepProblem"));
    m_problem->setWordWrap(true);
    m_start = new QPushButton(tr("Start the sweep"), form);
    m_start->setObjectName(QStringLiteral("sweepStart"));
    grid->addWidget(m_preview, 2, 0, 1, 3);
    grid->addWidget(m_problem, 3, 0, 1, 3);
    grid->addWidget(m_start, 4, 0, 1, 3);
    grid->setRowStretch(5, 1);
    connect(m_start, &QPushButton::clicked, this, &SweepPanel::start);
    return form;
}

QWidget* SweepPanel::makeRuns() {
    auto* part = new QWidget(this);
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_count = makeLabel({}, "label", part);
    m_count->setObjectName(QStringLiteral("sweepCount"));
    m_table = new QTableView(part);
    m_table->setObjectName(QStringLiteral("sweepRuns"));
    m_table->setAccessibleName(tr("Runs of the sweep"));
    m_table->setModel(&m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setShowGrid(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(24);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->setTabKeyNavigation(false);
    const auto button = [&](const char* name, const QString& text, const QString& tip) {
        auto* made = new QPushButton(text, part);
        made->setObjectName(QLatin1String(name));
        made->setToolTip(tip);
        return made;
    };
    m_pause = button("sweepPause", tr("Pause"), tr("Halts the run at work and begins no other"));
    m_cancelOne =
        button("sweepCancelRun", tr("Cancel run"), tr("Ends the selected runs; the others go on"));
    m_cancelAll = button("sweepCancel", tr("Cancel all"), tr("Ends all runs that have not ended"));
    m_compare = button("sweepCompare", tr("Compare"), tr("Shows the runs side by side"));
    auto* buttons = new QHBoxLayout;
    for (QPushButton* each : {m_pause, m_cancelOne, m_cancelAll, m_compare})
        buttons->addWidget(each);
    column->addWidget(m_count);
    column->addWidget(m_table, 1);
    column->addLayout(buttons);
    connect(m_pause, &QPushButton::clicked, this, [this] {
        const auto& snapshot = m_queue->snapshot();
        snapshot && snapshot->isPaused ? m_queue->resume() : m_queue->pause();
    });
    connect(m_cancelOne, &QPushButton::clicked, this, [this] {
        for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
            m_queue->cancelMember(index.row());
    });
    connect(m_cancelAll, &QPushButton::clicked, m_queue, &QueueBridge::cancel);
    connect(m_compare, &QPushButton::clicked, this,
            [this] { Q_EMIT compareRequested(m_model.runIds()); });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &SweepPanel::followQueue);
    return part;
}

void SweepPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const bool isNarrow = width() < kThreeColumnsFrom;
    if (isNarrow == m_isNarrow) return;
    m_isNarrow = isNarrow;
    if (isNarrow) {
        QWidget* shown = m_outcomes->currentWidget();
        m_outcomes->addTab(m_runs, tr("Runs"));
        m_outcomes->setTabToolTip(m_outcomes->count() - 1, tr("The runs of the sweep one by one"));
        m_outcomes->setCurrentWidget(shown);
        m_split->setSizes({200, 440});
        return;
    }
    m_outcomes->removeTab(m_outcomes->indexOf(m_runs));
    m_split->insertWidget(1, m_runs);
    m_runs->show();
    m_split->setSizes({270, 290, 330});
}

void SweepPanel::setSolveSeconds(double seconds) {
    m_solveSeconds = seconds;
    refresh();
}

void SweepPanel::focusForm() {
    m_axes.front().values->setFocus(Qt::ShortcutFocusReason);
    m_axes.front().values->selectAll();
}

SweepReading SweepPanel::reading() const {
    std::vector<std::string> texts;
    for (const Axis& axis : m_axes)
        if (const QString field = axis.field->currentData().toString(); !field.isEmpty())
            texts.push_back((field + QLatin1Char('=') + axis.values->text()).toStdString());
    return readSweep("solve", texts);
}

void SweepPanel::refresh() {
    if (!m_start) return;
    for (const Axis& axis : m_axes)
        axis.values->setEnabled(!axis.field->currentData().toString().isEmpty());
    const bool isEmpty = m_axes.front().values->text().trimmed().isEmpty();
    const SweepReading read = reading();
    QStringList problems;
    for (const std::string& problem : read.problems) problems << QString::fromStdString(problem);
    const bool hasBase = m_base && m_base().has_value();
    if (!hasBase) problems = QStringList(tr("Set the world and its parameters right first."));
    if (hasBase && isEmpty) problems.clear();
    m_problem->setText(problems.join(QLatin1Char('\n')));
    m_problem->setVisible(!problems.isEmpty());
    const std::size_t count = numRuns(read.axes);
    QStringList parts;
    for (const SweepAxis& axis : read.axes)
        if (!axis.values.empty()) parts << axisText(axis);
    QString text = isEmpty
                       ? tr("Give the values of a parameter: one run for each, or for each pair "
                            "with a second parameter. They share one graph and a tag.")
                       : tr("<b>%1 runs</b>: %2").arg(count).arg(parts.join(QStringLiteral(" × ")));
    if (!isEmpty && m_solveSeconds > 0)
        text += tr("<br>about %1 (the last solve took %2)")
                    .arg(durationText(m_solveSeconds * static_cast<double>(count)),
                         durationText(m_solveSeconds));
    m_preview->setText(text);
    m_start->setText(count > 0 && !isEmpty ? tr("Start %1 runs").arg(count)
                                           : tr("Start the sweep"));
    m_start->setEnabled(!isEmpty && problems.isEmpty() && !m_queue->isLive());
    m_start->setToolTip(m_queue->isLive() ? tr("A sweep runs already") : QString());
}

void SweepPanel::start() {
    if (!m_start->isEnabled()) return;
    const SweepReading read = reading();
    const auto base = m_base();
    if (!base || !read.problems.empty()) return refresh();
    try {
        const auto specs = sweepRuns(*base, read.axes);
        m_model.setSweep(read.axes, specs);
        m_outcomes->setCurrentWidget(read.axes.size() > 1 ? static_cast<QWidget*>(m_heat)
                                                          : m_outcome);
        Q_EMIT startRequested(specs, QString::fromStdString(sweepTag(read.axes, utcNow())));
    } catch (const Error& error) {
        m_problem->setText(QString::fromUtf8(error.what()));
        m_problem->show();
    }
}

void SweepPanel::followQueue() {
    const auto& snapshot = m_queue->snapshot();
    const bool isLive = m_queue->isLive();
    if (snapshot) {
        m_model.setSnapshot(*snapshot);
        const OutcomeTable table = m_model.outcome();
        m_outcome->setTable(table);
        m_heat->setTable(table);
    }
    m_pause->setText(snapshot && snapshot->isPaused ? tr("Resume") : tr("Pause"));
    m_pause->setEnabled(isLive);
    m_cancelAll->setEnabled(isLive);
    bool anyLive = false;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        anyLive |= m_model.isLive(index.row());
    m_cancelOne->setEnabled(isLive && anyLive);
    m_compare->setEnabled(m_model.runIds().size() > 1);
    m_count->setText(
        snapshot
            ? tr("%1 of %2 runs have ended").arg(snapshot->numEnded()).arg(snapshot->members.size())
            : tr("No sweep has run in this session."));
    refresh();
}

}  // namespace orrery
