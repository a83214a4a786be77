#include "core/entity/process/own_games.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/mutex.h"
#include "core/base/text.h"

namespace orrery {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostBytes = 16U << 20;
constexpr std::size_t kLongestName = 60;
constexpr int kFileVersion = 1;

OwnGame gameOf(const Json& entry) {
    OwnGame game{
        .name = entry.at("name"),
        .command = {.words = entry.at("command"), .folder = entry.at("folder").get<std::string>()}};
    std::string problem = ownNameProblem(game.name);
    if (problem.empty() && game.command.words.empty()) problem = "a command is empty";
    if (problem.empty()) problem = readGameSpaces(entry.at("spaces"), game.told);
    if (!problem.empty()) throw Error(problem);
    return game;
}

Json jsonOfGame(const OwnGame& game) {
    return {{"name", game.name},
            {"command", game.command.words},
            {"folder", game.command.folder.string()},
            {"spaces", jsonOf(game.told)}};
}

/// Nobody else changes the file meanwhile.
FileDescriptor lockOf(const std::filesystem::path& file) {
    std::error_code ignored;
    std::filesystem::create_directories(file.parent_path(), ignored);
    const std::filesystem::path path = file.string() + ".lock";
    FileDescriptor lock = openFile(path, O_RDWR | O_CREAT);
    if (!lock) throwFileError("open", path, errno);
    while (::flock(lock.get(), LOCK_EX) != 0)
        if (errno != EINTR) throwFileError("lock", path, errno);
    return lock;
}

void change(const std::filesystem::path& file,
            const std::function<void(std::vector<OwnGame>&)>& change) {
    const FileDescriptor lock = lockOf(file);
    std::vector<OwnGame> games = readOwnGames(file);
    change(games);
    std::ranges::sort(games, {}, &OwnGame::name);
    Json entries = Json::array();
    for (const OwnGame& game : games) entries.push_back(jsonOfGame(game));
    atomicWrite(file, Json{{"version", kFileVersion}, {"environments", entries}}.dump(2) + '\n');
}

std::vector<std::string> namesOfGames(const std::vector<OwnGame>& games) {
    std::vector<std::string> names;
    names.reserve(games.size());
    for (const OwnGame& game : games) names.push_back(game.name);
    return names;
}

/// What games show and take with options, asked for once.
class ToldGames {
public:
    explicit ToldGames(OwnGame game) : m_game(std::move(game)) {}

    const OwnGame& game() const { return m_game; }

    GameSpaces with(const std::string& options) {
        const MutexLock lock(m_mutex);
        if (options == "{}") return m_game.told;
        const auto known = m_told.find(options);
        if (known != m_told.end()) return known->second;
        GameProcess process(
            {.command = m_game.command, .name = m_game.name, .optionsJson = options});
        try {
            GameSpaces told = process.spaces();
            // What was found out when it was tried is told with any options.
            for (const std::string& metric : m_game.told.spaces.metrics)
                if (std::ranges::find(told.spaces.metrics, metric) == told.spaces.metrics.end())
                    told.spaces.metrics.push_back(metric);
            return m_told.emplace(options, std::move(told)).first->second;
        } catch (const GameFault& fault) {
            throw badInput(m_game.name + ", with " + escaped(options, kLongestName) + ": " +
                           fault.text + '.');
        }
    }

private:
    const OwnGame m_game;
    Mutex m_mutex;
    std::map<std::string, GameSpaces> m_told ORRERY_GUARDED_BY(m_mutex);
};

}  // namespace

std::filesystem::path ownGamesFile() {
    // Read while nothing of ours changes the environment.
    const char* given = std::getenv("XDG_CONFIG_HOME");  // NOLINT(concurrency-mt-unsafe)
    std::filesystem::path folder = given == nullptr ? "" : given;
    if (!folder.is_absolute()) {
        const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe)
        folder = std::filesystem::path(home == nullptr ? "/" : home) / ".config";
    }
    return folder / "orrery/environments.json";
}

std::string ownNameProblem(std::string_view name) {
    const auto isLetter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    const auto isGood = [&](char c) { return isLetter(c) || c == '-' || c == '_' || c == '.'; };
    if (!name.empty() && name.size() <= kLongestName && isLetter(name.front()) &&
        std::ranges::all_of(name, isGood))
        return {};
    return "\"" + escaped(name, kLongestName) +
           "\" cannot be the name of an environment: letters and digits make one, and - _ . behind "
           "the first, " +
           std::to_string(kLongestName) + " at most";
}

std::vector<OwnGame> readOwnGames(const std::filesystem::path& file) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return {};
    const std::string text = readFile(file, kMostBytes);
    std::vector<OwnGame> games;
    try {
        const Json root = Json::parse(text);
        if (root.at("version") != kFileVersion)
            throw Error("its version is " + root.at("version").dump());
        for (const Json& entry : root.at("environments")) games.push_back(gameOf(entry));
    } catch (const std::exception& error) {
        throw Error("The list of your environments '" + file.string() + "' is damaged: " +
                        escaped(error.what()) + ". Mend it, or remove it and add them again.",
                    Error::Kind::Damaged);
    }
    std::ranges::sort(games, {}, &OwnGame::name);
    return games;
}

void addOwnGame(const std::filesystem::path& file, const OwnGame& game) {
    change(file, [&](std::vector<OwnGame>& games) {
        std::erase_if(games, [&](const OwnGame& other) { return other.name == game.name; });
        games.push_back(game);
    });
}

void removeOwnGame(const std::filesystem::path& file, std::string_view name) {
    change(file, [&](std::vector<OwnGame>& games) {
        const std::vector<std::string> names = namesOfGames(games);
        if (std::erase_if(games, [&](const OwnGame& game) { return game.name == name; }) > 0)
            return;
        const auto closest = closestName(name, names);
        throw badInput("You have no environment \"" + escaped(name, kLongestName) + "\"." +
                       (closest         ? " Did you mean \"" + *closest + "\"?"
                        : names.empty() ? " You have added none."
                                        : " You have " + commaList(names) + '.'));
    });
}

EnvironmentEntry entryOfOwnGame(const OwnGame& game) {
    const auto told = std::make_shared<ToldGames>(game);
    const auto together = [told](std::string_view json,
                                 const OutsideRules& rules) -> TogetherMaker {
        const std::string options = json.empty() ? "{}" : std::string(json);
        const auto pool =
            std::make_shared<OwnGamePool>(told->game(), told->with(options), options, rules);
        return [pool] { return pool->make(); };
    };
    return {.id = game.name,
            .title = game.name,
            .summary = "Your own: " + joined(game.command.words, " "),
            .options = {},
            .make = [together](std::string_view json) { return together(json, {})(); },
            .together = together,
            .origin = jsonOfGame(game).dump(),
            .isExact = game.told.canSave};
}

}  // namespace orrery
