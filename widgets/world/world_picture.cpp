#include "widgets/world/world_picture.h"

#include <QBuffer>
#include <QPainter>
#include <QSvgGenerator>

#include "core/base/error.h"
#include "core/base/output_file.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

void writeWhole(const std::filesystem::path& file, const QByteArray& bytes) {
    writeOutput(file, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

void paintPage(QPainter& painter, const WorldScene& scene, const QSize& size,
               const Tokens& tokens) {
    const QRectF page(QPointF(0, 0), QSizeF(size));
    painter.fillRect(page, tokens.canvas);
    paintWorld(painter, scene, layoutWorld(page, scene), tokens);
}

}  // namespace

QImage worldImage(const WorldScene& scene, const QSize& size, const Tokens& tokens,
                  double pixelRatio) {
    QImage image((QSizeF(size) * pixelRatio).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(pixelRatio);
    image.fill(tokens.canvas);
    QPainter painter(&image);
    paintPage(painter, scene, size, tokens);
    return image;
}

QSize pictureSize(const WorldScene& scene, double cell) {
    const double side = scene.showCoordinates ? 38 : 16;
    return QSize(static_cast<int>(cell * scene.width + side + (scene.heat ? 88 : 0)),
                 static_cast<int>(cell * scene.height + (scene.showCoordinates ? 32 : 16)));
}

void saveWorldPng(const WorldScene& scene, const std::filesystem::path& file, const Tokens& tokens,
                  const QSize& size, double pixelRatio) {
    const QImage image =
        worldImage(scene, size.isEmpty() ? pictureSize(scene) : size, tokens, pixelRatio);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG"))
        throw Error("Cannot make a PNG of " + std::to_string(image.width()) + " x " +
                    std::to_string(image.height()) + " pixels. Choose a smaller size.");
    writeWhole(file, bytes);
}

void saveWorldSvg(const WorldScene& scene, const std::filesystem::path& file, const Tokens& tokens,
                  const QSize& size) {
    const QSize page = size.isEmpty() ? pictureSize(scene) : size;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(page);
    generator.setViewBox(QRect(QPoint(0, 0), page));
    generator.setResolution(96);  // one unit of the file is one pixel
    generator.setTitle(QStringLiteral("Orrery world"));
    QPainter painter(&generator);
    paintPage(painter, scene, page, tokens);
    painter.end();
    writeWhole(file, bytes);
}

}  // namespace orrery
