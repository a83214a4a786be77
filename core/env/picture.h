#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace orrery {

/// A colour by what it means; whoever draws has a light and a dark form of each.
enum class Tone : std::uint8_t {
    Ink,     ///< text and outlines
    Muted,   ///< what matters less
    Line,    ///< grids
    Ground,  ///< where nothing lies
    Solid,   ///< what nobody walks through
    Good,
    Bad,
    Warning,
    Accent,
    Data,   ///< one of the colours of series, by `index`
    Thing,  ///< a thing's own colour, by `index`: red green blue purple yellow grey brown
    Fixed,  ///< the same in light and dark, by red, green and blue
};

struct PictureColor {
    Tone tone = Tone::Ink;
    std::uint8_t index = 0;                     ///< Data, Thing
    std::uint8_t red = 0, green = 0, blue = 0;  ///< Fixed
    float opacity = 1;                          ///< [0, 1]

    bool operator==(const PictureColor&) const = default;
};

/// A place in a picture, in cells from its upper left corner.
struct PicturePoint {
    float x = 0, y = 0;
    bool operator==(const PicturePoint&) const = default;
};

/// A rectangle of one colour, such as a cell of a map.
struct PictureTile {
    PicturePoint corner = {};
    float width = 1, height = 1;
    PictureColor fill = {};

    bool operator==(const PictureTile&) const = default;
};

/// A shape of its own in a box.
struct PictureSprite {
    enum class Shape : std::uint8_t {
        Disc,
        Square,
        Triangle,  ///< its tip to the right before it is turned
        Diamond,
        Star,
        Cross,
        Ring,
        Flag,
    };
    std::string name = {};  ///< "robot", "mine": for tables and pointers; many may share one
    Shape shape = Shape::Disc;
    PicturePoint center = {};
    float size = 0.8F;  ///< of the box
    float degrees = 0;  ///< clockwise
    PictureColor fill = {};
    bool isOutlined = true;
    std::string label = {};  ///< a letter or two inside it
    /// What the picture's book draws it by; all 0: it is drawn as the shape.
    std::array<std::int16_t, 12> traits = {};

    bool operator==(const PictureSprite&) const = default;
};

struct PictureLine {
    std::vector<PicturePoint> points = {};
    float width = 0.06F;
    PictureColor color = {};
    bool isArrow = false;  ///< its last point is a tip

    bool operator==(const PictureLine&) const = default;
};

struct PictureLabel {
    std::string text = {};
    PicturePoint center = {};
    float height = 0.5F;
    PictureColor color = {};

    bool operator==(const PictureLabel&) const = default;
};

/// A dashed frame around cells that have something in common.
struct PictureFrame {
    PicturePoint corner = {};
    float width = 1, height = 1;
    PictureColor color = {};
    std::string label = {};     ///< in a tag at its corner
    bool isStrong = false;      ///< what matters now
    int owner = 0, number = 0;  ///< "goal `number` of human `owner`"

    bool operator==(const PictureFrame&) const = default;
};

/// Things at one depth: tiles first, then frames, lines, sprites and labels.
struct PictureLayer {
    std::vector<PictureTile> tiles = {};
    std::vector<PictureFrame> frames = {};
    std::vector<PictureLine> lines = {};
    std::vector<PictureSprite> sprites = {};
    std::vector<PictureLabel> labels = {};

    bool operator==(const PictureLayer&) const = default;
};

/// What somebody sees of an environment, without saying how large or in which colours it is drawn:
/// crisp at any scale, in light and dark.
struct Picture {
    float width = 1, height = 1;  ///< cells
    bool hasGrid = false;         ///< lines between whole cells help
    /// Who knows how its sprites look beyond their shapes; empty or not known: nobody does.
    std::string book = {};
    std::vector<PictureLayer> layers = {};  ///< back to front

    bool operator==(const Picture&) const = default;
};

/// What is asked of a picture, so that a large one costs what is seen of it.
struct PictureWish {
    PicturePoint corner = {};           ///< of the visible part
    float width = 1e9F, height = 1e9F;  ///< of the visible part, cells
    float pixelsPerCell = 32;           ///< details below a pixel can be left out

    /// Whether something with this corner and size is seen.
    bool shows(PicturePoint at, float itsWidth, float itsHeight) const {
        return at.x < corner.x + width && at.y < corner.y + height && at.x + itsWidth > corner.x &&
               at.y + itsHeight > corner.y;
    }
};

}  // namespace orrery
