#include "core/checkpoint/record_file.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "bytes_writer.h"
#include "core/base/file_descriptor.h"
#include "core/base/rng.h"
#include "tests/support/test_program.h"

namespace fs = std::filesystem;
using Records = std::vector<std::string>;

namespace {

constexpr const char* kSchema = "transitions, 508 bytes, 2 humans";

std::string written(const Records& records) {
    BytesWriter bytes;
    orrery::RecordWriter writer(bytes, kSchema);
    for (const std::string& record : records) writer.append(std::as_bytes(std::span(record)));
    writer.finish();
    return bytes.bytes();
}

}  // namespace

class RecordFileTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    fs::path path() const { return fs::path(m_folder.path().toStdString()) / "replay.records"; }

    Records readBack(const std::string& bytes, const char* schema = kSchema) const {
        std::ofstream(path(), std::ios::binary) << bytes;
        const orrery::FileDescriptor file = orrery::openFile(path(), 0);
        orrery::RecordReader reader(file.get(), path(), schema);
        Records records;
        std::span<const std::byte> record;
        while (reader.next(record))
            records.emplace_back(reinterpret_cast<const char*>(record.data()), record.size());
        if (reader.next(record)) records.emplace_back("one after the last");
        return records;
    }

    static Records mixed() {
        Records records{"", "a"};
        for (std::size_t i = 0; i < 2000; ++i) records.emplace_back(i % 700, 'c');
        records.emplace_back(600'000, 'd');  // larger than a block
        records.emplace_back("the last");
        return records;
    }

private Q_SLOTS:
    void recordsOfAnyLengthComeBackInOrder() {
        QCOMPARE(readBack(written({})), Records());
        QCOMPARE(readBack(written({""})), Records{""});
        QCOMPARE(readBack(written(mixed())), mixed());
    }

    void everyTruncationIsRefused() {
        const std::string whole = written({"first", "second", ""});
        for (std::size_t length = 0; length < whole.size(); ++length) {
            const std::string text = damageOf([&] { readBack(whole.substr(0, length)); });
            QVERIFY2(text.starts_with("Record file"), text.c_str());
        }
        QVERIFY(damageOf([&] { readBack(whole + "x"); }).find("follows its end") !=
                std::string::npos);
    }

    void everyFlippedBitIsRefused() {
        const std::string whole = written({"first", "second", ""});
        int refused = 0;
        for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
            std::string flipped = whole;
            flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
            const std::string text = damageOf([&] { readBack(flipped); });
            QVERIFY2(text.starts_with("Record file"), QByteArray::number(qulonglong(bit)));
            ++refused;
        }
        QCOMPARE(refused, int(8 * whole.size()));
    }

    void anotherSchemaIsNotRead() {
        const std::string text = damageOf([&] { readBack(written({"a"}), "another"); });
        QVERIFY2(text.find("of another kind than this run's") != std::string::npos, text.c_str());
    }

    // A missing block would pass the checksums of those that are left.
    void aMissingBlockIsNoticed() {
        const Records records{std::string(300'000, 'a'), std::string(300'000, 'b')};
        const std::string whole = written(records);
        constexpr std::size_t kHead = 48, kBlock = 24 + 4 + 300'000;
        std::string cut = whole;
        cut.erase(kHead, kBlock);
        QVERIFY(damageOf([&] { readBack(cut); }).find("should hold 2 records and holds 1") !=
                std::string::npos);
        QCOMPARE(readBack(whole), records);
    }

    void randomDamageNeverGetsThrough() {
        const std::string whole = written(mixed());
        orrery::Rng rng(3);
        for (int i = 0; i < 300; ++i) {
            std::string bytes = whole;
            const std::size_t at = rng.below(bytes.size());
            if (rng.below(2) == 0)
                bytes[at] = static_cast<char>(bytes[at] ^ (1 << rng.below(8)));
            else
                bytes.erase(at, 1 + rng.below(1000));
            const std::string text = damageOf([&] { readBack(bytes); });
            QVERIFY2(text.starts_with("Record file"), text.c_str());
        }
    }
};

ORRERY_TEST(RecordFileTest)
#include "record_file_test.moc"
