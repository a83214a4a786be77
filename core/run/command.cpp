#include "core/run/command.h"

namespace orrery {

const char* nameOf(RunCommand::Kind kind) {
    switch (kind) {
        case RunCommand::Kind::Pause:
            return "pause";
        case RunCommand::Kind::Resume:
            return "resume";
        case RunCommand::Kind::Set:
            return "set";
        case RunCommand::Kind::Checkpoint:
            return "checkpoint";
        case RunCommand::Kind::Step:
            return "step";
        case RunCommand::Kind::Cancel:
            break;
    }
    return "cancel";
}

}  // namespace orrery
