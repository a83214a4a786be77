#include <QTest>
#include <optional>

#include "tests/app/program.h"
#include "tests/app/train_bench.h"
#include "tests/support/fake_learner.h"
#include "tests/support/test_program.h"

using orrery::Ended;

/// Trainings that are refused or fail, with the library of tests/core/run/fake_learner.cpp.
class TrainRefusalsTest : public QObject, private orrery::TrainBench {
    Q_OBJECT

private:
    std::optional<orrery::FakeLearner> m_learner{std::in_place};

private Q_SLOTS:
    void initTestCase() { makePlace(); }

    void aWrongSweepOfTrainingsIsToldInOneLine_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("told");
        QTest::newRow("name") << QStringList{"--sweep", "lr_qr=1"}
                              << QByteArray(
                                     "'lr_qr' is no parameter that can be swept; did you "
                                     "mean lr_q_r?");
        QTest::newRow("value") << QStringList{"--sweep", "batch_size=0"}
                               << QByteArray("batch_size must be a whole number >= 1, got '0'");
        QTest::newRow("seeds") << QStringList{"--seeds", "0"}
                               << QByteArray("--seeds must be from 1 to 10000, got 0");
        QTest::newRow("seeds twice") << QStringList{"--seeds", "2", "--sweep", "seed=1,2"}
                                     << QByteArray("The seeds are swept already");
        QTest::newRow("no number")
            << QStringList{"--seeds", "x"} << QByteArray("--seeds must be a whole number, got 'x'");
        QTest::newRow("no sweep") << QStringList{"--csv", "x.csv"}
                                  << QByteArray("--csv is the table of a sweep");
    }
    void aWrongSweepOfTrainingsIsToldInOneLine() {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, told);
        const Ended ended = train(options);
        QCOMPARE(ended.status, 2);
        QVERIFY2(ended.err.contains(told) && ended.err.count('\n') == 1, ended.err);
    }

    void wrongFieldsAreAllTold() {
        const Ended ended = train({"--gamma-r", "2", "--batch-size", "none"});
        QCOMPARE(ended.status, 2);
        QVERIFY2(ended.err.contains("gamma_r must be in (0, 1]") &&
                     ended.err.contains("batch_size must be a whole number"),
                 ended.err);
        const Ended whole = train({"--buffer-size", "10"});
        QCOMPARE(whole.status, 2);
        QVERIFY2(whole.err.contains("buffer_size must be at least a batch"), whole.err);
        QCOMPARE(run({"solve", "--spec", spec("spec.yaml", "train: {world: w}")}).status, 2);
        QCOMPARE(run({"train", "--spec", spec("spec.yaml", "solve: {world: w}")}).status, 2);
    }

    void aDryRunTellsFieldsWithoutAnEffectAsAStartDoes() {
        const QStringList options{"--tabular", "hidden_dim=64", "--num-training-steps", "20"};
        const QByteArray told = "warning: hidden_dim has no effect: ";
        const Ended start = train(options);
        QVERIFY2(start.status == 0 && start.err.count(told) == 1, start.err);
        const Ended plan = train(options + QStringList{"--dry-run"});
        QVERIFY2(plan.status == 0 && plan.err.count(told) == 1, plan.err);
        const auto lineOf = [&](const QByteArray& text) {
            const qsizetype begin = text.indexOf(told);
            return text.mid(begin, text.indexOf('\n', begin) - begin);
        };
        QCOMPARE(lineOf(plan.err), lineOf(start.err));
    }

    void theHelpOfSteerListsTheLiveFields() {
        const QByteArray help = run({"steer", "--help"}).out.simplified();
        for (const char* name :
             {"lr_*", "beta_r", "epsilon_r_end", "epsilon_h_end", "batch_size", "actor_sync_freq",
              "max_env_steps_per_training_step", "curiosity_coef", "stop_plateau"})
            QVERIFY2(help.contains(name), help);
        QVERIFY2(!help.contains("hidden_dim"), help);
    }

    void aStopMetricWithoutPointsIsTold() {
        const Ended ended = train({"--num-training-steps", "20", "--metric-interval", "5",
                                   "--stop-metric", "Loss/q_rr", "--stop-at-most", "0"});
        QCOMPARE(ended.status, 0);
        QVERIFY2(ended.err.contains("'Loss/q_rr' had no point") &&
                     ended.err.contains("Did you mean 'Loss/q_r'?"),
                 ended.err);
    }

    void aMissingLibraryIsStatus6() {
        m_learner.emplace("/nowhere/liborrery_learn.so");
        const Ended ended = train({"--num-training-steps", "10"});
        m_learner.emplace();
        QCOMPARE(ended.status, 6);
        QCOMPARE(ended.err.count('\n'), 1);
        QVERIFY2(ended.err.contains("/nowhere/liborrery_learn.so"), ended.err);
    }

    void aDivergedTrainingIsStatus4() {
        const Ended ended = train({"--seed", "14", "--num-training-steps", "100"});
        QCOMPARE(ended.status, 4);
        QVERIFY2(ended.err.contains("Q_r became NaN"), ended.err);
    }
};

ORRERY_APPLICATION_TEST(TrainRefusalsTest)
#include "train_refusals_test.moc"
