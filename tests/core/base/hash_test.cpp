#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/atomic_write.h"
#include "core/base/crc32c.h"
#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/base/sha256.h"
#include "core/base/sha256_blocks.h"
#include "tests/support/test_program.h"

class HashTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The first three are examples of FIPS 180-4; the others were made with coreutils' sha256sum.
    void sha256OfKnownMessages_data() {
        QTest::addColumn<QByteArray>("message");
        QTest::addColumn<QByteArray>("digest");
        QTest::newRow("empty")
            << QByteArray("")
            << QByteArray("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        QTest::newRow("abc")
            << QByteArray("abc")
            << QByteArray("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        QTest::newRow("two blocks")
            << QByteArray("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
            << QByteArray("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
        QTest::newRow("a million a")
            << QByteArray(1000000, 'a')
            << QByteArray("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }
    void sha256OfKnownMessages() {
        QFETCH(QByteArray, message);
        QFETCH(QByteArray, digest);
        QCOMPARE(QByteArray::fromStdString(orrery::sha256Hex(message.toStdString())), digest);
    }

    void sha256DoesNotDependOnThePieces() {
        orrery::Rng rng(3);
        for (std::size_t size = 0; size < 300; ++size) {
            std::string message(size, '\0');
            for (char& c : message) c = static_cast<char>(rng.below(256));
            orrery::Sha256 pieces;
            for (std::size_t i = 0; i < size;) {
                const std::size_t step = rng.below(90);
                pieces.update(std::string_view(message).substr(i, step));
                i += step;
            }
            QCOMPARE(pieces.finishHex(), orrery::sha256Hex(message));
        }
    }

    // Each way takes the one block of "abc", padded by hand, to the digest of FIPS 180-4, and both
    // make the same of any state and blocks.
    void everyWayOfSha256GivesTheSame() {
        std::array<std::byte, 64> abc{std::byte{'a'}, std::byte{'b'}, std::byte{'c'},
                                      std::byte{0x80}};
        abc[63] = std::byte{24};  // bits
        const orrery::Sha256State begin{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
        const orrery::Sha256State end{0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
                                      0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad};
        const orrery::Sha256Blocks own = orrery::sha256BlocksOfProcessor();
        const orrery::Sha256Blocks other = own == nullptr ? orrery::sha256BlocksPlain : own;
        for (const orrery::Sha256Blocks way : {&orrery::sha256BlocksPlain, other}) {
            orrery::Sha256State state = begin;
            way(state, abc.data(), 1);
            QVERIFY(state == end);
        }
        orrery::Rng rng(5, 1);
        for (std::size_t count = 0; count < 40; ++count) {
            std::vector<std::byte> blocks(64 * count + 1);
            for (std::byte& byte : blocks) byte = static_cast<std::byte>(rng.below(256));
            orrery::Sha256State a{}, b{};
            for (std::size_t i = 0; i < a.size(); ++i)
                a[i] = b[i] = static_cast<std::uint32_t>(rng.next());
            orrery::sha256BlocksPlain(a, blocks.data() + 1, count);  // not aligned
            other(b, blocks.data() + 1, count);
            QVERIFY(a == b);
        }
    }

    void sha256OfAFileIsThatOfItsBytes() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("f").toStdString();
        const std::string content(700000, 'q');
        orrery::atomicWrite(path, content);
        QCOMPARE(orrery::sha256HexOfFile(path), orrery::sha256Hex(content));
        QVERIFY_THROWS_EXCEPTION(orrery::Error, orrery::sha256HexOfFile(path.parent_path()));
        QVERIFY_THROWS_EXCEPTION(orrery::Error, orrery::sha256HexOfFile("/nowhere/f"));
    }

    // Check value of the CRC catalogue, and three patterns of RFC 3720, B.4.
    void crc32cOfKnownMessages() {
        QCOMPARE(orrery::crc32c("123456789"), 0xE3069283U);
        QCOMPARE(orrery::crc32c(std::string(32, '\0')), 0x8A9136AAU);
        QCOMPARE(orrery::crc32c(std::string(32, '\xFF')), 0x62A8AB43U);
        std::string rising(32, '\0');
        for (int i = 0; i < 32; ++i) rising[i] = static_cast<char>(i);
        QCOMPARE(orrery::crc32c(rising), 0x46DD794EU);
        QCOMPARE(orrery::crc32c(""), 0U);
        for (std::size_t cut = 0; cut <= 32; ++cut)
            QCOMPARE(orrery::crc32c(rising.substr(cut), orrery::crc32c(rising.substr(0, cut))),
                     0x46DD794EU);
    }
};

ORRERY_TEST(HashTest)
#include "hash_test.moc"
