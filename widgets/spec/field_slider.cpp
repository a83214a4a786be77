#include "widgets/spec/field_slider.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <algorithm>

#include "widgets/common/parts.h"
#include "widgets/spec/field_text.h"

namespace orrery {

namespace {

constexpr int kAnyDecimals = 323;

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
    setDecimals(scale.isWhole ? 0 : kAnyDecimals);
    setRange(scale.least, scale.most);
    setKeyboardTracking(false);
    setAlignment(Qt::AlignRight);
    setFocusPolicy(Qt::StrongFocus);
    // What was typed and taken is undone as a change of the run; setText forgets the keystrokes.
    connect(this, &QDoubleSpinBox::editingFinished, this,
            [this] { lineEdit()->setText(lineEdit()->text()); });
    installEventFilter(new UndoPass(lineEdit(), this));
}

QString FieldSpin::textFromValue(double value) const {
    return numberFieldText(value);
}

double FieldSpin::valueFromText(const QString& text) const {
    return text.trimmed().toDouble();
}

QValidator::State FieldSpin::validate(QString& text, int&) const {
    static const QString kLetters = QStringLiteral("0123456789.eE+-");
    const QString word = text.trimmed();
    bool isNumber = false;
    const double value = word.toDouble(&isNumber);
    if (isNumber && value >= minimum() && value <= maximum()) return QValidator::Acceptable;
    const bool isBegun =
        std::ranges::all_of(word, [](QChar letter) { return kLetters.contains(letter); });
    return isBegun ? QValidator::Intermediate : QValidator::Invalid;
}

void FieldSpin::stepBy(int steps) {
    setValue(m_scale.stepped(value(), steps));
}

FieldSlider::FieldSlider(const RunField& field, const FieldScale& scale, const QString& prefix,
                         const QString& nameHtml, QWidget* parent)
    : QObject(parent),
      m_name(makeLabel(nameHtml, "name", parent)),
      m_slider(new ScaleSlider(scale, parent)),
      m_spin(new FieldSpin(scale, parent)) {
    const QString name = QString::fromStdString(field.name);
    m_name->setBuddy(m_spin);
    m_slider->setObjectName(prefix + QStringLiteral("slider_") + name);
    m_spin->setObjectName(prefix + QStringLiteral("spin_") + name);
    for (QWidget* part : {static_cast<QWidget*>(m_name), static_cast<QWidget*>(m_slider),
                          static_cast<QWidget*>(m_spin)})
        part->setAccessibleName(QString::fromStdString(field.label));
    const auto show = [this](double number) {
        const QSignalBlocker blocker(m_spin);
        m_spin->setValue(number);
    };
    connect(m_slider, &ScaleSlider::moved, this, show);
    connect(m_slider, &ScaleSlider::wished, this, [this, show](double number) {
        show(number);
        Q_EMIT wished(number);
    });
    connect(m_spin, &QDoubleSpinBox::valueChanged, this, &FieldSlider::wished);
}

void FieldSlider::setValue(double value) {
    if (m_slider->isSliderDown()) return;
    const QSignalBlocker blocker(m_spin);
    m_slider->setNumber(value);
    m_spin->setValue(value);
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

}  // namespace orrery
