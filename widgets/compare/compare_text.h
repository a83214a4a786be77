#pragma once

#include <QString>

namespace orrery {

/// Symbols within plain text, for controls that cannot set them: "beta_r 5" gives "βᵣ 5", "V_h^e"
/// gives "Vₕᵉ".
QString plainSymbols(const QString& text);

/// "1 run", "3 runs".
QString runsText(qsizetype count);
/// "1 checked run", "3 checked runs".
QString checkedRunsText(qsizetype count);

}  // namespace orrery
