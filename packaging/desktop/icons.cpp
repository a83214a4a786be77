// orrery_icons DRAWING.svg THEME CONTEXT/NAME: draws THEME/<size>x<size>/CONTEXT/NAME.png in the
// sizes of the hicolor icon theme. Needs no display.
#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QSvgRenderer>
#include <cstdio>

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fputs("usage: orrery_icons DRAWING.svg THEME CONTEXT/NAME\n", stderr);
        return 2;
    }
    QSvgRenderer drawing(QString::fromLocal8Bit(argv[1]));
    if (!drawing.isValid()) {
        std::fprintf(stderr, "orrery_icons: %s is no SVG drawing\n", argv[1]);
        return 2;
    }
    for (const int size : {16, 22, 24, 32, 48, 64, 128, 256, 512}) {
        QImage image(size, size, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        drawing.render(&painter);
        painter.end();
        const QString file = QStringLiteral("%1/%2x%2/%3.png")
                                 .arg(QString::fromLocal8Bit(argv[2]))
                                 .arg(size)
                                 .arg(QString::fromLocal8Bit(argv[3]));
        if (!QDir().mkpath(QFileInfo(file).path()) || !image.save(file)) {
            std::fprintf(stderr, "orrery_icons: cannot write %s\n", qPrintable(file));
            return 6;
        }
    }
    return 0;
}
