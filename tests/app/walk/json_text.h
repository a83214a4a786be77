#pragma once

#include <QJsonObject>
#include <QString>

namespace orrery {

/// A text of a dump or an action; empty: it has none of that name.
inline QString textOf(const QJsonObject& entry, const char* key) {
    return entry.value(QLatin1String(key)).toString();
}

}  // namespace orrery
