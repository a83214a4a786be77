#include "core/checkpoint/safetensors.h"

#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "bytes_writer.h"
#include "core/base/crc32c.h"
#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/checkpoint/safetensors_head.h"
#include "tests/support/test_program.h"

namespace fs = std::filesystem;
using orrery::Error;
using orrery::TensorMap;
using orrery::TensorType;
using orrery::TensorView;

namespace {

constexpr int kNumTypes = 13;

std::string writtenBytes(const TensorMap& tensors) {
    BytesWriter writer;
    orrery::writeSafetensors(writer, tensors);
    return writer.bytes();
}

TensorMap readBack(const std::string& bytes, const orrery::SafetensorsOptions& options = {}) {
    return orrery::readSafetensors(std::as_bytes(std::span(bytes)), "memory", options);
}

/// The differences of two maps, one word each; "" if they are equal.
std::string differences(const TensorMap& a, const TensorMap& b) {
    if (a.names() != b.names()) return "names";
    if (a.texts() != b.texts()) return "texts";
    for (const std::string& name : a.names()) {
        const TensorView &x = a.at(name), &y = b.at(name);
        if (x.type != y.type) return "type of " + name;
        if (x.shape != y.shape) return "shape of " + name;
        if (!std::ranges::equal(x.bytes, y.bytes)) return "bytes of " + name;
    }
    return "";
}

/// Every type with every kind of shape; numbers 0, 1, 0, 1, ... fit them all.
TensorMap everyTypeAndShape() {
    const std::vector<std::vector<std::int64_t>> shapes{
        {}, {0}, {1}, {7}, {3, 0, 2}, {2, 3, 1, 5}, std::vector<std::int64_t>(16, 1)};
    TensorMap tensors;
    for (int type = 0; type < kNumTypes; ++type)
        for (std::size_t s = 0; s < shapes.size(); ++s) {
            TensorView view{static_cast<TensorType>(type), shapes[s], {}};
            std::vector<std::byte> bytes(static_cast<std::size_t>(view.numNumbers()) *
                                         orrery::sizeOf(view.type));
            for (std::size_t i = 0; i < bytes.size(); i += orrery::sizeOf(view.type))
                bytes[i] = std::byte{i / orrery::sizeOf(view.type) % 2 == 1};
            view.bytes = bytes;
            tensors.copy("t/" + std::string(orrery::nameOf(view.type)) + "." + std::to_string(s),
                         view);
        }
    return tensors;
}

}  // namespace

class SafetensorsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    fs::path folder() const { return m_folder.path().toStdString(); }

private Q_SLOTS:
    void everyTypeAndShapeComesBack() {
        TensorMap tensors = everyTypeAndShape();
        tensors.setText("title", "A \"quoted\" t\xc3\xa2st\nwith a line");
        tensors.setText("", "an empty name");
        QCOMPARE(tensors.size(), std::size_t{7} * kNumTypes);
        QCOMPARE(differences(readBack(writtenBytes(tensors)), tensors), std::string());
        orrery::writeSafetensors(folder() / "all.safetensors", tensors);
        QCOMPARE(differences(orrery::readSafetensors(folder(), "all.safetensors"), tensors),
                 std::string());
        const orrery::FileDescriptor file = orrery::openBeneath(folder(), "all.safetensors");
        for (int times = 0; times < 2; ++times)  // from the beginning, wherever it stands
            QCOMPARE(differences(orrery::readSafetensors(file.get(), "all"), tensors),
                     std::string());
    }

    void anEmptyMapIsAFileToo() {
        const TensorMap back = readBack(writtenBytes(TensorMap()));
        QCOMPARE(back.size(), std::size_t{0});
        QVERIFY(back.texts().empty());
    }

    void numbersComeBackAsTheyWere() {
        const std::vector<float> f{1.5F, -0.0F, std::numeric_limits<float>::denorm_min(), 3e38F};
        const std::vector<std::int64_t> i{INT64_MIN, -1, INT64_MAX};
        TensorMap tensors;
        tensors.copyNumbers<float>("q_r/weight", f, {2, 2});
        tensors.copyNumbers<std::int64_t>("steps", i);
        tensors.copyNumber("beta", 0.1);
        tensors.copyNumber<bool>("done", true);
        const TensorMap back = readBack(writtenBytes(tensors));
        const auto weights = back.numbers<float>("q_r/weight");
        QVERIFY(std::memcmp(weights.data(), f.data(), f.size() * sizeof(float)) == 0);
        QCOMPARE(back.at("q_r/weight").shape, (std::vector<std::int64_t>{2, 2}));
        QVERIFY(std::ranges::equal(back.numbers<std::int64_t>("steps"), i));
        QCOMPARE(back.number<double>("beta"), 0.1);
        QCOMPARE(back.number<bool>("done"), true);
    }

    // The layout of the public format, byte by byte.
    void theBytesAreThoseOfTheFormat() {
        TensorMap tensors;
        tensors.copyNumbers<std::uint8_t>("b", std::array<std::uint8_t, 3>{1, 2, 3});
        tensors.copyNumbers<std::uint16_t>("a", std::array<std::uint16_t, 1>{0x0605});
        const std::string beforeCrc =
            "{\"__metadata__\":{\"orrery_format\":\"1\",\"orrery_crc32c\":\"";
        const std::string behindCrc =
            "\"},\"a\":{\"dtype\":\"U16\",\"shape\":[1],\"data_offsets\":[0,2]},"
            "\"b\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[2,5]}}";
        const std::string numbers = "\x05\x06\x01\x02\x03";
        std::string head = beforeCrc + std::string(16, '0') + behindCrc;
        head.append((8 - head.size() % 8) % 8, ' ');
        const QByteArray crc =
            QByteArray::number(orrery::crc32c(head), 16).rightJustified(8, '0') +
            QByteArray::number(orrery::crc32c(numbers), 16).rightJustified(8, '0');
        head.replace(beforeCrc.size(), 16, crc.toStdString());
        const std::string length{static_cast<char>(head.size()), 0, 0, 0, 0, 0, 0, 0};
        QCOMPARE(writtenBytes(tensors), length + head + numbers);
    }

    void theSameMapGivesTheSameBytesInWhateverOrderItWasFilled() {
        const TensorMap once = everyTypeAndShape();
        TensorMap again;
        std::vector<std::string> names = once.names();
        std::ranges::reverse(names);
        for (const std::string& name : names) again.copy(name, once.at(name));
        QCOMPARE(writtenBytes(again), writtenBytes(once));
    }

    // Foreign files pack numbers at any offset and know other texts.
    void aForeignFileWithUnalignedNumbersIsRead() {
        const std::string head = R"({"u":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                                 R"( "d":{"shape":[1],"data_offsets":[1,9],"dtype":"F64"},)"
                                 "\n\t"
                                 R"("__metadata__":{"format":"pt"}})";
        const double number = 2.5;
        std::string bytes(8, '\0');
        bytes[0] = static_cast<char>(head.size());
        bytes += head + "\x07";
        bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
        const TensorMap tensors = readBack(bytes);
        QCOMPARE(tensors.number<double>("d"), 2.5);
        QCOMPARE(tensors.number<std::uint8_t>("u"), std::uint8_t{7});
        QCOMPARE(tensors.text("format"), std::string("pt"));
    }

    void notFiniteNumbersAreRefusedUnlessAskedFor_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<QByteArray>("number");
        QTest::newRow("F32 NaN") << int(TensorType::F32) << QByteArray::fromHex("0000c07f");
        QTest::newRow("F32 -infinity") << int(TensorType::F32) << QByteArray::fromHex("000080ff");
        QTest::newRow("F64 NaN") << int(TensorType::F64) << QByteArray::fromHex("010000000000f0ff");
        QTest::newRow("F16 infinity") << int(TensorType::F16) << QByteArray::fromHex("007c");
        QTest::newRow("BF16 NaN") << int(TensorType::BF16) << QByteArray::fromHex("c17f");
    }
    void notFiniteNumbersAreRefusedUnlessAskedFor() {
        QFETCH(int, type);
        QFETCH(QByteArray, number);
        const auto bytes = std::as_bytes(std::span(number.constData(), std::size_t(number.size())));
        TensorMap tensors;
        tensors.copy("w", {static_cast<TensorType>(type), {1}, bytes});
        const std::string file = writtenBytes(tensors);
        QCOMPARE(damageOf([&] { readBack(file); }),
                 std::string("Tensor file 'memory' is damaged: tensor 'w': it holds NaN or "
                             "infinite numbers. Use another copy of it."));
        QCOMPARE(differences(readBack(file, {.allowNonFinite = true}), tensors), std::string());
    }

    void aTruthValueIsZeroOrOne() {
        TensorMap tensors;
        tensors.copy("done", {TensorType::Bool, {1}, std::as_bytes(std::span("\2", 1))});
        QVERIFY(QByteArray::fromStdString(damageOf([&] {
                    readBack(writtenBytes(tensors));
                })).contains("tensor 'done': a truth value is neither 0 nor 1"));
    }

    void aFileOfANewerFormatIsRefusedInOneLine() {
        std::string head =
            R"({"__metadata__":{"orrery_format":"2","orrery_crc32c":"0000000000000000"}})";
        head = orrery::withChecksums(head, 0);
        std::string bytes(8, '\0');
        bytes[0] = static_cast<char>(head.size());
        bytes += head;
        const std::string text = damageOf([&] { readBack(bytes); });
        QCOMPARE(text, std::string("Tensor file 'memory' was written by a newer Orrery (format 2; "
                                   "this one reads up to 1). Install the newer version."));
    }

    void whatAReaderWouldRefuseIsNotWritten() {
        TensorMap tensors;
        tensors.setText("long", std::string(70'000, 'x'));
        QVERIFY_THROWS_EXCEPTION(Error, writtenBytes(tensors));
        TensorMap many;
        for (int i = 0; i < 1000; ++i) many.setText("t" + std::to_string(i), "");
        QVERIFY_THROWS_EXCEPTION(Error, writtenBytes(many));
    }

    void theMapNamesWhatIsMissingOrDifferent() {
        TensorMap tensors;
        tensors.copyNumbers<float>("w", std::array<float, 6>{}, {2, 3});
        const auto contains = [](const std::string& text, const char* part) {
            return QByteArray::fromStdString(text).contains(part);
        };
        QVERIFY(contains(damageOf([&] { tensors.at("v"); }), "Tensor 'v' is missing"));
        QVERIFY(contains(damageOf([&] { tensors.numbers<double>("w"); }),
                         "Tensor 'w' holds F32, not F64"));
        const std::array<std::int64_t, 2> right{-1, 3}, wrong{-1, 4};
        QCOMPARE(tensors.numbers<float>("w", right).size(), std::size_t{6});
        QVERIFY(contains(damageOf([&] { tensors.numbers<float>("w", wrong); }),
                         "Tensor 'w' has the shape [2, 3], not [any, 4]"));
        QVERIFY(contains(damageOf([&] { tensors.number<float>("w"); }), "one number"));
        QVERIFY(contains(damageOf([&] { tensors.text("title"); }), "'title' is missing"));
    }

    void partsGoUnderAPrefixAndComeBack() {
        TensorMap part;
        part.copyNumber("a", 1.0F);
        part.copyNumber("b/c", 2.0F);
        part.setText("note", "n");
        TensorMap whole;
        whole.copyNumber("q_r0", 0.0F);
        whole.add("q_r/", part);
        whole.add("q_rTarget/", part);
        QCOMPARE(whole.names(), (std::vector<std::string>{"q_r/a", "q_r/b/c", "q_r0", "q_rTarget/a",
                                                          "q_rTarget/b/c"}));
        QCOMPARE(differences(whole.below("q_r/"), part), std::string());
        QCOMPARE(whole.below("none/").size(), std::size_t{0});
    }

    void borrowedBytesLiveAsLongAsAMapHasThem() {
        auto owner = std::make_shared<std::vector<float>>(3, 1.25F);
        const std::weak_ptr<std::vector<float>> watch = owner;
        TensorMap copy;
        {
            TensorMap tensors;
            tensors.borrow("w", {TensorType::F32, {3}, std::as_bytes(std::span(*owner))}, owner);
            owner.reset();
            copy = tensors;
        }
        QVERIFY(!watch.expired());
        QCOMPARE(copy.numbers<float>("w")[2], 1.25F);
        copy = TensorMap();
        QVERIFY(watch.expired());
    }

    void tensorNamesAreChecked_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<bool>("allowed");
        QTest::newRow("plain") << QByteArray("q_r.head-2/weight") << true;
        QTest::newRow("200") << QByteArray(200, 'n') << true;
        QTest::newRow("dots") << QByteArray("a/..b/c..") << true;
        QTest::newRow("empty") << QByteArray() << false;
        QTest::newRow("201") << QByteArray(201, 'n') << false;
        QTest::newRow("up") << QByteArray("a/../b") << false;
        QTest::newRow("only up") << QByteArray("..") << false;
        QTest::newRow("root") << QByteArray("/etc/passwd") << false;
        QTest::newRow("end") << QByteArray("a/") << false;
        QTest::newRow("NUL") << QByteArray("a\0b", 3) << false;
        QTest::newRow("blank") << QByteArray("a b") << true;
        QTest::newRow("umlaut") << QByteArray("\xc3\xa4") << true;
        QTest::newRow("quotes") << QByteArray("say \"a\\b\"") << true;
        QTest::newRow("no UTF-8") << QByteArray("a\xe4") << false;
        QTest::newRow("line end") << QByteArray("a\nb") << false;
        QTest::newRow("right to left") << QByteArray("a\xe2\x80\xaelb") << false;
    }
    void tensorNamesAreChecked() {
        QFETCH(QByteArray, name);
        QFETCH(bool, allowed);
        QCOMPARE(orrery::isTensorName(name.toStdString()), allowed);
    }
};

ORRERY_TEST(SafetensorsTest)
#include "safetensors_test.moc"
