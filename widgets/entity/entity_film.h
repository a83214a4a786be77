#pragma once

#include <QString>
#include <stop_token>
#include <vector>

#include "core/base/progress.h"
#include "core/env/picture.h"
#include "widgets/export/film_spec.h"

namespace orrery {

/// A frame of a film: what is seen, and a line above it.
struct EntityFilmFrame {
    Picture picture = {};
    QString headline = {};
};

/// Writes frames one after the other, all as large as the largest. Any thread, once a
/// QGuiApplication exists.
/// @param spec  of a GIF or a video
/// @return false if stopped; nothing is left behind then
/// @throws Error (BadInput) without frames, (Resource) if it cannot be written
bool writeEntityFilm(const std::vector<EntityFilmFrame>& frames, const FilmSpec& spec,
                     const std::stop_token& stop = {}, const ProgressSink& progress = {});

}  // namespace orrery
