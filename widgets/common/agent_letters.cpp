#include "widgets/common/agent_letters.h"

#include "core/world/world.h"

namespace orrery {

std::vector<QString> agentLetters(const World& world) {
    std::vector<QString> letters;
    for (const std::string& letter : world.agentLetters())
        letters.push_back(QString::fromStdString(letter));
    return letters;
}

}  // namespace orrery
