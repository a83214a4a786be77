#pragma once

#include <QString>
#include <QTemporaryDir>
#include <cstdint>
#include <map>
#include <string>

#include "core/run/run_spec.h"
#include "victims.h"

namespace orrery::test {

/// One training again and again, each time with a fault at another of its places around files and
/// database: it leaves a sound workspace and all that it acknowledged, and can be resumed to the
/// same end.
class FaultSweep {
public:
    /// What the places with one kind of fault came to.
    struct Outcome {
        int tried = 0, places = 0;
        int unharmed = 0;      ///< trainings that finished all the same
        int blocked = 0;       ///< that waited until they were stopped
        QString problem = {};  ///< the first; empty: none

        QString summary() const {
            return QString("%1 of %2 places, %3 trainings finished all the same")
                .arg(tried)
                .arg(places)
                .arg(unharmed);
        }
    };

    /// Trains once without a fault. @param lastStep  of the checkpoint at the end
    FaultSweep(const RunSpec& spec, std::int64_t lastStep);

    QString problem() const { return m_problem; }  ///< of the training without a fault

    /// A fault at every `stride`-th place of a prefix.
    Outcome withFault(const std::string& prefix, const std::string& action, int stride);
    /// A disk that is full from such a place on, until the training is stopped after 0.3 s.
    Outcome withFullDisk(const std::string& prefix, int places);

private:
    VictimOrder fresh();
    int placesOf(const std::string& prefix);
    QString wrongAfter(const VictimOrder& order, const VictimEnd& end, bool mayDie);
    std::string path(int run) const;

    QTemporaryDir m_folder;
    Victims m_victims;
    std::int64_t m_lastStep;
    std::map<std::string, std::string> m_expected;
    std::map<std::string, int> m_places;  // how many a prefix has
    int m_runs = 0;
    QString m_problem;
};

}  // namespace orrery::test
