// What drawing the live views costs a training: its steps a second with all of Train drawn 60 and
// 30 times a second, frozen and minimised, in windows that follow each other in one run.
//
//     packaging/perf.sh views [ROUNDS] [SECONDS] [networks]
//
// The machine's speed drifts more than the views cost, so many short windows are compared in pairs.
#include <QApplication>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "app/main_window.h"
#include "core/empo/snapshot.h"
#include "widgets/common/style.h"
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

Reached reachedBy(const TrainSession& training) {
    const EmpoSnapshot& empo = *training.empo();
    return {static_cast<double>(empo.learner.step), empo.seconds};
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

/// A training in tables, or with networks, that does not end by itself.
void start(MainWindow& window, bool hasNetworks) {
    window.activateWindow();
    if (!QTest::qWaitForWindowActive(&window)) std::abort();
    QTest::keyClick(&window, Qt::Key_T, Qt::ControlModifier);
    auto* form = window.findChild<TrainForm*>();
    RunSpec spec = form->spec();
    EmpoSpec& empo = std::get<TrainJob>(spec.job).empo;
    for (const Quantity quantity : kQuantities) {
        if (!hasNetworks && empo.isUsed(quantity)) empo.of(quantity).kind = Approximator::Table;
        empo.of(quantity).warmupSteps = 200;
    }
    empo.trainingSteps = 100'000'000;
    empo.rampSteps = 200;
    empo.metricInterval = hasNetworks ? 5 : 500;
    empo.checkpointSeconds = 0;
    form->setSpec(spec);
    QTest::mouseClick(form->findChild<QPushButton*>(QStringLiteral("trainStart")), Qt::LeftButton);
}

void apply(MainWindow& window, const DrawMode& mode) {
    window.training().clock().setRate(mode.hertz);
    if (mode.isMinimised)
        window.showMinimized();
    else
        window.showNormal();
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 36;
    const int milliseconds = 1000 * (argc > 2 ? std::atoi(argv[2]) : 1);
    const bool hasNetworks = argc > 3;
    const QTemporaryDir folder;
    WindowOptions options;
    options.world = QStringLiteral("builtin:first_steps");
    options.theme = ThemeChoice::Dark;
    options.workspace = folder.filePath(QStringLiteral("perf.orrery")).toStdString();
    options.preferencesFile = folder.filePath(QStringLiteral("orrery.ini"));
    options.restoresSession = false;
    MainWindow window(options);
    window.resize(1600, 1000);
    window.show();
    window.activateWindow();
    while (!window.isSettled()) QTest::qWait(50);
    window.showPerspective(QStringLiteral("train"));
    QTest::qWait(1000);
    start(window, hasNetworks);
    TrainSession& training = window.training();
    while (training.empo() == nullptr || training.empo()->learner.step < 1000) QTest::qWait(50);
    QTest::qWait(3000);
    std::array<std::vector<double>, kModes.size()> rates;
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < kModes.size(); ++i) {
            // Every other round backwards, so that a drift of the machine favours nobody.
            const std::size_t at = round % 2 == 0 ? i : kModes.size() - 1 - i;
            apply(window, kModes[at]);
            QTest::qWait(500);
            const Reached from = reachedBy(training);
            QTest::qWait(milliseconds);
            const Reached to = reachedBy(training);
            rates[at].push_back((to.steps - from.steps) / (to.seconds - from.seconds));
            std::printf("round %d  %-10s %8.1f steps/s, views %2.0f Hz\n", round, kModes[at].name,
                        rates[at].back(), training.clock().drawnRate());
            std::fflush(stdout);
        }
    for (std::size_t i = 0; i < kModes.size(); ++i) {
        std::vector<double> share;
        for (std::size_t k = 0; k < rates[i].size(); ++k)
            share.push_back(rates[i][k] / rates.back()[k]);
        const Median middle = median(share);
        std::printf(
            "%-10s %8.1f steps/s, %.3f of minimised (median of %d pairs; 95 %%: %.3f-%.3f)\n",
            kModes[i].name, median(rates[i]).value, middle.value, rounds, middle.low, middle.high);
    }
    window.showNormal();
    training.stop();
    while (training.isLive()) QTest::qWait(50);
    window.closeAtOnce();
    return 0;
}
