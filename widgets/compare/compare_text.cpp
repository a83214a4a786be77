#include "widgets/compare/compare_text.h"

#include <QObject>
#include <QStringList>

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

QString runsText(qsizetype count) {
    return count == 1 ? QObject::tr("1 run") : QObject::tr("%1 runs").arg(count);
}

QString checkedRunsText(qsizetype count) {
    return count == 1 ? QObject::tr("1 checked run") : QObject::tr("%1 checked runs").arg(count);
}

}  // namespace orrery
