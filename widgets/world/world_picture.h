#pragma once

#include <QImage>
#include <QSize>
#include <QString>
#include <filesystem>
#include <span>

#include "widgets/world/world_painter.h"

namespace orrery {

struct Tokens;

/// The scene as an image of exactly that size in device-independent pixels, times `pixelRatio`.
/// May be called from any thread once a QGuiApplication exists.
QImage worldImage(const WorldScene& scene, const QSize& size, const Tokens& tokens,
                  double pixelRatio = 1);

/// A size that shows a scene with cells of that many pixels.
QSize pictureSize(const WorldScene& scene, double cell = 48);

/// Writes the scene as a PNG of pictureSize() times `pixelRatio`, or of `size` if that is not
/// empty.
/// @throws Error (Resource) naming the file and the reason; the former file is then kept
void saveWorldPng(const WorldScene& scene, const std::filesystem::path& file, const Tokens& tokens,
                  const QSize& size = {}, double pixelRatio = 2);

/// Writes the scene as SVG 1.2 with real text. Errors as saveWorldPng.
void saveWorldSvg(const WorldScene& scene, const std::filesystem::path& file, const Tokens& tokens,
                  const QSize& size = {});

}  // namespace orrery
