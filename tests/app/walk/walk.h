#pragma once

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonObject>
#include <QSize>
#include <QString>
#include <QStringList>
#include <algorithm>
#include <vector>

#include "tests/app/walk/checks.h"
#include "tests/app/walk/performer.h"

namespace orrery {

class WalkReach;

/// How long a walk goes on, and where it leaves what it finds.
struct WalkPlan {
    quint64 seed = 1;
    int actions = 0;
    double seconds = 0;  ///< 0: no limit
    QString folder;      ///< of walks and pictures
    bool isVerbose = false;
};

/// One program from its first start to the last action.
class Walk {
public:
    explicit Walk(const WalkPlan& plan, QSize screen);

    void run(WalkReach& reach);
    void replay(const QJsonArray& actions);

    const std::vector<WalkFinding>& findings() const { return m_findings; }
    const std::vector<int>& places() const { return m_places; }
    const QJsonArray& actions() const { return m_actions; }
    const WalkChecks& checks() const { return m_checks; }
    bool has(const QString& key) const {
        return std::ranges::any_of(m_findings, [&](const auto& one) { return one.key() == key; });
    }

private:
    void begin(WalkReach& reach);
    void step(const QJsonObject& action, WalkReach& reach);
    void startAgain(const QJsonObject& action, bool isKilled);
    void end();
    void take(const std::vector<WalkFinding>& found);
    /// The picture, and where all threads are in a program that does not answer, if there is a gdb.
    void keep(const WalkFinding& one);
    /// What there is, from the dump after the start.
    void noteKnown(WalkReach& reach) const;
    void noteReach(const QJsonObject& action, WalkReach& reach) const;
    /// Where the program is now, for who reads along.
    QString placeText() const;
    /// Views and dialogs that came into sight.
    void noteSeen(WalkReach& reach);

    WalkPlan m_plan;
    WalkPerformer m_walk;
    WalkChecks m_checks{kMaxBlockMs};
    QJsonArray m_actions;
    std::vector<WalkFinding> m_findings;
    std::vector<int> m_places;  ///< actions before each
    QStringList m_seen;
    QElapsedTimer m_upSince;
    bool m_isOver = false;

#ifdef ORRERY_WALK_BLOCK_MS
    static constexpr double kMaxBlockMs = ORRERY_WALK_BLOCK_MS;
#else
    static constexpr double kMaxBlockMs = 0;
#endif
};

}  // namespace orrery
