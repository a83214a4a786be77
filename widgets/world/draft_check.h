#pragma once

#include <QPoint>
#include <QString>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/world/world.h"
#include "core/world/world_spec.h"

namespace orrery {

/// One line of the editor's validation list.
struct WorldFinding {
    enum class Kind { Ok, Info, Warning, Error };
    Kind kind = Kind::Ok;
    QString text;
    std::optional<QPoint> cell = {};  ///< where it is
    bool operator==(const WorldFinding&) const = default;
};

/// What is wrong with a spec at once: the problems of validate(), agents that cannot leave their
/// cell, and goals that walls keep a human from (of the first 20 agents). Doors, blocks and bushes
/// count as ways.
std::vector<WorldFinding> findProblems(const WorldSpec& spec);

/// What a short exploration of a world found out.
struct StateEstimate {
    bool isExact = false;                ///< all states were explored
    std::int64_t states = 0;             ///< (step, configuration) pairs; exact only
    std::int64_t configs = 0;            ///< configurations found
    int step = 0;                        ///< the last step that was reached
    QString whyNot;                      ///< the world cannot be explored at all
    std::vector<WorldFinding> findings;  ///< goals that nobody ever attains; exact only
};

/// Explores a world as a solve would, but stops after 1.5 s or 300 000 configurations. Null if
/// stopped by `stop`. For a worker thread.
std::shared_ptr<const StateEstimate> estimateStates(const std::shared_ptr<const World>& world,
                                                    std::stop_token stop);

/// "41 208 states, 24 steps (explored)".
QString estimateText(const StateEstimate& estimate, int maxSteps);

}  // namespace orrery
