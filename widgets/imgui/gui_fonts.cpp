#include "widgets/imgui/gui_fonts.h"

#include <imgui.h>

#include <QDirIterator>
#include <QStandardPaths>

namespace orrery {

namespace {

/// Latin, Greek, punctuation, arrows and the minus sign.
constexpr ImWchar kRanges[] = {0x20,   0xff,   0x370,  0x3ff,  0x2009, 0x206f,
                               0x2190, 0x21ff, 0x2212, 0x2212, 0};

ImFont* addFont(ImFontAtlas& atlas, const QStringList& names, double pixels) {
    const QString file = fontFile(names);
    ImFontConfig config;
    config.OversampleH = 2;
    config.SizePixels = static_cast<float>(pixels);
    if (file.isEmpty()) return atlas.AddFontDefault(&config);
    return atlas.AddFontFromFileTTF(file.toLocal8Bit().constData(), static_cast<float>(pixels),
                                    &config, kRanges);
}

}  // namespace

QString fontFile(const QStringList& names) {
    static const QHash<QString, QString> kInstalled = [] {
        QHash<QString, QString> files;
        for (const QString& folder :
             QStandardPaths::standardLocations(QStandardPaths::FontsLocation)) {
            QDirIterator walk(folder, {QStringLiteral("*.otf"), QStringLiteral("*.ttf")},
                              QDir::Files, QDirIterator::Subdirectories);
            while (walk.hasNext()) {
                const QString file = walk.next();
                files.insert(walk.fileName(), file);
            }
        }
        return files;
    }();
    for (const QString& name : names)
        if (const auto found = kInstalled.find(name); found != kInstalled.end()) return *found;
    return {};
}

GuiFonts makeGuiFonts(ImFontAtlas& atlas, double ratio) {
    const QStringList plain{
        QStringLiteral("Inter-Regular.otf"), QStringLiteral("Inter-Regular.ttf"),
        QStringLiteral("NotoSans-Regular.ttf"), QStringLiteral("DejaVuSans.ttf")};
    const QStringList bold{
        QStringLiteral("Inter-SemiBold.otf"), QStringLiteral("Inter-SemiBold.ttf"),
        QStringLiteral("NotoSans-SemiBold.ttf"), QStringLiteral("DejaVuSans-Bold.ttf")};
    const QStringList mono{QStringLiteral("JetBrainsMono-Regular.ttf"),
                           QStringLiteral("DejaVuSansMono.ttf")};
    return {.body = addFont(atlas, plain, 13 * ratio),
            .strong = addFont(atlas, bold, 13 * ratio),
            .label = addFont(atlas, plain, 12 * ratio),
            .number = addFont(atlas, mono, 12 * ratio)};
}

}  // namespace orrery
