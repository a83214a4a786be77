#include "core/run/command.h"

#include <nlohmann/json.hpp>

#include "core/run/json_members.h"

namespace orrery {

namespace {

using Json = nlohmann::ordered_json;

std::string codeOf(const RunCommand& command) {
    return std::string("command.") + nameOf(command.kind);
}

}  // namespace

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

event::Message commandMessage(const RunCommand& command, const std::string& where, bool isRefused) {
    event::Message message{.level = isRefused ? MessageLevel::Warning : MessageLevel::Info,
                           .code = codeOf(command),
                           .text = std::string(nameOf(command.kind)) + " at " + where,
                           .data = Json{{"source", command.source}}.dump(
                               -1, ' ', false, Json::error_handler_t::replace)};
    if (!command.source.empty()) message.text += ", asked for by " + command.source;
    if (isRefused) message.text += ": refused, only a training can do that";
    return message;
}

bool isAbout(const EventRow& event, const RunCommand& command) {
    if (event.code != codeOf(command)) return false;
    const Json data = Json::parse(event.data, nullptr, false);
    return textMember(data, "source") == command.source;
}

}  // namespace orrery
