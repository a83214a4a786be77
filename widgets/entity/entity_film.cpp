#include "widgets/entity/entity_film.h"

#include <QImage>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

#include "core/base/error.h"
#include "core/media/animation.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/world/picture_painter.h"

namespace orrery {

namespace {

constexpr int kFilmHead = 28, kFilmSide = 8, kLeastFilmWidth = 240, kMostFilmPixels = 4096;

QSize filmSizeOf(const std::vector<EntityFilmFrame>& frames, int cell) {
    double width = 1, height = 1;
    for (const EntityFilmFrame& frame : frames) {
        width = std::max(width, static_cast<double>(frame.picture.width));
        height = std::max(height, static_cast<double>(frame.picture.height));
    }
    const auto pixels = [&](double cells, int more) {
        return std::min(kMostFilmPixels, static_cast<int>(std::ceil(cells * cell)) + more);
    };
    return {std::max(kLeastFilmWidth, pixels(width, 2 * kFilmSide)),
            pixels(height, kFilmHead + kFilmSide)};
}

QImage filmImageOf(const EntityFilmFrame& frame, const QSize& size, const Tokens& tokens) {
    QImage image(size, QImage::Format_RGBA8888);
    image.fill(tokens.canvas);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(interfaceFont(13));
    painter.setPen(tokens.text);
    painter.drawText(QRect(kFilmSide, 0, size.width() - 2 * kFilmSide, kFilmHead),
                     Qt::AlignVCenter | Qt::AlignLeft, frame.headline);
    const QRectF area(kFilmSide, kFilmHead, size.width() - 2 * kFilmSide,
                      size.height() - kFilmHead - kFilmSide);
    paintPicture(painter, frame.picture, layoutPicture(area, frame.picture), tokens);
    return image;
}

AnimationFormat animationOf(FilmKind kind) {
    if (kind == FilmKind::Mp4) return AnimationFormat::Mp4;
    return kind == FilmKind::WebM ? AnimationFormat::WebM : AnimationFormat::Gif;
}

}  // namespace

bool writeEntityFilm(const std::vector<EntityFilmFrame>& frames, const FilmSpec& spec,
                     const std::stop_token& stop, const ProgressSink& progress) {
    if (frames.empty())
        throw Error("There is nothing to show: the episode has no frames.", Error::Kind::BadInput);
    const QSize size = filmSizeOf(frames, spec.cellSize);
    const Tokens& tokens = spec.isDark ? darkTokens() : lightTokens();
    return writeAnimation(
        spec.target,
        {.format = animationOf(spec.kind),
         .width = size.width(),
         .height = size.height(),
         .frames = std::ssize(frames),
         .framesPerSecond = spec.framesPerSecond},
        [&](std::int64_t frame, std::span<std::uint8_t> rgba) {
            const QImage image = filmImageOf(frames[static_cast<std::size_t>(frame)], size, tokens);
            std::memcpy(rgba.data(), image.constBits(), rgba.size());
        },
        stop, progress);
}

}  // namespace orrery
