#include "core/train/empo/driver/kept_batch.h"

#include <algorithm>

#include "core/base/atomic_write.h"

namespace orrery {

namespace {

std::string hexOf(std::span<const std::byte> bytes) {
    constexpr const char* kDigits = "0123456789abcdef";
    std::string text;
    text.reserve(2 * bytes.size());
    for (const std::byte byte : bytes) {
        text += kDigits[std::to_integer<unsigned>(byte) >> 4U];
        text += kDigits[std::to_integer<unsigned>(byte) & 15U];
    }
    return text;
}

}  // namespace

std::string keepBatch(const std::filesystem::path& folder, std::int64_t step,
                      const ReplayBuffer& buffer, std::span<const ReplayBuffer::Slot> slots,
                      std::span<const WorldFacts> facts) {
    std::size_t numHumans = 0;
    for (const WorldFacts& world : facts) numHumans = std::max(numHumans, world.humans.size());
    std::string text = "slot,world,actor,episode,step,stored_at,robot_action,ends_episode";
    for (std::size_t h = 0; h < numHumans; ++h) {
        const std::string number = std::to_string(h);
        text.append(",human_action").append(number).append(",goal").append(number);
    }
    text += ",state,reached,state_bytes,reached_bytes\n";
    for (const ReplayBuffer::Slot slot : slots) {
        const StoredTransition& row = buffer.at(slot);
        const auto add = [&](auto value) { text += std::to_string(value) + ','; };
        add(slot), add(row.layout), add(row.collector), add(row.episode), add(row.step);
        add(row.insertedAt), add(row.robotAction), add(row.endsEpisode ? 1 : 0);
        for (std::size_t h = 0; h < numHumans; ++h) add(row.humanActions[h]), add(row.goals[h]);
        const StateStore::Index state = buffer.modelOf(slot).state;
        const StateStore::Index reached = buffer.reachedState(slot);
        add(state), add(reached);
        text += hexOf(buffer.states().at(state)) + ',' + hexOf(buffer.states().at(reached)) + '\n';
    }
    std::string name = "nan_batch_" + std::to_string(step) + ".csv";
    atomicWrite(folder / name, text);
    return name;
}

}  // namespace orrery
