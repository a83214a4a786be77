#include "widgets/bridge/world_loader.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/files/diagnostic.h"
#include "core/files/world_file.h"
#include "core/files/world_writer.h"
#include "core/run/builtin_worlds.h"

namespace orrery {

namespace {

QString titleOf(const std::string& name, const WorldMetadata& metadata) {
    // On one line, whatever is in it.
    QString own = QString::fromStdString(metadata.name).simplified();
    if (!own.isEmpty()) return own;
    if (isBuiltinWorld(name))
        return QString::fromStdString(name.substr(name.find(':') + 1)).replace(u'_', u' ');
    return QString::fromStdString(std::filesystem::path(name).stem().string()).simplified();
}

}  // namespace

QString titleOfSpec(const std::string& name, const WorldSpec& spec) {
    return titleOf(name, spec->metadata);
}

LoadedWorld loadWorld(const std::string& name) {
    return loadWorld(WorldRef{.name = name});
}

LoadedWorld loadWorld(const WorldRef& world) {
    const WorldReading read = readWorld(world);
    const WorldFile& file = read.file;
    LoadedWorld loaded;
    loaded.name = world.name;
    loaded.text = read.text;
    loaded.lenient = world.lenient;
    for (const Diagnostic& diagnostic : file.diagnostics)
        (diagnostic.severity == Severity::Error ? loaded.problems : loaded.warnings)
            << QString::fromStdString(diagnosticLine(diagnostic));
    if (file.omitted > 0)
        loaded.problems << QStringLiteral("... and %1 more problems").arg(file.omitted);
    loaded.title = titleOf(world.name, file.spec->metadata);
    loaded.sentence = QString::fromStdString(file.spec->metadata.description).simplified();
    if (file.hasErrors) return loaded;
    loaded.world = makeWorld(file.spec);
    for (const std::string& warning : loaded.world->warnings())
        if (const QString text = QString::fromStdString(warning); std::ranges::none_of(
                loaded.warnings, [&](const QString& w) { return w.contains(text); }))
            loaded.warnings << text;
    return loaded;
}

LoadedWorld loadedOf(const WorldRef& named, std::shared_ptr<const World> world) {
    LoadedWorld loaded;
    loaded.name = named.name;
    loaded.text = named.text.value_or(std::string());
    loaded.lenient = named.lenient;
    loaded.title = QString::fromStdString(world->name());
    loaded.world = std::move(world);
    return loaded;
}

LoadedWorld worldOfSpec(const std::string& name, const WorldSpec& spec) {
    LoadedWorld loaded;
    loaded.name = name;
    loaded.text = writeWorldYaml(spec);
    loaded.title = titleOf(name, spec->metadata);
    loaded.sentence = QString::fromStdString(spec->metadata.description).simplified();
    for (const SpecProblem& problem : validate(spec))
        (problem.isWarning ? loaded.warnings : loaded.problems)
            << QString::fromStdString(problem.field + ": " + problem.text);
    if (!loaded.problems.isEmpty()) return loaded;
    loaded.world = makeWorld(spec);
    for (const std::string& warning : loaded.world->warnings())
        if (const QString text = QString::fromStdString(warning); std::ranges::none_of(
                loaded.warnings, [&](const QString& w) { return w.contains(text); }))
            loaded.warnings << text;
    return loaded;
}

std::optional<WorldSpec> specOfText(const std::string& text, QStringList& problems) {
    const WorldFile file = parseWorld(text, "text");
    for (const Diagnostic& diagnostic : file.diagnostics)
        if (diagnostic.severity == Severity::Error)
            problems << QString::fromStdString(diagnosticLine(diagnostic));
    if (file.hasErrors) return std::nullopt;
    return file.spec;
}

std::string saveWorldFile(const std::filesystem::path& file, const WorldSpec& spec) {
    std::string text = file.extension() == ".json" ? writeWorldJson(spec) : writeWorldYaml(spec);
    atomicWrite(file, text, 0666);
    return text;
}

std::string worldText(const WorldSpec& spec) {
    return writeWorldYaml(spec);
}

int numCommentLinesIn(const std::filesystem::path& file) {
    std::ifstream stream(file);
    int count = 0;
    for (std::string line; std::getline(stream, line);) {
        const std::size_t first = line.find_first_not_of(" \t");
        if (first == std::string::npos) continue;
        // A mark within quotes belongs to the text before it.
        const std::size_t mark = line[first] == '#' ? first : line.find(" #");
        const bool isText =
            mark != std::string::npos &&
            std::count(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(mark), '"') % 2 !=
                0;
        if (mark != std::string::npos && !isText) ++count;
    }
    return count;
}

std::vector<LoadedWorld> loadExamples(std::stop_token stop) {
    std::vector<LoadedWorld> examples;
    std::map<std::string, double> seconds = exampleSolveSeconds();
    for (const std::string& name : builtinWorlds()) {
        if (stop.stop_requested()) break;
        LoadedWorld loaded = loadWorld("builtin:" + name);
        loaded.solveSeconds = seconds[name];
        if (loaded.world) examples.push_back(std::move(loaded));
    }
    return examples;
}

std::string firstExample() {
    const std::vector<std::string> names = builtinWorlds();
    if (names.empty()) return {};
    const auto preferred = std::ranges::find(names, "slippery_bridge");
    return "builtin:" + (preferred == names.end() ? names.front() : *preferred);
}

}  // namespace orrery
