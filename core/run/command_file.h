#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/run/command.h"

namespace orrery {

/// Commands to a live run from other processes: lines of JSON in `commands.jsonl` of its folder.
/// Writers append whole lines; the run's own process reads them. A line:
/// {"command": "set", "key": "lr_q_r", "value": "0.0005", "source": "orrery steer, process 4711"}

/// Leaves a command for a run. @throws Error (Resource) if the file cannot be written
void leaveCommand(const std::filesystem::path& runFolder, const RunCommand& command);

/// The reading end. One thread.
class CommandFile {
public:
    /// Removes what was left for an earlier life of the run.
    explicit CommandFile(const std::filesystem::path& runFolder);

    struct Line {
        std::optional<RunCommand> command;
        std::string problem;  ///< what is wrong with the line, if it holds no command
    };
    /// The lines that came since the last call. What cannot be read is no command; nothing throws.
    std::vector<Line> takeNew();

private:
    std::filesystem::path m_file;
    std::int64_t m_read = 0;  ///< bytes
    std::string m_rest;       ///< of a line whose end has not come
};

}  // namespace orrery
