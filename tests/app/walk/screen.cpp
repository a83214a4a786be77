#include "tests/app/walk/screen.h"

#include <QFile>
#include <QtEndian>
#include <stdexcept>

namespace orrery {

namespace {

// XWDFileHeader of <X11/XWDFile.h>: words of 32 bits, the highest byte first.
constexpr int kHeaderSize = 0, kWidth = 4, kHeight = 5, kBitsPerPixel = 11, kBytesPerLine = 12,
              kNumColors = 19, kNumWords = 25, kColorBytes = 12;

}  // namespace

WalkScreen::WalkScreen(QSize size) : m_size(size) {
    m_server.setStandardErrorFile(QProcess::nullDevice());
    m_server.start(
        QStringLiteral("Xvfb"),
        {QStringLiteral("-displayfd"), QStringLiteral("1"), QStringLiteral("-screen"),
         QStringLiteral("0"), QStringLiteral("%1x%2x24").arg(size.width()).arg(size.height()),
         QStringLiteral("-fbdir"), m_memory.path(), QStringLiteral("-nolisten"),
         QStringLiteral("tcp"), QStringLiteral("-noreset")});
    QByteArray number;
    while (!number.endsWith('\n') && m_server.waitForReadyRead()) number += m_server.readAll();
    if (!number.endsWith('\n'))
        throw std::runtime_error("Xvfb does not start: packaging/setup.sh installs it");
    qputenv("DISPLAY", ":" + number.trimmed());
}

WalkScreen::~WalkScreen() {
    m_server.terminate();
    if (!m_server.waitForFinished()) m_server.kill();
    m_server.waitForFinished();
}

QImage WalkScreen::picture() const {
    QFile file(m_memory.filePath(QStringLiteral("Xvfb_screen0")));
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QByteArray bytes = file.readAll();
    if (bytes.size() < kNumWords * 4) return {};
    const auto word = [&](int index) {
        return static_cast<qsizetype>(qFromBigEndian<quint32>(bytes.constData() + index * 4));
    };
    const qsizetype begin = word(kHeaderSize) + word(kNumColors) * kColorBytes;
    if (word(kBitsPerPixel) != 32 || bytes.size() < begin + word(kHeight) * word(kBytesPerLine))
        return {};
    const QImage seen(reinterpret_cast<const uchar*>(bytes.constData() + begin),
                      static_cast<int>(word(kWidth)), static_cast<int>(word(kHeight)),
                      word(kBytesPerLine), QImage::Format_RGB32);
    return seen.copy();
}

}  // namespace orrery
