#include "core/replay/step_model.h"

namespace orrery {

namespace {

template <typename T>
std::size_t taken(const std::vector<T>& list) {
    return list.capacity() * sizeof(T);
}

}  // namespace

std::size_t StepModel::bytes() const {
    return sizeof(StepModel) + taken(state) + taken(successors) + taken(rowBegin) +
           taken(probability) + taken(successor) + taken(duration) + taken(prior);
}

Fingerprint fingerprintOf(const StepModel& model) {
    Fingerprint all{
        .high = static_cast<std::uint64_t>(model.profile) * 2 + (model.endsWorld ? 1 : 0),
        .low = model.state.size()};
    const auto add = [&](const auto& list) {
        const Fingerprint part = fingerprintOf(std::as_bytes(std::span(list)), all.low);
        const std::uint64_t both[] = {all.high, all.low, part.high, part.low};
        all = fingerprintOf(std::as_bytes(std::span(both)), all.high);
    };
    add(model.state);
    add(model.successors);
    add(model.rowBegin);
    add(model.probability);
    add(model.successor);
    add(model.duration);
    add(model.prior);
    if (all == Fingerprint{}) all.low = 1;
    return all;
}

}  // namespace orrery
