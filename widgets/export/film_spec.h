#pragma once

#include <filesystem>

namespace orrery {

/// The kinds of file that show an episode.
enum class FilmKind {
    Gif,
    Mp4,
    WebM,
    PngSequence,  ///< a folder with 00000.png, 00001.png, ...
};

/// "gif", "mp4", "webm"; "png" for a sequence.
const char* endingOf(FilmKind kind);

/// How an episode is drawn and written.
struct FilmSpec {
    FilmKind kind = FilmKind::Gif;
    std::filesystem::path target;  ///< a file; a folder that is empty or does not exist yet
    double framesPerSecond = 4;    ///< not looked at for a PNG sequence
    int cellSize = 48;             ///< pixels, 8 to 256
    bool isDark = false;
    bool mayReplace = false;  ///< a folder that holds frames of an earlier film and nothing else
};

}  // namespace orrery
