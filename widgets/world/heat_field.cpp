#include "widgets/world/heat_field.h"

#include <algorithm>
#include <limits>

namespace orrery {

namespace {

std::shared_ptr<HeatField> emptyField(const World& world, const HeatRequest& request) {
    auto field = std::make_shared<HeatField>();
    field->request = request;
    field->width = world.width();
    field->height = world.height();
    field->cells.resize(static_cast<std::size_t>(world.width()) *
                        static_cast<std::size_t>(world.height()));
    return field;
}

bool fillValues(const Solution& solution, HeatField& field, const std::stop_token& stop) {
    const StateGraph& graph = solution.graph();
    const HeatRequest& request = field.request;
    const ValueOf asked{std::get<ValueKind>(request.quantity), request.human, request.goal};
    for (int c = 0; c < std::ssize(field.cells); ++c) {
        if (stop.stop_requested()) return false;
        HeatCell& cell = field.cells[static_cast<std::size_t>(c)];
        double sum = 0;
        for (const AgentVariant& variant : solution.world().variants(
                 graph.configuration(request.state.config), request.agent, c)) {
            const auto config = graph.find(variant.configuration);
            if (!config || !graph.inLevel(request.state.step, *config)) continue;
            sum += valueOf(solution, {request.state.step, *config}, asked).value_or(0);
            ++cell.count;
        }
        if (cell.count > 0) cell.value = sum / cell.count;
    }
    return true;
}

bool fillEarliest(const StateGraph& graph, HeatField& field, const std::stop_token& stop) {
    constexpr ConfigIndex kBetweenChecks = 4096;
    for (ConfigIndex config = 0; config < graph.numConfigs(); ++config) {
        if (config % kBetweenChecks == 0 && stop.stop_requested()) return false;
        const int at = graph.world().cellOf(graph.configuration(config), field.request.agent);
        HeatCell& cell = field.cells[static_cast<std::size_t>(at)];
        const double step = graph.firstStep(config);
        if (cell.count == 0 || step < cell.value) cell.value = step;
        cell.count = 1;
    }
    return true;
}

}  // namespace

const char* symbolOf(HeatQuantity quantity) {
    if (const auto* kind = std::get_if<ValueKind>(&quantity)) return factsOf(*kind).symbol;
    return quantity == kVisitHeat ? "visits" : "first step";
}

bool isProbability(HeatQuantity quantity) {
    const auto* kind = std::get_if<ValueKind>(&quantity);
    return kind != nullptr && factsOf(*kind).isProbability;
}

void HeatField::fitRange() {
    least = std::numeric_limits<double>::infinity();
    most = -least;
    numKnown = 0;
    for (const HeatCell& cell : cells) {
        if (cell.count == 0) continue;
        least = std::min(least, cell.value);
        most = std::max(most, cell.value);
        ++numKnown;
    }
    if (numKnown == 0) least = most = 0;
    low = least;
    high = most;
    rangeKind = HeatRangeKind::Auto;
}

std::shared_ptr<const HeatField> computeHeat(const Solution& solution, const HeatRequest& request,
                                             std::stop_token stop) {
    const auto field = emptyField(solution.world(), request);
    const bool isWhole = request.quantity == kEarliestHeat
                             ? fillEarliest(solution.graph(), *field, stop)
                             : fillValues(solution, *field, stop);
    if (!isWhole) return nullptr;
    field->fitRange();
    return field;
}

std::shared_ptr<const HeatField> countVisits(const World& world,
                                             std::span<const std::span<const std::uint64_t>> walk,
                                             int agent) {
    HeatRequest request;
    request.agent = agent;
    request.quantity = kVisitHeat;
    const auto field = emptyField(world, request);
    for (const auto configuration : walk) {
        HeatCell& cell = field->cells[static_cast<std::size_t>(world.cellOf(configuration, agent))];
        cell.count = 1;
        cell.value += 1;
    }
    field->fitRange();
    return field;
}

}  // namespace orrery
