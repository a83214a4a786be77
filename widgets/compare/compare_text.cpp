#include "widgets/compare/compare_text.h"

#include <QObject>
#include <algorithm>

#include "widgets/common/number_text.h"

namespace orrery {

QString plainSymbols(const QString& text) {
    QStringList words = text.split(u' ');
    for (QString& word : words) {
        const auto cut = word.indexOf(u'_');
        if (cut < 0) {
            word = greekLetter(word);
            continue;
        }
        QString rest = word.mid(cut);
        rest.replace(QLatin1String("_r"), QStringLiteral("ᵣ"));
        rest.replace(QLatin1String("_h"), QStringLiteral("ₕ"));
        rest.replace(QLatin1String("^e"), QStringLiteral("ᵉ"));
        word = greekLetter(word.left(cut)) + rest;
    }
    return words.join(u' ');
}

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
