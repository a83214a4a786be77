#include "widgets/train/many_runs_row.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QVBoxLayout>
#include <array>

#include "core/base/error.h"
#include "core/run/sweep.h"
#include "widgets/common/parts.h"
#include "widgets/spec/spec_form.h"

namespace orrery {

namespace {

constexpr int kMostSeeds = 100;

}  // namespace

ManyRunsRow::ManyRunsRow(const std::string& kind, QWidget* parent)
    : QWidget(parent),
      m_kind(kind),
      m_seeds(new QSpinBox(this)),
      m_field(new QComboBox(this)),
      m_values(new QLineEdit(this)),
      m_remark(makeLabel({}, "label", this)) {
    m_seeds->setObjectName(QStringLiteral("trainSeeds"));
    m_seeds->setAccessibleName(tr("Number of seeds"));
    m_seeds->setRange(1, kMostSeeds);
    m_seeds->setAlignment(Qt::AlignRight);  // as the numbers above it
    m_seeds->setToolTip(tr("A run for each of so many seeds, that of the form and those after it"));
    m_field->setObjectName(QStringLiteral("trainSweepField"));
    m_field->setAccessibleName(tr("Field of which several values are tried"));
    m_field->addItem(tr("none"), QString());
    for (const std::string& field : sweepFields(m_kind))
        if (field != "seed")
            m_field->addItem(QString::fromStdString(field), QString::fromStdString(field));
    m_field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_values->setObjectName(QStringLiteral("trainSweepValues"));
    m_values->setAccessibleName(tr("Values of that field"));
    m_values->setPlaceholderText(QStringLiteral("1, 2, 5 or 1:3:0.5"));
    m_values->setToolTip(
        tr("A run for each: a list as in 1, 2, 5 or ranges FROM:TO:STEP as in "
           "1:3:0.5"));
    m_remark->setObjectName(QStringLiteral("trainSweepRemark"));
    m_remark->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_values);
    column->addWidget(m_remark);
    m_values->hide();
    m_remark->hide();
    hide();
    connect(m_seeds, &QSpinBox::valueChanged, this, &ManyRunsRow::changed);
    connect(m_field, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_values->setVisible(index > 0);
        showIfAny();
        Q_EMIT changed();
    });
    connect(m_values, &QLineEdit::textChanged, this, &ManyRunsRow::changed);
}

void ManyRunsRow::addTo(SpecForm& form) {
    form.addRow(tr("Seeds"), m_seeds);
    form.addRow(tr("Several values of"), m_field);
    form.addPart(this);
}

void ManyRunsRow::showIfAny() {
    setVisible(!m_values->isHidden() || !m_remark->isHidden());
}

std::vector<RunSpec> ManyRunsRow::made(const RunSpec& base) const {
    std::vector<SweepAxis> axes;
    if (m_field->currentIndex() > 0) {
        const std::array<std::string, 1> text{m_field->currentData().toString().toStdString() +
                                              '=' + m_values->text().remove(u' ').toStdString()};
        SweepReading reading = readSweep(m_kind, text);
        if (!reading.problems.empty()) throw Error(reading.problems.front(), Error::Kind::BadInput);
        axes = std::move(reading.axes);
    }
    if (m_seeds->value() > 1) addSeeds(axes, base, m_seeds->value());
    return axes.empty() ? std::vector{base} : sweepRuns(base, axes);
}

std::vector<RunSpec> ManyRunsRow::runs(const RunSpec& base) const {
    try {
        return made(base);
    } catch (const Error&) {
        return {};
    }
}

void ManyRunsRow::setBase(const RunSpec& base) {
    m_problem.clear();
    m_numRuns = 1;
    try {
        m_numRuns = static_cast<int>(made(base).size());
    } catch (const Error& error) {
        m_problem = QString::fromUtf8(error.what());
    }
    m_remark->setText(!m_problem.isEmpty()
                          ? m_problem
                          : tr("%1 runs, each as soon as there is room for it.").arg(m_numRuns));
    const QString look = m_problem.isEmpty() ? QStringLiteral("label") : QStringLiteral("problem");
    if (m_remark->property("look").toString() != look) {
        m_remark->setProperty("look", look);
        restyle(m_remark);
    }
    m_remark->setVisible(!m_problem.isEmpty() || m_numRuns > 1);
    showIfAny();
}

void ManyRunsRow::reset() {
    m_seeds->setValue(1);
    m_field->setCurrentIndex(0);
    m_values->clear();
}

}  // namespace orrery
