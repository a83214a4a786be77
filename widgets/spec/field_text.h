#pragma once

#include <QString>

#include "core/run/run_fields.h"
#include "core/run/run_spec.h"

namespace orrery {

/// What an editor shows of a field; empty: an optional one that is not set.
QString shownText(const RunField& field, const RunSpec& spec);

/// Sets a field to what was typed; nothing unsets an optional one. A wrong text changes nothing.
/// @return what is wrong; empty: nothing
QString takeFieldText(const RunField& field, const QString& text, RunSpec& spec);

/// A number as fields show and take it: "0.0003", "64".
QString numberFieldText(double value);

/// "No effect: Q_r is no table." of a need that is not met (field_effect.h); empty of none.
QString noEffectText(const FieldNeed* unmet);

}  // namespace orrery
