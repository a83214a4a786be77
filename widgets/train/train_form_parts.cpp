#include "widgets/train/train_form.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QShowEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <string>

#include "core/run/run_name.h"
#include "widgets/common/parts.h"
#include "widgets/spec/spec_form.h"
#include "widgets/train/many_runs_row.h"
#include "widgets/train/train_outlook.h"

// The rows of TrainForm around its fields: name, switch, method, buttons.

namespace orrery {

namespace {

constexpr int kScreenMargin = 48;  ///< pixels, for the window's frame

}  // namespace

QWidget* TrainForm::makeNameRow() {
    auto* part = new QWidget(m_fields->widget());
    auto* row = new QHBoxLayout(part);
    row->setContentsMargins(0, 0, 0, 0);
    QLabel* label = makeLabel(tr("Name"), "name", part);
    m_name = new QLineEdit(part);
    m_name->setObjectName(QStringLiteral("trainName"));
    m_name->setAccessibleName(tr("Name of the run"));
    m_name->setToolTip(
        tr("What the run is called wherever it is shown; without one, its world and what differs "
           "from the defaults"));
    label->setBuddy(m_name);
    row->addWidget(label);
    row->addWidget(m_name, 1);
    connect(m_name, &QLineEdit::textChanged, this,
            [this](const QString& text) { m_spec.name = text.trimmed().toStdString(); });
    return part;
}

/// The name that the run gets if none is typed.
void TrainForm::refreshName() {
    const ForkParent& parent = parentRun();
    const QString base =
        parent.id.empty() ? m_world : QString::fromStdString(nameWithoutDescription(parent.spec));
    m_name->setPlaceholderText(QString::fromStdString(describeRun(base.toStdString(), m_spec)));
}

std::vector<RunSpec> TrainForm::namedRuns() const {
    RunSpec spec = m_spec;
    if (spec.name.empty()) spec.name = m_name->placeholderText().toStdString();
    return m_many->runs(spec);
}

int TrainForm::numRuns() const {
    return m_many->numRuns();
}

void TrainForm::forgetMany() {
    m_many->reset();
}

/// The choice that stands for several fields.
void TrainForm::makeSwitch(const FormSwitch& known) {
    m_switch = new QComboBox(m_fields->widget());
    m_switch->setObjectName(QStringLiteral("trainKind"));
    m_switch->setAccessibleName(QString::fromStdString(known.label));
    m_switch->setToolTip(QString::fromStdString(known.tip));
    for (const std::string& choice : known.choices)
        m_switch->addItem(QString::fromStdString(choice));
    m_fields->addRow(QString::fromStdString(known.label), m_switch);
    connect(m_switch, &QComboBox::activated, this, &TrainForm::takeSwitch);
}

/// Where there is more than one.
QWidget* TrainForm::makeMethodRow() {
    auto* part = new QWidget(this);
    auto* row = new QHBoxLayout(part);
    row->setContentsMargins(0, 0, 0, 0);
    QLabel* label = makeLabel(tr("Method"), "name", part);
    m_method = new QComboBox(part);
    m_method->setObjectName(QStringLiteral("trainMethod"));
    m_method->setAccessibleName(tr("Method"));
    m_method->setToolTip(tr("By what the run learns; each method has fields of its own"));
    for (const RunKind* kind : trainingKinds())
        m_method->addItem(QString::fromStdString(kind->name));
    label->setBuddy(m_method);
    row->addWidget(label, 1);
    row->addWidget(m_method);
    part->setVisible(m_method->count() > 1);
    connect(m_method, &QComboBox::activated, this, &TrainForm::takeMethod);
    return part;
}

void TrainForm::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    m_outlook->forgetAnswers();
    refreshAll();
    fitHeight();
}

/// As high as its rows, where the screen is.
void TrainForm::fitHeight() {
    resize(width(), std::min(height() + m_fields->missingHeight(),
                             screen()->availableGeometry().height() - kScreenMargin));
}

QWidget* TrainForm::makeButtons() {
    auto* buttons = new QDialogButtonBox(this);
    m_start->setObjectName(QStringLiteral("trainStart"));
    m_start->setProperty("look", QStringLiteral("primary"));
    m_start->setDefault(true);
    m_start->setToolTip(tr("Starts the training; its charts are shown at once"));
    auto* reset = buttons->addButton(tr("Defaults"), QDialogButtonBox::ResetRole);
    reset->setObjectName(QStringLiteral("trainDefaults"));
    reset->setToolTip(tr("Every field as it is in a fresh form"));
    auto* close = buttons->addButton(QDialogButtonBox::Cancel);
    close->setObjectName(QStringLiteral("trainCancel"));
    // The last, as it stands: the box would tie those before it to a ring of their own.
    buttons->addButton(m_start, QDialogButtonBox::AcceptRole);
    connect(m_start, &QPushButton::clicked, this, [this] {
        if (!isValid() || !m_many->isValid() || !m_blocked.isEmpty()) return;
        hide();
        Q_EMIT startRequested();
    });
    connect(reset, &QPushButton::clicked, this, [this] {
        RunSpec fresh;
        fresh.job = freshJob(*m_kind);
        m_kind->training(fresh.job)->changes = trainSettings(m_spec.job)->changes;
        setSpec(fresh);
    });
    connect(close, &QPushButton::clicked, this, &QDialog::hide);
    return buttons;
}

}  // namespace orrery
