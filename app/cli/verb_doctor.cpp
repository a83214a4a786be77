#include <sqlite3.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "app/cli/verb.h"
#include "app/cli/workspace_option.h"
#include "core/base/cpu.h"
#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/base/thread_team.h"
#include "core/run/builtin_worlds.h"
#include "core/run/code_version.h"
#include "core/train/learn_library.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kLowDisk = std::int64_t{1} << 30;
constexpr int kSoundSqlite = 3051003;  // the first release without the WAL-reset fault

enum class Health { Good, Odd, Missing };

struct Symptom {
    std::string what;
    Health health = Health::Good;
    std::string text;
};

const char* wordOf(Health health) {
    switch (health) {
        case Health::Good:
            return "good";
        case Health::Odd:
            return "odd";
        case Health::Missing:
            return "missing";
    }
    return "";
}

bool isThere(const fs::path& path) {
    std::error_code error;
    return fs::exists(path, error);
}

/// The first of the paths that exists; empty if none does.
fs::path firstOf(const std::vector<fs::path>& paths) {
    for (const fs::path& path : paths)
        if (isThere(path)) return path;
    return {};
}

/// A shared library by the beginning of its file name, in the usual folders.
fs::path findLibrary(const std::string& beginning) {
    for (const char* folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
                               "/usr/lib64", "/usr/lib", "/usr/local/lib"}) {
        std::error_code error;
        for (const auto& entry : fs::directory_iterator(folder, error))
            if (entry.path().filename().string().starts_with(beginning)) return entry.path();
    }
    return {};
}

Symptom checkGpu() {
    const fs::path nvidia = firstOf({"/dev/nvidia0", "/dev/nvidiactl"});
    if (!nvidia.empty()) return {"GPU", Health::Good, "NVIDIA (" + nvidia.string() + ")"};
    if (isThere("/dev/dri/renderD128"))
        return {"GPU", Health::Good, "/dev/dri/renderD128, no CUDA"};
    return {"GPU", Health::Odd, "none: learning and drawing use the processor"};
}

Symptom checkGl() {
    const fs::path library = findLibrary("libGL.so.1");
    if (library.empty())
        return {"OpenGL", Health::Missing, "libGL.so.1 is not there: install libgl1"};
    return {"OpenGL", Health::Good, library.string()};
}

Symptom checkDisplay() {
    const std::string display = environment("DISPLAY");
    const std::string wayland = environment("WAYLAND_DISPLAY");
    if (display.empty() && wayland.empty())
        return {"display", Health::Odd, "none: the window cannot open, all verbs work"};
    return {"display", Health::Good, escaped(wayland.empty() ? display : wayland, 60)};
}

Symptom checkFont(const char* family, const std::vector<fs::path>& places, const char* package) {
    const fs::path found = firstOf(places);
    if (found.empty())
        return {std::string("font ") + family, Health::Odd,
                std::string("not found, another one is used: install ") + package};
    return {std::string("font ") + family, Health::Good, found.string()};
}

Symptom checkQt() {
    const fs::path library = findLibrary("libQt6Widgets.so.6");
    if (library.empty())
        return {"Qt", Health::Missing, "libQt6Widgets.so.6 is not there: install libqt6widgets6"};
    std::error_code error;
    return {"Qt", Health::Good, fs::canonical(library, error).filename().string()};
}

Symptom checkTorch() {
    const auto learning = findLearnLibrary();  // an installed one has it beside it
    if (learning && isThere(learning->parent_path() / "torch/lib/libtorch_cpu.so"))
        return {"LibTorch", Health::Good, (learning->parent_path() / "torch").string()};
    const std::string chosen = environment("ORRERY_CACHE");
    const std::string xdg = environment("XDG_CACHE_HOME");
    const fs::path cache = !chosen.empty() ? fs::path(chosen)
                           : !xdg.empty()  ? fs::path(xdg) / "orrery"
                                           : fs::path(environment("HOME")) / ".cache" / "orrery";
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(cache, error))
        if (entry.path().filename().string().starts_with("libtorch-") &&
            isThere(entry.path() / "torch/lib/libtorch_cpu.so"))
            return {"LibTorch", Health::Good, entry.path().string()};
    return {
        "LibTorch", Health::Odd,
        "not in " + cache.string() + ": packaging/run.sh fetches it; exact planning works without"};
}

Symptom checkLearning() {
    const auto library = findLearnLibrary();
    if (library) return {"learning", Health::Good, library->string()};
    return {"learning", Health::Odd,
            "liborrery_learn.so is not there: `orrery train` needs it, exact planning works "
            "without"};
}

Symptom checkSqlite() {
    const std::string version = sqlite3_libversion();
    if (sqlite3_libversion_number() < kSoundSqlite)
        return {"SQLite", Health::Odd,
                version + ": has the WAL-reset fault, which the single writer avoids"};
    return {"SQLite", Health::Good, version};
}

Symptom checkDisk(const fs::path& folder) {
    fs::path existing = folder;
    while (!existing.empty() && !isThere(existing)) existing = existing.parent_path();
    struct statvfs space {};
    if (existing.empty() || statvfs(existing.c_str(), &space) != 0)
        return {"disk", Health::Odd, "cannot measure " + folder.string()};
    const auto free =
        static_cast<std::int64_t>(space.f_bavail) * static_cast<std::int64_t>(space.f_frsize);
    const bool isReadOnly = (space.f_flag & ST_RDONLY) != 0;
    if (isReadOnly) return {"disk", Health::Odd, existing.string() + " is read-only"};
    return {"disk", free < kLowDisk ? Health::Odd : Health::Good,
            sizeText(free) + " free at " + existing.string()};
}

Symptom checkWorkspace(const fs::path& folder) {
    if (!isThere(folder))
        return {"workspace", Health::Good, folder.string() + " does not exist yet"};
    try {
        const auto workspace = Workspace::open(folder, Workspace::Mode::ReadOnly);
        const HistoryReader reader = workspace->reader();
        return {"workspace", Health::Good,
                folder.string() + ", database version " + std::to_string(reader.schemaVersion()) +
                    ", " + std::to_string(reader.listRuns().size()) + " runs"};
    } catch (const Error& e) {
        return {"workspace", Health::Missing, e.what()};
    }
}

Symptom checkData() {
    try {
        return {"example worlds", Health::Good,
                std::to_string(builtinWorlds().size()) + " in " + dataFolder().string()};
    } catch (const Error& e) {
        return {"example worlds", Health::Missing, e.what()};
    }
}

Symptom machine() {
    utsname name{};
    uname(&name);
    const auto memory = static_cast<std::int64_t>(availableMemory());
    return {"machine", Health::Good,
            std::string(name.sysname) + " " + name.release + ", " +
                std::to_string(processorCount()) + " processors, " + sizeText(memory) +
                " of memory free"};
}

int runDoctor(const std::string& workspace, bool json, VerbContext& context) {
    const fs::path folder = workspaceFolder(workspace);
    const std::vector<Symptom> findings{
        {"program", Health::Good, codeVersion()},
        machine(),
        checkGpu(),
        checkGl(),
        checkDisplay(),
        checkFont("Inter",
                  {"/usr/share/fonts/opentype/inter", "/usr/share/fonts/truetype/inter",
                   "/usr/share/fonts/opentype/inter/Inter-Regular.otf"},
                  "fonts-inter"),
        checkFont("JetBrains Mono",
                  {"/usr/share/fonts/truetype/jetbrains-mono",
                   "/usr/share/fonts/opentype/jetbrains-mono"},
                  "fonts-jetbrains-mono"),
        checkQt(),
        checkTorch(),
        checkLearning(),
        checkSqlite(),
        checkData(),
        checkDisk(folder),
        checkWorkspace(folder)};
    bool isWhole = true;
    auto list = nlohmann::ordered_json::array();
    TextTable table({{"what"}, {"state"}, {"details"}});
    for (const Symptom& finding : findings) {
        isWhole &= finding.health != Health::Missing;
        list.push_back(
            {{"what", finding.what}, {"state", wordOf(finding.health)}, {"text", finding.text}});
        const Ink ink = finding.health == Health::Good  ? Ink::Green
                        : finding.health == Health::Odd ? Ink::Yellow
                                                        : Ink::Red;
        table.add({finding.what, context.console.inked(ink, wordOf(finding.health)),
                   escaped(finding.text)});
    }
    if (json)
        context.console.json({{"whole", isWhole}, {"findings", std::move(list)}});
    else
        table.print(context.console);
    return isWhole ? 0 : Error("", Error::Kind::Resource).exitStatus();
}

}  // namespace

void addDoctorVerb(Verb& program) {
    auto workspace = std::make_shared<std::string>();
    auto json = std::make_shared<bool>(false);
    Verb& verb = program.add(
        {.name = "doctor",
         .summary = "Name every missing or odd piece of the installation",
         .description =
             "Looks at GPU, OpenGL, display, fonts, Qt, LibTorch, SQLite, example worlds, "
             "disk space and the workspace's database. Ends with status 6 if a piece is "
             "missing that something needs.",
         .examples = {{"orrery doctor", "is this machine ready?"}}},
        [workspace, json](VerbContext& context) { return runDoctor(*workspace, *json, context); });
    addWorkspaceOption(verb, *workspace);
    addJsonOption(verb, *json);
}

}  // namespace orrery
