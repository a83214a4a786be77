#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

#include "core/run/run_kind.h"
#include "widgets/common/parts.h"
#include "widgets/train/metric_text.h"
#include "widgets/train/steering_panel.h"
#include "widgets/train/train_session.h"

// The conditions that end a training, at the foot of its steering panel.

namespace orrery {

namespace {

/// A field's text where it is not set.
const QString kNone = QStringLiteral("none");

}  // namespace

void SteeringPanel::makeStops(QVBoxLayout* column, QWidget* page) {
    column->addWidget(makeLine(page));
    addHeading(column, tr("Stop when"));
    auto* grid = new QGridLayout;
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(0, 1);
    column->addLayout(grid);
    makeStop(grid, "stop_step", tr("step reaches"), false);
    makeStop(grid, "stop_after", tr("seconds reach"), false);
    makeStop(grid, "stop_at_most", tr("metric falls to"), true);
    makeStop(grid, "stop_at_least", tr("metric rises to"), true);
    makeStop(grid, "stop_plateau", tr("flat for steps"), true);
    makeStopMetric(grid);
    QLabel* nan = makeLabel(tr("A step with NaN is skipped and marked; many in a row end the run."),
                            "hint", page);
    nan->setWordWrap(true);
    column->addWidget(nan);
}

void SteeringPanel::makeStop(QGridLayout* grid, const char* name, const QString& text,
                             bool needsMetric) {
    const RunField* known = findField(m_kind->name, name);
    const QString field = QLatin1String(name);
    const QString tip = QStringLiteral("%1 (%2). %3")
                            .arg(QString::fromStdString(known->label), field,
                                 QString::fromStdString(known->meaning));
    StopRow row{field, needsMetric, new QCheckBox(text, this), new QLineEdit(this),
                makeLabel({}, "hint", this)};
    row.check->setObjectName(field);
    row.check->setToolTip(tip);
    row.edit->setObjectName(field + QStringLiteral("_value"));
    row.edit->setAccessibleName(text);
    row.edit->setToolTip(tip);
    row.edit->setAlignment(Qt::AlignRight);
    row.edit->setFixedWidth(76);
    row.note->setObjectName(QStringLiteral("steer_note_") + field);
    row.note->setWordWrap(true);
    const int line = grid->rowCount();
    grid->addWidget(row.check, line, 0);
    grid->addWidget(row.edit, line, 1);
    grid->addWidget(row.note, line + 1, 0, 1, 2);
    connect(row.check, &QCheckBox::toggled, this, [this, row] { takeStop(row); });
    connect(row.edit, &QLineEdit::editingFinished, this, [this, row] {
        if (row.check->isChecked()) takeStop(row);
    });
    m_stops.push_back(row);
}

void SteeringPanel::makeStopMetric(QGridLayout* grid) {
    const QString tip = tr("The metric that the three conditions above look at");
    QLabel* label = makeLabel(tr("metric"), "name", this);
    label->setToolTip(tip);
    m_stopMetric = new QComboBox(this);
    m_stopMetric->setObjectName(QStringLiteral("stop_metric_name"));
    m_stopMetric->setAccessibleName(tr("Metric that ends the run"));
    m_stopMetric->setToolTip(tip);
    m_stopMetric->setEditable(true);
    m_stopMetric->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_stopMetric->setMinimumContentsLength(8);  // the dock is narrow
    m_stopMetric->setInsertPolicy(QComboBox::NoInsert);
    label->setBuddy(m_stopMetric);
    m_stopMetricNote = makeLabel({}, "hint", this);
    m_stopMetricNote->setObjectName(QStringLiteral("steer_note_stop_metric"));
    m_stopMetricNote->setWordWrap(true);
    const int line = grid->rowCount();
    grid->addWidget(label, line, 0, 1, 2);
    grid->addWidget(m_stopMetric, line + 1, 0, 1, 2);
    grid->addWidget(m_stopMetricNote, line + 2, 0, 1, 2);
    connect(m_stopMetric, &QComboBox::activated, this, &SteeringPanel::takeStopMetric);
    connect(m_stopMetric->lineEdit(), &QLineEdit::editingFinished, this,
            &SteeringPanel::takeStopMetric);
}

void SteeringPanel::refreshStops() {
    if (m_stopMetric == nullptr) return;
    for (const StopRow& row : m_stops) refreshStop(row);
    const QString metric = wished(QStringLiteral("stop_metric"));
    if (metric != kNone && !m_stopMetric->lineEdit()->isModified())
        m_stopMetric->setCurrentText(metricTitle(*m_kind, metric));
    m_stopMetric->setEnabled(m_session->record().isLive());
    refreshNote(m_stopMetricNote, QStringLiteral("stop_metric"), true);
}

void SteeringPanel::refreshStop(const StopRow& row) {
    const QString text = wished(row.field);
    const bool isSet = text != kNone;
    const QSignalBlocker blocker(row.check);
    row.check->setChecked(isSet);
    if (isSet && !row.edit->isModified()) row.edit->setText(text);
    for (QWidget* widget : {static_cast<QWidget*>(row.check), static_cast<QWidget*>(row.edit)})
        widget->setEnabled(m_session->record().isLive());
    refreshNote(row.note, row.field, true);
}

/// Offers every metric that the run has told; before the first, those that most end by.
void SteeringPanel::refreshMetrics() {
    if (m_stopMetric == nullptr) return;
    QStringList metrics;
    for (const auto& [key, curve] : m_session->record().curves()) metrics << key;
    if (metrics.isEmpty())
        for (const std::string& curve : m_session->record().display().stopCurves)
            metrics << QString::fromStdString(curve);
    if (m_stopMetric->count() == metrics.size() || m_stopMetric->view()->isVisible()) return;
    const QString text = m_stopMetric->currentText();
    const bool isModified = m_stopMetric->lineEdit()->isModified();
    m_stopMetric->clear();
    for (const QString& metric : metrics) m_stopMetric->addItem(metricTitle(*m_kind, metric));
    m_stopMetric->setCurrentText(text.isEmpty() ? metricTitle(*m_kind, metrics.first()) : text);
    m_stopMetric->lineEdit()->setModified(isModified);
}

/// What stands in the fields of conditions that are not set.
void SteeringPanel::suggestStops() {
    if (m_stopMetric == nullptr) return;
    const std::int64_t steps = m_session->record().totalSteps();
    const std::map<QString, QString> texts{
        {QStringLiteral("stop_step"), QString::number(steps)},
        {QStringLiteral("stop_after"), QStringLiteral("60")},
        {QStringLiteral("stop_at_most"), QStringLiteral("0.01")},
        {QStringLiteral("stop_at_least"), QStringLiteral("0.99")},
        {QStringLiteral("stop_plateau"), QString::number(std::max<std::int64_t>(1, steps / 10))}};
    for (const StopRow& row : m_stops) row.edit->setText(texts.at(row.field));
    m_stopMetric->clear();
    refreshMetrics();
}

/// Asks for a condition, and before it for the metric that it looks at.
void SteeringPanel::takeStop(const StopRow& row) {
    row.edit->setModified(false);
    if (!row.check->isChecked()) return m_session->set(row.field, kNone);
    if (row.needsMetric)
        m_session->set(QStringLiteral("stop_metric"),
                       metricOfTitle(*m_kind, m_stopMetric->currentText().trimmed()));
    m_session->set(row.field, row.edit->text().trimmed());
}

/// Another metric counts at once where a condition looks at it.
void SteeringPanel::takeStopMetric() {
    m_stopMetric->lineEdit()->setModified(false);
    const bool isWatched = std::ranges::any_of(
        m_stops, [](const StopRow& row) { return row.needsMetric && row.check->isChecked(); });
    if (isWatched)
        m_session->set(QStringLiteral("stop_metric"),
                       metricOfTitle(*m_kind, m_stopMetric->currentText().trimmed()));
}

}  // namespace orrery
