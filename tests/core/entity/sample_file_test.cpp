#include "core/entity/files/sample_file.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>

#include "core/base/atomic_write.h"
#include "core/base/cpu.h"
#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/rng.h"
#include "core/entity/files/numpy_array.h"
#include "tests/support/fast_folder.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

using Whole = std::vector<std::int64_t>;

std::string fileOfThree() {
    return sourcePath("tests/data/entity/enn/three_steps.samples");
}

std::string bytesOfThree() {
    return readFile(fileOfThree(), 1 << 20);
}

template <class T>
std::vector<RaggedCell<T>> cellsOf(const RaggedBuffer<T>& buffer) {
    return {buffer.flat().begin(), buffer.flat().end()};
}

/// Why a file is refused; empty: all of it is read.
std::string refusalOfFile(const std::filesystem::path& path, std::int64_t* samples = nullptr) {
    try {
        SampleReader reader(path);
        while (reader.next()) continue;
        if (samples != nullptr) *samples = reader.samples();
        return reader.isCut() ? "cut" : "";
    } catch (const Error& error) {
        return error.what();
    }
}

/// One to three random damages to some bytes.
std::string damaged(std::string bytes, Rng& rng) {
    for (std::size_t n = 1 + rng.below(3); n > 0; --n) {
        const std::size_t at = rng.below(bytes.size());
        switch (rng.below(5)) {
            case 0:
                bytes[at] = static_cast<char>(bytes[at] ^ (1 << rng.below(8)));
                break;
            case 1:
                bytes[at] = static_cast<char>(rng.below(256));
                break;
            case 2:
                bytes.erase(at, 1 + rng.below(40));
                break;
            case 3:
                bytes.insert(at, bytes.substr(rng.below(bytes.size()), rng.below(60)));
                break;
            default:
                bytes.resize(at + 1);
        }
        if (bytes.empty()) bytes = "x";
    }
    return bytes;
}

}  // namespace

/// Files of samples against one that msgpack-numpy wrote.
class SampleFileTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder{fastFolder()};

    std::filesystem::path path(const char* name) const {
        return m_folder.filePath(QString::fromUtf8(name)).toStdString();
    }

private Q_SLOTS:
    void threeStepsAreRead() {
        SampleReader reader(fileOfThree());
        const EnvironmentSpaces& spaces = reader.head().spaces;
        QCOMPARE(reader.head().subsample, 1);
        QCOMPARE(spaces.observations.size(), std::size_t{3});
        QCOMPARE(spaces.observations[0].name, std::string("Mine"));
        QCOMPARE(spaces.observations[1].features, (std::vector<std::string>{"x", "y"}));
        QCOMPARE(spaces.observations[2].features, std::vector<std::string>{"time"});
        QCOMPARE(spaces.actions.size(), std::size_t{3});
        QVERIFY(spaces.actions[0].isOfActors);
        QCOMPARE(spaces.actions[0].choices, (std::vector<std::string>{"Up", "Down"}));
        QVERIFY(spaces.actions[1].kind == ActionSpace::Kind::Select);
        QVERIFY(!spaces.actions[2].isOfActors);

        std::vector<Sample> samples;
        while (auto sample = reader.next()) samples.push_back(std::move(*sample));
        QCOMPARE(samples.size(), std::size_t{3});
        QVERIFY(!reader.isCut());
        const Sample &first = samples[0], &second = samples[1], &third = samples[2];
        QCOMPARE(first.frames.frames(), 2);
        QCOMPARE(first.frames.things[0].lengths(), (Whole{2, 1}));
        QCOMPARE(cellsOf(first.frames.things[0]), (std::vector<float>{0, 1, 2, 3, 1, 1}));
        QCOMPARE(first.frames.visible[0].size0(), 0);
        QCOMPARE(cellsOf(second.frames.visible[0]), (std::vector<std::uint8_t>{0, 1, 1}));
        QCOMPARE(cellsOf(first.frames.offers[0].allowed), (std::vector<std::uint8_t>{1, 1}));
        QCOMPARE(cellsOf(second.frames.offers[0].allowed), (std::vector<std::uint8_t>{1, 0}));
        QCOMPARE(third.frames.offers[0].allowed.size0(), 0);
        QCOMPARE(first.frames.offers[1].candidates.lengths(), (Whole{2, 0}));
        QCOMPARE(cellsOf(third.frames.offers[2].actors), (Whole{3, 2}));
        QCOMPARE(second.frames.reward, (std::vector<float>{0.5F, 0}));
        QCOMPARE(third.frames.done, (std::vector<std::uint8_t>{0, 1}));
        QCOMPARE(third.step, (Whole{2, 0}));
        QCOMPARE(third.episode, (Whole{0, 2}));
        QCOMPARE(cellsOf(second.chosen[1]), Whole{1});
        QCOMPARE(cellsOf(third.logProbabilities[2]), (std::vector<float>{-0.75F, -1.5F}));
        QVERIFY(first.logits.empty());
        QCOMPARE(cellsOf(third.logits[0]),
                 (std::vector<float>{-2.5F, -std::numeric_limits<float>::infinity()}));
        QCOMPARE(third.logits[1].size2(), 2);
    }

    void whatIsReadIsWrittenByteForByte() {
        SampleReader reader(fileOfThree());
        const auto copy = path("copy.samples");
        {
            SampleWriter writer(copy, reader.head());
            while (const auto sample = reader.next()) writer.add(reader.layout(), *sample);
            QCOMPARE(writer.bytes(), reader.bytes());
        }
        QVERIFY(readFile(copy, 1 << 20) == bytesOfThree());
    }

    /// Pairs that may not be chosen are kept, too.
    void masksOfPairsAreKept() {
        SampleReader reader(fileOfThree());
        Sample sample = *reader.next();
        VecObs::Offer& offer = sample.frames.offers[1];
        offer.allowed = RaggedBuffer<bool>(1);
        const std::vector<std::uint8_t> pairs{1, 0};
        offer.allowed.push(2, pairs);
        offer.allowed.pushEmpty();
        const Sample again = unpackSample(reader.layout(), packSample(reader.layout(), sample));
        QVERIFY(again.frames.offers[1].allowed == offer.allowed);
    }

    void wholeSamplesOfACutFileAreRead() {
        const std::string bytes = bytesOfThree();
        SampleReader whole(fileOfThree());
        Whole ends{static_cast<std::int64_t>(whole.bytes())};
        while (whole.next()) ends.push_back(static_cast<std::int64_t>(whole.bytes()));
        for (std::int64_t size = ends[0]; size <= std::ssize(bytes); size += 7) {
            atomicWrite(path("cut.samples"), bytes.substr(0, static_cast<std::size_t>(size)));
            std::int64_t samples = 0;
            const std::string refusal = refusalOfFile(path("cut.samples"), &samples);
            const auto due = std::ranges::count_if(ends, [&](auto end) { return end <= size; }) - 1;
            QCOMPARE(samples, due);
            QCOMPARE(refusal,
                     std::string(ends[static_cast<std::size_t>(due)] == size ? "" : "cut"));
        }
    }

    /// As after a crash: what was kept stays, a cut sample and what lies behind goes.
    void aFileGoesOnWhereItWasKept() {
        const std::string bytes = bytesOfThree();
        SampleReader reader(fileOfThree());
        const Sample first = *reader.next();
        const std::uint64_t afterFirst = reader.bytes();
        const Sample second = *reader.next();
        const auto file = path("on.samples");
        for (const std::uint64_t there :
             {std::uint64_t{bytes.size()}, reader.bytes(), afterFirst, afterFirst + 9}) {
            atomicWrite(file, bytes.substr(0, there));
            SampleWriter writer(file, reader.head(), afterFirst);
            QCOMPARE(writer.bytes(), afterFirst);
            writer.add(reader.layout(), second);
            writer.sync();
            QVERIFY(readFile(file, 1 << 20) == bytes.substr(0, reader.bytes()));
        }
        // Less than was kept is there: its whole samples stay.
        atomicWrite(file, bytes.substr(0, afterFirst + 100));
        SampleWriter writer(file, reader.head(), reader.bytes());
        QCOMPARE(writer.bytes(), afterFirst);
    }

    void aPickleIsRefused() {
        std::string bytes = bytesOfThree();
        // The first array is of kind "O" then.
        const std::string kind("\xc4\x04kind\xc4\x00", 8);
        const std::size_t place = bytes.find(kind);
        QVERIFY(place != std::string::npos);
        MsgpackWriter out;
        out.map(5);
        for (const char* name : {"nd", "type", "kind", "shape", "data"}) {
            out.binary(name);
            const std::string text(name);
            if (text == "nd")
                out.truth(true);
            else if (text == "shape")
                out.array(0);
            else
                out.binary(text == "kind" ? "O" : "x");
        }
        try {
            numpyArrayIn(readMsgpack(out.bytes()), "obs.reward");
            QFAIL("it was read");
        } catch (const Error& error) {
            QVERIFY2(QByteArray(error.what()).contains("pickle"), error.what());
        }
    }

    void whatDoesNotFitIsNamed() {
        SampleReader reader(fileOfThree());
        const Sample good = *reader.next();
        const auto refusal = [&](const std::function<void(Sample&)>& change) {
            Sample sample = good;
            change(sample);
            try {
                unpackSample(reader.layout(), packSample(reader.layout(), sample));
                return std::string();
            } catch (const Error& error) {
                return std::string(error.what());
            }
        };
        const auto holds = [](const std::string& text, const char* part) {
            return text.find(part) != std::string::npos;
        };
        QCOMPARE(refusal([](Sample&) {}), std::string());
        QVERIFY(holds(refusal([](Sample& s) { s.frames.offers[0].actors.flat()[0] = 4; }),
                      "obs.action_masks.Move.actors"));
        QVERIFY(holds(refusal([](Sample& s) { s.chosen[1].flat()[0] = 2; }), "actions.Fire"));
        QVERIFY(holds(refusal([](Sample& s) { s.step.pop_back(); }), "'step'"));
        QVERIFY(holds(refusal([](Sample& s) { s.frames.things[1].flat()[0] = NAN; }),
                      "obs.features.Robot"));
        QVERIFY(holds(refusal([](Sample& s) { s.logProbabilities[0].flat()[0] = 0.5F; }),
                      "probs.Move"));
        QVERIFY(holds(refusal([](Sample& s) { s.frames.things[2].pushEmpty(); }),
                      "obs.features.__global__"));
    }

    /// Whatever the bytes are: all is read, or one line says what is wrong, or the end is cut.
    void damagedFilesAreReadOrRefused() {
        const std::string bytes = bytesOfThree();
        Rng rng(20260102);
        int refused = 0, cut = 0, accepted = 0;
        for (int i = 0; i < 300; ++i) {
            QFile file(m_folder.filePath("mutant.samples"));
            QVERIFY(file.open(QIODevice::WriteOnly));
            const std::string mutant = damaged(bytes, rng);
            file.write(mutant.data(), std::ssize(mutant));
            file.close();
            const std::string refusal = refusalOfFile(path("mutant.samples"));
            QVERIFY(refusal.find('\n') == std::string::npos && refusal.size() < 700);
            ++(refusal.empty() ? accepted : refusal == "cut" ? cut : refused);
        }
        QVERIFY2(
            refused > 50 && cut > 20 && accepted > 0,
            (std::to_string(refused) + " " + std::to_string(cut) + " " + std::to_string(accepted))
                .c_str());
    }

    /// The same of samples alone; what is taken is written and read again.
    void damagedSamplesAreReadOrRefused() {
        SampleReader reader(fileOfThree());
        std::vector<std::string> samples;
        while (const auto sample = reader.next())
            samples.push_back(packSample(reader.layout(), *sample));
        Rng rng(20260104);
        int refused = 0, accepted = 0;
        const double end = threadCpuMs() + 2'000;
        while (refused + accepted < 20'000 && threadCpuMs() < end) {
            const std::string mutant = damaged(samples[rng.below(samples.size())], rng);
            try {
                const Sample sample = unpackSample(reader.layout(), mutant);
                const std::string once = packSample(reader.layout(), sample);
                QVERIFY(packSample(reader.layout(), unpackSample(reader.layout(), once)) == once);
                ++accepted;
            } catch (const Error& error) {
                const std::string line = error.what();
                QVERIFY(!line.empty() && line.find('\n') == std::string::npos && line.size() < 400);
                ++refused;
            }
        }
        QVERIFY2(refused > 500 && accepted > 50,
                 (std::to_string(refused) + " " + std::to_string(accepted)).c_str());
    }
};

ORRERY_TEST(SampleFileTest)
#include "sample_file_test.moc"
