#include "fault_sweep.h"

#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/support/fast_folder.h"

namespace orrery::test {

namespace {

std::string faultAt(const std::string& prefix, const std::string& action, int place) {
    return prefix + ':' + action + '@' + std::to_string(place);
}

}  // namespace

FaultSweep::FaultSweep(const RunSpec& spec, std::int64_t lastStep)
    : m_folder(fastFolder()), m_lastStep(lastStep) {
    std::ofstream(m_folder.filePath("spec.json").toStdString()) << toJson(spec);
    const VictimOrder order = fresh();
    const VictimEnd end = m_victims.run(order);
    m_expected = contentOf(order.workspace, lastStep);
    if (end.state != "finished" || end.committed == 0)
        m_problem = QString::fromStdString(end.state + ": " + end.text);
    else if (m_expected.size() < 4)
        m_problem = "it leaves no checkpoint";
}

VictimOrder FaultSweep::fresh() {
    if (m_runs > 0) std::filesystem::remove_all(path(m_runs));
    return {.workspace = path(++m_runs), .spec = m_folder.filePath("spec.json").toStdString()};
}

std::string FaultSweep::path(int run) const {
    return m_folder.filePath(QString("w%1.orrery").arg(run)).toStdString();
}

/// How often a training passes points of a prefix.
int FaultSweep::placesOf(const std::string& prefix) {
    int& most = m_places[prefix];
    if (most > 0) return most;
    const auto isReached = [&](int n) {
        VictimOrder order = fresh();
        order.faults = prefix + ":kill@" + std::to_string(n);
        return m_victims.run(order).signal == SIGKILL;
    };
    int beyond = 1;
    while (isReached(beyond)) beyond *= 2;
    for (int low = beyond / 2; beyond - low > 1;) {
        const int middle = (low + beyond) / 2;
        (isReached(middle) ? low : beyond) = middle;
    }
    return most = beyond - 1;
}

/// Empty if all is well after a run with a fault.
QString FaultSweep::wrongAfter(const VictimOrder& order, const VictimEnd& end, bool mayDie) {
    if (end.isHanging) return QStringLiteral("it hangs");
    if (end.signal != 0 && !(mayDie && end.signal == SIGKILL))
        return QString("signal %1").arg(end.signal);
    if (end.signal == 0 && end.status != 0 && end.text.empty())
        return QString("status %1 without a word").arg(end.status);
    if (QString problem = problemOf(order.workspace, end.committed); !problem.isEmpty())
        return problem;
    if (!isFinished(order.workspace)) {
        VictimOrder again = order;
        again.faults.clear();
        again.cancelAfter = 0;
        const VictimEnd resumed = m_victims.run(again);
        if (resumed.state != "finished")
            return QString::fromStdString("not resumed: " + resumed.text);
        if (const QString problem = problemOf(order.workspace); !problem.isEmpty())
            return "resumed: " + problem;
    }
    if (contentOf(order.workspace, m_lastStep) != m_expected)
        return QStringLiteral("it ended otherwise than without a fault");
    return {};
}

FaultSweep::Outcome FaultSweep::withFault(const std::string& prefix, const std::string& action,
                                          int stride) {
    Outcome outcome{.places = placesOf(prefix)};
    // Each action begins elsewhere, so that together they see more places.
    const int first =
        1 + static_cast<int>(qHash(QByteArray::fromStdString(action)) %
                             static_cast<std::size_t>(std::min(stride, outcome.places)));
    for (int n = first; n <= outcome.places && outcome.problem.isEmpty(); n += stride) {
        ++outcome.tried;
        VictimOrder order = fresh();
        order.faults = faultAt(prefix, action, n);
        const VictimEnd end = m_victims.run(order);
        outcome.unharmed += end.state == "finished" ? 1 : 0;
        QString wrong = wrongAfter(order, end, action == "kill");
        if (action == "kill" && end.signal != SIGKILL) wrong = "it was not killed";
        // These are no faults to a program that looks at what system calls return.
        const bool isHarmless = action == "short" || (action == "eintr" && prefix == "file.*");
        if (isHarmless && end.state != "finished") wrong = "it did not finish";
        if (!wrong.isEmpty())
            outcome.problem = QString("%1: %2 (%3)")
                                  .arg(QString::fromStdString(order.faults), wrong,
                                       QString::fromStdString(end.text));
    }
    return outcome;
}

FaultSweep::Outcome FaultSweep::withFullDisk(const std::string& prefix, int places) {
    Outcome outcome{.places = placesOf(prefix)};
    const int stride = std::max(1, outcome.places / places);
    for (int n = 1 + stride / 2; n <= outcome.places && outcome.problem.isEmpty(); n += stride) {
        ++outcome.tried;
        VictimOrder order = fresh();
        order.faults = faultAt(prefix, "enospc", n) + '+';  // and from there on
        order.cancelAfter = 300;
        const VictimEnd end = m_victims.run(order);
        outcome.blocked += end.state == "stopped" ? 1 : 0;
        if (const QString wrong = wrongAfter(order, end, false); !wrong.isEmpty())
            outcome.problem = QString("%1: %2 (%3)")
                                  .arg(QString::fromStdString(order.faults), wrong,
                                       QString::fromStdString(end.text));
    }
    return outcome;
}

}  // namespace orrery::test
