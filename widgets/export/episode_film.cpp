#include "widgets/export/episode_film.h"

#include <unistd.h>

#include <QImage>
#include <algorithm>
#include <cstring>
#include <system_error>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/output_file.h"
#include "core/media/animation.h"
#include "widgets/common/tokens.h"
#include "widgets/common/written_file.h"
#include "widgets/world/world_picture.h"

namespace orrery {

namespace {

constexpr int kLeastCell = 8, kMostCell = 256;

/// Draws one frame after the other.
class FramePainter {
public:
    FramePainter(const FilmEpisode& episode, const FilmSpec& spec)
        : m_episode(episode),
          m_tokens(spec.isDark ? darkTokens() : lightTokens()),
          m_heat(episode.numFrames) {
        if (episode.numFrames == 0)
            throw Error("There is nothing to show: the episode has no states.",
                        Error::Kind::BadInput);
        if (spec.cellSize < kLeastCell || spec.cellSize > kMostCell)
            throw Error(
                "A cell must have from 8 to 256 pixels, got " + std::to_string(spec.cellSize) + ".",
                Error::Kind::BadInput);
        WorldScene scene = episode.scene(0);
        if (episode.overlay.heat) scene.heat = std::make_shared<HeatField>();
        m_size = pictureSize(scene, spec.cellSize);
    }

    /// Computes the values over the cells of all frames, which share one range of colours. False if
    /// stopped.
    bool prepare(const std::stop_token& stop) {
        const FilmOverlay& overlay = m_episode.overlay;
        if (!overlay.heat || !overlay.solution) return true;
        std::optional<std::pair<double, double>> reach;
        for (std::size_t i = 0; i < m_heat.size(); ++i) {
            const std::optional<State> state = stateOf(i);
            if (!state) continue;
            HeatRequest request = *overlay.heat;
            if (request.quantity != kEarliestHeat) request.state = *state;
            m_heat[i] = computeHeat(*overlay.solution, request, stop);
            if (!m_heat[i]) return false;
            if (m_heat[i]->numKnown == 0) continue;
            if (!reach) reach.emplace(m_heat[i]->low, m_heat[i]->high);
            reach->first = std::min(reach->first, m_heat[i]->low);
            reach->second = std::max(reach->second, m_heat[i]->high);
        }
        HeatRange range = overlay.heatRange;
        if (range.kind == HeatRangeKind::Auto && reach)
            range = {HeatRangeKind::Fixed, reach->first, reach->second};
        for (auto& field : m_heat)
            if (field) field = range.applied(field);
        return true;
    }

    const QSize& size() const { return m_size; }
    std::int64_t frames() const { return static_cast<std::int64_t>(m_episode.numFrames); }

    QImage image(std::int64_t frame) const {
        const auto index = static_cast<std::size_t>(frame);
        WorldScene scene = m_episode.scene(index);
        scene.heat = m_heat[index];
        const FilmOverlay& overlay = m_episode.overlay;
        if (const auto state = stateOf(index); overlay.arrows && overlay.solution && state) {
            ArrowRequest request = *overlay.arrows;
            request.state = *state;
            scene.arrows = computeArrows(*overlay.solution, request);
        }
        return worldImage(scene, m_size, m_tokens).convertToFormat(QImage::Format_RGBA8888);
    }

private:
    std::optional<State> stateOf(std::size_t frame) const {
        return frame < m_episode.states.size() ? m_episode.states[frame] : std::nullopt;
    }

    const FilmEpisode& m_episode;
    const Tokens& m_tokens;
    std::vector<std::shared_ptr<const HeatField>> m_heat;  ///< [frames] null: none
    QSize m_size;
};

/// Whether a folder holds what an earlier film left, and nothing else.
bool holdsFramesAlone(const std::filesystem::path& folder) {
    return framesAlone(QString::fromStdString(folder.string())) >= 0;
}

/// A folder that is filled under another name and takes its own at the end; without commit() it is
/// removed with all that is in it.
class NewFolder {
public:
    NewFolder(const std::filesystem::path& target, bool mayReplace)
        : m_target(target), m_mayReplace(mayReplace) {
        std::error_code error;
        if (holdsSomething(target) && !(mayReplace && holdsFramesAlone(target)))
            throw Error("The folder " + target.string() + " holds something already" +
                            (mayReplace ? " that is no film" : "") +
                            ". Name a new or an empty one.",
                        Error::Kind::BadInput);
        const std::filesystem::path plain = target.has_filename() ? target : target.parent_path();
        // Not "." + ...: GCC 12 warns of that without a reason.
        const std::string hidden = std::string(".").append(plain.filename().string());
        m_unfinished = plain.parent_path() / (hidden + "." + std::to_string(::getpid()) + ".part");
        std::filesystem::remove_all(m_unfinished, error);
        if (!std::filesystem::create_directory(m_unfinished, error))
            throwFileError("make the folder", target, error ? error.value() : EEXIST);
    }
    ~NewFolder() {
        std::error_code ignored;
        if (!m_unfinished.empty()) std::filesystem::remove_all(m_unfinished, ignored);
    }
    NewFolder(const NewFolder&) = delete;
    NewFolder& operator=(const NewFolder&) = delete;

    const std::filesystem::path& path() const { return m_unfinished; }
    void commit() {
        std::error_code error;
        // A folder that holds something stands in a rename's way: its frames were to be replaced.
        if (m_mayReplace && holdsFramesAlone(m_target))
            std::filesystem::remove_all(m_target, error);
        std::filesystem::rename(m_unfinished, m_target, error);
        if (error) throwFileError("make the folder", m_target, error.value());
        m_unfinished.clear();
    }

private:
    const std::filesystem::path m_target;
    const bool m_mayReplace;
    std::filesystem::path m_unfinished;
};

bool writeSequence(const FramePainter& painter, const FilmSpec& spec, const std::stop_token& stop,
                   const ProgressSink& progress) {
    NewFolder folder(spec.target, spec.mayReplace);
    Progress told{.phase = "draw", .total = painter.frames(), .unit = "frames"};
    for (std::int64_t frame = 0; frame < painter.frames(); ++frame) {
        if (stop.stop_requested()) return false;
        const QString name = QStringLiteral("%1.png").arg(frame, 5, 10, QLatin1Char('0'));
        const std::filesystem::path file = folder.path() / name.toStdString();
        if (!painter.image(frame).save(QString::fromStdString(file.string()), "PNG"))
            throw Error("The frame " + name.toStdString() + " of " + spec.target.string() +
                            " could not be written. Is the disk full?",
                        Error::Kind::Resource);
        told.done = frame + 1;
        if (progress) progress(told);
    }
    if (stop.stop_requested()) return false;
    folder.commit();
    return true;
}

AnimationFormat formatOf(FilmKind kind) {
    if (kind == FilmKind::Mp4) return AnimationFormat::Mp4;
    return kind == FilmKind::WebM ? AnimationFormat::WebM : AnimationFormat::Gif;
}

}  // namespace

const char* endingOf(FilmKind kind) {
    switch (kind) {
        case FilmKind::Mp4:
            return "mp4";
        case FilmKind::WebM:
            return "webm";
        case FilmKind::PngSequence:
            return "png";
        default:
            return "gif";
    }
}

bool writeFilm(const FilmEpisode& episode, const FilmSpec& spec, const std::stop_token& stop,
               const ProgressSink& progress) {
    FramePainter painter(episode, spec);
    if (!painter.prepare(stop)) return false;
    if (spec.kind == FilmKind::PngSequence) return writeSequence(painter, spec, stop, progress);
    const AnimationSpec animation{.format = formatOf(spec.kind),
                                  .width = painter.size().width(),
                                  .height = painter.size().height(),
                                  .frames = painter.frames(),
                                  .framesPerSecond = spec.framesPerSecond};
    return writeAnimation(
        spec.target, animation,
        [&](std::int64_t frame, std::span<std::uint8_t> rgba) {
            const QImage image = painter.image(frame);
            std::memcpy(rgba.data(), image.constBits(), rgba.size());
        },
        stop, progress);
}

FilmEpisode filmOf(std::shared_ptr<const World> world,
                   std::vector<std::vector<std::uint64_t>> configurations, bool showsGoals) {
    FilmEpisode episode;
    episode.numFrames = configurations.size();
    episode.scene = [world = std::move(world), words = std::move(configurations),
                     showsGoals](std::size_t frame) {
        WorldScene scene = sceneOf(*world, words[frame]);
        scene.showGoals = showsGoals;
        if (frame > 0) scene.changed = changedCells(*world, words[frame - 1], words[frame]);
        return scene;
    };
    return episode;
}

QSize filmSize(const FilmEpisode& episode, int cellSize) {
    return pictureSize(episode.scene(0), cellSize);
}

}  // namespace orrery
