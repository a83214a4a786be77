#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "bytes_writer.h"
#include "core/base/fault.h"
#include "core/base/file_descriptor.h"
#include "core/base/rng.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "small_checkpoint.h"
#include "tests/support/test_program.h"

namespace fs = std::filesystem;
using orrery::Checkpoint;
using Steps = std::vector<std::int64_t>;

class CheckpointDamageTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    fs::path run() const { return fs::path(m_folder.path().toStdString()) / "r00001"; }

    std::vector<fs::path> filesOf(std::int64_t step) const {
        std::vector<fs::path> files;
        for (const auto& entry : fs::directory_iterator(run() / ("step_" + std::to_string(step))))
            files.push_back(entry.path());
        std::ranges::sort(files);
        return files;
    }

    /// Turns one bit of a file; twice is as before.
    static bool flip(int fd, std::uint64_t bit) {
        unsigned char byte = 0;
        const auto at = static_cast<off_t>(bit / 8);
        if (::pread(fd, &byte, 1, at) != 1) return false;
        byte = static_cast<unsigned char>(byte ^ (1U << bit % 8));
        return ::pwrite(fd, &byte, 1, at) == 1;
    }

    std::set<std::string> names() const {
        std::set<std::string> all;
        for (const auto& entry : fs::directory_iterator(run()))
            all.insert(entry.path().filename().native());
        return all;
    }

    /// Runs `work` in a child with a fault plan. @return true if the plan killed it
    template <typename Work>
    static bool killedWhile(const std::string& plan, const Work& work) {
        const pid_t child = ::fork();
        if (child == 0) {
            orrery::setFaults(plan);
            work();
            ::_exit(0);
        }
        int status = 0;
        if (::waitpid(child, &status, 0) != child) qFatal("the child cannot be waited for");
        if (!WIFSIGNALED(status) && WEXITSTATUS(status) != 0) qFatal("the child failed");
        return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    }

private Q_SLOTS:
    void init() {
        orrery::setFaults("");
        fs::remove_all(run());
        fs::create_directories(run());
    }

    void everyTruncationIsRefused() {
        saveSmallCheckpoint(run(), 1);
        int refused = 0;
        for (const fs::path& path : filesOf(1)) {
            const std::string whole = orrery::readFile(path, 1 << 20);
            for (std::size_t length = whole.size(); length-- > 0;) {
                fs::resize_file(path, length);
                QVERIFY2(!damageOf([&] { Checkpoint::open(run(), 1); }).empty(), path.c_str());
                ++refused;
            }
            orrery::atomicWrite(path, whole);
        }
        QCOMPARE(faultOfSmallCheckpoint(Checkpoint::open(run(), 1), 1), std::string());
        qInfo("%d truncations refused", refused);
    }

    void everyFlippedBitOfHeadAndManifestIsRefused() {
        saveSmallCheckpoint(run(), 1);
        int refused = 0;
        for (const char* const name : {"model.safetensors", "MANIFEST.json"}) {
            const orrery::FileDescriptor file = orrery::openFile(run() / "step_1" / name, O_RDWR);
            const std::uint64_t bits = 8 * fs::file_size(run() / "step_1" / name);
            for (std::uint64_t bit = 0; bit < bits; ++bit) {
                QVERIFY(flip(file.get(), bit));
                const std::string text = damageOf([&] { Checkpoint::open(run(), 1); });
                QVERIFY2(text.starts_with("Checkpoint"), text.c_str());
                QVERIFY(flip(file.get(), bit));
                ++refused;
            }
        }
        QCOMPARE(faultOfSmallCheckpoint(Checkpoint::open(run(), 1), 1), std::string());
        qInfo("%d flipped bits refused", refused);
    }

    void randomFlippedBitsAreRefused() {
        saveSmallCheckpoint(run(), 1);
        const std::vector<fs::path> files = filesOf(1);
        std::vector<orrery::FileDescriptor> opened;
        opened.reserve(files.size());
        for (const fs::path& path : files) opened.push_back(orrery::openFile(path, O_RDWR));
        orrery::Rng rng(20);
        // ORRERY_FULL_COUNTS=1 runs what a release is to pass.
        const int flips = qEnvironmentVariableIntValue("ORRERY_FULL_COUNTS") != 0 ? 100'000 : 5'000;
        for (int i = 0; i < flips; ++i) {
            const std::size_t file = rng.below(files.size());
            const std::uint64_t bit = rng.below(8 * fs::file_size(files[file]));
            QVERIFY(flip(opened[file].get(), bit));
            QVERIFY(damageOf([&] { Checkpoint::open(run(), 1); }).starts_with("Checkpoint"));
            QVERIFY(flip(opened[file].get(), bit));
        }
        qInfo("%d random flips refused", flips);
    }

    // Whatever the instant: after a kill while saving, the old or the new one is there, whole, and
    // a start leaves nothing else behind.
    void aKillWhileSavingLeavesAGoodOne_data() {
        QTest::addColumn<QByteArray>("points");
        QTest::addColumn<std::int64_t>("step");
        QTest::newRow("at the checkpoint's points") << QByteArray("ckpt.*") << std::int64_t{2};
        QTest::newRow("at every file call") << QByteArray("file.*") << std::int64_t{2};
        QTest::newRow("replacing one of the same step") << QByteArray("ckpt.*") << std::int64_t{1};
    }
    void aKillWhileSavingLeavesAGoodOne() {
        QFETCH(QByteArray, points);
        QFETCH(std::int64_t, step);
        int killed = 0;
        for (int n = 1; n < 200; ++n) {
            fs::remove_all(run());
            fs::create_directories(run());
            saveSmallCheckpoint(run(), 1);
            const std::string plan = points.toStdString() + ":kill@" + std::to_string(n);
            const bool wasKilled = killedWhile(plan, [&] { saveSmallCheckpoint(run(), step); });
            orrery::sweepUnfinishedCheckpoints(run());
            const orrery::CheckpointChoice choice = orrery::newestCheckpoint(run());
            QVERIFY(choice.checkpoint && choice.skipped.empty());
            const std::int64_t found = choice.checkpoint->manifest().step;
            QVERIFY(found == 1 || found == step);
            QVERIFY(wasKilled || found == step);
            QCOMPARE(faultOfSmallCheckpoint(*choice.checkpoint, found), std::string());
            for (const std::string& name : names())
                QVERIFY2(name.starts_with("step_"), name.c_str());
            if (!wasKilled) break;
            ++killed;
        }
        QVERIFY2(killed >= 9, QByteArray::number(killed));
        qInfo("%d kills", killed);
    }

    void aKillWhileDeletingTakesOnlyWholeOnes() {
        int killed = 0;
        for (int n = 1; n < 50; ++n) {
            fs::remove_all(run());
            fs::create_directories(run());
            for (std::int64_t step = 1; step <= 5; ++step) saveSmallCheckpoint(run(), step);
            const bool wasKilled = killedWhile("ckpt.*:kill@" + std::to_string(n),
                                               [&] { orrery::pruneCheckpoints(run(), 2, {}); });
            const std::size_t left = names().size();
            const std::size_t swept = orrery::sweepUnfinishedCheckpoints(run());
            QCOMPARE(names().size(), left - swept);
            const Steps steps = orrery::checkpointSteps(run());
            QVERIFY(steps.size() >= 2);
            for (const std::int64_t step : steps)
                QCOMPARE(faultOfSmallCheckpoint(Checkpoint::open(run(), step), step),
                         std::string());
            if (!wasKilled) {
                QCOMPARE(steps, (Steps{5, 4}));
                break;
            }
            ++killed;
        }
        QCOMPARE(killed, 6);
    }

    // Each file call fails in turn, once and from then on.
    void everyFileCallMayFailWhileSaving_data() {
        QTest::addColumn<QByteArray>("action");
        QTest::addColumn<bool>("mustSucceed");
        for (const char* const name : {"enospc", "eio", "emfile", "edquot", "erofs"})
            QTest::addRow("%s once", name) << QByteArray(name) << false;
        QTest::newRow("enospc for ever") << QByteArray("enospc+") << false;
        QTest::newRow("eintr once") << QByteArray("eintr") << true;
        QTest::newRow("short for ever") << QByteArray("short+") << true;
    }
    void everyFileCallMayFailWhileSaving() {
        QFETCH(QByteArray, action);
        QFETCH(bool, mustSucceed);
        const bool forEver = action.endsWith('+');
        const std::string word = action.toStdString().substr(0, action.size() - (forEver ? 1 : 0));
        const auto save = [this](std::int64_t step) {
            orrery::CheckpointWriter writer(run(), step);
            writer.text("spec.json", "{}");
            writer.commit("", {});
        };
        save(1);
        int failures = 0;
        for (int n = 1; n < 1000; ++n) {
            fs::remove_all(run() / "step_2");
            orrery::setFaults("file.*:" + word + "@" + std::to_string(n) + (forEver ? "+" : ""));
            bool told = true;
            try {
                save(2);
            } catch (const orrery::Error& e) {
                told = false;
                ++failures;
                QCOMPARE(e.kind(), orrery::Error::Kind::Resource);
                const bool full = word == "enospc" || word == "edquot";
                QCOMPARE(dynamic_cast<const orrery::DiskFullError*>(&e) != nullptr, full);
            }
            const auto hits = orrery::faultHits();
            orrery::setFaults("");
            QVERIFY(told || !mustSucceed);
            for (const std::string& name : names())
                QVERIFY2(name.starts_with("step_"), name.c_str());
            const orrery::CheckpointChoice choice = orrery::newestCheckpoint(run());
            QVERIFY(choice.skipped.empty());
            QVERIFY(!told || choice.checkpoint->manifest().step == 2);
            if (hits < static_cast<std::uint64_t>(n)) break;
        }
        QVERIFY(mustSucceed || failures >= 15);
    }
};

ORRERY_TEST(CheckpointDamageTest)
#include "checkpoint_damage_test.moc"
