#include "core/run/jobs/environments.h"

#include <sys/stat.h>

#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>
#include <tuple>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/mutex.h"
#include "core/base/text.h"
#include "core/entity/envs/entity_environments.h"
#include "core/run/builtin_worlds.h"
#include "core/run/run_kind.h"
#include "core/run/run_name.h"

namespace orrery {

namespace {

constexpr std::uint64_t kMostBytes = 1 << 20;

/// "CartPole" -> "cart_pole".
std::string fileNameOf(std::string_view environment) {
    std::string name;
    for (const char c : environment) {
        const bool isUpper = c >= 'A' && c <= 'Z';
        if (isUpper && !name.empty()) name += '_';
        name += isUpper ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return name;
}

/// The environments of this tree and the user's own, read again when their file is another one.
/// What was given out stays.
class Known {
public:
    static Known& instance() {
        static Known known;
        return known;
    }

    EnvironmentCatalogue now() {
        const MutexLock lock(m_mutex);
        const std::filesystem::path file = ownGamesFile();
        const Stamp stamp = stampOf(file);
        if (m_lists.empty() || stamp != m_stamp) {
            m_stamp = stamp;
            read(file);
        }
        return m_lists.back();
    }
    std::string trouble() {
        now();
        const MutexLock lock(m_mutex);
        return m_trouble;
    }

private:
    using Stamp = std::tuple<std::string, std::uint64_t, std::int64_t, std::int64_t, std::int64_t>;

    static Stamp stampOf(const std::filesystem::path& file) {
        struct stat facts {};
        if (::stat(file.c_str(), &facts) != 0) return {file.string(), 0, 0, 0, 0};
        return {file.string(), facts.st_ino, facts.st_size, facts.st_mtim.tv_sec,
                facts.st_mtim.tv_nsec};
    }

    void read(const std::filesystem::path& file) ORRERY_REQUIRES(m_mutex) {
        const EnvironmentCatalogue tree = entityEnvironments();
        std::vector<EnvironmentEntry>& list = m_lists.emplace_back(tree.begin(), tree.end());
        m_trouble.clear();
        try {
            for (OwnGame& game : readOwnGames(file)) {
                if (findEnvironment(tree, game.name) != nullptr) continue;
                game.command.pythonPath = dataFolder() / "python";
                list.push_back(entryOfOwnGame(game));
            }
        } catch (const Error& error) {
            m_trouble = error.what();
        }
    }

    Mutex m_mutex;
    Stamp m_stamp ORRERY_GUARDED_BY(m_mutex);
    std::deque<std::vector<EnvironmentEntry>> m_lists ORRERY_GUARDED_BY(m_mutex);
    std::string m_trouble ORRERY_GUARDED_BY(m_mutex);
};

}  // namespace

EnvironmentCatalogue knownEnvironments() {
    return Known::instance().now();
}

std::string ownEnvironmentsTrouble() {
    return Known::instance().trouble();
}

const EnvironmentEntry& knownEnvironment(std::string_view id) {
    const EnvironmentCatalogue all = knownEnvironments();
    if (const EnvironmentEntry* entry = findEnvironment(all, id)) return *entry;
    std::vector<std::string> ids;
    ids.reserve(all.size());
    for (const EnvironmentEntry& entry : all) ids.push_back(entry.id);
    const auto closest = closestName(id, ids);
    const std::string trouble = ownEnvironmentsTrouble();
    throw badInput(
        "There is no environment \"" + escaped(id, 60) + "\"" +
        (closest ? "; did you mean \"" + *closest + "\"?" : ".") + ' ' +
        (trouble.empty() ? "`orrery env add NAME -- COMMAND` adds one of your own." : trouble) +
        (closest ? "" : " There are " + commaList(ids) + '.'));
}

OwnGameTrial registerEnvironment(const std::string& name, const std::vector<std::string>& command,
                                 const std::filesystem::path& folder, const ProgressSink& progress,
                                 const std::stop_token& stop) {
    if (command.empty()) throw badInput("A command is needed that serves environments.");
    if (findEnvironment(entityEnvironments(), name) != nullptr)
        throw badInput("\"" + name + "\" is one of the program's environments; take another name.");
    OwnGameTrial trial = tryOwnGame(
        {.name = name,
         .command = {.words = command, .folder = folder, .pythonPath = dataFolder() / "python"}},
        progress, stop);
    addOwnGame(ownGamesFile(), trial.game);
    return trial;
}

void unregisterEnvironment(std::string_view name) {
    removeOwnGame(ownGamesFile(), name);
}

RunSpec suggestedTraining(std::string_view environment, std::string_view optionsJson) {
    const std::filesystem::path file =
        dataFolder() / "specs/entity" / (fileNameOf(environment) + ".yaml");
    std::error_code ignored;
    RunSpec spec;
    if (std::filesystem::exists(file, ignored)) {
        spec = runSpecFromJson(readFile(file, kMostBytes), file.string());
    } else {
        for (const RunKind* kind : trainingKinds()) {
            spec.job = kind->fresh();
            if (kind->takeEnvironment && kind->takeEnvironment(spec.job, environment)) break;
        }
    }
    const RunKind& kind = spec.job.kind();
    if (!kind.takeEnvironment || !kind.takeEnvironment(spec.job, environment))
        throw badInput("No method learns in the environment '" + escaped(environment, 60) + "'.");
    if (const RunField* options = findField(kind.name, "env.kwargs");
        options != nullptr && optionsJson != "{}")
        options->set(spec, fieldFromText(*options, optionsJson));
    spec.name.clear();
    spec.name = describeRun({}, spec);
    return spec;
}

}  // namespace orrery
