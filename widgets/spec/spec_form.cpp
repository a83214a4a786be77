#include "widgets/spec/spec_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/run/run_kind.h"
#include "core/spec/field_effect.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/spec/field_text.h"
#include "widgets/spec/form_fields.h"
#include "widgets/spec/preset_box.h"
#include "widgets/spec/scale_slider.h"

namespace orrery {

namespace {

constexpr int kLeastName = 18, kLeastSlider = 48, kResetWidth = 24, kSliderGap = 6;  // pixels

}  // namespace

SpecForm::SpecForm(RunSpec& spec, SpecFormLook look, QWidget* parent)
    : QScrollArea(parent), m_spec(spec), m_look(std::move(look)) {
    setObjectName(m_look.parts + QStringLiteral("Area"));
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->addStretch(1);  // rows stand at the top, whatever the height
    setWidget(page);
    connect(verticalScrollBar(), &QScrollBar::rangeChanged, this, &SpecForm::keepShown);
    connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] { m_shown.clear(); });
}

QVBoxLayout* SpecForm::column() const {
    return static_cast<QVBoxLayout*>(widget()->layout());
}

void SpecForm::addPreset() {
    m_preset = new PresetBox(widget());
    m_preset->setObjectName(m_look.parts + QStringLiteral("Preset"));
    QLabel* label = addRow(tr("Preset"), m_preset);
    const bool hasAny = !m_spec.job.kind().presets.empty();
    label->setVisible(hasAny);
    m_preset->setVisible(hasAny);
    connect(m_preset, &PresetBox::chosen, this, [this](const SpecPreset* preset) {
        applyPreset(m_spec, *preset);
        showValues();
        Q_EMIT changed();
        Q_EMIT settled();
    });
}

void SpecForm::append(QWidget* part) {
    column()->insertWidget(column()->count() - 1, part);
}

QWidget* SpecForm::beginRows() {
    auto* part = new QWidget(widget());
    m_grid = makeFormGrid(part, m_look.editorWidth);
    m_line = 0;
    return part;
}

QLabel* SpecForm::addRow(const QString& name, QWidget* editor) {
    if (m_grid == nullptr) append(beginRows());
    QLabel* label = makeLabel(name, "name", m_grid->parentWidget());
    label->setBuddy(editor);
    m_grid->addWidget(label, m_line, 0);
    m_grid->addWidget(editor, m_line++, 1);
    if (editor->minimumWidth() == editor->maximumWidth())
        m_grid->setAlignment(editor, Qt::AlignRight);
    return label;
}

void SpecForm::addPart(QWidget* part) {
    append(part);
    m_grid = nullptr;
}

void SpecForm::addFirstFields() {
    for (const RunField* field : firstFormFields(m_spec.job.kind())) addField(*field, false);
}

QString SpecForm::tipOf(const RunField& field) const {
    const QString tip =
        QStringLiteral("%1 (%2). %3")
            .arg(QString::fromStdString(field.label), QString::fromStdString(field.range),
                 QString::fromStdString(field.meaning));
    return m_look.hasSymbols ? tip
                             : QStringLiteral("%1: ").arg(QString::fromStdString(field.name)) + tip;
}

void SpecForm::addField(const RunField& field, bool isOption) {
    const QString name = QString::fromStdString(field.name);
    const QString text = QString::fromStdString(field.label);
    QWidget* editor = makeEditor(field);
    editor->setObjectName(m_look.fields + name);
    editor->setAccessibleName(text);
    QLabel* label = nullptr;
    if (qobject_cast<QCheckBox*>(editor) == nullptr) {
        const bool isSymbol = m_look.hasSymbols && field.isSymbol;
        label = addRow(isSymbol ? symbolHtml(name) : wordsHtml(text), editor);
        label->setToolTip(tipOf(field));
        label->setWordWrap(m_look.slider != nullptr);
    } else {
        if (m_grid == nullptr) append(beginRows());
        m_grid->addWidget(editor, m_line++, 0, 1, 2);
    }
    editor->setToolTip(tipOf(field));
    m_rows.push_back({&field, name, tipOf(field), isOption, editor, label, m_grid, m_line++});
    if (const FieldScale* scale = m_look.slider ? m_look.slider(field) : nullptr)
        addSlider(m_rows.back(), *scale);
    showValue(m_rows.back());
}

/// Between name and number: a form has no room for a line more.
void SpecForm::addSlider(Row& row, const FieldScale& scale) {
    QWidget* page = row.grid->parentWidget();
    row.slider = new ScaleSlider(scale, page);
    row.slider->setObjectName(m_look.fields + QStringLiteral("slider_") + row.name);
    row.slider->setAccessibleName(row.editor->accessibleName());
    row.slider->setToolTip(row.tip);
    row.slider->setMinimumWidth(kLeastSlider);
    row.reset = new QToolButton(page);
    row.reset->setObjectName(m_look.fields + QStringLiteral("reset_") + row.name);
    row.reset->setProperty("look", QStringLiteral("plain"));
    row.reset->setText(QStringLiteral("↺"));
    row.reset->setFixedWidth(kResetWidth);
    QSizePolicy policy = row.reset->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    row.reset->setSizePolicy(policy);
    row.reset->hide();
    row.label->setMinimumWidth(kLeastName);
    row.grid->removeWidget(row.label);
    row.grid->removeWidget(row.editor);
    auto* cell = new QHBoxLayout;
    cell->setSpacing(kSliderGap);
    cell->addWidget(row.label);
    cell->addWidget(row.slider, 1);
    cell->addWidget(row.reset);
    cell->addWidget(row.editor);
    row.grid->addLayout(cell, row.hintLine - 1, 0, 1, 2);
    setTabOrder(row.slider, row.reset);
    setTabOrder(row.reset, row.editor);
    connect(row.slider, &QSlider::sliderPressed, this, &SpecForm::grabbed);
    connect(row.slider, &ScaleSlider::wished, this, [this, name = row.name](double number) {
        const Row& turned = *findRow(name);
        takeText(*turned.field, numberFieldText(number));
        showValue(turned);
        Q_EMIT settled();
    });
    connect(row.reset, &QToolButton::clicked, this,
            [this, name = row.name] { Q_EMIT resetAsked(name); });
}

void SpecForm::showSlider(const QString& field, double number, const QString& resetTip) {
    const Row* row = findRow(field);
    if (row == nullptr || row->slider == nullptr) return;
    row->slider->setNumber(number);
    row->slider->setAccessibleDescription(resetTip);
    row->reset->setVisible(!resetTip.isEmpty());
    row->reset->setToolTip(resetTip);
    row->reset->setAccessibleName(resetTip);
}

QWidget* SpecForm::makeEditor(const RunField& field) {
    if (field.type == FieldType::Flag || field.type == FieldType::Section) {
        auto* check = new QCheckBox(QString::fromStdString(field.label), widget());
        connect(check, &QCheckBox::toggled, this, [this, &field](bool on) {
            takeText(field, on ? QStringLiteral("true") : QStringLiteral("false"));
        });
        return check;
    }
    if (field.type == FieldType::Choice) {
        auto* box = new QComboBox(widget());
        for (const std::string& choice : field.choices)
            box->addItem(QString::fromStdString(choice));
        connect(box, &QComboBox::currentTextChanged, this,
                [this, &field](const QString& text) { takeText(field, text); });
        return box;
    }
    auto* line = new QLineEdit(widget());
    line->setAlignment(Qt::AlignRight);
    line->setPlaceholderText(field.isOptional ? tr("none") : QString());
    if (m_look.slider != nullptr) line->setFixedWidth(m_look.editorWidth);  // the rest is theirs
    connect(line, &QLineEdit::textEdited, this,
            [this, &field](const QString& text) { takeText(field, text); });
    connect(line, &QLineEdit::editingFinished, this, &SpecForm::settled);
    return line;
}

/// Reads what was typed; a wrong text keeps the field's former value and says why. Others may have
/// become something else with it: setting gamma unsets rho.
void SpecForm::takeText(const RunField& field, const QString& text) {
    const RunSpec before = m_spec;
    const QString name = QString::fromStdString(field.name);
    m_typed.remove(name);
    if (const QString problem = takeFieldText(field, text, m_spec); !problem.isEmpty())
        m_typed.insert(name, problem);
    for (const Row& row : m_rows)
        if (row.field != &field && !m_typed.contains(row.name) &&
            shownText(*row.field, before) != shownText(*row.field, m_spec))
            showValue(row);
    Q_EMIT changed();
}

const SpecForm::Row* SpecForm::findRow(const QString& field) const {
    const auto found = std::ranges::find(m_rows, field, &Row::name);
    return found == m_rows.end() ? nullptr : &*found;
}

QWidget* SpecForm::editor(const QString& field) const {
    const Row* row = findRow(field);
    return row == nullptr ? nullptr : row->editor;
}

void SpecForm::showValue(const Row& row) {
    const QSignalBlocker blocker(row.editor);
    if (auto* line = qobject_cast<QLineEdit*>(row.editor))
        line->setText(shownText(*row.field, m_spec));
    else if (auto* box = qobject_cast<QComboBox*>(row.editor))
        box->setCurrentText(shownText(*row.field, m_spec));
    else if (auto* check = qobject_cast<QCheckBox*>(row.editor))
        check->setChecked(row.field->get(m_spec) == FieldValue(true));
}

void SpecForm::showValues() {
    m_typed.clear();
    showRightValues();
}

void SpecForm::showRightValues() {
    for (const Row& row : m_rows)
        if (!m_typed.contains(row.name)) showValue(row);
}

/// What is wrong with single fields and with several together. The owner knows the world.
void SpecForm::findProblems() {
    m_wrong = m_typed;
    m_together.clear();
    for (const SpecProblem& problem : validate(m_spec)) {
        const QString name = QString::fromStdString(problem.field);
        if (problem.isWarning || m_typed.contains(name) || name == QLatin1String("world")) continue;
        const QString text =
            QStringLiteral("%1 %2").arg(name, QString::fromStdString(problem.text));
        m_together.emplace_back(name, text);
        m_wrong.insert(name, text);
    }
}

void SpecForm::refresh() {
    if (m_preset != nullptr) m_preset->follow(m_spec);
    findProblems();
    for (Row& row : m_rows) refreshRow(row);
    filterOptions();
}

void SpecForm::refreshRow(Row& row) {
    const bool isChanged = fieldText(row.field->get(m_spec)) != fieldText(fieldDefault(*row.field));
    const bool isWrong = m_wrong.contains(row.name);
    if (row.editor->property("changed").toBool() != isChanged ||
        row.editor->property("invalid").toBool() != isWrong) {
        row.editor->setProperty("changed", isChanged);
        row.editor->setProperty("invalid", isWrong);
        restyle(row.editor);
    }
    setHint(row, m_wrong.value(row.name));
    if (row.field->needs.empty()) return;
    // A wrong one must be mended first.
    const QString why = noEffectText(unmetNeed(*row.field, m_spec.job.kind().fields, m_spec));
    row.editor->setEnabled(why.isEmpty() || isWrong);
    if (row.slider != nullptr) row.slider->setEnabled(why.isEmpty());
    row.editor->setToolTip(why.isEmpty() ? row.tip : why + u'\n' + row.tip);
}

/// Few fields ever need a label for it.
void SpecForm::setHint(Row& row, const QString& text) {
    if (row.hint == nullptr && !text.isEmpty()) {
        row.hint = makeLabel({}, "problem", row.grid->parentWidget());
        row.hint->setObjectName(m_look.fields + QStringLiteral("hint_") + row.name);
        row.hint->setWordWrap(true);
        row.grid->addWidget(row.hint, row.hintLine, 0, 1, 2);
    }
    if (row.hint == nullptr) return;
    row.hint->setText(text);
    row.hint->setVisible(!text.isEmpty());
}

QString SpecForm::problem() const {
    for (const Row& row : m_rows)
        if (m_wrong.contains(row.name)) return m_wrong.value(row.name);
    return m_together.isEmpty() ? QString() : m_together.front().second;
}

QStringList SpecForm::problemsOutOfView() const {
    QStringList texts;
    for (const auto& [name, text] : m_together) {
        const Row* row = findRow(name);
        const QLabel* hint = row == nullptr ? nullptr : row->hint;
        if (hint == nullptr || !hint->isVisibleTo(widget()) || hint->text() != text) texts << text;
    }
    return texts;
}

}  // namespace orrery
