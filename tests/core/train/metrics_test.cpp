// What a training tells of itself, and what a fork of it may change.

#include <unistd.h>

#include <QTemporaryDir>
#include <QTemporaryFile>
#include <QTest>
#include <cstdio>
#include <filesystem>

#include "tests/core/empo/training.h"
#include "tests/core/train/told.h"
#include "tests/support/test_program.h"

using namespace orrery;

using test::requestFor;
using test::tables;
using test::Told;
using test::train;

namespace {

/// What is written to the standard error as long as this lives.
class CaughtErrors {
public:
    CaughtErrors() : m_before(dup(STDERR_FILENO)) {
        m_file.open();
        std::fflush(stderr);
        dup2(m_file.handle(), STDERR_FILENO);
    }
    ~CaughtErrors() {
        std::fflush(stderr);
        dup2(m_before, STDERR_FILENO);
        close(m_before);
    }
    QByteArray text() {
        std::fflush(stderr);
        m_file.seek(0);
        return m_file.readAll();
    }

private:
    int m_before;
    QTemporaryFile m_file;
};

}  // namespace

class TrainMetricsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void visitedStatesNeverFall() {
        // A buffer far smaller than what is visited, and one that is emptied twice.
        EmpoSpec spec = tables(2000);
        spec.bufferCapacity = 64;
        spec.rampSteps = 200;
        spec.bufferClearing = BufferClearing::Hard;
        spec.epsilonStart_r = spec.epsilonEnd_r = 1;
        spec.curiosity_r = Curiosity::Counts;
        const Told told = train(requestFor(spec, test::pairRoom(6)));
        double before = 0;
        for (const auto& [step, states] : told.curves.at("Exploration/unique_states_seen")) {
            QVERIFY(states >= before);
            before = states;
        }
        QVERIFY2(before > 100, qPrintable(QString::number(before)));
        // The spread of visits is told now and then; these are all that was collected.
        const auto& visits = told.curves.at("Exploration/count_curiosity_total_visits");
        QCOMPARE(visits.size(), 2U);
        for (const auto& [step, total] : visits) QCOMPARE(total, static_cast<double>(step));
        QVERIFY(told.last("Exploration/visit_count_median") <=
                told.last("Exploration/visit_count_p90"));
        QVERIFY(told.last("Exploration/visit_count_p90") <=
                told.last("Exploration/visit_count_max"));
        QCOMPARE(told.last("Exploration/count_curiosity_unique_states"), before);
    }

    void trainingStepsThatFollowOneStepOfTheWorld_data() {
        QTest::addColumn<int>("training");
        QTest::addColumn<int>("environment");
        QTest::newRow("1 to 1") << 1 << 1;
        QTest::newRow("4 to 1") << 4 << 1;
        QTest::newRow("1 to 3") << 1 << 3;
    }
    void trainingStepsThatFollowOneStepOfTheWorld() {
        QFETCH(int, training);
        QFETCH(int, environment);
        EmpoSpec spec = tables(400);
        spec.trainingStepsPerEnvironmentStep = training;
        spec.environmentStepsPerTrainingStep = environment;
        const Told told = train(requestFor(spec, test::pairRoom(4)));
        for (const auto& [step, steps] : told.curves.at("Progress/environment_steps")) {
            const std::int64_t wanted = step * environment / training;
            QCOMPARE(steps, static_cast<double>(wanted));
        }
        QCOMPARE(told.snapshot->environmentSteps, 400 * environment / training);
    }

    void theProfileIsToldOnceAndPrintedByNobody() {
        EmpoSpec spec = tables(200);
        spec.profilesBatching = true;
        const test::EmpoTraining request = requestFor(spec, test::pairRoom(4));
        CaughtErrors errors;
        const Told told = train(request);
        QCOMPARE(errors.text(), QByteArray());
        QCOMPARE(std::ranges::count_if(told.messages,
                                       [](const std::string& text) {
                                           return text.starts_with("=== Batching Profile (");
                                       }),
                 2);
    }

    void aForkMayHaveAnotherBuffer_data() {
        QTest::addColumn<int>("capacity");
        QTest::newRow("smaller") << 100;
        QTest::newRow("larger") << 1000;
    }
    void aForkMayHaveAnotherBuffer() {
        QFETCH(int, capacity);
        QTemporaryDir folder;
        EmpoSpec spec = tables(400);
        spec.bufferCapacity = 300;
        test::EmpoTraining request = requestFor(spec, test::pairRoom(4));
        request.folder = folder.filePath("parent").toStdString();
        std::filesystem::create_directories(request.folder);
        QCOMPARE(train(request).snapshot->replay.size, 300);
        test::EmpoTraining fork = request;
        fork.resumeFrom = request.folder / "step_400";
        fork.folder = folder.filePath("fork").toStdString();
        std::filesystem::create_directories(fork.folder);
        fork.spec.bufferCapacity = capacity;
        fork.spec.trainingSteps = 500;
        const Told told = train(fork);
        QCOMPARE(told.outcome.state, RunState::Finished);
        QCOMPARE(told.snapshot->replay.size, capacity == 100 ? 100 : 400);
        QCOMPARE(told.snapshot->replay.capacity, capacity);
    }
};

ORRERY_TEST(TrainMetricsTest)
#include "metrics_test.moc"
