#include "app/window/gui.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QGuiApplication>
#include <QScreen>
#include <QTimer>
#include <cstdio>
#include <optional>
#include <stop_token>
#include <vector>

#include "app/cli/gui_options.h"
#include "app/cli/world_input.h"
#include "app/window/dump_ui.h"
#include "app/window/event_watch.h"
#include "app/window/main_window.h"
#include "app/window/window_door.h"
#include "core/base/signals.h"
#include "core/run/code_version.h"
#include "widgets/bridge/run_bridge.h"
#include "widgets/common/icons.h"
#include "widgets/common/selection_address.h"
#include "widgets/settings/preferences.h"
#include "widgets/settings/scale_fit.h"

namespace orrery {

namespace {

constexpr int kOk = 0, kBadUsage = 2, kResource = 6;

struct GuiArguments {
    WindowOptions window;
    QString screenshot, dump, perspective;
    bool solves = false, isOnce = false;
    QString wanted;                 ///< what is to be shown, with its whole path; may be empty
    bool mayAskOpenWindow = false;  ///< nothing else was asked for
    int numSteps = 0;

    bool endsByItself() const { return !screenshot.isEmpty() || (isOnce && !dump.isEmpty()); }
};

void addOptions(QCommandLineParser& parser) {
    parser.addPositionalArgument(QStringLiteral("WORLD"), QString());
    for (const GuiOption& option : guiOptions()) {
        const QString name = QLatin1String(option.name);
        if (*option.value == '\0')
            parser.addOption({name, QString()});
        else
            parser.addOption({name, QString(), QLatin1String(option.value)});
    }
}

/// The workspace that a path names, its folder or the database in it; empty if it names none.
QString workspaceOf(const QString& path) {
    const QFileInfo info(path);
    if (info.isDir() && QFileInfo::exists(path + QStringLiteral("/workspace.db"))) return path;
    const bool isDatabase = info.isFile() && info.fileName() == QLatin1String("workspace.db");
    return isDatabase ? info.absolutePath() : QString();
}

/// A file or folder with its whole path; "builtin:NAME" for the name of an example.
QString wholePath(const QString& named) {
    const QFileInfo info(named);
    if (!named.isEmpty() && info.exists()) return info.absoluteFilePath();
    return QString::fromStdString(worldNamed(named.toStdString()));
}

/// The arguments; nothing after a complaint on the standard error.
std::optional<GuiArguments> read(const QCommandLineParser& parser, QString& problem) {
    GuiArguments arguments;
    const auto value = [&](const char* name) { return parser.value(QLatin1String(name)); };
    if (parser.positionalArguments().size() > 1) {
        problem =
            QStringLiteral("give one world file, not %1").arg(parser.positionalArguments().size());
        return std::nullopt;
    }
    arguments.window.workspace = value("workspace").toStdString();
    if (!parser.positionalArguments().isEmpty()) {
        const QString first = parser.positionalArguments().first();
        const QString folder = workspaceOf(first);
        if (first.startsWith(QLatin1String("orrery:"))) {
            arguments.window.address = first;
            if (!parseAddress(first)) {
                problem =
                    QStringLiteral("'%1' is no address; Edit > Copy link copies one").arg(first);
                return std::nullopt;
            }
        } else if (folder.isEmpty())
            arguments.window.world = wholePath(first);
        else if (arguments.window.workspace.empty())
            arguments.window.workspace = folder.toStdString();
        else {
            problem = QStringLiteral("give one workspace, not %1 and --workspace").arg(first);
            return std::nullopt;
        }
    }
    arguments.wanted = wholePath(parser.positionalArguments().value(0));
    arguments.mayAskOpenWindow = parser.optionNames().isEmpty();
    arguments.screenshot = value("screenshot");
    arguments.dump = value("dump-ui");
    arguments.isOnce = parser.isSet(QStringLiteral("once"));
    arguments.solves = parser.isSet(QStringLiteral("solve"));
    if (parser.isSet(QStringLiteral("steps"))) {
        bool isNumber = false;
        arguments.numSteps = value("steps").toInt(&isNumber);
        if (!isNumber || arguments.numSteps < 0) {
            problem = QStringLiteral("--steps must be a whole number from 0 on, got '%1'")
                          .arg(value("steps"));
            return std::nullopt;
        }
    }
    arguments.perspective = value("perspective");
    arguments.window.restoresSession =
        !arguments.endsByItself() && !parser.isSet(QStringLiteral("no-restore"));
    const QString theme =
        parser.isSet(QStringLiteral("theme")) ? value("theme") : QStringLiteral("system");
    const auto choice = themeChoiceOf(theme);
    if (!choice) {
        problem = QStringLiteral("--theme must be dark, light or system, got '%1'").arg(theme);
        return std::nullopt;
    }
    arguments.window.theme = *choice;
    if (parser.isSet(QStringLiteral("size"))) {
        const QStringList parts = value("size").split(u'x');
        if (parts.size() == 2) arguments.window.size = QSize(parts[0].toInt(), parts[1].toInt());
        if (arguments.window.size.width() < 640 || arguments.window.size.height() < 480) {
            problem =
                QStringLiteral("--size must be WxH, at least 640x480, got '%1'").arg(value("size"));
            return std::nullopt;
        }
    }
    return arguments;
}

/// Does what the command line asks of the window, one thing after the other, each once it is
/// settled. A window that ends by itself at last saves what was asked for.
class Script : public QObject {
public:
    Script(MainWindow& window, const GuiArguments& arguments)
        : m_window(window), m_arguments(arguments) {
        m_timer.setInterval(40);
        connect(&m_timer, &QTimer::timeout, this, &Script::advance);
        m_timer.start();
    }

private:
    void advance() {
        // Settled for some ticks: what came last has been laid out and painted, too.
        m_numSettled = m_window.isSettled() ? m_numSettled + 1 : 0;
        if (m_numSettled < kSettledTicks) return;
        m_numSettled = 0;
        if (m_arguments.solves && !m_hasSolved) {
            m_hasSolved = true;
            m_window.solve();
            return;
        }
        if (m_numDone < m_arguments.numSteps) {
            ++m_numDone;
            m_window.session().followPolicy();
            return;
        }
        if (!m_arguments.perspective.isEmpty() && !m_hasTurned) {
            m_hasTurned = true;
            m_window.showPerspective(m_arguments.perspective);
            return;
        }
        m_timer.stop();
        if (!m_arguments.endsByItself()) return;
        bool isWritten = true;
        if (!m_arguments.screenshot.isEmpty())
            isWritten = m_window.grab().save(m_arguments.screenshot, "PNG");
        if (!isWritten)
            std::fprintf(stderr, "orrery: cannot write %s\n", qPrintable(m_arguments.screenshot));
        QCoreApplication::exit(isWritten ? kOk : kResource);
    }

    static constexpr int kSettledTicks = 8;
    MainWindow& m_window;
    const GuiArguments& m_arguments;
    QTimer m_timer;
    bool m_hasSolved = false, m_hasTurned = false;
    int m_numDone = 0, m_numSettled = 0;
};

/// Asked of an application that lives for this only: Qt reads the scale once, when one begins.
QSize screenAtPlainScale(int argc, char** argv) {
    std::vector<char*> arguments(argv, argv + argc);  // it takes Qt's own ones away
    arguments.push_back(nullptr);
    const QGuiApplication application(argc, arguments.data());
    const QScreen* screen = QGuiApplication::primaryScreen();
    return screen != nullptr ? screen->geometry().size() : QSize();
}

void useChosenScale(int argc, char** argv) {
    constexpr int kPlain = 100;
    const Preferences preferences;
    int percent = preferences.value(QStringLiteral("appearance/scale")).toInt();
    if (percent == kPlain || !qEnvironmentVariableIsEmpty("QT_SCALE_FACTOR")) return;
    percent = fittingScale(percent, screenAtPlainScale(argc, argv));
    qputenv("QT_SCALE_FACTOR", QByteArray::number(percent / static_cast<double>(kPlain)));
}

/// What is wrong with the name of a perspective; empty: nothing.
QString perspectiveProblem(const MainWindow& window, const QString& name) {
    QStringList names;
    for (const PerspectiveSpec& perspective : window.perspectives()) names << perspective.id;
    if (name.isEmpty() || names.contains(name)) return {};
    return QStringLiteral("--perspective must be one of %1, got '%2'")
        .arg(names.join(QLatin1String(", ")), name);
}

int refuse(const QString& problem) {
    std::fprintf(stderr, "orrery: %s. `orrery --help` lists what there is.\n", qPrintable(problem));
    return kBadUsage;
}

}  // namespace

int runGui(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") &&
        qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
        std::fputs(
            "orrery: there is no display for a window. Start it in a desktop session or "
            "with xvfb-run, or use a verb: `orrery --help` lists them.\n",
            stderr);
        return kResource;
    }
    blockStopSignals();
    QApplication::setHighDpiScaleFactorRoundingPolicy(
        Qt::HighDpiScaleFactorRoundingPolicy::PassThrough);
    // Files are asked for in the look of the window, by its keys.
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    useChosenScale(argc, argv);
    WatchedApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("orrery"));
    QApplication::setApplicationDisplayName(QStringLiteral("Orrery"));
    QApplication::setApplicationVersion(QLatin1String(codeVersion()));
    QApplication::setOrganizationName(QStringLiteral("orrery"));
    QApplication::setWindowIcon(programIcon());
    QGuiApplication::setDesktopFileName(QStringLiteral("org.orrery.Orrery"));
    QCommandLineParser parser;
    addOptions(parser);
    QString problem;
    std::optional<GuiArguments> arguments;
    if (parser.parse(QCoreApplication::arguments()))
        arguments = read(parser, problem);
    else
        problem = parser.errorText();
    if (!arguments) return refuse(problem);
    if (arguments->mayAskOpenWindow && askOpenWindow(arguments->wanted)) return kOk;
    EventWatch watch(windowLogFile());
    application.setWatch(&watch);
    arguments->window.watch = &watch;
    MainWindow window(arguments->window);
    if (problem = perspectiveProblem(window, arguments->perspective); !problem.isEmpty()) {
        window.closeAtOnce();
        application.setWatch(nullptr);
        return refuse(problem);
    }
    std::stop_source stop;
    // A signal closes the window as a person would, but asks nothing.
    const std::stop_callback closing(stop.get_token(), [&window] {
        QMetaObject::invokeMethod(&window, &MainWindow::closeAtOnce, Qt::QueuedConnection);
    });
    const StopSignals stopSignals(stop);
    std::optional<WindowDoor> door;
    if (arguments->window.restoresSession)
        door.emplace([&window](const QString& what) { window.showWanted(what); });
    window.show();
    std::optional<Script> script;
    script.emplace(window, *arguments);
    std::optional<DumpUi> dump;
    if (!arguments->dump.isEmpty()) dump.emplace(window, arguments->dump, watch);
    int status = QApplication::exec();
    if (dump && !dump->write() && status == kOk) status = kResource;
    application.setWatch(nullptr);
    return stopSignals.first() != 0 ? stopSignals.exitStatus() : status;
}

}  // namespace orrery
