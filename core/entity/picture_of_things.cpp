#include "core/entity/picture_of_things.h"

#include "core/entity/places_of_things.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace orrery {

namespace {

constexpr double kMostCells = 40;  // across, of things that lie on whole numbers
constexpr double kAcross = 12;     // cells that other things are spread over
constexpr float kTileWidth = 1.6F, kTileHeight = 1, kBarHeight = 0.12F;
constexpr int kTilesAcross = 8;
constexpr double kDegrees = 180 / std::numbers::pi;

/// Where a type has what; -1: it does not.
struct Columns {
    int x = -1, y = -1, direction = -1;
    bool hasPlace() const { return x >= 0 && y >= 0; }
};

Columns columnsOf(const std::vector<std::string>& features) {
    const auto find = [&](std::initializer_list<const char*> names) {
        for (const char* name : names)
            for (std::size_t i = 0; i < features.size(); ++i)
                if (features[i] == name) return static_cast<int>(i);
        return -1;
    };
    return {find({"x", "x_pos"}), find({"y", "y_pos"}), find({"direction"})};
}

struct Thing {
    std::size_t type = 0;
    std::vector<float> features;
    bool isSeen = true;
};

/// Things by type, global features as one more with a place if they have one.
std::vector<Thing> thingsIn(const EnvironmentSpaces& spaces, const Observation& observation) {
    std::vector<Thing> things;
    for (std::size_t type = 0; type < spaces.observations.size(); ++type) {
        const ObservedSpace& space = spaces.observations[type];
        const ObservedPart& part = observation.parts[type];
        if (space.kind == ObservedSpace::Kind::Sequence) continue;
        const std::size_t width = space.features.size();
        const std::size_t count = space.kind == ObservedSpace::Kind::Entities
                                      ? static_cast<std::size_t>(part.begins[0][1])
                                      : 1;
        for (std::size_t i = 0; i < count; ++i) {
            const auto begin = part.values.begin() + static_cast<std::ptrdiff_t>(i * width);
            things.push_back({type,
                              {begin, begin + static_cast<std::ptrdiff_t>(width)},
                              part.visible.empty() || part.visible[i] != 0});
        }
    }
    return things;
}

/// The smallest area around all that has a place.
PlaneArea around(const std::vector<Thing>& things, const std::vector<Columns>& columns) {
    PlaneArea area{
        .left = 1e300, .bottom = 1e300, .right = -1e300, .top = -1e300, .isOfCells = true};
    for (const Thing& thing : things) {
        const Columns& at = columns[thing.type];
        if (!at.hasPlace()) continue;
        const double x = thing.features[static_cast<std::size_t>(at.x)],
                     y = thing.features[static_cast<std::size_t>(at.y)];
        area.left = std::min(area.left, x);
        area.right = std::max(area.right, x);
        area.bottom = std::min(area.bottom, y);
        area.top = std::max(area.top, y);
        area.isOfCells = area.isOfCells && x == std::floor(x) && y == std::floor(y);
    }
    if (area.left > area.right) return {};
    area.isOfCells =
        area.isOfCells && std::max(area.right - area.left, area.top - area.bottom) < kMostCells;
    return area;
}

PictureSprite::Shape shapeOf(std::size_t type, bool isTurned) {
    using enum PictureSprite::Shape;
    constexpr PictureSprite::Shape kShapes[] = {Disc, Square, Diamond, Star, Ring, Cross};
    return isTurned ? Triangle : kShapes[type % std::size(kShapes)];
}

/// From the plane to a picture's cells.
class Placing {
public:
    explicit Placing(const PlaneArea& area) : m_area(area) {
        const double extent = std::max({area.right - area.left, area.top - area.bottom, 1e-9});
        m_scale = area.isOfCells ? 1 : (kAcross - 1) / extent;
    }
    float width() const { return static_cast<float>((m_area.right - m_area.left) * m_scale + 1); }
    float height() const { return static_cast<float>((m_area.top - m_area.bottom) * m_scale + 1); }
    PicturePoint at(double x, double y) const {
        return {static_cast<float>((x - m_area.left) * m_scale + 0.5),
                static_cast<float>((m_area.top - y) * m_scale + 0.5)};
    }

private:
    PlaneArea m_area;
    double m_scale = 1;
};

PictureColor colorOf(const Thing& thing) {
    return {.tone = Tone::Data,
            .index = static_cast<std::uint8_t>(thing.type % 8),
            .opacity = thing.isSeen ? 1.F : 0.4F};
}

PicturePoint tileCorner(int tile, float top) {
    const int row = tile / kTilesAcross, column = tile % kTilesAcross;
    return {static_cast<float>(column) * kTileWidth, top + static_cast<float>(row) * kTileHeight};
}

/// A tile with the name of its type and a bar a feature, as long as the number is large.
void addTile(PictureLayer& layer, const Thing& thing, const ObservedSpace& space,
             PicturePoint corner) {
    layer.tiles.push_back({.corner = corner,
                           .width = kTileWidth - 0.1F,
                           .height = kTileHeight - 0.1F,
                           .fill = {.tone = Tone::Ground}});
    layer.labels.push_back({.text = space.name,
                            .center = {corner.x + kTileWidth / 2, corner.y + 0.2F},
                            .height = 0.25F,
                            .color = {.tone = thing.isSeen ? Tone::Ink : Tone::Muted}});
    float y = corner.y + 0.4F;
    for (const float number : thing.features) {
        if (y + kBarHeight > corner.y + kTileHeight - 0.1F) break;
        // Half of it at 1, all of it far away: numbers of any size stay in order.
        const float share = std::abs(number) / (1 + std::abs(number));
        layer.tiles.push_back(
            {.corner = {corner.x + 0.1F, y},
             .width = std::max(0.02F, share * (kTileWidth - 0.3F)),
             .height = kBarHeight * 0.7F,
             .fill = number < 0 ? PictureColor{.tone = Tone::Warning} : colorOf(thing)});
        y += kBarHeight;
    }
}

}  // namespace

Picture pictureOfThings(const EnvironmentSpaces& spaces, const Observation& observation,
                        const PictureWish& wish, const std::optional<PlaneArea>& area) {
    std::vector<Columns> columns;
    for (const ObservedSpace& space : spaces.observations)
        columns.push_back(columnsOf(space.features));
    const std::vector<Thing> things = thingsIn(spaces, observation);
    const bool hasPlaces =
        std::ranges::any_of(things, [&](const Thing& one) { return columns[one.type].hasPlace(); });
    const PlaneArea shown = area ? *area : around(things, columns);
    const Placing placing(shown);
    Picture picture{.width = hasPlaces ? placing.width() : 0,
                    .height = hasPlaces ? placing.height() : 0,
                    .hasGrid = hasPlaces && shown.isOfCells,
                    .layers = {}};
    PictureLayer ground, layer;
    if (hasPlaces)
        ground.tiles.push_back(
            {.width = picture.width, .height = picture.height, .fill = {.tone = Tone::Ground}});
    const float tilesTop = picture.height;  // as placesOfThings has it
    int numTiles = 0;
    for (const Thing& thing : things) {
        const Columns& at = columns[thing.type];
        const ObservedSpace& space = spaces.observations[thing.type];
        if (!at.hasPlace()) {
            const PicturePoint corner = tileCorner(numTiles++, tilesTop);
            picture.width = std::max(picture.width, corner.x + kTileWidth);
            picture.height = std::max(picture.height, corner.y + kTileHeight);
            if (wish.shows(corner, kTileWidth, kTileHeight)) addTile(layer, thing, space, corner);
            continue;
        }
        const PicturePoint center = placing.at(thing.features[static_cast<std::size_t>(at.x)],
                                               thing.features[static_cast<std::size_t>(at.y)]);
        if (!wish.shows({center.x - 0.5F, center.y - 0.5F}, 1, 1)) continue;
        const float degrees =
            at.direction < 0
                ? 0.F
                : static_cast<float>(-kDegrees *
                                     thing.features[static_cast<std::size_t>(at.direction)]);
        layer.sprites.push_back({.name = space.name,
                                 .shape = shapeOf(thing.type, at.direction >= 0),
                                 .center = center,
                                 .degrees = degrees,
                                 .fill = colorOf(thing),
                                 .label = at.direction < 0 ? space.name.substr(0, 1) : ""});
    }
    picture.width = std::max(picture.width, 1.F);
    picture.height = std::max(picture.height, 1.F);
    picture.layers = {std::move(ground), std::move(layer)};
    return picture;
}

std::vector<PlaceInPicture> placesOfThings(const EnvironmentSpaces& spaces,
                                           const Observation& observation, const Picture& picture) {
    if (!picture.book.empty() || picture.layers.size() != 2) return {};
    const std::vector<PictureSprite>& sprites = picture.layers.back().sprites;
    std::vector<Columns> columns;
    for (const ObservedSpace& space : spaces.observations)
        columns.push_back(columnsOf(space.features));
    const std::vector<Thing> things = thingsIn(spaces, observation);
    const auto numPlaced = std::ranges::count_if(
        things, [&](const Thing& one) { return columns[one.type].hasPlace(); });
    if (numPlaced != std::ssize(sprites)) return {};
    // The ground is as large as the board.
    const std::vector<PictureTile>& ground = picture.layers.front().tiles;
    const float tilesTop = ground.empty() ? 0 : ground.front().height;
    std::vector<PlaceInPicture> places;
    std::size_t sprite = 0;
    int tile = 0;
    for (const Thing& thing : things) {
        PlaceInPicture place;
        if (columns[thing.type].hasPlace()) {
            const PictureSprite& drawn = sprites[sprite++];
            if (drawn.name != spaces.observations[thing.type].name) return {};
            place.corner = {drawn.center.x - 0.5F, drawn.center.y - 0.5F};
        } else {
            place = {.corner = tileCorner(tile++, tilesTop),
                     .width = kTileWidth - 0.1F,
                     .height = kTileHeight - 0.1F,
                     .isTile = true};
        }
        if (spaces.observations[thing.type].kind == ObservedSpace::Kind::Entities)
            places.push_back(place);
    }
    return places;
}

}  // namespace orrery
