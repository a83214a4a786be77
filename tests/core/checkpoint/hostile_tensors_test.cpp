#include <sys/stat.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "bytes_writer.h"
#include "core/base/atomic_write.h"
#include "core/base/cpu.h"
#include "core/base/file_descriptor.h"
#include "core/base/rng.h"
#include "core/checkpoint/safetensors.h"
#include "counted_memory.h"

namespace fs = std::filesystem;

namespace {

std::string lengthBytes(std::uint64_t length) {
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &length, 8);
    return bytes;
}

std::string fileOf(const std::string& head, const std::string& numbers = {}) {
    return lengthBytes(head.size()) + head + numbers;
}

/// A head with one tensor of 4 bytes, then a second member.
std::string withSecond(const std::string& member) {
    return R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)" + member + "}";
}

std::string tensorText(const std::string& name, const std::string& type, const std::string& shape,
                       const std::string& offsets) {
    return "\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":" + shape +
           ",\"data_offsets\":" + offsets + "}";
}

std::string one(const std::string& type, const std::string& shape, const std::string& offsets) {
    return "{" + tensorText("w", type, shape, offsets) + "}";
}

std::string repeated(const std::string& text, int times) {
    std::string all;
    all.reserve(text.size() * static_cast<std::size_t>(times));
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

std::string manyTensors(int count) {
    std::string head = "{";
    for (int i = 0; i < count; ++i)
        head += (i > 0 ? "," : "") + tensorText("t" + std::to_string(i), "U8", "[0]", "[0,0]");
    return head + "}";
}

std::string manyTexts(int count) {
    std::string head = R"({"__metadata__":{)";
    for (int i = 0; i < count; ++i) head += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":\"\"";
    return head + "}}";
}

/// The end of a zip archive whose directory promises 4 GB.
std::string zipBomb() {
    std::string bytes = "PK\x03\x04" + std::string(26, '\xff') + std::string(1000, '\0');
    return bytes + "PK\x05\x06" + std::string(18, '\xff');
}

struct Hostile {
    const char* what;
    std::string bytes;
    const char* reason;  ///< a part of the message
};

std::vector<Hostile> hostileHeads() {
    const std::string four(4, '\0');
    return {
        {"nothing", "", "shorter than 8 bytes"},
        {"seven bytes", std::string(7, '\0'), "shorter than 8 bytes"},
        {"an empty head", fileOf(""), "no JSON object"},
        {"a head of 2^63 bytes", lengthBytes(1ULL << 63U) + "{}", "head would have"},
        {"a head of 2^64 - 1 bytes", lengthBytes(~0ULL) + "{}", "head would have"},
        {"a head of 100 MB + 1", lengthBytes(100'000'001) + "{}", "head would have"},
        {"a head one byte too long", lengthBytes(3) + "{}", "head would have"},
        {"a head one byte too short", lengthBytes(1) + "{}", "no JSON at byte"},
        {"a list", fileOf("[]"), "no JSON object"},
        {"a blank in front", fileOf(" {}"), "no JSON object"},
        {"a byte order mark", fileOf("\xef\xbb\xbf{}"), "no JSON object"},
        {"two objects", fileOf("{}{}"), "no JSON at byte"},
        {"a comment", fileOf("{/**/}"), "no JSON at byte"},
        {"NUL behind the head", fileOf(std::string("{}\0\0", 4)), "NUL in it"},
        {"invalid UTF-8", fileOf("{\"__metadata__\":{\"a\":\"\xff\"}}"), "no JSON at byte"},
        {"a lone surrogate", fileOf(R"({"__metadata__":{"a":"\ud800"}})"), "no JSON at byte"},
        {"a pickle", "cos\nsystem\n(S'id'\ntR.", "head would have"},
        {"a zip archive", zipBomb(), "head would have"},
        {"10^5 lists", fileOf("{\"a\":" + repeated("[", 100'000)), "nested too deeply"},
        {"10^5 objects", fileOf(repeated("{\"a\":", 100'000)), "nested too deeply"},
        {"a name of 1 MB", fileOf("{\"" + std::string(1'000'000, 'n') + "\":{}}"), "too long"},
        {"a number of 2 MB", fileOf(one("U8", "[" + std::string(2'000'000, '1') + "]", "[0,1]")),
         "too long"},
        {"a gap of 2 MB", fileOf("{" + std::string(2'000'000, ' ') + "\"a\":1}"), "too long"},
        {"10^6 tensors", fileOf(manyTensors(1'000'000)), "more than 10000 tensors"},
        {"10^6 texts", fileOf(manyTexts(1'000'000)), "too many texts"},
        {"a text twice", fileOf(R"({"__metadata__":{"a":"1","a":"2"}})"), "'a' comes twice"},
        {"metadata twice", fileOf(R"({"__metadata__":{},"__metadata__":{}})"), "comes twice"},
        {"metadata with a number", fileOf(R"({"__metadata__":{"a":1}})"), "does not belong"},
        {"metadata with an object", fileOf(R"({"__metadata__":{"a":{}}})"), "does not belong"},
        {"a name twice", fileOf(withSecond(tensorText("a", "F32", "[0]", "[4,4]")), four),
         "tensor 'a': the name comes twice"},
        {"a name twice, written otherwise",
         fileOf(withSecond(tensorText("\\u0061", "F32", "[0]", "[4,4]")), four), "comes twice"},
        {"a name with ..", fileOf(withSecond(tensorText("../x", "F32", "[0]", "[4,4]")), four),
         "not allowed"},
        {"a name with NUL", fileOf(withSecond(tensorText("x\\u0000", "F32", "[0]", "[4,4]")), four),
         "not allowed"},
        {"an absolute name", fileOf(withSecond(tensorText("/x", "F32", "[0]", "[4,4]")), four),
         "not allowed"},
        {"an empty name", fileOf(withSecond(tensorText("", "F32", "[0]", "[4,4]")), four),
         "not allowed"},
        {"a tensor that is null", fileOf(R"({"w":null})"), "does not belong"},
        {"a tensor that is a number", fileOf(R"({"w":7})"), "does not belong"},
        {"a field twice",
         fileOf(R"({"w":{"dtype":"U8","dtype":"U8","shape":[0],"data_offsets":[0,0]}})"),
         "the field dtype comes twice"},
        {"an unknown field",
         fileOf(R"({"w":{"dtype":"U8","shape":[0],"data_offsets":[0,0],"code":"x"}})"),
         "'code' is not known"},
        {"a missing field", fileOf(R"({"w":{"dtype":"U8","shape":[0]}})"), "needs dtype"},
    };
}

std::vector<Hostile> hostilePlaces() {
    const std::string four(4, '\0'), ten(10, '\0');
    return {
        {"an unknown type", fileOf(one("F128", "[1]", "[0,4]"), four), "'F128' is not known"},
        {"a type in small letters", fileOf(one("f32", "[1]", "[0,4]"), four), "not known"},
        {"begin > end", fileOf(one("U8", "[4]", "[4,0]"), four), "ends before it begins"},
        {"a negative offset", fileOf(one("U8", "[4]", "[-4,0]"), four), "negative"},
        {"a negative length", fileOf(one("U8", "[-4]", "[0,4]"), four), "negative"},
        {"a fraction", fileOf(one("U8", "[4.0]", "[0,4]"), four), "too large or not whole"},
        {"an exponent", fileOf(one("U8", "[4e0]", "[0,4]"), four), "too large or not whole"},
        {"an offset of 2^64", fileOf(one("U8", "[4]", "[0,18446744073709551616]"), four),
         "too large or not whole"},
        {"a length of 2^63", fileOf(one("U8", "[9223372036854775808]", "[0,4]"), four),
         "length is too large"},
        {"beyond the end", fileOf(one("U8", "[5]", "[0,5]"), four), "beyond the file's end"},
        {"bytes left over", fileOf(one("U8", "[3]", "[0,3]"), four), "belong to no tensor"},
        {"bytes without a tensor", fileOf("{}", four), "belong to no tensor"},
        {"begins late", fileOf(one("U8", "[3]", "[1,4]"), four), "a gap before it"},
        {"a gap",
         fileOf("{" + tensorText("a", "U8", "[4]", "[0,4]") + "," +
                    tensorText("b", "U8", "[5]", "[5,10]") + "}",
                ten),
         "tensor 'b': there is a gap before it"},
        {"an overlap",
         fileOf("{" + tensorText("a", "U8", "[6]", "[0,6]") + "," +
                    tensorText("b", "U8", "[5]", "[5,10]") + "}",
                ten),
         "tensor 'b': it overlaps another tensor"},
        {"two of the same bytes",
         fileOf("{" + tensorText("a", "U8", "[4]", "[0,4]") + "," +
                    tensorText("b", "U8", "[4]", "[0,4]") + "}",
                four),
         "overlaps"},
        {"nothing, inside another tensor",
         fileOf("{" + tensorText("a", "U8", "[10]", "[0,10]") + "," +
                    tensorText("b", "U8", "[0]", "[5,5]") + "}",
                ten),
         "tensor 'b': it overlaps another tensor"},
        {"nothing, behind the end",
         fileOf("{" + tensorText("a", "U8", "[4]", "[0,4]") + "," +
                    tensorText("b", "U8", "[0]", "[9,9]") + "}",
                four),
         "beyond the file's end"},
        {"fewer bytes than its shape", fileOf(one("F32", "[2]", "[0,4]"), four), "does not fit"},
        {"more bytes than its shape", fileOf(one("U8", "[]", "[0,4]"), four), "does not fit"},
        {"a product of 2^64", fileOf(one("U8", "[4294967296,4294967296]", "[0,0]")),
         "larger than any memory"},
        {"a product of 2^64 with a zero", fileOf(one("U8", "[0,4294967296,4294967296]", "[0,0]")),
         "larger than any memory"},
        {"a product of 2^63 by its type", fileOf(one("F64", "[1152921504606846976]", "[0,0]")),
         "larger than any memory"},
        {"17 dimensions", fileOf(one("U8", "[" + repeated("1,", 16) + "1]", "[0,1]"), "\1"),
         "too many dimensions"},
        {"three offsets", fileOf(one("U8", "[4]", "[0,4,4]"), four), "more than two"},
        {"one offset", fileOf(one("U8", "[4]", "[0]"), four), "fewer than two"},
        {"offsets that are texts", fileOf(one("U8", "[4]", "[\"0\",\"4\"]"), four),
         "does not belong"},
        {"a length that is a list", fileOf(one("U8", "[[4]]", "[0,4]"), four), "nested too deeply"},
        {"a format without a checksum", fileOf(R"({"__metadata__":{"orrery_format":"1"}})"),
         "format or its checksum is missing"},
        {"a format that is no number",
         fileOf(R"({"__metadata__":{"orrery_format":"x","orrery_crc32c":"0000000000000000"}})"),
         "format is no number"},
        {"a checksum that is too short",
         fileOf(R"({"__metadata__":{"orrery_format":"1","orrery_crc32c":"0"}})"), "checksum"},
        {"a wrong checksum",
         fileOf(R"({"__metadata__":{"orrery_format":"1","orrery_crc32c":"0000000000000000"}})"),
         "does not agree with its checksum"},
    };
}

orrery::TensorMap read(const std::string& bytes) {
    return orrery::readSafetensors(std::as_bytes(std::span(bytes)), "memory");
}

std::string smallFile() {
    orrery::TensorMap tensors;
    std::vector<float> numbers(40);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = 0.5F * static_cast<float>(i);
    tensors.copyNumbers<float>("v_h_e/weight", numbers, {8, 5});
    tensors.copyNumbers<std::int64_t>("steps", std::array<std::int64_t, 2>{7, -7});
    tensors.copyNumbers<std::uint8_t>("flags", std::array<std::uint8_t, 3>{0, 1, 2});
    tensors.setText("title", "small");
    BytesWriter writer;
    orrery::writeSafetensors(writer, tensors);
    return writer.bytes();
}

}  // namespace

class HostileTensorsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    fs::path folder() const { return m_folder.path().toStdString(); }

    /// Reads hostile bytes from a real file; none may cost more memory than promised.
    void refuse(const Hostile& hostile) {
        const fs::path path = folder() / "hostile.safetensors";
        orrery::atomicWrite(path, hostile.bytes);
        const auto size = static_cast<std::int64_t>(hostile.bytes.size());
        const std::int64_t before = countedBytes();
        resetPeak();
        const double begin = orrery::threadCpuMs();
        const std::string text =
            damageOf([&] { orrery::readSafetensors(folder(), "hostile.safetensors"); });
        const double milliseconds = orrery::threadCpuMs() - begin;
        const std::int64_t taken = countedPeak() - before;
        QVERIFY2(text.find(hostile.reason) != std::string::npos,
                 (hostile.what + (": " + text)).c_str());
        QVERIFY2(text.find("hostile.safetensors") != std::string::npos, text.c_str());
        QVERIFY2(text.find('\n') == std::string::npos && text.size() < 500, text.c_str());
        QVERIFY2(taken <= 2 * size + (4 << 20), hostile.what);
        QVERIFY2(milliseconds < 1000 + 1000 * static_cast<double>(size) / 1'000'000, hostile.what);
    }

private Q_SLOTS:
    void hostileHeadsAreRefusedWithTheirReason() {
        for (const Hostile& hostile : hostileHeads()) refuse(hostile);
    }
    void hostilePlacesAreRefusedWithTheirReason() {
        for (const Hostile& hostile : hostilePlaces()) refuse(hostile);
        QVERIFY(hostileHeads().size() + hostilePlaces().size() >= 40);
    }

    void whatIsNoPlainFileIsNotRead() {
        const fs::path in = folder() / "in";
        fs::create_directories(in / "folder.safetensors");
        orrery::atomicWrite(folder() / "real.safetensors", smallFile());
        fs::create_symlink("../real.safetensors", in / "link.safetensors");
        fs::create_symlink("/dev/zero", in / "zero.safetensors");
        fs::create_directory_symlink("..", in / "up");
        QCOMPARE(::mkfifo((in / "fifo.safetensors").c_str(), 0600), 0);
        for (const char* const bad :
             {"folder.safetensors", "link.safetensors", "zero.safetensors", "fifo.safetensors",
              "up/real.safetensors", "../real.safetensors", "/etc/passwd", ""}) {
            const std::string text = damageOf([&] { orrery::readSafetensors(in, bad); });
            QVERIFY2(text.starts_with("Tensor file"), (bad + (": " + text)).c_str());
        }
        const orrery::FileDescriptor zero = orrery::openFile("/dev/zero", 0);
        QVERIFY(damageOf([&] {
                    orrery::readSafetensors(zero.get(), "/dev/zero");
                }).find("not a regular file") != std::string::npos);
        QVERIFY(damageOf([&] {
                    orrery::readSafetensors(in, "none");
                }).starts_with("of another kind: Cannot open"));
    }

    void everyTruncationIsRefused() {
        const std::string whole = smallFile();
        QCOMPARE(read(whole).size(), std::size_t{3});
        for (std::size_t length = 0; length < whole.size(); ++length) {
            const std::string cut = whole.substr(0, length);
            const std::string text = damageOf([&] { read(cut); });
            QVERIFY2(text.starts_with("Tensor file 'memory' is damaged"), text.c_str());
        }
        QVERIFY(!damageOf([&] { read(whole + "x"); }).empty());
    }

    void everyFlippedBitIsRefused() {
        const std::string whole = smallFile();
        for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
            std::string flipped = whole;
            flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
            const std::string text = damageOf([&] { read(flipped); });
            QVERIFY2(text.starts_with("Tensor file 'memory'"), QByteArray::number(qulonglong(bit)));
        }
        qInfo("%zu flips refused", 8 * whole.size());
    }

    // Random damage of several kinds at once: never anything but a whole map or one line.
    void randomDamageNeverGetsThrough() {
        const std::vector<std::string> seeds{smallFile(), fileOf(manyTensors(5)),
                                             fileOf(manyTexts(3))};
        orrery::Rng rng(5);
        int refused = 0;
        // ORRERY_FULL_COUNTS=1 runs what a release is to pass.
        const int cases =
            qEnvironmentVariableIntValue("ORRERY_FULL_COUNTS") != 0 ? 1'000'000 : 50'000;
        for (int i = 0; i < cases; ++i) {
            std::string bytes = seeds[rng.below(seeds.size())];
            for (std::uint64_t n = 1 + rng.below(4); n > 0; --n) damage(rng, bytes);
            const std::string text = damageOf([&] { read(bytes); });
            QVERIFY2(text.empty() || text.starts_with("Tensor file 'memory'"), text.c_str());
            refused += text.empty() ? 0 : 1;
        }
        QVERIFY(refused > cases / 2);
        qInfo("%d of %d damaged files refused", refused, cases);
    }

    void readingTakesLessThanTwiceTheFile() {
        const std::vector<float> numbers(4'000'000, 0.25F);
        const fs::path path = folder() / "large.safetensors";
        {
            orrery::TensorMap tensors;
            for (const char* const name : {"a", "b"}) tensors.copyNumbers<float>(name, numbers);
            orrery::writeSafetensors(path, tensors);
        }
        const std::int64_t before = countedBytes();
        resetPeak();
        const orrery::TensorMap tensors = orrery::readSafetensors(folder(), "large.safetensors");
        const std::int64_t taken = countedPeak() - before;
        const auto size = static_cast<std::int64_t>(fs::file_size(path));
        QCOMPARE(tensors.numbers<float>("b").back(), 0.25F);
        QVERIFY2(taken < size + (1 << 20), QByteArray::number(qlonglong(taken)));
        qInfo("a file of %lld bytes took %lld", static_cast<long long>(size),
              static_cast<long long>(taken));
    }

private:
    static void damage(orrery::Rng& rng, std::string& bytes) {
        static const std::array<std::string, 10> kParts{"\"",           "{",
                                                        "[0,0]",        "18446744073709551615",
                                                        "-1",           "\"dtype\":\"F32\"",
                                                        "e9",           "\\u0000",
                                                        "__metadata__", ","};
        const std::size_t at = rng.below(bytes.size() + 1);
        switch (rng.below(5)) {
            case 0:
                bytes.resize(at);
                break;
            case 1:
                if (at < bytes.size())
                    bytes[at] = static_cast<char>(bytes[at] ^ (1 << rng.below(8)));
                break;
            case 2:
                bytes.insert(at, kParts[rng.below(kParts.size())]);
                break;
            case 3:
                bytes.erase(at, rng.below(20));
                break;
            default:
                bytes.insert(at, bytes.substr(rng.below(bytes.size() + 1), rng.below(60)));
        }
        // So that more than the length is tried.
        if (bytes.size() > 8 && rng.below(2) == 0) {
            const std::size_t end = bytes.rfind("}}");
            if (end != std::string::npos && end > 8) bytes.replace(0, 8, lengthBytes(end + 2 - 8));
        }
    }
};

QTEST_APPLESS_MAIN(HostileTensorsTest)
#include "hostile_tensors_test.moc"
