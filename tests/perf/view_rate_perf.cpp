// What drawing the live views costs a training: its steps a second with all of Train drawn 60 and
// 30 times a second, frozen and minimised, in windows that follow each other in one run; or with a
// minimised window against none at all, in two processes of which one is halted.
//
//     packaging/perf.sh views [ROUNDS] [SECONDS] [networks]
//     packaging/perf.sh views minimised [PAIRS] [SECONDS] [networks]
//     packaging/perf.sh views several [ROUNDS] [SECONDS] [networks]
//
// The last one has three trainings and a solve, one after the other, in the window, of which one
// training is shown: the steps of the trainings together, and the longest block of the thread.
//
// The machine's speed drifts more than the views cost, so many short windows are compared in pairs.
#include <signal.h>
#include <QApplication>
#include <QDeadlineTimer>
#include <QProcess>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "app/window/event_watch.h"
#include "app/window/main_window.h"
#include "core/empo/snapshot.h"
#include "core/history/workspace.h"
#include "core/run/jobs/train_job.h"
#include "core/run/run.h"
#include "widgets/bridge/live_runs.h"
#include "widgets/common/style.h"
#include "widgets/settings/preferences.h"
#include "widgets/train/train_form.h"
#include "widgets/train/train_session.h"
#include "widgets/train/view_clock.h"

using namespace orrery;

namespace {

struct DrawMode {
    const char* name;
    int hertz;
    bool isMinimised;
};
constexpr std::array<DrawMode, 4> kModes{
    {{"60 Hz", 60, false}, {"30 Hz", 30, false}, {"0 Hz", 0, false}, {"minimised", 60, true}}};

struct Reached {
    double steps = 0, seconds = 0;
};

Reached reachedBy(const TrainingSnapshot& training) {
    return {static_cast<double>(training.step), training.seconds};
}
double rateBetween(const Reached& from, const Reached& to) {
    return (to.steps - from.steps) / (to.seconds - from.seconds);
}

/// The median, and what holds it with 95 %: the ranks of the sorted values around the middle.
struct Median {
    double value, low, high;
};
Median median(std::vector<double> values) {
    std::ranges::sort(values);
    const auto count = static_cast<double>(values.size());
    const auto at = [&](double rank) {
        return values[static_cast<std::size_t>(std::clamp(rank, 0.0, count - 1))];
    };
    const double spread = 0.98 * std::sqrt(count);
    return {values[values.size() / 2], at(count / 2 - spread), at(count / 2 + spread)};
}

/// How the rates of one way are to those of another, pair by pair.
void printShare(const char* name, const std::vector<double>& rates, const char* otherName,
                const std::vector<double>& others) {
    std::vector<double> share;
    for (std::size_t k = 0; k < rates.size(); ++k) share.push_back(rates[k] / others[k]);
    const Median middle = median(share);
    std::printf("%-10s %8.1f steps/s, %.4f of %s (median of %zu pairs; 95 %%: %.4f-%.4f)\n", name,
                median(rates).value, middle.value, otherName, rates.size(), middle.low,
                middle.high);
}

/// A training in tables, or with networks, that does not end by itself.
void prepare(RunSpec& spec, bool hasNetworks) {
    EmpoSpec& empo = spec.job.as<TrainJob>().empo;
    for (const Quantity quantity : kQuantities) {
        if (!hasNetworks && empo.isUsed(quantity)) empo.of(quantity).kind = Approximator::Table;
        empo.of(quantity).warmupSteps = 200;
    }
    empo.trainingSteps = 20'000'000;  // the estimate of the tables' memory goes with them
    empo.rampSteps = 200;
    spec.job.as<TrainJob>().cadence = {.metricInterval = hasNetworks ? 5 : 500,
                                       .checkpointSeconds = 0};
}

void start(MainWindow& window, bool hasNetworks) {
    window.activateWindow();
    if (!QTest::qWaitForWindowActive(&window)) std::abort();
    QTest::keyClick(&window, Qt::Key_T, Qt::ControlModifier);
    auto* form = window.findChild<TrainForm*>();
    RunSpec spec = form->spec();
    prepare(spec, hasNetworks);
    form->setSpec(spec);
    QTest::mouseClick(form->findChild<QPushButton*>(QStringLiteral("trainStart")), Qt::LeftButton);
}

WindowOptions optionsIn(const QString& folder) {
    WindowOptions options;
    options.world = QStringLiteral("builtin:first_steps");
    options.theme = ThemeChoice::Dark;
    options.workspace = (folder + QStringLiteral("/perf.orrery")).toStdString();
    options.preferencesFile = folder + QStringLiteral("/orrery.ini");
    options.restoresSession = false;
    return options;
}

/// Of every training of the window.
std::vector<Reached> reachedByAll(const MainWindow& window) {
    std::vector<Reached> all;
    for (const LiveRun* run : window.live().runs()) {
        const auto snapshot = run->snapshot();
        const auto* job = snapshot ? std::get_if<TrainSnapshot>(&snapshot->job) : nullptr;
        if (job != nullptr) all.push_back(job->training ? reachedBy(*job->training) : Reached{});
    }
    return all;
}
/// Those that told nothing new between the two moments are left out.
double rateOfAll(const std::vector<Reached>& from, const std::vector<Reached>& to) {
    double rate = 0;
    for (std::size_t k = 0; k < from.size(); ++k)
        if (to[k].seconds > from[k].seconds) rate += rateBetween(from[k], to[k]);
    return rate;
}

/// Shows Train with trainings that have been warmed up.
void show(MainWindow& window, bool hasNetworks, int numRuns = 1) {
    window.resize(1600, 1000);
    window.show();
    window.activateWindow();
    while (!window.isSettled()) QTest::qWait(50);
    window.showPerspective(QStringLiteral("train"));
    QTest::qWait(1000);
    window.preferences().setValue(QStringLiteral("compute/runsAtOnce"), numRuns);
    for (int k = 0; k < numRuns; ++k) {
        start(window, hasNetworks);
        const TrainRecord& training = window.training().record();
        while (empoOf(training.numbers()) == nullptr ||
               empoOf(training.numbers())->learner.step < 1000)
            QTest::qWait(50);
    }
}

void apply(MainWindow& window, const DrawMode& mode) {
    window.training().clock().setRate(mode.hertz);
    if (mode.isMinimised)
        window.showMinimized();
    else
        window.showNormal();
}

/// Draws in all modes in turn, and compares each with the last.
/// @param watch  told what the thread does; null: only the rates are wanted, and nothing is solved
void measureModes(int rounds, int milliseconds, bool hasNetworks, int numRuns, EventWatch* watch) {
    const QTemporaryDir folder;
    MainWindow window(optionsIn(folder.path()));
    show(window, hasNetworks, numRuns);
    QTimer solving;
    if (watch != nullptr) {
        window.openWorld(QStringLiteral("builtin:building_site"));
        QObject::connect(&solving, &QTimer::timeout, &window, &MainWindow::solve);
        solving.start(100);
    }
    QTest::qWait(3000);
    if (watch != nullptr) watch->reset();
    std::array<std::vector<double>, kModes.size()> rates;
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < kModes.size(); ++i) {
            // Every other round backwards, so that a drift of the machine favours nobody.
            const std::size_t at = round % 2 == 0 ? i : kModes.size() - 1 - i;
            apply(window, kModes[at]);
            QTest::qWait(500);
            const std::vector<Reached> from = reachedByAll(window);
            QTest::qWait(milliseconds);
            rates[at].push_back(rateOfAll(from, reachedByAll(window)));
            std::printf("round %d  %-10s %8.1f steps/s, views %2.0f Hz\n", round, kModes[at].name,
                        rates[at].back(), window.training().clock().drawnRate());
            std::fflush(stdout);
        }
    for (std::size_t i = 0; i < kModes.size(); ++i)
        printShare(kModes[i].name, rates[i], "minimised", rates.back());
    if (watch != nullptr) std::printf("%s\n", qPrintable(watch->text()));
    solving.stop();
    window.showNormal();
    window.live().cancelAll();
    while (window.live().isLive()) QTest::qWait(50);
    window.closeAtOnce();
}

/// Tells ten times a second how far a training is: steps and seconds.
[[noreturn]] void tellFor(const auto& reached, const auto& wait) {
    for (;;) {
        wait(100);
        const Reached now = reached();
        std::printf("%.0f %.9f\n", now.steps, now.seconds);
        std::fflush(stdout);
    }
}

/// A training in a minimised window; ends by being killed.
[[noreturn]] void trainMinimised(const QString& folder, bool hasNetworks) {
    MainWindow window(optionsIn(folder));
    show(window, hasNetworks);
    apply(window, kModes.back());
    tellFor([&] { return reachedBy(*empoOf(window.training().record().numbers())); },
            [](int milliseconds) { QTest::qWait(milliseconds); });
}

/// The same training without a window, stored as well; ends by being killed.
[[noreturn]] void trainBare(const QString& folder, bool hasNetworks) {
    const auto workspace = Workspace::open((folder + QStringLiteral("/perf.orrery")).toStdString(),
                                           Workspace::Mode::Create);
    RunSpec spec;
    spec.job = trainingIn({"builtin:first_steps"});
    prepare(spec, hasNetworks);
    const auto run = Run::start(spec, {.workspace = workspace.get()});
    const auto wait = [](int milliseconds) {
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    };
    const auto training = [&] {
        const auto snapshot = run->snapshot();
        return snapshot ? std::get<TrainSnapshot>(snapshot->job).training : nullptr;
    };
    while (!training() || training()->step < 1000) wait(50);
    tellFor([&] { return reachedBy(*training()); }, wait);
}

/// A training in a process of its own, halted unless it is measured.
class Child {
public:
    Child(const QString& kind, bool hasNetworks) {
        QStringList arguments{kind, m_folder.path()};
        if (hasNetworks) arguments << QStringLiteral("networks");
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(QCoreApplication::applicationFilePath(), arguments);
        if (!m_process.waitForStarted() || !m_process.waitForReadyRead(60'000)) std::abort();
        halt();
    }
    ~Child() {
        m_process.kill();
        m_process.waitForFinished();
    }
    /// Steps a second within this time.
    double measure(int milliseconds) {
        send(SIGCONT);
        newestAfter(1000);  // it has to come back
        const Reached from = newestAfter(500);
        const Reached to = newestAfter(milliseconds);
        halt();
        return rateBetween(from, to);
    }

private:
    void send(int signal) const { ::kill(static_cast<pid_t>(m_process.processId()), signal); }
    void halt() const { send(SIGSTOP); }
    Reached newestAfter(int milliseconds) {
        const QDeadlineTimer end(milliseconds);
        while (!end.hasExpired()) m_process.waitForReadyRead(static_cast<int>(end.remainingTime()));
        Reached newest;
        while (m_process.canReadLine()) {
            const QList<QByteArray> numbers = m_process.readLine().trimmed().split(' ');
            newest = {numbers[0].toDouble(), numbers[1].toDouble()};
        }
        return newest;
    }

    QTemporaryDir m_folder;
    QProcess m_process;
};

void measureMinimised(int pairs, int milliseconds, bool hasNetworks) {
    Child minimised(QStringLiteral("train-minimised"), hasNetworks);
    Child bare(QStringLiteral("train-bare"), hasNetworks);
    std::vector<double> with, without;
    for (int pair = 0; pair < pairs; ++pair) {
        // Every other pair the other way round.
        if (pair % 2 == 0) with.push_back(minimised.measure(milliseconds));
        without.push_back(bare.measure(milliseconds));
        if (pair % 2 != 0) with.push_back(minimised.measure(milliseconds));
        std::printf("pair %d  minimised %8.1f, no window %8.1f steps/s\n", pair, with.back(),
                    without.back());
        std::fflush(stdout);
    }
    printShare("minimised", with, "no window", without);
}

}  // namespace

int main(int argc, char** argv) {
    const char* const kind = argc > 1 ? argv[1] : "";
    if (std::strcmp(kind, "train-bare") == 0) trainBare(QString::fromLocal8Bit(argv[2]), argc > 3);
    WatchedApplication application(argc, argv);
    if (std::strcmp(kind, "train-minimised") == 0)
        trainMinimised(QString::fromLocal8Bit(argv[2]), argc > 3);
    const bool hasMinimised = std::strcmp(kind, "minimised") == 0;
    const bool hasSeveral = std::strcmp(kind, "several") == 0;
    const int first = hasMinimised || hasSeveral ? 2 : 1;
    const int rounds = argc > first ? std::atoi(argv[first]) : 36;
    const int milliseconds = 1000 * (argc > first + 1 ? std::atoi(argv[first + 1]) : 1);
    const bool hasNetworks = argc > first + 2;
    if (hasMinimised) {
        measureMinimised(rounds, milliseconds, hasNetworks);
    } else if (hasSeveral) {
        EventWatch watch;
        application.setWatch(&watch);
        measureModes(rounds, milliseconds, hasNetworks, 3, &watch);
        application.setWatch(nullptr);
    } else {
        measureModes(rounds, milliseconds, hasNetworks, 1, nullptr);
    }
    return 0;
}
