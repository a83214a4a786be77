#include "widgets/train/fork_row.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/run/run_kind.h"
#include "core/run/steering.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/run_title.h"
#include "widgets/spec/form_fields.h"

namespace orrery {

namespace {

constexpr std::int64_t kBeforeTheStart = -1;
constexpr int kSpacing = 8;  ///< pixels

}  // namespace

ForkRow::ForkRow(RunSpec& spec, QWidget* parent)
    : QWidget(parent), m_spec(spec), m_remark(makeLabel({}, "label", this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kSpacing);
    m_remark->setObjectName(QStringLiteral("trainParent"));
    m_remark->setWordWrap(true);
    column->addWidget(m_remark);
    column->addWidget(makeChoice());
    hide();
}

QWidget* ForkRow::makeChoice() {
    auto* part = new QWidget(this);
    auto* row = new QHBoxLayout(part);
    row->setContentsMargins(0, 0, 0, 0);
    QLabel* label = makeLabel(tr("Begins with"), "name", part);
    m_from = new QComboBox(part);
    m_from->setObjectName(QStringLiteral("trainFrom"));
    m_from->setAccessibleName(tr("What the fork begins with"));
    m_from->setToolTip(
        tr("A checkpoint of the run, with its weights, buffer and generators, or its start"));
    label->setBuddy(m_from);
    m_recorded = new QCheckBox(tr("with its recorded changes"), part);
    m_recorded->setObjectName(QStringLiteral("trainRecorded"));
    m_recorded->setToolTip(
        tr("What was changed while the run trained is changed again, at the same steps. From the "
           "start and with nothing else changed, the run is repeated."));
    row->addWidget(label);
    row->addWidget(m_from, 1);
    row->addWidget(m_recorded);
    connect(m_from, &QComboBox::activated, this, &ForkRow::takeBeginning);
    connect(m_recorded, &QCheckBox::toggled, this, &ForkRow::takeBeginning);
    return part;
}

const RunSpec& ForkRow::setParentRun(ForkParent parent) {
    m_parentRun = std::move(parent);
    {
        const QSignalBlocker blocker(m_recorded);
        m_recorded->setChecked(false);
    }
    m_recorded->setEnabled(!trainSettings(m_parentRun.spec.job)->changes.empty());
    const auto& steps = m_parentRun.checkpoints;
    listCheckpoints(steps.empty() ? std::nullopt : std::optional(steps.front()));
    return m_forked = forkedSpec();
}

void ForkRow::forgetParent() {
    m_parentRun = {};
    m_spec.job.kind().training(m_spec.job)->changes.clear();
}

void ForkRow::setCheckpoints(std::vector<std::int64_t> steps) {
    const auto before = std::exchange(m_parentRun.checkpoints, std::move(steps));
    const auto& now = m_parentRun.checkpoints;
    std::optional<std::int64_t> chosen = chosenStep();
    const bool wasNewest = chosen && chosen == before.front();
    const bool isGone = chosen && std::ranges::find(now, *chosen) == now.end();
    if (wasNewest || isGone) chosen = now.empty() ? std::nullopt : std::optional(now.front());
    listCheckpoints(chosen);
    takeBeginning();
}

void ForkRow::listCheckpoints(std::optional<std::int64_t> chosen) {
    m_from->clear();
    for (const std::int64_t step : m_parentRun.checkpoints)
        m_from->addItem(m_from->count() == 0 ? tr("step %1, the newest").arg(countText(step))
                                             : tr("step %1").arg(countText(step)),
                        QVariant::fromValue(step));
    m_from->addItem(tr("the start"));
    for (int i = 0; chosen && i < m_from->count(); ++i)
        if (m_from->itemData(i) == QVariant::fromValue(*chosen)) return m_from->setCurrentIndex(i);
    m_from->setCurrentIndex(m_from->count() - 1);
}

/// The checkpoint's step; nothing: the start.
std::optional<std::int64_t> ForkRow::chosenStep() const {
    const QVariant step = m_from->currentData();
    return step.isValid() ? std::optional(step.value<std::int64_t>()) : std::nullopt;
}

/// The parent's spec as this run begins: with the recorded changes in its list, or with the values
/// that they had given the parameters by then.
RunSpec ForkRow::forkedSpec() const {
    RunSpec spec = m_parentRun.spec;
    spec.name.clear();
    if (m_recorded->isChecked()) return spec;
    const std::vector<TrainChange> recorded = trainSettings(spec.job)->changes;
    spec.job.kind().training(spec.job)->changes.clear();
    goToStep(spec, recorded, chosenStep().value_or(kBeforeTheStart));
    return spec;
}

/// Another beginning: fields that are still the parent's are its values there.
void ForkRow::takeBeginning() {
    const RunSpec before = std::exchange(m_forked, forkedSpec());
    for (const RunField* field : formFields(m_spec.job.kind())) {
        const bool isParents = fieldText(field->get(m_spec)) == fieldText(field->get(before));
        if (isParents) field->set(m_spec, field->get(m_forked));
    }
    m_spec.job.kind().training(m_spec.job)->changes = trainSettings(m_forked.job)->changes;
    Q_EMIT changed();
}

/// A field that differs from the parent's although a checkpoint cannot be trained further then;
/// empty if there is none.
QString ForkRow::structuralChange() const {
    for (const RunField& field : m_spec.job.kind().fields)
        if (field.isStructural && fieldText(field.get(m_spec)) != fieldText(field.get(m_forked)))
            return QString::fromStdString(field.name);
    return {};
}

void ForkRow::refresh() {
    TrainSettings& job = *m_spec.job.kind().training(m_spec.job);
    job.fromRun.clear();
    job.fromStep = 0;
    const QString id = QString::fromStdString(m_parentRun.id);
    setVisible(!id.isEmpty());
    if (id.isEmpty()) return;
    const QString name = runTitle(QString::fromStdString(m_parentRun.spec.name), id);
    const QString changed = structuralChange();
    const auto step = chosenStep();
    m_from->setEnabled(changed.isEmpty() && m_from->count() > 1);
    if (step && changed.isEmpty()) {
        job.fromRun = id.toStdString();
        job.fromStep = *step;
        m_remark->setText(tr("A fork of %1: goes on from its checkpoint of step %2.")
                              .arg(name, countText(*step)));
    } else if (!changed.isEmpty()) {
        m_remark->setText(
            tr("A fork of %1 that begins at the start, because %2 changes.").arg(name, changed));
    } else if (m_recorded->isChecked()) {
        const TrainSettings& parent = *trainSettings(m_parentRun.spec.job);
        job.fromRun = parent.fromRun;
        job.fromStep = parent.fromStep;
        m_remark->setText(tr("A fork of %1 that begins where that began.").arg(name));
    } else if (m_parentRun.checkpoints.empty()) {
        m_remark->setText(
            tr("A fork of %1 that begins at the start: it has no checkpoint.").arg(name));
    } else {
        m_remark->setText(tr("A fork of %1 that begins at the start.").arg(name));
    }
}

}  // namespace orrery
