#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <limits>
#include <stop_token>
#include <vector>

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/files/tensorboard.h"
#include "core/files/tensorboard_record.h"
#include "tests/support/test_program.h"

using namespace orrery;

/// Event files as they are written, and as they are read back.
class TensorBoardTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::filesystem::path path(const char* name) {
        return m_folder.filePath(QLatin1String(name)).toStdString();
    }
    static QByteArray bytesOf(const std::filesystem::path& path) {
        QFile file(QString::fromStdString(path.string()));
        if (!file.open(QIODevice::ReadOnly)) qFatal("no file");
        return file.readAll();
    }
    static void putBytes(const std::filesystem::path& path, const QByteArray& bytes) {
        QFile file(QString::fromStdString(path.string()));
        if (!file.open(QIODevice::WriteOnly)) qFatal("no file");
        file.write(bytes);
    }
    static void writeSample(const std::filesystem::path& path) {
        atomicWrite(path, [](FileWriter& out) {
            TensorBoardWriter writer(out, 1700000000.5);
            writer.text("config", 0, 1700000001, "beta_r: 5\nname: ä");
            writer.scalar("solve/v_r_mean", 3, 1700000002.25, -1.5);
            writer.scalar("solve/v_r_mean", 1'000'000'000'000, 1700000003, 0.1);
            writer.scalar("loss", -4, 1700000004, std::numeric_limits<double>::quiet_NaN());
            writer.scalar("loss", 5, 1700000005, -1e300);
        });
    }
    static QByteArray problemOf(const std::filesystem::path& path) {
        try {
            readTensorBoardFile(path);
            return "accepted";
        } catch (const Error& error) {
            return error.what();
        }
    }

private Q_SLOTS:
    /// CRC-32C of 32 zero bytes is 8a9136aa (RFC 3720, B.4); its mask by hand: rotated right by 15
    /// it is 6d551522, plus a282ead8.
    void checksumsAreMasked() {
        QCOMPARE(crc32c(std::string(32, '\0')), 0x8a9136aaU);
        QCOMPARE(maskedCrc32c(std::string(32, '\0')), 0x6d551522U + 0xa282ead8U);
    }

    /// The first record by hand: 24 bytes of Event, field 1 a double, field 3 the version.
    void firstRecordNamesTheVersion() {
        writeSample(path("a"));
        const QByteArray bytes = bytesOf(path("a"));
        QCOMPARE(bytes.left(8), QByteArray::fromHex("1800000000000000"));
        QCOMPARE(bytes.mid(12, 24), QByteArray::fromHex("0900002040fc54d941") +
                                        QByteArray::fromHex("1a0d") + "brain.Event:2");
    }

    void valuesComeBack() {
        writeSample(path("b"));
        const TensorBoardFile file = readTensorBoardFile(path("b"));
        QCOMPARE(file.version, std::string("brain.Event:2"));
        QVERIFY(file.isWhole);
        QCOMPARE(file.otherValues, 0);
        QCOMPARE(file.values.size(), std::size_t{5});
        QVERIFY(file.values[0].isText);
        QCOMPARE(file.values[0].tag, std::string("config"));
        QCOMPARE(file.values[0].text, std::string("beta_r: 5\nname: ä"));
        QCOMPARE(file.values[1].tag, std::string("solve/v_r_mean"));
        QCOMPARE(file.values[1].step, 3);
        QCOMPARE(file.values[1].wallTime, 1700000002.25);
        QCOMPARE(file.values[1].value, -1.5F);
        QCOMPARE(file.values[2].step, 1'000'000'000'000);
        QCOMPARE(file.values[2].value, 0.1F);
        QCOMPARE(file.values[3].step, -4);
        QVERIFY(std::isnan(file.values[3].value));
        QCOMPARE(file.values[4].value, -std::numeric_limits<float>::infinity());
    }

    void theBytesThatAreReadAreTold() {
        writeSample(path("h"));
        const auto size = static_cast<std::int64_t>(std::filesystem::file_size(path("h")));
        std::vector<Progress> told;
        readTensorBoardFile(path("h"), {}, [&](const Progress& now) { told.push_back(now); });
        QVERIFY(told.size() >= 2);
        QCOMPARE(told.front().done, std::int64_t{40});  // the first record
        for (std::size_t i = 0; i < told.size(); ++i) {
            QVERIFY(i == 0 || told[i].done >= told[i - 1].done);
            QCOMPARE(told[i].total, size);
            QCOMPARE(told[i].unit, std::string("bytes"));
            QVERIFY(told[i].ratePerSecond > 0 && told[i].secondsLeft >= 0);
        }
        QCOMPARE(told.back().done, size);
    }

    void aStoppedReadingLeavesTheRest() {
        writeSample(path("i"));
        std::stop_source before;
        before.request_stop();
        const TensorBoardFile none = readTensorBoardFile(path("i"), before.get_token());
        QVERIFY(none.values.empty() && !none.isWhole);

        std::stop_source during;
        int calls = 0;
        const TensorBoardFile first =
            readTensorBoardFile(path("i"), during.get_token(), [&](const Progress&) {
                ++calls;
                during.request_stop();
            });
        QCOMPARE(calls, 1);
        QVERIFY(first.values.empty() && !first.isWhole);
        QCOMPARE(first.soundBytes, std::uint64_t{40});
    }

    /// Cut anywhere, the file gives the records before the cut.
    void aCutOffEndIsLeftOut() {
        writeSample(path("c"));
        const QByteArray whole = bytesOf(path("c"));
        std::size_t most = 0;
        int sound = 0;
        for (int length = 40; length <= whole.size(); ++length) {
            putBytes(path("cut"), whole.left(length));
            const TensorBoardFile file = readTensorBoardFile(path("cut"));
            QVERIFY(file.values.size() >= most && file.values.size() <= most + 1);
            most = file.values.size();
            QCOMPARE(file.isWhole, file.soundBytes == static_cast<std::uint64_t>(length));
            sound += file.isWhole ? 1 : 0;
        }
        QCOMPARE(most, std::size_t{5});
        QCOMPARE(sound, 6);  // after each of the six records
    }

    /// One wrong bit, in length, checksum or content: that record and all after it are not read.
    void aWrongBitEndsTheReading() {
        writeSample(path("d"));
        const QByteArray whole = bytesOf(path("d"));
        for (int at = 40; at < whole.size(); ++at) {
            QByteArray damaged = whole;
            damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
            putBytes(path("bit"), damaged);
            const TensorBoardFile file = readTensorBoardFile(path("bit"));
            QVERIFY(!file.isWhole);
            QVERIFY(file.soundBytes <= static_cast<std::uint64_t>(at));
            QVERIFY(file.values.size() < 5);
        }
    }

    void otherFilesAreRefused() {
        putBytes(path("e"), "step,value\n1,2\n and more than one header\n");
        QVERIFY(problemOf(path("e")).contains("no TensorBoard event file"));
        putBytes(path("f"), "");
        QVERIFY(problemOf(path("f")).contains("no TensorBoard event file"));
        QVERIFY(problemOf(path("none")).contains("cannot be read"));
    }

    /// A record whose checksums are right but whose message runs over its end.
    void aRecordThatIsNoEventIsDamaged() {
        atomicWrite(path("g"), [](FileWriter& out) {
            TensorBoardWriter writer(out, 1);
            const std::string event = "\x2a\x7f";  // field 5 of 127 bytes, of which none follows
            const std::string length{static_cast<char>(event.size()), 0, 0, 0, 0, 0, 0, 0};
            const auto checksum = [](const std::string& of) {
                const std::uint32_t crc = maskedCrc32c(of);
                std::string bytes;
                for (unsigned i = 0; i < 4; ++i) bytes += static_cast<char>(crc >> 8 * i & 0xff);
                return bytes;
            };
            out.write(length + checksum(length) + event + checksum(event));
        });
        QVERIFY(problemOf(path("g")).contains("is damaged after 40 bytes"));
    }

    void namesAreThoseThatTensorBoardLooksFor() {
        QCOMPARE(tensorBoardFileName(1700000000.4, "orrery.r00012"),
                 std::string("events.out.tfevents.1700000000.orrery.r00012"));
        QCOMPARE(tensorBoardFileName(7, "x"), std::string("events.out.tfevents.0000000007.x"));
    }
};

ORRERY_TEST(TensorBoardTest)
#include "tensorboard_test.moc"
