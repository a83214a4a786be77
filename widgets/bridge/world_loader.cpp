#include "widgets/bridge/world_loader.h"

#include <algorithm>
#include <filesystem>

#include "core/base/error.h"
#include "core/files/diagnostic.h"
#include "core/files/world_file.h"
#include "core/run/builtin_worlds.h"

namespace orrery {

namespace {

const WorldMetadata& metadataOf(const WorldSpec& spec) {
    return std::visit([](const auto& s) -> const WorldMetadata& { return s.metadata; }, spec);
}

QString titleOf(const std::string& name, const WorldMetadata& metadata) {
    if (!metadata.name.empty()) return QString::fromStdString(metadata.name);
    if (isBuiltinWorld(name))
        return QString::fromStdString(name.substr(name.find(':') + 1)).replace(u'_', u' ');
    return QString::fromStdString(std::filesystem::path(name).stem().string());
}

}  // namespace

LoadedWorld loadWorld(const std::string& name) {
    SolveJob job;
    job.world = name;
    const WorldSource source = worldSource(job);
    const WorldFile file = parseWorld(source.text, source.name);
    LoadedWorld loaded;
    loaded.name = name;
    loaded.text = source.text;
    for (const Diagnostic& diagnostic : file.diagnostics)
        (diagnostic.severity == Severity::Error ? loaded.problems : loaded.warnings)
            << QString::fromStdString(diagnosticLine(diagnostic));
    if (file.omitted > 0)
        loaded.problems << QStringLiteral("... and %1 more problems").arg(file.omitted);
    loaded.title = titleOf(name, metadataOf(file.spec));
    loaded.sentence = QString::fromStdString(metadataOf(file.spec).description).simplified();
    if (file.hasErrors) return loaded;
    loaded.world = makeWorld(file.spec);
    for (const std::string& warning : loaded.world->warnings())
        if (const QString text = QString::fromStdString(warning); std::ranges::none_of(
                loaded.warnings, [&](const QString& w) { return w.contains(text); }))
            loaded.warnings << text;
    return loaded;
}

std::vector<LoadedWorld> loadExamples(std::stop_token stop) {
    std::vector<LoadedWorld> examples;
    for (const std::string& name : builtinWorlds()) {
        if (stop.stop_requested()) break;
        LoadedWorld loaded = loadWorld("builtin:" + name);
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
