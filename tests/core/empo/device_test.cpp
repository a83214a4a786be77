// The learner on another device than the CPU: nothing is read back in a step, and what it learns is
// what the CPU learns.

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/empo/learner/late_norms.h"
#include "core/nn/adam.h"
#include "tests/core/empo/training.h"
#include "tests/support/test_program.h"
#include "tests/support/watched_device.h"

using namespace orrery;
using namespace orrery::test;

namespace {

/// Networks of everything that a spec can have, without warm-up and dropout.
EmpoSpec deviceSpec(const QByteArray& name) {
    EmpoSpec spec = networkSpec();
    spec.batchSize = 8;
    spec.dropout = 0;
    for (const Quantity quantity : kQuantities) {
        spec.of(quantity).warmupSteps = 0;
        spec.of(quantity).targetCopySteps = 10'000;
    }
    spec.rampSteps = 0;
    spec.stepsPerEpisode = 6;
    if (name == "everything by networks, in z-space") {
        for (const Quantity quantity : {Quantity::U_r, Quantity::V_r, Quantity::X_h})
            spec.of(quantity).kind = Approximator::Network;
        spec.usesZSpace = spec.usesZLoss = true;
        spec.dropout = 0.25;
    }
    if (name == "attached encoders") spec.ownEncoders = OwnEncoders::Attached;
    if (name == "no encoders") spec.usesEncoders = false;
    if (name == "novelty") spec.curiosity_r = spec.curiosity_h = Curiosity::Rnd;
    if (name == "as the original") spec.humanModel = HumanModel::Sampled;
    return spec;
}

void addDeviceSpecs() {
    QTest::addColumn<QByteArray>("name");
    for (const char* name : {"plain", "everything by networks, in z-space", "attached encoders",
                             "no encoders", "as the original", "novelty"})
        QTest::newRow(name) << QByteArray(name);
}

/// What both devices learn from.
std::unique_ptr<Training> collected(const EmpoSpec& spec, const Worlds& worlds) {
    auto training = std::make_unique<Training>(spec, worlds);
    training->collect(80);
    return training;
}

/// The greatest |a - b| / max(1, |b|) of the numbers that both hold, and where.
std::pair<double, std::string> distanceOf(const NamedArrays& a, const NamedArrays& b) {
    std::pair<double, std::string> greatest{0, "-"};
    for (const auto& [name, array] : b.floats) {
        const auto other = a.floats.find(name);
        if (other == a.floats.end() || other->second.values.size() != array.values.size())
            return {std::numeric_limits<double>::infinity(), name};
        for (std::size_t i = 0; i < array.values.size(); ++i) {
            const double value = array.values[i];
            const double distance =
                std::abs(other->second.values[i] - value) / std::max(1.0, std::abs(value));
            if (!(distance <= greatest.first)) greatest = {distance, name};
        }
    }
    return greatest;
}

/// True if a child that does this dies of reading where it may not.
template <typename Work>
bool diesOf(int signal, const Work& work) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::signal(SIGSEGV, SIG_DFL);
        work();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == signal;
}

}  // namespace

class DeviceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); }

    // The watch itself: operators compute, everything that waits is counted, and who goes around
    // them is caught.
    void theDeviceIsWatched() {
        const at::Device device(kWatchedDevice);
        takeDeviceTraffic();
        const at::Tensor x = at::arange(6, at::kFloat).to(device).view({2, 3});
        const at::Tensor y = (x.t().contiguous() * 2).add_(1).select(0, 1).sum();
        DeviceTraffic traffic = takeDeviceTraffic();
        QCOMPARE(traffic.uploads, std::int64_t{1});
        QCOMPARE(traffic.uploadedBytes, std::int64_t{24});
        QVERIFY(traffic.operators > 4);
        QCOMPARE(traffic.readBacks + traffic.scalars + traffic.waits, std::int64_t{0});
        QCOMPARE(y.cpu().const_data_ptr<float>()[0], 12.0F);  // 2 (1 + 4) + 2
        QCOMPARE(takeDeviceTraffic().readBacks, std::int64_t{1});
        QCOMPARE(y.item<float>(), 12.0F);
        QCOMPARE(takeDeviceTraffic().scalars, std::int64_t{1});
        QCOMPARE(x.gt(2).nonzero().size(0), std::int64_t{3});
        QCOMPARE(takeDeviceTraffic().waits, std::int64_t{1});
        const float* const numbers = x.const_data_ptr<float>();
        QVERIFY(diesOf(SIGSEGV, [&] { ::_exit(numbers[0] == 0 ? 1 : 2); }));
    }

    void aStepReadsNothingBack_data() { addDeviceSpecs(); }
    void aStepReadsNothingBack() {
        QFETCH(QByteArray, name);
        const EmpoSpec spec = deviceSpec(name);
        const Worlds worlds = {pairRoom(5)};
        const auto training = collected(spec, worlds);
        const auto learner = Learner::on(kWatchedDevice, spec, training->facts());
        takeDeviceTraffic();
        std::int64_t operators = 0, uploads = 0;
        for (int i = 0; i < 2 * LateNorms::kMostSteps; ++i) {
            const StepReport report = learner->step(training->buffer());
            QVERIFY(report.hasTrained);
            const DeviceTraffic traffic = takeDeviceTraffic();
            // Actors get what they act by on the CPU, novelty every ten steps.
            QCOMPARE(report.hasNewWeights, name == "novelty" && i % 10 == 9);
            if (report.hasNewWeights) continue;
            // Once in a while what became of the last steps; where novelty is learned, each time.
            const bool isReading = name == "novelty" || (i + 1) % LateNorms::kMostSteps == 0;
            QCOMPARE(traffic.readBacks, std::int64_t{isReading});
            QCOMPARE(traffic.scalars, std::int64_t{0});
            QCOMPARE(traffic.waits, std::int64_t{0});
            operators = traffic.operators;
            uploads = traffic.uploads;
        }
        qInfo("%s: %lld operators and %lld uploads a step", name.constData(),
              static_cast<long long>(operators), static_cast<long long>(uploads));
        QVERIFY(operators > 100);
        // Where numbers are asked for they are read, at that step alone.
        learner->step(training->buffer(), true);
        QVERIFY(takeDeviceTraffic().readBacks > 5);
        learner->step(training->buffer());
        QCOMPARE(takeDeviceTraffic().readBacks, std::int64_t{name == "novelty"});
    }

    void theDeviceLearnsWhatTheCpuLearns_data() { addDeviceSpecs(); }
    void theDeviceLearnsWhatTheCpuLearns() {
        QFETCH(QByteArray, name);
        EmpoSpec spec = deviceSpec(name);
        for (const Quantity quantity : kQuantities) spec.of(quantity).targetCopySteps = 7;
        const Worlds worlds = {pairRoom(5), pairRoomWithWall(5)};
        const auto training = collected(spec, worlds);
        const auto device = Learner::on(kWatchedDevice, spec, training->facts());
        const auto cpu = Learner::on("cpu", spec, training->facts());
        QCOMPARE(distanceOf(device->save(), cpu->save()).first, 0.0);
        for (int i = 0; i < 30; ++i) {
            device->step(training->buffer());
            cpu->step(training->buffer(), i % 10 == 0);
        }
        const auto [distance, where] = distanceOf(device->save(), cpu->save());
        QVERIFY2(distance < 1e-4, (std::to_string(distance) + " at " + where).c_str());
        const auto fresh = Learner::on("cpu", spec, training->facts());
        QVERIFY(distanceOf(fresh->save(), cpu->save()).first > 1e-3);
        // Actors read copies on the CPU.
        QCOMPARE(device->actingWeights()->step, cpu->actingWeights()->step);
        takeDeviceTraffic();
        ActingReader reader(training->facts());
        reader.use(device->actingWeights());
        const auto state = training->buffer().states().at(0);
        std::vector<float> q_r(
            static_cast<std::size_t>(training->facts().front().numRobotActions()));
        reader.q_r(state, 0, q_r);
        QVERIFY(std::ranges::all_of(q_r, [](float q) { return q < 0; }));
        QCOMPARE(takeDeviceTraffic().operators, std::int64_t{0});
    }

    void checkpointsGoFromOneToTheOther() {
        const EmpoSpec spec = deviceSpec("everything by networks, in z-space");
        const Worlds worlds = {pairRoom(5)};
        const auto training = collected(spec, worlds);
        const auto device = Learner::on(kWatchedDevice, spec, training->facts());
        for (int i = 0; i < 20; ++i) device->step(training->buffer());
        const NamedArrays saved = device->save();
        const auto cpu = Learner::on("cpu", spec, training->facts());
        cpu->load(saved);
        QVERIFY(cpu->save() == saved);
        for (int i = 0; i < 20; ++i) QVERIFY(cpu->step(training->buffer()).hasTrained);
        const NamedArrays later = cpu->save();
        const auto again = Learner::on(kWatchedDevice, spec, training->facts());
        again->load(later);
        QVERIFY(again->save() == later);
        for (int i = 0; i < 20; ++i) {
            cpu->step(training->buffer());
            again->step(training->buffer());
        }
        const auto [distance, where] = distanceOf(again->save(), cpu->save());
        QVERIFY2(distance < 1e-4, (std::to_string(distance) + " at " + where).c_str());
    }

    void aDeviceSkipsStepsWithoutNumbersAndTellsLater() {
        const EmpoSpec spec = deviceSpec("plain");
        const Worlds worlds = {pairRoom(5)};
        const auto training = collected(spec, worlds);
        const auto device = Learner::on(kWatchedDevice, spec, training->facts());
        for (int i = 0; i < 5; ++i) device->step(training->buffer());
        const NamedArrays before = device->save();
        Transition broken = training->collector().step({});
        auto model = std::make_shared<StepModel>(*broken.model);
        std::ranges::fill(model->probability, std::numeric_limits<float>::quiet_NaN());
        model->fingerprint = {};
        model->endsWorld = false;
        broken.model = model;
        training->buffer().clear();
        for (int i = 0; i < spec.batchSize + 12; ++i) training->buffer().add(broken, 5);
        StepReport report;
        int steps = 0;
        while (!report.wasSkipped && steps < 100) {
            report = device->step(training->buffer());
            ++steps;
        }
        QCOMPARE(steps, static_cast<int>(LateNorms::kMostSteps) - 5);
        QVERIFY(report.hasDiverged);
        QVERIFY2(report.trouble.find("is not finite") != std::string::npos, report.trouble.c_str());
        QCOMPARE(report.troubleStep, 16);
        const NamedArrays after = device->save();
        QVERIFY(after.floats == before.floats);
        QCOMPARE(after.integers.at("skipped_steps").values.front(), std::int64_t{steps});
        QVERIFY(after.integers.at("updates") == before.integers.at("updates"));
    }

    // No test machine's GPU is used: the driver shows none.
    void aGpuThatIsNotThereIsAMissingResource() {
        qputenv("CUDA_VISIBLE_DEVICES", "");
        EmpoSpec spec = deviceSpec("plain");
        spec.device = Device::Cuda;
        const std::vector<WorldFacts> facts = factsOfAll({pairRoom(5)});
        QByteArray text;
        try {
            const Learner learner(spec, facts);
        } catch (const Error& e) {
            text = e.what();
            QCOMPARE(e.exitStatus(), 6);
        }
        QVERIFY2(text.startsWith("No GPU can be used") && text.endsWith("Use --device cpu.") &&
                     !text.contains('\n'),
                 text);
        spec.device = Device::Auto;
        const Learner learner(spec, facts);
        QCOMPARE(learner.deviceName(), std::string("cpu"));
        QCOMPARE(learner.deviceNote(), std::string());
    }

    void whatBecameOfStepsIsReadInOneGo() {
        LateNorms norms(at::kCPU);
        const auto note = [&](std::int64_t step, std::initializer_list<float> numbers) {
            std::vector<at::Tensor> list;
            for (const float number : numbers) list.push_back(at::scalar_tensor(number));
            return norms.note(step, numbers.size() == 1 ? 0b1 : 0b1001, list).item<float>();
        };
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const float inf = std::numeric_limits<float>::infinity();
        QCOMPARE(note(1, {1}), 0.0F);
        QCOMPARE(note(2, {nan}), 1.0F);
        QCOMPARE(note(3, {1, inf}), 1.0F);
        LateNorms::Reading reading = norms.read();
        QCOMPARE(reading.skipped, std::int64_t{2});
        QCOMPARE(reading.mostInARow, std::int64_t{2});
        QCOMPARE(reading.trouble, notFiniteText(nameOf(Quantity::Q_r)));
        QCOMPARE(reading.step, 3);
        QCOMPARE(reading.skippedQuantities, (std::vector<unsigned>{0b1, 0b1001}));
        QCOMPARE(note(4, {nan, nan}), 1.0F);
        QCOMPARE(note(5, {1, 2}), 0.0F);
        reading = norms.read();
        QCOMPARE(reading.mostInARow, std::int64_t{3});  // with those before
        QCOMPARE(reading.skipped, std::int64_t{1});
        QCOMPARE(norms.read().skipped, std::int64_t{0});
    }

    void theOptimiserCanBeToldOnTheDeviceToDoNothing() {
        const auto adam = [](at::Tensor parameter) {
            return Adam({{"w", std::move(parameter)}}, {.weightDecay = 0.01});
        };
        const at::Tensor a = at::ones({5}).requires_grad_(), b = at::ones({5}).requires_grad_();
        Adam one = adam(a), other = adam(b);
        const auto step = [](Adam& own, const at::Tensor& weight, const at::Tensor& stop) {
            own.zeroGradients();
            weight.square().sum().backward();
            own.clipGradients(1e30);
            own.step(0.1, stop);
        };
        for (const bool isStopped : {false, true, false, true, true, false}) {
            const at::Tensor before = a.detach().clone();
            step(one, a, at::full({1}, isStopped ? 1.0F : 0.0F));
            if (!isStopped) step(other, b, {});
            QCOMPARE(at::equal(before, a.detach()), isStopped);
            QVERIFY(at::equal(a.detach(), b.detach()));
        }
        QCOMPARE(one.state()[2].tensor.item<float>(), 3.0F);
    }
};

ORRERY_TEST(DeviceTest)
#include "device_test.moc"
