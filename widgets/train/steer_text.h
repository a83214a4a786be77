#pragma once

#include <QString>

#include "core/run/run_kind.h"

namespace orrery {

/// What a live field is called wherever it is named, with its name in files: "rate of V_h^e
/// (lr_v_h_e)"; a name that is no live field's is given back.
QString steerName(const RunKind& kind, const QString& field);

/// A value of a change as fields show numbers; what is no number stays as it is.
QString steerText(const QString& value);

}  // namespace orrery
