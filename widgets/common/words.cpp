#include "widgets/common/words.h"

#include <algorithm>

namespace orrery {

QStringList wordsOf(const QString& text) {
    return text.split(u' ', Qt::SkipEmptyParts);
}

bool hasAll(const QString& text, const QStringList& words) {
    return std::ranges::all_of(
        words, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

}  // namespace orrery
