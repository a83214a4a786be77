#pragma once

#include <QString>
#include <vector>

namespace orrery {

class World;

/// The letter that stands for each agent in pictures and texts: humans A, B, ...; robots R, S, ...;
/// others a, b, ... [agent]
std::vector<QString> agentLetters(const World& world);

}  // namespace orrery
