#include "widgets/common/agent_letters.h"

#include <array>

#include "core/world/world.h"

namespace orrery {

std::vector<QString> agentLetters(const World& world) {
    std::vector<QString> letters;
    std::array<int, 3> counts{};
    static constexpr std::array<char16_t, 3> kFirst = {u'A', u'R', u'a'};  // by AgentRole
    for (const AgentInfo& agent : world.agents()) {
        const auto role = static_cast<std::size_t>(agent.role);
        const int index = counts[role]++;
        QString letter(QChar(static_cast<char16_t>(kFirst[role] + index % 9)));
        if (index >= 9) letter += QString::number(index / 9 + 1);
        letters.push_back(letter);
    }
    return letters;
}

}  // namespace orrery
