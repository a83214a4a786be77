#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/encode/planes.h"

namespace orrery {

/// Whether every two configurations are encoded differently.
enum class EncodingRules : std::uint8_t {
    Whole,   ///< they are
    Former,  ///< as the original and former versions: see notEncoded() of state_encoder.h
};

/// Sizes of an encoded state. One shape serves worlds of several layouts: smaller ones are walled
/// in, missing agents stand at -1, -1.
struct EncodingShape {
    int width = 0, height = 0;  ///< cells
    int numAgents = 0;
    // What the planes and the first numbers of interactive things do not tell apart; 0 but for the
    // worlds that need it.
    int coloredThings = 0;       ///< balls and boxes whose colours are told
    int morePauseSwitches = 0;   ///< behind the fourth
    int moreControlButtons = 0;  ///< behind the fourth

    static constexpr int kGlobals = 4, kAgentNumbers = 13;
    static constexpr int kInteractiveNumbers = 96;  ///< of a world that needs no more
    static constexpr int kColoredNumbers = 4, kPauseNumbers = 6, kControlNumbers = 7;

    std::size_t cells() const { return static_cast<std::size_t>(width) * height; }
    std::size_t agentNumbers() const { return static_cast<std::size_t>(numAgents) * kAgentNumbers; }
    std::size_t interactiveNumbers() const {
        const int numbers = kInteractiveNumbers + kColoredNumbers * coloredThings +
                            kPauseNumbers * morePauseSwitches +
                            kControlNumbers * moreControlButtons;
        return static_cast<std::size_t>(numbers);
    }
    /// Of one compact state: 508 for 7 x 7 cells and four agents. A multiple of 4.
    std::size_t bytes() const {
        const std::size_t numbers = agentNumbers() + interactiveNumbers();
        return 4 * cells() + sizeof(float) * kGlobals +
               sizeof(std::int16_t) * (numbers + numbers % 2);
    }
    bool operator==(const EncodingShape&) const = default;
};

/// The parts of a compact state in its bytes.
template <typename Byte>
struct CompactParts {
    template <typename T>
    using Part = std::span<std::conditional_t<std::is_const_v<Byte>, const T, T>>;

    Part<std::int32_t> cells;   ///< [height x width], see CellBits
    Part<float> globals;        ///< [4] steps left (0 if not encoded), stumble, entry, solidify
    Part<std::int16_t> agents;  ///< [numAgents x 13]
    Part<std::int16_t> interactive;  ///< [interactiveNumbers]
};

/// @param bytes  shape.bytes() of them, aligned to 4
CompactParts<std::byte> partsOf(const EncodingShape& shape, std::span<std::byte> bytes);
CompactParts<const std::byte> partsOf(const EncodingShape& shape, std::span<const std::byte> bytes);

/// What the bits of a compact cell mean. The seed's layout with three additions: code 29 for
/// "nothing here" (its 0 means both that and wall), densities, and things that lie on something.
struct CellBits {
    static constexpr int kEmpty = 29, kDoor = 30, kKey = 31;  ///< types beside the planes 0 to 14
    static constexpr int kNoAgent = 7;
    static constexpr int kKeyThing = 7;

    int type = kEmpty;     ///< bits 0-4
    int color = 0;         ///< bits 5-7, of a door or key
    int door = 0;          ///< bits 8-9: 1 open, 2 closed, 3 locked
    int agent = kNoAgent;  ///< bits 10-12: colour
    int magic = 0;         ///< bits 13-15: 1 + side, 6 solid
    int other = 0;         ///< bits 16-17: 1 overlappable, 2 immobile, 3 mobile
    int density = 0;       ///< bits 18-25: of a bush, less 1
    int thing = 0;         ///< bits 26-28: plane of what lies on `type`, or kKeyThing; 0 nothing
    int thingColor = 0;    ///< bits 29-31: of that key

    std::int32_t packed() const;
    static CellBits of(std::int32_t packed);
};

/// Writes the planes of compact cells.
/// @param out  [numPlanes(layout) x cells], every number is written
void decompress(std::span<const std::int32_t> cells, PlaneLayout layout, std::span<float> out);

}  // namespace orrery
