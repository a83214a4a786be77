#include "widgets/compare/compare_text.h"

#include <QObject>
#include <algorithm>

namespace orrery {

QStringList withoutCommonBegin(const QStringList& names) {
    const QString mark = QStringLiteral(" · ");
    if (names.size() < 2) return names;
    qsizetype cut = 0;
    for (;;) {
        const qsizetype end = names.front().indexOf(mark, cut);
        if (end < 0) break;
        const QString begin = names.front().left(end + mark.size());
        if (!std::ranges::all_of(names, [&](const QString& n) { return n.startsWith(begin); }))
            break;
        cut = begin.size();
    }
    QStringList rests;
    for (const QString& name : names) rests << name.mid(cut);
    return rests;
}

QString runsText(qsizetype count) {
    return count == 1 ? QObject::tr("1 run") : QObject::tr("%1 runs").arg(count);
}

QString checkedRunsText(qsizetype count) {
    return count == 1 ? QObject::tr("1 checked run") : QObject::tr("%1 checked runs").arg(count);
}

}  // namespace orrery
