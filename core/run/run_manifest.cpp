#include "core/run/run_manifest.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/sha256.h"
#include "core/base/text.h"

namespace orrery {

namespace {

using Json = nlohmann::ordered_json;

Json fileJson(const ArtefactRow& row) {
    return {{"kind", row.kind},
            {"file", std::filesystem::path(row.file).filename().string()},
            {"bytes", row.bytes},
            {"sha256", row.sha256}};
}

/// The same members, in any order.
bool isSame(const Json& a, const Json& b) {
    if (!a.is_object() || a.size() != b.size()) return false;
    for (const auto& [name, value] : b.items())
        if (!a.contains(name) || a.at(name) != value) return false;
    return true;
}

}  // namespace

std::string manifestJson(const std::string& runId, const NewRun& run,
                         std::span<const ArtefactRow> files) {
    Json manifest;
    manifest["format"] = 1;
    manifest["run"] = runId;
    manifest["code_version"] = run.codeVersion;
    manifest["world_hash"] = run.worldHash;
    manifest["config_sha256"] = sha256Hex(run.configJson);
    manifest["files"] = Json::array();
    for (const ArtefactRow& row : files) manifest["files"].push_back(fileJson(row));
    return manifest.dump(2) + "\n";
}

std::vector<std::string> manifestProblems(std::string_view text, const std::string& runId,
                                          std::span<const ArtefactRow> listed) {
    const Json manifest = Json::parse(text, nullptr, false);
    if (!manifest.is_object() || !manifest.contains("files") || !manifest["files"].is_array())
        return {"It is no manifest of a run."};
    std::vector<std::string> problems;
    if (manifest.value("run", Json()) != Json(runId))
        problems.emplace_back("It belongs to another run.");
    for (const ArtefactRow& row : listed) {
        if (row.kind == "manifest") continue;
        const Json wanted = fileJson(row);
        if (std::ranges::none_of(manifest["files"],
                                 [&](const Json& file) { return isSame(file, wanted); }))
            problems.push_back("It does not list " + escaped(row.file) +
                               " as the history does. Repeat the run.");
    }
    return problems;
}

}  // namespace orrery
