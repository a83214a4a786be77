#include "core/files/msgpack.h"

#include <QTest>
#include <limits>
#include <string>

#include "core/base/error.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

using Kind = MsgpackValue::Kind;

std::string refusalOf(std::string_view bytes, const MsgpackLimits& limits = {}) {
    try {
        readMsgpack(bytes, limits);
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

template <std::size_t N>
std::string_view raw(const char (&bytes)[N]) {
    return {bytes, N - 1};
}

}  // namespace

/// MessagePack by the bytes of its specification.
class MsgpackTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void valuesAreWrittenInTheirShortestForm() {
        MsgpackWriter out;
        out.map(2);
        out.binary("nd");
        out.truth(true);
        out.text("a");
        out.array(9);
        for (const std::int64_t number : {0L, 127L, 128L, 256L, 65536L, -1L, -33L, 4294967296L})
            out.integer(number);
        out.nil();
        const std::string_view due =
            raw("\x82\xc4\x02nd\xc3\xa1"
                "a\x99\x00\x7f\xcc\x80\xcd\x01\x00\xce\x00\x01\x00\x00\xff\xd0\xdf"
                "\xcf\x00\x00\x00\x01\x00\x00\x00\x00\xc0");
        QCOMPARE(out.bytes(), std::string(due));
        MsgpackWriter number;
        number.number(1.5);
        QCOMPARE(number.take(), std::string(raw("\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00")));
    }

    void whatIsWrittenIsRead() {
        MsgpackWriter out;
        out.map(3);
        out.text("x");
        out.integer(std::numeric_limits<std::int64_t>::min());
        out.binary("y");
        out.text(std::string(300, 'z'));
        out.text("list");
        out.array(2);
        out.truth(false);
        out.number(-0.25);
        const MsgpackValue root = readMsgpack(out.bytes());
        QCOMPARE(root.members(), std::size_t{3});
        QCOMPARE(root.find("x")->integer, std::numeric_limits<std::int64_t>::min());
        QVERIFY(root.key(1).kind == Kind::Binary);
        QCOMPARE(root.find("y")->bytes.size(), std::size_t{300});
        QVERIFY(root.find("list")->elements[0].kind == Kind::Truth);
        QCOMPARE(root.find("list")->elements[1].number, -0.25);
        QVERIFY(root.find("none") == nullptr);
    }

    void whatIsNoneIsRefused() {
        QVERIFY(refusalOf("").find("no value") != std::string::npos);
        QVERIFY(refusalOf(raw("\xc1")).find("no value begins like this") != std::string::npos);
        QVERIFY(refusalOf(raw("\x01\x02")).find("follows") != std::string::npos);
        QVERIFY(refusalOf(raw("\xa5"
                              "abc"))
                    .find("end within") != std::string::npos);
        QVERIFY(refusalOf(raw("\xd4\x01\x02")).find("extension") != std::string::npos);
        QVERIFY(refusalOf(raw("\xcf\xff\xff\xff\xff\xff\xff\xff\xff")).find("too large") !=
                std::string::npos);
        // Lengths that are only declared take no memory.
        QVERIFY(refusalOf(raw("\xdf\xff\xff\xff\xff")).find("end within") != std::string::npos);
        QVERIFY(refusalOf(raw("\xdd\xff\xff\xff\xff\x01")).find("end within") != std::string::npos);
        QVERIFY(refusalOf(raw("\xc6\xff\xff\xff\xff")).find("end within") != std::string::npos);
    }

    void depthAndValuesAreLimited() {
        QVERIFY(refusalOf(std::string(31, '\x91') + '\x01').empty());
        QVERIFY(refusalOf(std::string(33, '\x91') + '\x01').find("too deep") != std::string::npos);
        QVERIFY(refusalOf(std::string(100'000, '\x81')).find("too deep") != std::string::npos);
        const std::string ten = std::string(1, '\x9a') + std::string(10, '\x01');
        QVERIFY(refusalOf(ten, {.values = 11}).empty());
        QVERIFY(refusalOf(ten, {.values = 10}).find("too many") != std::string::npos);
    }
};

ORRERY_TEST(MsgpackTest)
#include "msgpack_test.moc"
