#include "widgets/world/action_keys.h"

#include <Qt>
#include <algorithm>
#include <array>
#include <iterator>

namespace orrery {

namespace {

struct ActionKey {
    const char* action;
    int key, secondKey;  ///< 0: none
    const char* cap;
};

// The letters are no keys of commands that work in the world: B F N P R.
constexpr ActionKey kActionKeys[] = {
    {"left", Qt::Key_Left, Qt::Key_A, "←"},
    {"right", Qt::Key_Right, Qt::Key_D, "→"},
    {"forward", Qt::Key_Up, Qt::Key_W, "↑"},
    {"west", Qt::Key_Left, Qt::Key_A, "←"},
    {"east", Qt::Key_Right, Qt::Key_D, "→"},
    {"north", Qt::Key_Up, Qt::Key_W, "↑"},
    {"south", Qt::Key_Down, Qt::Key_S, "↓"},
    {"still", Qt::Key_0, 0, "0"},
    {"pass", Qt::Key_0, 0, "0"},
    {"pickup", Qt::Key_K, 0, "K"},
    {"drop", Qt::Key_O, 0, "O"},
    {"toggle", Qt::Key_T, Qt::Key_Down, "T"},
    {"done", Qt::Key_X, 0, "X"},
    {"build", Qt::Key_U, 0, "U"},
};

}  // namespace

std::optional<int> actionOfKey(const AgentInfo& agent, int key) {
    for (const ActionKey& entry : kActionKeys) {
        if (key != entry.key && (entry.secondKey == 0 || key != entry.secondKey)) continue;
        const auto at = std::ranges::find(agent.actions, entry.action);
        if (at != agent.actions.end()) return static_cast<int>(at - agent.actions.begin());
    }
    return std::nullopt;
}

QString keyOfAction(const AgentInfo& agent, int action) {
    const std::string& name = agent.actions[static_cast<std::size_t>(action)];
    const auto* const entry = std::ranges::find_if(
        kActionKeys, [&](const ActionKey& candidate) { return name == candidate.action; });
    return entry == std::end(kActionKeys) ? QString() : QString::fromUtf8(entry->cap);
}

}  // namespace orrery
