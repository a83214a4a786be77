#pragma once

#include <QHash>
#include <QJsonObject>
#include <QMap>
#include <QSet>
#include <QString>
#include <vector>

#include "tests/app/walk/agreement.h"

namespace orrery {

class WalkPerformer;

/// Something that must not be.
struct WalkFinding {
    QString kind;  ///< crash, hang, console, report, block, differs, frozen, cut, outside, lost,
                   ///< verify
    QString text;

    bool endsTheWalk() const {
        return kind == QLatin1String("crash") || kind == QLatin1String("hang");
    }
    /// The same for findings of the same cause, as far as that can be told: without numbers.
    QString key() const;
};

/// Looks after each action whether the program is as it should be.
class WalkChecks {
public:
    /// @param maxBlockMs  CPU time that the window's thread may take at once; 0: blocks only count
    explicit WalkChecks(double maxBlockMs) : m_maxBlockMs(maxBlockMs) {}

    /// After an action; the newest dump is of it.
    std::vector<WalkFinding> afterAction(WalkPerformer& walk, const QJsonObject& action);
    /// After the program has ended and before it starts: its workspace is sound.
    std::vector<WalkFinding> whileEnded(WalkPerformer& walk, bool wasKilled);
    /// After the next start: what was open is there again.
    std::vector<WalkFinding> afterStart(WalkPerformer& walk);

    int numBlocks() const { return m_numBlocks; }
    double longestBlockMs() const { return m_longestMs; }

private:
    void seeConsole(WalkPerformer& walk);
    void seeBlocks(WalkPerformer& walk, const QJsonObject& action);
    using Look = QStringList (WalkChecks::*)(WalkPerformer& walk);
    void seeTwice(WalkPerformer& walk, const char* kind, Look look);
    QStringList cutTexts(WalkPerformer& walk);
    QStringList partsOutside(WalkPerformer& walk);
    void noteCarried(const WalkPerformer& walk, const QJsonObject& action);
    void forgiveDamagedWorld(UiDriver& ui);
    void find(const char* kind, const QString& text);

    double m_maxBlockMs;
    std::vector<WalkFinding> m_found;
    qsizetype m_readTo = 0;  ///< of the console
    double m_blocksTo = -1;  ///< seconds since the program began
    int m_numBlocks = 0;
    double m_longestMs = 0;
    QJsonObject m_last;      ///< facts of the last dump
    QJsonObject m_expected;  ///< of the next start; empty: nothing
    FrozenViews m_frozen;
    QSet<QString> m_carried;    ///< floating panels that were put beyond the screen by hand
    QString m_run, m_runPlace;  ///< the last one's id, and the workspace where it was first seen
    QMap<QString, QSet<QString>> m_runs;  ///< of each workspace: that were told to be finished
};

}  // namespace orrery
