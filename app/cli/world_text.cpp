#include "app/cli/world_text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace orrery {
namespace {

Ink inkOf(Color color) {
    switch (color) {
        case Color::Red:
            return Ink::Red;
        case Color::Green:
            return Ink::Green;
        case Color::Blue:
            return Ink::Blue;
        case Color::Purple:
            return Ink::Magenta;
        case Color::Yellow:
            return Ink::Yellow;
        case Color::Grey:
        case Color::Brown:
            break;
    }
    return Ink::Plain;
}

/// A cell's three columns: in UTF-8 and in ASCII.
struct Glyph {
    std::string unicode, ascii;
    Ink ink = Ink::Plain;
};

std::string agentDigit(const Piece& piece) {
    return piece.agent < 10 ? std::to_string(piece.agent) : "+";
}

Glyph agentGlyph(const Piece& piece) {
    static constexpr std::array<const char*, 5> kArrows{"▶", "▼", "◀", "▲", "●"};
    static constexpr const char* kPointers = ">v<^o";
    const std::size_t direction = std::min<std::size_t>(piece.direction, 4);
    const char* letter = piece.isHuman ? "h" : piece.isRobot ? "r" : "a";
    Glyph glyph{.unicode = letter + agentDigit(piece) + kArrows[direction],
                .ascii = letter + agentDigit(piece) + kPointers[direction],
                .ink = piece.isHuman   ? Ink::Yellow
                       : piece.isRobot ? Ink::Cyan
                                       : inkOf(piece.color)};
    if (piece.terminated) {
        glyph.unicode = letter + agentDigit(piece) + "†";
        glyph.ascii = letter + agentDigit(piece) + "x";
        glyph.ink = Ink::Dim;
    }
    return glyph;
}

Glyph doorGlyph(const Piece& piece) {
    switch (piece.door) {
        case DoorState::Open:
            return {"▏ ▕", "| |", inkOf(piece.color)};
        case DoorState::Closed:
            return {"▐▬▌", "|-|", inkOf(piece.color)};
        case DoorState::Locked:
            return {"▐◘▌", "|#|", inkOf(piece.color)};
    }
    return {};
}

/// With an arrow at the side from which it can be entered.
Glyph magicWallGlyph(const Piece& piece) {
    static constexpr std::array<const char*, 5> kSides{"▒▒◁", "▒△▒", "▷▒▒", "▒▽▒", "▒◇▒"};
    static constexpr std::array<const char*, 5> kPlainSides{"%%<", "%^%", ">%%", "%v%", "%+%"};
    if (!piece.active) return {"▓▓▓", "%#%", Ink::Plain};
    const std::size_t side = std::min<std::size_t>(piece.magicSide, 4);
    return {kSides[side], kPlainSides[side], Ink::Magenta};
}

Glyph numberGlyph(int number) {
    if (number == 0) return {" · ", " . ", Ink::Dim};
    const std::string digits = std::to_string(number);
    const std::string text = digits.size() < 2 ? " " + digits + " " : digits.substr(0, 2) + " ";
    return {text, text, Ink::Green};
}

Glyph glyphOf(const Piece& piece) {
    switch (piece.kind) {
        case PieceKind::Floor:
            return {" · ", " . ", Ink::Dim};
        case PieceKind::Wall:
            return {"███", "###", inkOf(piece.color)};
        case PieceKind::GoalTile:
            return {" ◎ ", " G ", Ink::Green};
        case PieceKind::SwitchTile:
            return {" ▫ ", " s ", Ink::Plain};
        case PieceKind::Lava:
            return {"≈≈≈", "~~~", Ink::Red};
        case PieceKind::UnsteadyGround:
            return {"∴∴∴", ":::", Ink::Plain};
        case PieceKind::Block:
            return {"▐█▌", "[B]", Ink::Plain};
        case PieceKind::Rock:
            return {"▐▒▌", "(R)", Ink::Plain};
        case PieceKind::Door:
            return doorGlyph(piece);
        case PieceKind::Key:
            return {" ⚷ ", " k ", inkOf(piece.color)};
        case PieceKind::Ball:
            return {" ● ", " o ", inkOf(piece.color)};
        case PieceKind::Box:
            return {" ▣ ", "[x]", inkOf(piece.color)};
        case PieceKind::MagicWall:
            return magicWallGlyph(piece);
        case PieceKind::Bush:
            return piece.active ? Glyph{"♣♣♣", "&&&", Ink::Green} : Glyph{" . ", " , ", Ink::Dim};
        case PieceKind::KillButton:
            return {piece.active ? "(☠)" : "(-)", piece.active ? "(K)" : "(-)", Ink::Red};
        case PieceKind::PauseSwitch:
            return {piece.on ? "(‖)" : "(▹)", piece.on ? "(P)" : "(p)", Ink::Yellow};
        case PieceKind::DisablingSwitch:
            return {"(⊘)", "(D)", Ink::Plain};
        case PieceKind::ControlButton:
            return {piece.on ? "(◌)" : "(◉)", piece.on ? "(c)" : "(C)", Ink::Blue};
        case PieceKind::Agent:
            return agentGlyph(piece);
        case PieceKind::Number:
            return numberGlyph(piece.number);
    }
    return {" ? ", " ? ", Ink::Plain};
}

bool isWorthALegend(const Piece& piece) {
    return piece.kind != PieceKind::Floor && piece.kind != PieceKind::Wall &&
           !(piece.kind == PieceKind::Number && piece.number == 0);
}

std::string columnNumbers(int width) {
    std::string text = "    ";
    for (int x = 0; x < width; ++x) {
        const std::string number = std::to_string(x % 1000);
        text += number.size() < 3 ? " " + number + (number.size() < 2 ? " " : "") : number;
    }
    while (text.ends_with(' ')) text.pop_back();
    return text;
}

const char* doorWord(DoorState door) {
    switch (door) {
        case DoorState::Open:
            return "open ";
        case DoorState::Closed:
            return "closed ";
        case DoorState::Locked:
            return "locked ";
    }
    return "";
}

std::string agentText(const World& world, const Piece& piece) {
    std::string text = piece.agent >= 0 ? world.agents()[piece.agent].name : "agent";
    if (piece.direction < 4) text += std::string(" facing ") + "ESWN"[piece.direction];
    if (piece.terminated) text += ", terminated";
    if (piece.paused) text += ", paused";
    if (piece.carried == Carried::Key)
        text += std::string(", has a ") + colorName(piece.carriedColor) + " key";
    if (piece.carried == Carried::Ball)
        text += std::string(", has a ") + colorName(piece.carriedColor) + " ball";
    if (piece.carried == Carried::Box)
        text += std::string(", has a ") + colorName(piece.carriedColor) + " box";
    return text;
}

}  // namespace

std::string pieceText(const World& world, const Piece& piece) {
    const std::string color = std::string(colorName(piece.color)) + " ";
    switch (piece.kind) {
        case PieceKind::Agent:
            return agentText(world, piece);
        case PieceKind::Door:
            return doorWord(piece.door) + color + "door";
        case PieceKind::Key:
        case PieceKind::Ball:
        case PieceKind::Box:
            return color + pieceName(piece.kind);
        case PieceKind::MagicWall:
            return std::string(piece.active ? "magic wall, enter " : "solid magic wall, ") +
                   (piece.magicSide < 4 ? std::string("side ") + "ESWN"[piece.magicSide]
                                        : "from all sides");
        case PieceKind::Bush:
            return piece.active ? "bush" : "trampled bush";
        case PieceKind::KillButton:
        case PieceKind::PauseSwitch:
        case PieceKind::ControlButton: {
            std::string text = pieceName(piece.kind);
            if (!piece.active) text += ", disabled";
            if (piece.on) text += piece.kind == PieceKind::PauseSwitch ? ", on" : ", recording";
            return text;
        }
        case PieceKind::Number:
            return "bush density " + std::to_string(piece.number);
        default:
            return pieceName(piece.kind);
    }
}

std::vector<std::string> drawWorld(const World& world, std::span<const std::uint64_t> configuration,
                                   const Console& console) {
    const int width = world.width();
    const int height = world.height();
    const std::vector<Piece> scene = world.scene(configuration);
    std::vector<const Piece*> top(static_cast<std::size_t>(width) *
                                  static_cast<std::size_t>(height));
    for (const Piece& piece : scene)
        if (piece.x >= 0 && piece.x < width && piece.y >= 0 && piece.y < height)
            top[static_cast<std::size_t>(piece.y) * width + piece.x] = &piece;

    const auto drawn = [&](const Glyph& glyph) {
        return console.inked(glyph.ink, console.isUnicode() ? glyph.unicode : glyph.ascii);
    };
    std::vector<std::string> lines{columnNumbers(width)};
    std::vector<std::pair<std::string, std::string>> legend;  // words, glyph; in map order
    for (int y = 0; y < height; ++y) {
        const std::string number = std::to_string(y);
        std::string line =
            std::string(number.size() < 3 ? 3 - number.size() : 0, ' ') + number + " ";
        for (int x = 0; x < width; ++x) {
            const Piece* piece = top[static_cast<std::size_t>(y) * width + x];
            const Glyph glyph = piece == nullptr ? glyphOf(Piece{}) : glyphOf(*piece);
            line += drawn(glyph);
            if (piece == nullptr || !isWorthALegend(*piece)) continue;
            const std::string words = pieceText(world, *piece);
            bool known = false;
            for (const auto& entry : legend) known |= entry.first == words;
            if (!known && legend.size() < 40) legend.emplace_back(words, drawn(glyph));
        }
        lines.push_back(std::move(line));
    }
    for (const auto& [words, glyph] : legend) {
        lines.push_back("  " + glyph);
        lines.back().append("  ").append(words);
    }
    return lines;
}

}  // namespace orrery
