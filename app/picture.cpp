#include "app/picture.h"

#include <QApplication>
#include <QBuffer>
#include <clocale>
#include <cstdio>
#include <memory>

#include "core/base/error.h"
#include "core/base/output_file.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/plots/level_plot.h"
#include "widgets/world/world_picture.h"

namespace orrery {
namespace {

/// Passes Qt's messages on, but not its complaint about an unset XDG_RUNTIME_DIR, which pictures
/// do not need.
void passMessage(QtMsgType, const QMessageLogContext&, const QString& message) {
    if (!message.startsWith(QLatin1String("QStandardPaths:")))
        std::fprintf(stderr, "%s\n", message.toUtf8().constData());
}

/// A Qt application without a display, unless the process has one already.
class Offscreen {
public:
    Offscreen() {
        if (QCoreApplication::instance() != nullptr) return;
        qInstallMessageHandler(passMessage);
        qputenv("QT_QPA_PLATFORM", "offscreen");
        m_application = std::make_unique<QApplication>(m_argc, m_argv);
        // Qt takes the locale of the environment; files keep '.' as their decimal point.
        std::setlocale(LC_NUMERIC, "C");
        applyTheme(*m_application, ThemeChoice::Light);
    }

private:
    int m_argc = 1;
    char m_name[7] = "orrery";
    char* m_argv[2] = {m_name, nullptr};
    std::unique_ptr<QApplication> m_application;
};

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

}  // namespace orrery
