#include "widgets/train/steer_scale.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <algorithm>
#include <cmath>

#include "core/run/run_fields.h"

namespace orrery {

namespace {

constexpr double kStepFactor = 1.1, kEvenSteps = 100;
constexpr int kDigits = 2;
/// As far as a number goes: the run refuses what is wrong, a field never shows another number.
constexpr double kLeast = 1e-300, kMost = 1e300;
constexpr int kDecimals = 323;  // of numbers of any size

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

double rounded(double value) {
    if (value == 0) return 0;
    const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - (kDigits - 1));
    return std::round(value / unit) * unit;
}

}  // namespace

int SteerScale::place(double value) const {
    const double inside = std::clamp(value, low, high);
    const double share =
        isLog ? std::log(inside / low) / std::log(high / low) : (inside - low) / (high - low);
    return static_cast<int>(std::lround(share * kPlaces));
}

double SteerScale::value(int place) const {
    const double share = static_cast<double>(place) / kPlaces;
    const double value =
        rounded(isLog ? low * std::pow(high / low, share) : std::lerp(low, high, share));
    return isWhole ? std::max(std::ceil(low), std::round(value)) : value;
}

SteerScale steerScaleOf(const RunField& field) {
    const bool isWhole = field.type == FieldType::Integer;
    return {.low = field.slider.low,
            .high = field.slider.high,
            .isLog = field.slider.isLog,
            .isWhole = isWhole,
            .least = field.lowIsOpen ? kLeast : field.low,
            .most = std::min(field.high, kMost)};
}

QString steerName(const RunKind& kind, const QString& field) {
    const RunField* known = findField(kind.name, field.toStdString());
    if (known == nullptr || !known->isLive) return field;
    const QString label = QString::fromStdString(known->shortLabel);
    return label == field ? field : QStringLiteral("%1 (%2)").arg(label, field);
}

QString steerText(double value) {
    return QString::number(value, 'g', 6).remove(u'+');
}

QString steerText(const QString& value) {
    bool isNumber = false;
    const double number = value.toDouble(&isNumber);
    return isNumber ? steerText(number) : value;
}

SteerSpin::SteerSpin(const SteerScale& scale, QWidget* parent)
    : QDoubleSpinBox(parent), m_scale(scale) {
    setDecimals(scale.isWhole ? 0 : kDecimals);
    setRange(scale.least, scale.most);
    setKeyboardTracking(false);
    setAlignment(Qt::AlignRight);
    setFixedWidth(76);
    setFocusPolicy(Qt::StrongFocus);
    // What was typed and taken is undone as a change of the run; setText forgets the keystrokes.
    connect(this, &QDoubleSpinBox::editingFinished, this,
            [this] { lineEdit()->setText(lineEdit()->text()); });
    installEventFilter(new UndoPass(lineEdit(), this));
}

QString SteerSpin::textFromValue(double value) const {
    return steerText(value);
}

double SteerSpin::valueFromText(const QString& text) const {
    return text.trimmed().toDouble();
}

QValidator::State SteerSpin::validate(QString& text, int&) const {
    static const QString kBegins = QStringLiteral("0123456789.eE+-");
    bool isNumber = false;
    const QString word = text.trimmed();
    const double value = word.toDouble(&isNumber);
    if (isNumber && value >= minimum() && value <= maximum()) return QValidator::Acceptable;
    for (const QChar letter : word)
        if (!kBegins.contains(letter)) return QValidator::Invalid;
    return QValidator::Intermediate;
}

void SteerSpin::stepBy(int steps) {
    if (m_scale.isLog) {
        double next = rounded(value() * std::pow(kStepFactor, steps));
        if (m_scale.isWhole && std::abs(next - value()) < 1) next = value() + steps;
        setValue(next);
    } else {
        setValue(value() + steps * (m_scale.high - m_scale.low) / kEvenSteps);
    }
}

}  // namespace orrery
