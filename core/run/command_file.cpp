#include "core/run/command_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <span>
#include <system_error>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/text.h"
#include "core/run/json_members.h"

namespace orrery {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFile = "commands.jsonl";
constexpr std::size_t kLongestLine = 4096;  // what one write appends in one piece
constexpr std::array kKinds{RunCommand::Kind::Pause,      RunCommand::Kind::Resume,
                            RunCommand::Kind::Cancel,     RunCommand::Kind::Set,
                            RunCommand::Kind::Checkpoint, RunCommand::Kind::Step};

CommandFile::Line lineOf(const std::string& text) {
    const Json json = Json::parse(text, nullptr, false);
    const std::string kind = textMember(json, "command");
    for (const RunCommand::Kind known : kKinds)
        if (kind == nameOf(known))
            return {RunCommand{.kind = known,
                               .source = textMember(json, "source"),
                               .key = textMember(json, "key"),
                               .value = textMember(json, "value"),
                               .isUndo = flagMember(json, "undo")},
                    {}};
    return {std::nullopt, "'" + escaped(text, 80) + "' in commands.jsonl is no command."};
}

}  // namespace

void leaveCommand(const std::filesystem::path& runFolder, const RunCommand& command) {
    const std::filesystem::path file = runFolder / kFile;
    Json json{{"command", nameOf(command.kind)},
              {"key", command.key},
              {"source", command.source},
              {"value", command.value}};
    if (command.isUndo) json["undo"] = true;
    const std::string line = json.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
    if (line.size() > kLongestLine)
        throw Error("The command is too long: at most 4 KiB.", Error::Kind::BadInput);
    const FileDescriptor opened = openFile(file, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW);
    if (!opened) throwFileError("leave a command in", file, errno);
    if (const int failed = writeAll(opened.get(), std::as_bytes(std::span(line))); failed != 0)
        throwFileError("leave a command in", file, failed);
}

CommandFile::CommandFile(const std::filesystem::path& runFolder) : m_file(runFolder / kFile) {
    std::error_code missing;
    std::filesystem::remove(m_file, missing);
}

std::vector<CommandFile::Line> CommandFile::takeNew() {
    std::vector<Line> lines;
    const FileDescriptor file = openFile(m_file, O_RDONLY | O_NOFOLLOW);
    if (!file) return lines;
    std::array<std::byte, kLongestLine> block{};
    if (::lseek(file.get(), m_read, SEEK_SET) < 0) return lines;
    for (;;) {
        const ssize_t count = readUpTo(file.get(), block);
        if (count <= 0) break;
        m_read += count;
        m_rest.append(reinterpret_cast<const char*>(block.data()), static_cast<std::size_t>(count));
    }
    for (std::size_t end = m_rest.find('\n'); end != std::string::npos; end = m_rest.find('\n')) {
        lines.push_back(lineOf(m_rest.substr(0, end)));
        m_rest.erase(0, end + 1);
    }
    return lines;
}

}  // namespace orrery
