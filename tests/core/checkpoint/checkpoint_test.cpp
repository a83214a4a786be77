#include <sys/stat.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "bytes_writer.h"
#include "core/base/fault.h"
#include "core/base/file_descriptor.h"
#include "core/base/sha256.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "core/checkpoint/checkpoint_manifest.h"
#include "small_checkpoint.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

namespace fs = std::filesystem;
using orrery::Checkpoint;
using orrery::CheckpointWriter;
using orrery::Error;
using Steps = std::vector<std::int64_t>;

class CheckpointTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    fs::path run() const { return fs::path(m_folder.path().toStdString()) / "r00001"; }

    std::set<std::string> names() const {
        std::set<std::string> all;
        for (const auto& entry : fs::directory_iterator(run()))
            all.insert(entry.path().filename().native());
        return all;
    }
    void cut(std::int64_t step, const std::string& file) const {
        const fs::path path = run() / orrery::checkpointFolderName(step) / file;
        fs::resize_file(path, fs::file_size(path) - 1);
    }

private Q_SLOTS:
    void init() {
        orrery::setFaults("");
        fs::remove_all(run());
        fs::create_directories(run());
    }

    void whatWasSavedComesBack() {
        const orrery::SavedCheckpoint saved = saveSmallCheckpoint(run(), 40);
        QCOMPARE(names(), std::set<std::string>{"step_40"});
        QCOMPARE(saved.step, std::int64_t{40});
        QCOMPARE(saved.manifest, std::string("step_40/MANIFEST.json"));
        QCOMPARE(saved.sha256, orrery::sha256HexOfFile(run() / saved.manifest));
        QCOMPARE(saved.bytes, std::uint64_t(fs::file_size(run() / saved.manifest)));
        std::uint64_t total = 0;
        for (const auto& entry : fs::directory_iterator(run() / "step_40")) {
            total += entry.file_size();
            struct stat info {};
            QCOMPARE(::stat(entry.path().c_str(), &info), 0);
            QCOMPARE(info.st_mode & 0777U, 0600U);
        }
        QCOMPARE(saved.totalBytes, total);
        const Checkpoint checkpoint = Checkpoint::open(run(), 40);
        QCOMPARE(faultOfSmallCheckpoint(checkpoint, 40), std::string());
        QVERIFY(checkpoint.has("model.safetensors"));
        QVERIFY(!checkpoint.has("other.safetensors"));
        QVERIFY(!damageOf([&] { checkpoint.text("other"); }).empty());
    }

    void theSameContentGivesTheSameManifest() {
        const std::string first = saveSmallCheckpoint(run(), 3).sha256;
        fs::remove_all(run() / "step_3");
        QCOMPARE(saveSmallCheckpoint(run(), 3).sha256, first);
    }

    void oneOfTheSameStepIsReplacedInOneGo() {
        saveSmallCheckpoint(run(), 5);
        {
            CheckpointWriter writer(run(), 5);
            writer.text("spec.json", "{}");
            writer.commit("other", {});
        }
        QCOMPARE(names(), std::set<std::string>{"step_5"});
        QCOMPARE(Checkpoint::open(run(), 5).manifest().configHash, std::string("other"));
        QCOMPARE(Checkpoint::open(run(), 5).manifest().files.size(), std::size_t{1});
    }

    void withoutACommitNothingStays() {
        {
            CheckpointWriter writer(run(), 7);
            fillSmallCheckpoint(writer, 7);
            QCOMPARE(names().size(), std::size_t{1});
            QCOMPARE(orrery::sweepUnfinishedCheckpoints(run()), std::size_t{0});  // it is at work
        }
        QVERIFY(names().empty());
        QVERIFY_THROWS_EXCEPTION(Error, CheckpointWriter(run() / "none", 1));
    }

    void theNewestGoodOneIsTaken() {
        QVERIFY(!orrery::newestCheckpoint(run()).checkpoint);
        QVERIFY(!orrery::newestCheckpoint(run() / "none").checkpoint);
        for (const std::int64_t step : {9, 100, 20}) saveSmallCheckpoint(run(), step);
        QCOMPARE(orrery::checkpointSteps(run()), (Steps{100, 20, 9}));
        orrery::CheckpointChoice choice = orrery::newestCheckpoint(run());
        QCOMPARE(choice.checkpoint->manifest().step, std::int64_t{100});
        QVERIFY(choice.skipped.empty());

        cut(100, "optim.safetensors");
        fs::remove(run() / "step_20" / orrery::kManifestName);
        choice = orrery::newestCheckpoint(run());
        QCOMPARE(choice.checkpoint->manifest().step, std::int64_t{9});
        QCOMPARE(choice.skipped.size(), std::size_t{2});
        const std::string folder = run().native();
        QVERIFY(choice.skipped[0].starts_with("Checkpoint '" + folder +
                                              "/step_100' is damaged: optim.safetensors has "));
        QCOMPARE(choice.skipped[1], "Checkpoint '" + folder +
                                        "/step_20' is damaged: it has no MANIFEST.json, so it was "
                                        "not finished. Resume from another checkpoint.");
        cut(9, "spec.json");
        choice = orrery::newestCheckpoint(run());
        QVERIFY(!choice.checkpoint);
        QCOMPARE(choice.skipped.size(), std::size_t{3});
    }

    void foldersOfOtherNamesAreNoCheckpoints() {
        constexpr std::array kNames{"step_",    "step_-1",        "step_01",
                                    "step_1x",  "Step_1",         "old_1",
                                    "step_1.5", "tmp-step_1.1.1", "step_99999999999999999999"};
        for (const char* const name : kNames) fs::create_directory(run() / name);
        QVERIFY(orrery::checkpointSteps(run()).empty());
        // Not even where there is one of that step.
        saveSmallCheckpoint(run(), 1);
        for (const char* const name : kNames)
            QVERIFY_THROWS_EXCEPTION(Error, orrery::openCheckpoint(run() / name));
        QCOMPARE(orrery::openCheckpoint(run() / "step_1").manifest().step, std::int64_t{1});
    }

    void aNewerFormatIsRefusedAndNotPassedOver() {
        saveSmallCheckpoint(run(), 1);
        saveSmallCheckpoint(run(), 2);
        orrery::CheckpointManifest manifest = Checkpoint::open(run(), 2).manifest();
        manifest.format = orrery::kCheckpointFormat + 1;
        orrery::atomicWrite(run() / "step_2" / orrery::kManifestName,
                            orrery::manifestText(manifest));
        const std::string expected = "Checkpoint '" + run().native() +
                                     "/step_2' was written by a newer Orrery (format 2; this one "
                                     "reads up to 1). Install the newer version.";
        QCOMPARE(damageOf([&] { Checkpoint::open(run(), 2); }), expected);
        QCOMPARE(damageOf([&] { orrery::newestCheckpoint(run()); }), expected);
    }

    // Written by the first version; every later one must read it.
    void theStoredOneOfFormat1IsRead() {
        const Checkpoint stored =
            Checkpoint::open(orrery::sourcePath("tests/data/checkpoints/format_1"), 12);
        QCOMPARE(stored.manifest().format, 1);
        QCOMPARE(faultOfSmallCheckpoint(stored, 12), std::string());
    }

    void aRenamedCheckpointIsRefused() {
        saveSmallCheckpoint(run(), 1);
        fs::rename(run() / "step_1", run() / "step_2");
        QVERIFY(damageOf([&] { Checkpoint::open(run(), 2); }).find("it is that of step 1") !=
                std::string::npos);
    }

    void linksAndSpecialFilesAreNotFollowed() {
        saveSmallCheckpoint(run(), 1);
        saveSmallCheckpoint(run(), 2);
        const fs::path model = run() / "step_2" / "model.safetensors";
        fs::rename(model, run() / "elsewhere");
        fs::create_symlink("../elsewhere", model);
        QVERIFY(damageOf([&] { Checkpoint::open(run(), 2); }).find("is a link") !=
                std::string::npos);
        fs::remove(model);
        QCOMPARE(::mkfifo(model.c_str(), 0600), 0);
        QVERIFY(damageOf([&] { Checkpoint::open(run(), 2); }).find("not a regular file") !=
                std::string::npos);
        fs::create_directory_symlink("step_1", run() / "step_3");
        QVERIFY(!damageOf([&] { Checkpoint::open(run(), 3); }).empty());
        QCOMPARE(orrery::newestCheckpoint(run()).checkpoint->manifest().step, std::int64_t{1});
    }

    void aManifestNeverNamesFilesElsewhere() {
        saveSmallCheckpoint(run(), 1);
        const orrery::CheckpointManifest good = Checkpoint::open(run(), 1).manifest();
        for (const char* const name :
             {"../secret", "/etc/passwd", "a/b", "", ".hidden", "MANIFEST.json", "spec.json"}) {
            orrery::CheckpointManifest bad = good;
            bad.files[0].name = name;
            orrery::atomicWrite(run() / "step_1" / orrery::kManifestName,
                                orrery::manifestText(bad));
            const std::string text = damageOf([&] { Checkpoint::open(run(), 1); });
            QVERIFY2(text.find("is not allowed") != std::string::npos, (name + text).c_str());
        }
    }

    void hostileManifestsAreRefused() {
        saveSmallCheckpoint(run(), 1);
        const auto sealed = [](const std::string& body) {
            return body + ",\n  \"sha256\": \"" + orrery::sha256Hex(body) + "\"\n}\n";
        };
        std::string deep = "{\"kind\": ";
        for (int i = 0; i < 100'000; ++i) deep += "[";
        const std::vector<std::string> bodies{
            "",
            "{",
            "[1",
            deep,
            "{\"kind\": \"orrery checkpoint\"",
            "{\"format\": -1",
            "{\"format\": 1e3",
            "{\"format\": 1, \"format\": 1",
            "{\"kind\": \"orrery checkpoint\", \"format\": 1, \"step\": \"1\"",
            std::string(R"({"kind": "orrery checkpoint", "format": 1, "step": 1, )") +
                R"("config_hash": "", "versions": [], "files": [{"name": "spec.json", "bytes": -1}])"};
        for (const std::string& body : bodies) {
            orrery::atomicWrite(run() / "step_1" / orrery::kManifestName, sealed(body));
            const std::string text = damageOf([&] { Checkpoint::open(run(), 1); });
            QVERIFY2(text.starts_with("Checkpoint manifest "), (body.substr(0, 99) + text).c_str());
        }
        orrery::atomicWrite(run() / "step_1" / orrery::kManifestName,
                            std::string(orrery::kMaxManifestBytes + 1, ' '));
        QVERIFY(damageOf([&] { Checkpoint::open(run(), 1); }).find("too large") !=
                std::string::npos);
    }

    void oldOnesGoAndProtectedOnesStay() {
        for (std::int64_t step = 1; step <= 7; ++step) saveSmallCheckpoint(run(), step);
        const auto best = [](std::int64_t step) { return step == 2; };
        QCOMPARE(orrery::pruneCheckpoints(run(), 3, best), (Steps{4, 3, 1}));
        QCOMPARE(orrery::checkpointSteps(run()), (Steps{7, 6, 5, 2}));
        QCOMPARE(orrery::pruneCheckpoints(run(), 3, best), Steps());
        QCOMPARE(names().size(), std::size_t{4});
    }

    void theLastGoodOneIsNeverDeleted() {
        for (std::int64_t step = 1; step <= 5; ++step) saveSmallCheckpoint(run(), step);
        for (const std::int64_t step : {5, 4, 3}) cut(step, "model.safetensors");
        QCOMPARE(orrery::pruneCheckpoints(run(), 2, {}), (Steps{3, 1}));
        QCOMPARE(orrery::checkpointSteps(run()), (Steps{5, 4, 2}));
        QCOMPARE(orrery::newestCheckpoint(run()).checkpoint->manifest().step, std::int64_t{2});
        cut(2, "model.safetensors");
        QCOMPARE(orrery::pruneCheckpoints(run(), 1, {}), Steps());
        QCOMPARE(orrery::pruneCheckpoints(run(), 0, {}, 4), (Steps{5, 2}));
    }

    void aFullDiskLeavesTheOldOneAndNothingHalf() {
        saveSmallCheckpoint(run(), 1);
        for (const char* const point : {"ckpt.begin", "ckpt.file", "ckpt.before_manifest",
                                        "ckpt.before_rename", "file.write", "file.fsync"}) {
            orrery::setFaults(std::string(point) + ":enospc@1+");
            QVERIFY_THROWS_EXCEPTION(orrery::DiskFullError, saveSmallCheckpoint(run(), 2));
            QVERIFY(orrery::faultHits() > 0);
            orrery::setFaults("");
            QCOMPARE(names(), std::set<std::string>{"step_1"});
        }
        saveSmallCheckpoint(run(), 2);
        QCOMPARE(faultOfSmallCheckpoint(*orrery::newestCheckpoint(run()).checkpoint, 2),
                 std::string());
    }
};

ORRERY_TEST(CheckpointTest)
#include "checkpoint_test.moc"
