#include "widgets/frame/fuzzy_match.h"

#include <algorithm>

namespace orrery {

namespace {

constexpr int kWordStart = 12, kRun = 8, kHit = 2, kWholePrefix = 20;

bool startsWord(const QString& name, qsizetype at) {
    if (at == 0) return true;
    const QChar before = name[at - 1], here = name[at];
    return !before.isLetterOrNumber() || (before.isLower() && here.isUpper()) ||
           (before.isLetter() && here.isDigit());
}

}  // namespace

std::optional<int> fuzzyScore(const QString& typed, const QString& name) {
    int score = 0;
    qsizetype from = 0, last = -2;
    for (const QChar character : typed) {
        if (character.isSpace()) continue;
        const QChar low = character.toLower();
        // The next beginning of a word is worth skipping to; else the next place at all.
        qsizetype found = -1;
        for (qsizetype at = from; at < name.size(); ++at) {
            if (name[at].toLower() != low) continue;
            if (found < 0) found = at;
            if (at == last + 1 || startsWord(name, at)) {
                found = at;
                break;
            }
        }
        if (found < 0) return std::nullopt;
        score += kHit;
        if (found == last + 1) score += kRun;
        if (startsWord(name, found)) score += kWordStart;
        last = found;
        from = found + 1;
    }
    if (!typed.isEmpty() && name.startsWith(typed, Qt::CaseInsensitive)) score += kWholePrefix;
    return typed.isEmpty() ? 0 : score - static_cast<int>(std::min<qsizetype>(name.size(), 60) / 6);
}

std::vector<int> bestMatches(const QString& typed, const std::vector<QString>& names, int limit,
                             const std::vector<int>& bonus) {
    struct Match {
        int score;
        int index;
    };
    std::vector<Match> matches;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (const auto score = fuzzyScore(typed, names[i]))
            matches.push_back({*score + (i < bonus.size() ? bonus[i] : 0), static_cast<int>(i)});
    const auto kept = std::min<std::size_t>(matches.size(), static_cast<std::size_t>(limit));
    std::ranges::partial_sort(matches, matches.begin() + static_cast<std::ptrdiff_t>(kept),
                              [](const Match& a, const Match& b) {
                                  return a.score != b.score ? a.score > b.score : a.index < b.index;
                              });
    std::vector<int> indices;
    for (std::size_t i = 0; i < kept; ++i) indices.push_back(matches[i].index);
    return indices;
}

}  // namespace orrery
