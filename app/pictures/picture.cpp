#include "app/pictures/picture.h"

#include <QBuffer>
#include <memory>

#include "app/pictures/offscreen.h"
#include "core/base/error.h"
#include "core/base/output_file.h"
#include "widgets/common/tokens.h"
#include "widgets/export/episode_film.h"
#include "widgets/plots/level_plot.h"
#include "widgets/world/world_picture.h"

namespace orrery {
namespace {

std::string extensionOf(const std::filesystem::path& file) {
    return file.extension().string();
}

[[noreturn]] void refuseExtension(const std::filesystem::path& file, const char* known) {
    throw Error("The name of a picture must end in " + std::string(known) + ", got " +
                    file.filename().string(),
                Error::Kind::BadInput);
}

}  // namespace

void saveWorldPicture(const World& world, const Configuration& configuration,
                      const std::filesystem::path& file) {
    const std::string extension = extensionOf(file);
    if (extension != ".png" && extension != ".svg") refuseExtension(file, ".png or .svg");
    const Offscreen application;
    const WorldScene scene = sceneOf(world, configuration);
    if (extension == ".svg")
        saveWorldSvg(scene, file, lightTokens());
    else
        saveWorldPng(scene, file, lightTokens());
}

void saveLevelPlot(const World& world, const std::vector<SolveStatistics::Level>& levels,
                   const std::filesystem::path& file) {
    if (extensionOf(file) != ".png") refuseExtension(file, ".png");
    const Offscreen application;
    std::vector<LevelPoint> points;
    points.reserve(levels.size());
    for (const SolveStatistics::Level& level : levels)
        points.push_back({.step = level.step, .states = level.states, .meanV_r = level.meanV_r});
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!levelPlot(QString::fromStdString(world.name()), points, lightTokens())
             .save(&buffer, "PNG"))
        throw Error("The plot " + file.string() + " could not be made.");
    writeOutput(file, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

bool saveEpisode(std::shared_ptr<const World> world,
                 std::vector<std::vector<std::uint64_t>> configurations, const FilmSpec& spec,
                 const std::stop_token& stop, const ProgressSink& progress) {
    const Offscreen application;
    return writeFilm(filmOf(std::move(world), std::move(configurations)), spec, stop, progress);
}

}  // namespace orrery
