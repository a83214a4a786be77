#include "widgets/spec/field_text.h"

#include <QObject>

#include "core/base/error.h"
#include "widgets/common/number_text.h"

namespace orrery {

QString shownText(const RunField& field, const RunSpec& spec) {
    const FieldValue value = field.get(spec);
    return std::holds_alternative<std::monostate>(value)
               ? QString()
               : QString::fromStdString(shortFieldText(value));
}

QString takeFieldText(const RunField& field, const QString& text, RunSpec& spec) {
    try {
        const bool isUnset = field.isOptional && text.trimmed().isEmpty();
        field.set(spec,
                  isUnset ? FieldValue{} : fieldFromText(field, text.trimmed().toStdString()));
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

QString numberFieldText(double value) {
    return QString::number(value, 'g', 6).remove(u'+');
}

QString noEffectText(const FieldNeed* unmet) {
    return unmet == nullptr
               ? QString()
               : QObject::tr("No effect: %1.").arg(QString::fromStdString(unmet->reason));
}

}  // namespace orrery
