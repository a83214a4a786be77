#pragma once

#include <QString>
#include <QStringList>

namespace orrery {

/// The names without the parts with which all of them begin: "pantry · beta_r 5" and "pantry ·
/// beta_r 2" give "beta_r 5" and "beta_r 2". Something is left of each.
QStringList withoutCommonBegin(const QStringList& names);

/// "1 run", "3 runs".
QString runsText(qsizetype count);
/// "1 checked run", "3 checked runs".
QString checkedRunsText(qsizetype count);

}  // namespace orrery
