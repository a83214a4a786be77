#include "core/checkpoint/checkpoint_manifest.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/checkpoint/json_limits.h"

namespace orrery {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSealBegin = ",\n  \"sha256\": \"";
constexpr std::string_view kSealEnd = "\"\n}\n";
constexpr std::size_t kHexDigits = 64;
constexpr const char* kKind = "orrery checkpoint";

[[noreturn]] void damaged(const std::filesystem::path& path, const std::string& why) {
    throw Error("Checkpoint manifest '" + escaped(path.native()) + "' is damaged: " + why +
                    ". Resume from another checkpoint.",
                Error::Kind::Damaged);
}

bool isSealed(std::string_view text) {
    const std::size_t sealBytes = kSealBegin.size() + kHexDigits + kSealEnd.size();
    if (text.size() <= sealBytes) return false;
    const std::string_view body = text.substr(0, text.size() - sealBytes);
    const std::string_view seal = text.substr(body.size());
    return seal.starts_with(kSealBegin) && seal.ends_with(kSealEnd) &&
           seal.substr(kSealBegin.size(), kHexDigits) == sha256Hex(body);
}

/// The JSON of a sealed text; nothing if it is none, or if a name comes twice in an object.
std::optional<Json> parsed(std::string_view text) {
    if (jsonBeyondLimits(text, JsonLimits{})) return std::nullopt;
    std::vector<std::set<std::string>> names;
    bool twice = false;
    const auto watch = [&](int, Json::parse_event_t event, Json& value) {
        if (event == Json::parse_event_t::object_start)
            names.emplace_back();
        else if (event == Json::parse_event_t::object_end)
            names.pop_back();
        else if (event == Json::parse_event_t::key)
            twice = !names.back().insert(value.get<std::string>()).second || twice;
        return true;
    };
    Json json = Json::parse(text.begin(), text.end(), watch, false);
    if (json.is_discarded() || !json.is_object() || twice) return std::nullopt;
    return json;
}

int formatIn(const Json& json) {
    const auto format = json.find("format");
    const bool whole = format != json.end() && format->is_number_unsigned();
    return whole
               ? static_cast<int>(std::min<std::uint64_t>(format->get<std::uint64_t>(), INT32_MAX))
               : 0;
}

CheckpointFile fileIn(const Json& json) {
    CheckpointFile file;
    file.name = json.at("name").get<std::string>();
    file.bytes = json.at("bytes").get<std::uint64_t>();
    file.sha256 = json.at("sha256").get<std::string>();
    return file;
}

}  // namespace

std::string checkpointFolderName(std::int64_t step) {
    return "step_" + std::to_string(step);
}

std::int64_t stepOfFolderName(std::string_view name) {
    constexpr std::string_view kPrefix = "step_";
    if (!name.starts_with(kPrefix)) return -1;
    const std::optional<std::int64_t> step = parseInt(name.substr(kPrefix.size()));
    return step && *step >= 0 && name == checkpointFolderName(*step) ? *step : -1;
}

bool isCheckpointFileName(std::string_view name) {
    constexpr std::string_view kLetters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
    return !name.empty() && name.size() <= 100 && name.front() != '.' && name.front() != '-' &&
           name.find_first_not_of(kLetters) == std::string_view::npos && name != kManifestName;
}

std::string manifestText(const CheckpointManifest& manifest) {
    Json json;
    json["kind"] = kKind;
    json["format"] = manifest.format;
    json["step"] = manifest.step;
    json["config_hash"] = manifest.configHash;
    json["versions"] = Json::object();
    for (const auto& [name, version] : manifest.versions) json["versions"][name] = version;
    json["files"] = Json::array();
    for (const CheckpointFile& file : manifest.files)
        json["files"].push_back(
            {{"name", file.name}, {"bytes", file.bytes}, {"sha256", file.sha256}});
    std::string body = json.dump(2, ' ', true);
    body.resize(body.size() - 2);  // without "\n}"
    const std::string seal = sha256Hex(body);
    return body + std::string(kSealBegin) + seal + std::string(kSealEnd);
}

bool isNewerManifest(std::string_view text) {
    if (!isSealed(text)) return false;
    const std::optional<Json> json = parsed(text);
    return json && formatIn(*json) > kCheckpointFormat;
}

CheckpointManifest parseManifest(std::string_view text, const std::filesystem::path& path) {
    if (!isSealed(text)) damaged(path, "it does not agree with its own checksum");
    const std::optional<Json> json = parsed(text);
    if (!json) damaged(path, "it is no JSON object");
    CheckpointManifest manifest;
    manifest.format = formatIn(*json);
    if (manifest.format > kCheckpointFormat)
        throw Error("Checkpoint '" + escaped(path.parent_path().native()) +
                        "' was written by a newer Orrery (format " +
                        std::to_string(manifest.format) + "; this one reads up to " +
                        std::to_string(kCheckpointFormat) + "). Install the newer version.",
                    Error::Kind::Damaged);
    if (manifest.format < 1) damaged(path, "its format is no number");
    try {
        if (json->at("kind").get<std::string>() != kKind) damaged(path, "it is of another kind");
        manifest.step = json->at("step").get<std::int64_t>();
        manifest.configHash = json->at("config_hash").get<std::string>();
        for (const auto& [name, version] : json->at("versions").items())
            manifest.versions[name] = version.get<std::string>();
        for (const Json& file : json->at("files")) manifest.files.push_back(fileIn(file));
    } catch (const Json::exception&) {
        damaged(path, "a member is missing or of another type");
    }
    std::set<std::string> names;
    for (const CheckpointFile& file : manifest.files)
        if (!isCheckpointFileName(file.name) || !names.insert(file.name).second)
            damaged(path, "the file name '" + escaped(file.name, 80) + "' is not allowed");
    return manifest;
}

}  // namespace orrery
