#include "core/entity/files/enn_checkpoint.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <filesystem>
#include <string>

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/rng.h"
#include "tests/support/fast_folder.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using namespace orrery;
namespace fs = std::filesystem;

namespace {

fs::path original() {
    return sourcePath("tests/data/entity/enn/latest-step000000002048");
}

std::string refusalOfFolder(const fs::path& folder) {
    try {
        readEnnCheckpoint(folder);
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

bool areSame(const TensorMap& a, const TensorMap& b) {
    if (a.names() != b.names()) return false;
    for (const std::string& name : a.names()) {
        const TensorView &x = a.at(name), &y = b.at(name);
        if (x.type != y.type || x.shape != y.shape || !std::ranges::equal(x.bytes, y.bytes))
            return false;
    }
    return true;
}

}  // namespace

/// Checkpoints of enn-trainer against one that hyperstate and msgpack wrote.
class EnnCheckpointTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder{fastFolder()};

    /// A copy of the original's folder.
    fs::path copied(const char* name) const {
        fs::path folder = m_folder.filePath(QString::fromUtf8(name)).toStdString();
        fs::remove_all(folder);
        fs::copy(original(), folder);
        return folder;
    }

private Q_SLOTS:
    void aCheckpointIsRead() {
        QVERIFY(isEnnCheckpoint(original()));
        QVERIFY(!isEnnCheckpoint(sourcePath("tests/data")));
        const EnnCheckpoint checkpoint = readEnnCheckpoint(original());
        QCOMPARE(checkpoint.step, 2048);
        QVERIFY(checkpoint.config.find("NotHotdog") != std::string::npos);
        QCOMPARE(checkpoint.spaces.observations.size(), std::size_t{3});
        QCOMPARE(checkpoint.spaces.observations[1].features, std::vector<std::string>{"is_hotdog"});
        QVERIFY(checkpoint.spaces.observations[2].features.empty());
        QCOMPARE(checkpoint.spaces.actions[0].choices,
                 (std::vector<std::string>{"hotdog", "not_hotdog"}));
        QVERIFY(checkpoint.spaces.actions[1].isOfActors);
        // By the formula of the script that made them: parameter 3 and 23 of the file.
        const auto number = [](int k, int i) {
            return static_cast<float>((37 * k + 11 * i) % 101 - 50) / 512;
        };
        const TensorMap& model = checkpoint.model;
        QCOMPARE(model.number<float>("embedding.embeddings.Player.0.count"), 8.F);
        const auto weight = model.numbers<float>("embedding.embeddings.Player.1.weight");
        QCOMPARE(model.at("embedding.embeddings.Player.1.weight").shape,
                 (std::vector<std::int64_t>{8, 1}));
        for (int i = 0; i < 8; ++i) QCOMPARE(weight[static_cast<std::size_t>(i)], number(3, i));
        const auto hotdog = model.numbers<float>("embedding.embeddings.Hotdog.embedding");
        for (int i = 0; i < 8; ++i) QCOMPARE(hotdog[static_cast<std::size_t>(i)], number(14, i));
        QCOMPARE(model.numbers<float>("embedding.embeddings.Player.0.squares_sum")[0],
                 std::abs(number(2, 0)) + 1);
    }

    void whatIsWrittenIsReadBitByBit() {
        EnnCheckpoint checkpoint = readEnnCheckpoint(original());
        const fs::path folder = m_folder.filePath("written").toStdString();
        writeEnnCheckpoint(folder, checkpoint);
        const EnnCheckpoint again = readEnnCheckpoint(folder);
        QVERIFY(areSame(again.model, checkpoint.model));
        QVERIFY(again.spaces == checkpoint.spaces);
        QCOMPARE(again.step, checkpoint.step);
        QCOMPARE(again.config, checkpoint.config);
        // With a network of values, positions, a game that acts and features of all.
        TensorMap& model = checkpoint.model;
        model.add("value/", readEnnCheckpoint(original()).model);
        const std::vector<float> table(12, 0.5F);
        model.copyNumbers<float>("backbone.relpos_encoding.keys.weight", std::span(table), {3, 4});
        checkpoint.spaces.actions.push_back(
            {.name = "say \"a\\b\"", .choices = {"x", "y"}, .isOfActors = false});
        checkpoint.spaces.actions.push_back(
            {.name = "aim", .kind = ActionSpace::Kind::Select, .isOfActors = true});
        checkpoint.spaces.observations.push_back(
            {.name = "__global__", .shape = {1}, .features = {"t"}});
        writeEnnCheckpoint(folder, checkpoint);
        QVERIFY(readFile(folder / "state.agent.msgpack", 1 << 20)
                    .find("backbone.relpos_encoding.distance_values.weight") != std::string::npos);
        const EnnCheckpoint third = readEnnCheckpoint(folder);
        QVERIFY(areSame(third.model, model));
        QVERIFY(third.spaces == checkpoint.spaces);
    }

    void aPickleIsRefusedWithWhatToDo() {
        const fs::path folder = copied("pickle");
        fs::rename(folder / "state.agent.msgpack", folder / "state.agent.pickle");
        QVERIFY(isEnnCheckpoint(folder));
        const std::string line = refusalOfFolder(folder);
        QVERIFY2(line.find("pickle") != std::string::npos &&
                     line.find("enn_msgpack.py") != std::string::npos &&
                     line.find('\n') == std::string::npos,
                 line.c_str());
        // Or where the state says so.
        const fs::path other = copied("blob");
        std::string state = readFile(other / "state.ron", 1 << 20);
        state.replace(state.find("<blob:msgpack>"), 14, "<blob:pickle>");
        atomicWrite(other / "state.ron", state);
        QVERIFY(refusalOfFolder(other).find("pickle") != std::string::npos);
    }

    void whatIsMissingIsNamed() {
        for (const char* name : {"state.ron", "state.agent.msgpack", "config.ron"}) {
            const fs::path folder = copied("lacking");
            fs::remove(folder / name);
            QVERIFY2(refusalOfFolder(folder).find(name) != std::string::npos, name);
        }
    }

    void damagedNetworksAreReadOrRefused() {
        const fs::path folder = copied("mutants");
        const std::string bytes = readFile(folder / "state.agent.msgpack", 1 << 20);
        Rng rng(20260103);
        int refused = 0, accepted = 0;
        while (refused + accepted < 300) {
            std::string mutant = bytes;
            for (std::size_t n = 1 + rng.below(3); n > 0; --n) {
                const std::size_t at = rng.below(mutant.size());
                if (rng.below(3) == 0)
                    mutant.erase(at, 1 + rng.below(30));
                else
                    mutant[at] = static_cast<char>(rng.below(256));
            }
            QFile file(QString::fromStdString((folder / "state.agent.msgpack").string()));
            QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
            file.write(mutant.data(), std::ssize(mutant));
            file.close();
            const std::string refusal = refusalOfFolder(folder);
            QVERIFY(refusal.find('\n') == std::string::npos && refusal.size() < 700);
            ++(refusal.empty() ? accepted : refused);
        }
        QVERIFY(refused > 30 && accepted > 30);
    }
};

ORRERY_TEST(EnnCheckpointTest)
#include "enn_checkpoint_test.moc"
