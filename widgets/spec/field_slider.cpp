#include "widgets/spec/field_slider.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <algorithm>
#include <limits>
#include <utility>

#include "widgets/common/parts.h"
#include "widgets/spec/field_text.h"

namespace orrery {

namespace {

/// Stands for infinity where a spin box can hold finite numbers only.
constexpr double kTop = 1e6;
constexpr int kResetWidth = 24;  ///< pixels

/// Leaves Ctrl+Z and Ctrl+Y to the window while a field has no keystrokes of its own to undo.
class UndoPass : public QObject {
public:
    UndoPass(const QLineEdit* line, QObject* parent) : QObject(parent), m_line(line) {}

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::ShortcutOverride) {
            const auto* key = static_cast<QKeyEvent*>(event);
            if ((key->matches(QKeySequence::Undo) && !m_line->isUndoAvailable()) ||
                (key->matches(QKeySequence::Redo) && !m_line->isRedoAvailable())) {
                event->ignore();
                return true;
            }
        }
        return QObject::eventFilter(watched, event);
    }

private:
    const QLineEdit* m_line;
};

}  // namespace

FieldSpin::FieldSpin(const FieldScale& scale, QWidget* parent)
    : QDoubleSpinBox(parent), m_scale(scale) {
    setDecimals(scale.isWhole ? 0 : scale.decimals);
    setRange(scale.least, scale.takesInfinity ? kTop : scale.most);
    setStepType(AdaptiveDecimalStepType);
    setKeyboardTracking(false);
    setAlignment(Qt::AlignRight);
    setFocusPolicy(Qt::StrongFocus);
    // What was typed and taken is undone as a change of the run; setText forgets the keystrokes.
    connect(this, &QDoubleSpinBox::editingFinished, this,
            [this] { lineEdit()->setText(lineEdit()->text()); });
    installEventFilter(new UndoPass(lineEdit(), this));
}

double FieldSpin::number() const {
    return m_scale.takesInfinity && value() >= kTop ? std::numeric_limits<double>::infinity()
                                                    : value();
}

void FieldSpin::setNumber(double number) {
    setValue(std::min(number, maximum()));
}

bool FieldSpin::isInfinity(const QString& word) const {
    return m_scale.takesInfinity && (word == QStringLiteral("∞") || word == QLatin1String("inf"));
}

QString FieldSpin::textFromValue(double value) const {
    return m_scale.takesInfinity && value >= kTop ? QStringLiteral("∞") : numberFieldText(value);
}

double FieldSpin::valueFromText(const QString& text) const {
    const QString word = text.trimmed();
    return isInfinity(word) ? kTop : word.toDouble();
}

QValidator::State FieldSpin::validate(QString& text, int&) const {
    static const QString kLetters = QStringLiteral("0123456789.eE+-");
    const QString word = text.trimmed();
    bool isNumber = false;
    const double value = word.toDouble(&isNumber);
    if (isInfinity(word) || (isNumber && value >= minimum() && value <= maximum()))
        return QValidator::Acceptable;
    if (m_scale.takesInfinity && QStringLiteral("inf").startsWith(word))
        return QValidator::Intermediate;
    const bool isBegun =
        std::ranges::all_of(word, [](QChar letter) { return kLetters.contains(letter); });
    return isBegun ? QValidator::Intermediate : QValidator::Invalid;
}

void FieldSpin::stepBy(int steps) {
    if (m_scale.stepsByDigit)
        QDoubleSpinBox::stepBy(steps);
    else
        setValue(m_scale.stepped(value(), steps));
}

FieldSlider::FieldSlider(const RunField& field, const FieldScale& scale, const QString& prefix,
                         QString nameHtml, QWidget* parent)
    : QObject(parent),
      m_nameHtml(std::move(nameHtml)),
      m_prefix(prefix),
      m_field(QString::fromStdString(field.name)),
      m_scale(scale),
      m_name(makeLabel(m_nameHtml, "name", parent)),
      m_slider(new QSlider(Qt::Horizontal, parent)),
      m_spin(new FieldSpin(scale, parent)) {
    m_name->setBuddy(m_spin);
    m_slider->setObjectName(prefix + QStringLiteral("slider_") + m_field);
    m_slider->setRange(0, FieldScale::kPlaces);
    m_slider->setSingleStep(10);
    m_slider->setPageStep(100);
    m_spin->setObjectName(prefix + QStringLiteral("spin_") + m_field);
    for (QWidget* part : {static_cast<QWidget*>(m_name), static_cast<QWidget*>(m_slider),
                          static_cast<QWidget*>(m_spin)})
        part->setAccessibleName(QString::fromStdString(field.label));
    connect(m_slider, &QSlider::sliderMoved, this, [this](int place) {
        const QSignalBlocker blocker(m_spin);
        m_spin->setNumber(m_scale.value(place));
    });
    connect(m_slider, &QSlider::valueChanged, this, [this](int place) {
        const QSignalBlocker blocker(m_spin);
        m_spin->setNumber(m_scale.value(place));
        Q_EMIT wished(m_scale.value(place));
    });
    connect(m_spin, &QDoubleSpinBox::valueChanged, this,
            [this] { Q_EMIT wished(m_spin->number()); });
}

QToolButton* FieldSlider::addReset(const QString& name) {
    m_reset = new QToolButton(m_slider->parentWidget());
    m_reset->setObjectName(m_prefix + QStringLiteral("reset_") + m_field);
    m_reset->setProperty("look", QStringLiteral("plain"));
    m_reset->setText(QStringLiteral("↺"));
    m_reset->setAccessibleName(name);
    m_reset->setToolTip(name);
    m_reset->setFixedWidth(kResetWidth);
    QSizePolicy policy = m_reset->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    m_reset->setSizePolicy(policy);
    return m_reset;
}

void FieldSlider::setValue(double value) {
    if (m_slider->isSliderDown()) return;
    const QSignalBlocker noSlider(m_slider), noSpin(m_spin);
    m_slider->setValue(m_scale.place(value));
    m_spin->setNumber(value);
}

void FieldSlider::setTip(const QString& tip) {
    m_name->setToolTip(tip);
    m_slider->setToolTip(tip);
    m_spin->setToolTip(tip);
}

void FieldSlider::setEnabled(bool isEnabled) {
    m_slider->setEnabled(isEnabled);
    m_spin->setEnabled(isEnabled);
}

void FieldSlider::setVisible(bool isVisible) {
    m_name->setVisible(isVisible);
    m_slider->setVisible(isVisible);
    m_spin->setVisible(isVisible);
}

void FieldSlider::setChanged(bool isChanged) {
    m_name->setText(isChanged ? QStringLiteral("<b>%1</b>").arg(m_nameHtml) : m_nameHtml);
    if (m_reset != nullptr) m_reset->setVisible(isChanged);
    QFont font = m_spin->font();
    font.setBold(isChanged);
    m_spin->setFont(font);
    if (m_spin->property("changed").toBool() == isChanged) return;
    m_spin->setProperty("changed", isChanged);
    restyle(m_spin);
}

}  // namespace orrery
