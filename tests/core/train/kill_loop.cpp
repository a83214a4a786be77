#include "kill_loop.h"

#include <signal.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <thread>

#include "core/base/rng.h"

namespace orrery::test {

namespace {

std::vector<double> agesOf(const Kills& kills) {
    std::vector<double> ages;
    ages.reserve(kills.losses.size());
    for (const StepClock::Loss& loss : kills.losses) ages.push_back(loss.seconds);
    std::ranges::sort(ages);
    return ages;
}

/// Kills one training after the other, each again and again until it is finished.
void killAgainAndAgain(Kills& kills, VictimOrder order, int wanted, double longest,
                       std::uint64_t seed, std::int64_t lastStep,
                       const std::map<std::string, std::string>& expected) {
    Victims victims;
    Rng rng(20, seed);
    order.clock = order.workspace + ".clock";
    // The last one is resumed to its end.
    while (kills.problem.isEmpty() &&
           (kills.interrupted < wanted || std::filesystem::exists(order.workspace))) {
        const bool isLast = kills.interrupted >= wanted;
        const std::int64_t before = pointsIn(order.workspace);
        ++kills.starts;
        kills.attempts += isLast ? 0 : 1;
        std::filesystem::remove(order.clock);
        victims.start(order);
        // Must wait for time: the kill comes at any moment.
        const double delay = 10 * std::pow(longest / 10, rng.uniform());
        if (!isLast && !victims.waitFor(std::chrono::microseconds(std::llround(delay * 1000))))
            victims.kill(SIGKILL);
        const VictimEnd end = victims.wait();
        const QString when = QString("start %1, %2 ms: ").arg(kills.starts).arg(delay);
        if (const QString found = problemOf(order.workspace, before + end.committed);
            !found.isEmpty())
            kills.problem = when + found;
        if (end.signal != 0) {
            ++kills.interrupted;
            const StepClock clock(order.clock, false);
            kills.trained += clock.points() > 0 ? 1 : 0;
            kills.losses.push_back(clock.lossBeyond(pointsIn(order.workspace) - before,
                                                    end.diedAt / std::chrono::nanoseconds(1)));
            // It may have died after its end was stored.
            if (!isFinished(order.workspace)) continue;
        } else if (end.state != "finished") {
            kills.problem = when + QString::fromStdString(end.state + ": " + end.text);
            continue;
        }
        ++kills.finished;
        if (contentOf(order.workspace, lastStep) != expected)
            kills.problem = when + "it ended otherwise than one that was not killed";
        std::filesystem::remove_all(order.workspace);
    }
}

}  // namespace

double Kills::mostLost() const {
    return losses.empty() ? 0 : agesOf(*this).back();
}

double Kills::commonlyLost() const {
    return losses.empty() ? 0 : agesOf(*this)[(losses.size() - 1) * 99 / 100];
}

QString Kills::summary() const {
    std::int64_t points = 0;
    for (const StepClock::Loss& loss : losses) points = std::max(points, loss.points);
    return QString(
               "%1 of %2 starts were killed, %3 of them while points came; %4 trainings "
               "finished; points lost: at most %5 s, 99 of 100 at most %6 s, at most %7")
        .arg(interrupted)
        .arg(starts)
        .arg(trained)
        .arg(finished)
        .arg(mostLost(), 0, 'f', 2)
        .arg(commonlyLost(), 0, 'f', 2)
        .arg(points);
}

Kills killAtAnyInstant(const std::array<VictimOrder, 2>& orders, int kills, double longest,
                       std::int64_t lastStep, const std::map<std::string, std::string>& expected) {
    std::array<Kills, 2> lanes;
    {
        std::vector<std::jthread> threads;
        threads.reserve(lanes.size());
        for (std::size_t i = 0; i < lanes.size(); ++i)
            threads.emplace_back([&, i] {
                killAgainAndAgain(lanes[i], orders[i], kills / 2, longest, i, lastStep, expected);
            });
    }
    Kills all;
    for (Kills& lane : lanes) {
        all.starts += lane.starts;
        all.attempts += lane.attempts;
        all.interrupted += lane.interrupted;
        all.finished += lane.finished;
        all.trained += lane.trained;
        all.losses.insert(all.losses.end(), lane.losses.begin(), lane.losses.end());
        if (all.problem.isEmpty()) all.problem = lane.problem;
    }
    return all;
}

}  // namespace orrery::test
