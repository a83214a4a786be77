#include "widgets/world/piece_painter.h"

#include <QImage>
#include <QPainter>
#include <QTest>
#include <functional>
#include <vector>

#include "tests/support/test_program.h"
#include "widgets/common/tokens.h"

using namespace orrery;

namespace {

struct Named {
    QString name;
    Piece piece;
};

Named piece(const char* name, PieceKind kind, const std::function<void(Piece&)>& set = {}) {
    Piece made;
    made.kind = kind;
    if (set) set(made);
    return {QString::fromLatin1(name), made};
}

Named agent(const char* name, bool isHuman, const std::function<void(Piece&)>& set) {
    return piece(name, PieceKind::Agent, [&](Piece& p) {
        p.agent = 0;
        p.isHuman = isHuman;
        p.isRobot = !isHuman;
        p.color = isHuman ? Color::Yellow : Color::Grey;
        set(p);
    });
}

/// Every kind and every state that has a look of its own.
std::vector<Named> allPieces() {
    using K = PieceKind;
    std::vector<Named> all = {
        piece("wall", K::Wall),
        piece("block", K::Block),
        piece("rock", K::Rock),
        piece("locked door", K::Door, [](Piece& p) { p.door = DoorState::Locked; }),
        piece("closed door", K::Door, [](Piece& p) { p.door = DoorState::Closed; }),
        piece("open door", K::Door, [](Piece& p) { p.door = DoorState::Open; }),
        piece("key", K::Key),
        piece("ball", K::Ball),
        piece("box", K::Box),
        piece("goal tile", K::GoalTile),
        piece("switch tile", K::SwitchTile),
        piece("lava", K::Lava),
        piece("unsteady ground", K::UnsteadyGround),
        piece("magic wall all", K::MagicWall, [](Piece& p) { p.magicSide = 4; }),
        piece("magic wall solid", K::MagicWall, [](Piece& p) { p.active = false; }),
        piece("bush", K::Bush),
        piece("trampled bush", K::Bush, [](Piece& p) { p.active = false; }),
        piece("kill button", K::KillButton),
        piece("kill button disabled", K::KillButton, [](Piece& p) { p.active = false; }),
        piece("pause switch", K::PauseSwitch),
        piece("pause switch on", K::PauseSwitch, [](Piece& p) { p.on = true; }),
        piece("control button", K::ControlButton, [](Piece& p) { p.number = -1; }),
        piece("control button awaits", K::ControlButton,
              [](Piece& p) { p.number = -1, p.on = true; }),
        piece("disabling switch", K::DisablingSwitch),
        agent("dead human", true, [](Piece& p) { p.terminated = true; }),
        agent("paused robot", false, [](Piece& p) { p.paused = true; }),
        agent("human with a key", true, [](Piece& p) { p.carried = Carried::Key; }),
        agent("robot with a ball", false, [](Piece& p) { p.carried = Carried::Ball; }),
        agent("robot with a box", false, [](Piece& p) { p.carried = Carried::Box; }),
    };
    for (std::uint8_t side = 0; side < 4; ++side)
        all.push_back(piece(qPrintable(QStringLiteral("magic wall %1").arg(side)), K::MagicWall,
                            [side](Piece& p) { p.magicSide = side; }));
    for (std::uint8_t direction = 0; direction < 4; ++direction) {
        all.push_back(agent(qPrintable(QStringLiteral("human %1").arg(direction)), true,
                            [direction](Piece& p) { p.direction = direction; }));
        all.push_back(agent(qPrintable(QStringLiteral("robot %1").arg(direction)), false,
                            [direction](Piece& p) { p.direction = direction; }));
    }
    return all;
}

/// The piece on floor, in the middle of a canvas of three cells' width.
QImage drawn(const Piece* what, int size, const Tokens& tokens, const QString& letter = {}) {
    QImage image(3 * size, 3 * size, QImage::Format_RGB32);
    image.fill(Qt::magenta);
    QPainter painter(&image);
    const QRectF cell(size, size, size, size);
    paintPiece(painter, Piece{}, cell, tokens);
    if (what) {
        PieceLook look;
        look.letter = letter;
        paintPiece(painter, *what, cell, tokens, look);
    }
    return image;
}

/// Pixels whose grey values differ by more than `least` of 255.
int numDifferent(const QImage& a, const QImage& b, int least) {
    int count = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            if (std::abs(qGray(a.pixel(x, y)) - qGray(b.pixel(x, y))) > least) ++count;
    return count;
}

}  // namespace

class PiecePainterTest : public QObject {
    Q_OBJECT

public:
    static void initMain() { qputenv("QT_QPA_PLATFORM", "offscreen"); }

private Q_SLOTS:
    void sizesAndThemes() {
        QTest::addColumn<int>("size");
        QTest::addColumn<bool>("isDark");
        QTest::newRow("48 dark") << 48 << true;
        QTest::newRow("48 light") << 48 << false;
        QTest::newRow("16 dark") << 16 << true;
        QTest::newRow("16 light") << 16 << false;
    }

    void everyPieceCanBeToldFromEveryOtherWithoutColour_data() { sizesAndThemes(); }
    void everyPieceCanBeToldFromEveryOtherWithoutColour() {
        QFETCH(int, size);
        QFETCH(bool, isDark);
        const Tokens& tokens = isDark ? darkTokens() : lightTokens();
        const std::vector<Named> all = allPieces();
        std::vector<QImage> images;
        images.reserve(all.size());
        for (const Named& named : all) images.push_back(drawn(&named.piece, size, tokens));
        const QImage floor = drawn(nullptr, size, tokens);
        // One pixel in sixty of the cell, at least three, must differ in grey by 12 of 255.
        const int least = std::max(3, size * size / 60);
        for (std::size_t i = 0; i < all.size(); ++i) {
            QVERIFY2(numDifferent(images[i], floor, 12) >= least, qPrintable(all[i].name));
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY2(numDifferent(images[i], images[j], 12) >= least,
                         qPrintable(all[i].name + QStringLiteral(" and ") + all[j].name));
        }
    }

    void everyPieceStaysInItsCell_data() { sizesAndThemes(); }
    void everyPieceStaysInItsCell() {
        QFETCH(int, size);
        QFETCH(bool, isDark);
        const Tokens& tokens = isDark ? darkTokens() : lightTokens();
        for (const Named& named : allPieces()) {
            const QImage image = drawn(&named.piece, size, tokens, QStringLiteral("W"));
            // Pens at the edge may reach one pixel over it.
            const QRect cell = QRect(size, size, size, size).adjusted(-1, -1, 1, 1);
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (!cell.contains(x, y))
                        QVERIFY2(image.pixelColor(x, y) == QColor(Qt::magenta),
                                 qPrintable(
                                     QStringLiteral("%1 at %2,%3").arg(named.name).arg(x).arg(y)));
        }
    }

    void lettersAppearFromTwentyEightPixelsOn() {
        const Named human = agent("human", true, [](Piece&) {});
        const auto differs = [&](int size) {
            return numDifferent(drawn(&human.piece, size, darkTokens(), QStringLiteral("A")),
                                drawn(&human.piece, size, darkTokens(), QStringLiteral("B")),
                                12) > 0;
        };
        QVERIFY(differs(28));
        QVERIFY(differs(64));
        QVERIFY(!differs(27));
    }

    void colouredThingsTakeTheirColour_data() {
        QTest::addColumn<PieceKind>("kind");
        QTest::newRow("ball") << PieceKind::Ball;
        QTest::newRow("key") << PieceKind::Key;
        QTest::newRow("box") << PieceKind::Box;
        QTest::newRow("door") << PieceKind::Door;
    }
    void colouredThingsTakeTheirColour() {
        QFETCH(PieceKind, kind);
        for (const Color color : {Color::Red, Color::Green, Color::Blue, Color::Purple}) {
            Piece p;
            p.kind = kind;
            p.color = color;
            const QImage image = drawn(&p, 48, darkTokens());
            const QRgb wanted = darkTokens().world[static_cast<std::size_t>(color)].rgb();
            int count = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) count += image.pixel(x, y) == wanted;
            QVERIFY2(count > 20, colorName(color));
        }
    }
};

ORRERY_WINDOW_TEST(PiecePainterTest)
#include "piece_painter_test.moc"
