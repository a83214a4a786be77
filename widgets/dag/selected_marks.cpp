#include "widgets/dag/selected_marks.h"

#include "widgets/common/selection.h"

namespace orrery {

std::shared_ptr<const StateMarks> selectedMarks(const Selection& selection,
                                                const StateGraph& graph) {
    if (selection.stateMarks()) return selection.stateMarks();
    const auto& items = selection.set(SelectionKind::State);
    if (items.empty()) return nullptr;
    auto marks = std::make_shared<StateMarks>(graph);
    for (const SelectionItem& item : items) {
        const auto& state = std::get<StateItem>(item);
        const auto config = static_cast<ConfigIndex>(state.index);
        if (state.index >= 0 && graph.inLevel(state.step, config))
            marks->insert({state.step, config});
    }
    marks->recount();
    return marks;
}

}  // namespace orrery
