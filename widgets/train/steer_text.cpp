#include "widgets/train/steer_text.h"

#include "core/run/run_fields.h"
#include "widgets/spec/field_text.h"

namespace orrery {

QString steerName(const RunKind& kind, const QString& field) {
    const RunField* known = findField(kind.name, field.toStdString());
    if (known == nullptr || !known->isLive) return field;
    const QString label = QString::fromStdString(known->shortLabel);
    return label == field ? field : QStringLiteral("%1 (%2)").arg(label, field);
}

QString steerText(const QString& value) {
    bool isNumber = false;
    const double number = value.toDouble(&isNumber);
    return isNumber ? numberFieldText(number) : value;
}

}  // namespace orrery
