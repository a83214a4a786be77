#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/encode/compact_state.h"
#include "core/world/world.h"

namespace orrery {

/// The smallest shape into which all the worlds fit.
EncodingShape shapeCovering(std::span<const std::shared_ptr<const World>> worlds,
                            EncodingRules rules = EncodingRules::Whole);
/// The same of one world.
EncodingShape shapeOf(const World& world, EncodingRules rules = EncodingRules::Whole);

struct EncoderOptions {
    EncodingShape shape = {};  ///< zero: that of the world, by the original's rules if it hides
    bool includesStepCount = true;  ///< else the steps left are 0
    /// As the original: what lies under an agent or a thing is hidden, so that states that differ
    /// in it look alike.
    bool hidesWhatIsUnder = false;
};

/// What can change in a world but is in no state that is encoded by EncodingRules::Former: "the
/// colours of balls". States that differ in it alone are one to networks and tables. Empty for most
/// worlds.
std::vector<std::string> notEncoded(const World& world);

/// Encodes states of one world, from the state alone. Keeps scratch memory: one a thread.
///
/// Cells: see CellBits. Globals: steps left, probabilities to stumble, to enter a magic wall and
/// that it turns solid. Agents: 13 numbers each, grouped by colour in the alphabetical order of its
/// name, by index within one: x, y, one-hot direction (4), enters magic walls, pushes rocks, type
/// and colour of what is carried or -1, paused, terminated, action forced on it or -1. Interactive
/// things: 96 numbers, the first four of each kind in row-major order, zeros for those missing:
/// kill buttons (x, y, enabled, colours of trigger and target), pause switches (x, y, enabled, on,
/// colours), disabling switches (x, y, 1, 0, trigger colour, plane of what they disable), control
/// buttons (x, y, enabled, colours, action recorded or -1, awaits its recording). Source: seed 000,
/// spec 7. Behind them, where the shape has room for it: x, y, plane and colour of each ball and
/// box on the ground by its cell, then -1 for those that are carried; the pause switches and
/// control buttons behind the fourth.
class StateEncoder {
public:
    /// @throws Error (BadInput) if the world does not fit into the shape
    explicit StateEncoder(const World& world, const EncoderOptions& options = {});
    ~StateEncoder();

    const EncodingShape& shape() const { return m_shape; }

    /// @param out  [shape().bytes()], aligned to 4
    void encode(std::span<const std::uint64_t> configuration, int step, std::span<std::byte> out);

    /// Knows one family of worlds.
    struct Family {
        virtual ~Family() = default;
        /// Fills what the world has; the rest is there already.
        virtual void encode(std::span<const std::uint64_t> configuration,
                            const EncodingShape& shape, CompactParts<std::byte> out) = 0;
    };

private:
    EncodingShape m_shape;
    bool m_includesStepCount;
    int m_maxSteps;
    std::unique_ptr<Family> m_family;
    std::vector<std::byte> m_empty;  ///< a state of a walled-in world without anybody
};

/// How the worlds of a family are encoded: what World::encoding() gives.
struct WorldEncoding {
    std::unique_ptr<StateEncoder::Family> (*make)(const World& world,
                                                  bool hidesWhatIsUnder) = nullptr;
    /// Adds to a shape what makes encoded states of the world whole; null: nothing.
    void (*addNeeds)(const World& world, EncodingShape& shape) = nullptr;
    /// As notEncoded(); null: nothing.
    std::vector<std::string> (*notEncoded)(const World& world) = nullptr;
};

}  // namespace orrery
