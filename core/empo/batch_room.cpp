#include "core/empo/batch_room.h"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "core/base/error.h"
#include "core/base/memory.h"

namespace orrery {

namespace {

constexpr std::int64_t kFloat = 4;        ///< bytes
constexpr std::int64_t kEntryBytes = 20;  ///< a place, a group and a weight
constexpr std::int64_t kRowBytes = 64;    ///< of tables and of the lists that name states and pairs

}  // namespace

BatchSize sizeOf(const ReplayBuffer& buffer, std::span<const ReplayBuffer::Slot> batch,
                 std::int64_t pairsOfState) {
    BatchSize size{.states = std::ssize(batch)};
    std::unordered_set<std::uint32_t> models;
    for (const ReplayBuffer::Slot slot : batch) {
        const StoredModel& model = buffer.modelOf(slot);
        const auto successors = std::ssize(model.successors());
        if (models.insert(buffer.at(slot).model).second) size.states += successors;
        size.pairs += pairsOfState * successors;
        size.entries += std::max<std::int64_t>(1, pairsOfState) * model.numEntries();
    }
    return size;
}

std::int64_t bytesOf(const BatchSize& size, const EmpoSpec& spec, int width, int height) {
    const std::int64_t hidden = spec.hasNetworks() || spec.hasHumanNetwork() ? spec.hiddenSize : 0;
    const std::int64_t pooledCells = std::int64_t{(width + 1) / 2} * ((height + 1) / 2);
    const std::int64_t bytesOfState = kRowBytes + kFloat * (4 * hidden + hidden / 2 * pooledCells);
    const std::int64_t bytesOfPair = kRowBytes + kFloat * (3 * hidden);
    return size.states * bytesOfState + size.pairs * bytesOfPair + size.entries * kEntryBytes;
}

void requireRoom(std::int64_t bytes, const BatchSize& size, std::int64_t freeBytes) {
    if (bytes <= freeBytes / 10 * 7) return;
    throw Error("One batch would take some " + mebibytes(bytes) + ", more than 70 % of the " +
                    mebibytes(freeBytes) + " that are free: its transitions may lead to " +
                    std::to_string(size.states) +
                    " states, as targets go through every joint action of the humans. Set "
                    "human_model to sampled, or a smaller batch_size or hidden_dim.",
                Error::Kind::Resource);
}

}  // namespace orrery
