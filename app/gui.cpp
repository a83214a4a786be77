#include "app/gui.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QSaveFile>
#include <QSettings>
#include <QTimer>
#include <cstdio>
#include <optional>

#include "app/main_window.h"
#include "widgets/bridge/run_bridge.h"
#include "widgets/common/icons.h"
#include "widgets/common/side_rail.h"
#include "widgets/common/ui_dump.h"

namespace orrery {

namespace {

constexpr int kOk = 0, kBadUsage = 2, kResource = 6;

struct GuiArguments {
    WindowOptions window;
    QString screenshot, dump;
    QSize size;
    bool solves = false;
    int numSteps = 0;
    int page = 0;

    bool endsByItself() const { return !screenshot.isEmpty() || !dump.isEmpty(); }
};

void addOptions(QCommandLineParser& parser) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("gui", text); };
    parser.setApplicationDescription(tr("Opens the window."));
    parser.addPositionalArgument(QStringLiteral("WORLD"), tr("A world file or builtin:NAME."),
                                 QStringLiteral("[WORLD]"));
    parser.addOptions({
        {QStringLiteral("theme"), tr("Colours: dark, light or system."), QStringLiteral("THEME")},
        {QStringLiteral("workspace"), tr("Folder of the runs."), QStringLiteral("FOLDER")},
        {QStringLiteral("screenshot"), tr("Saves the window as a PNG and ends."),
         QStringLiteral("FILE")},
        {QStringLiteral("size"), tr("Size of the window, such as 1280x800."),
         QStringLiteral("WxH")},
        {QStringLiteral("solve"), tr("Solves the world first.")},
        {QStringLiteral("steps"), tr("Follows the policy that many times."), QStringLiteral("N")},
        {QStringLiteral("page"), tr("Page at the left, 1 to 4."), QStringLiteral("N")},
        {QStringLiteral("dump-ui"), tr("Writes the window's parts as JSON and ends."),
         QStringLiteral("FILE")},
    });
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
    if (!parser.positionalArguments().isEmpty())
        arguments.window.world = parser.positionalArguments().first();
    arguments.window.workspace = value("workspace").toStdString();
    arguments.screenshot = value("screenshot");
    arguments.dump = value("dump-ui");
    arguments.solves = parser.isSet(QStringLiteral("solve"));
    arguments.numSteps = value("steps").toInt();
    arguments.page = value("page").toInt();
    arguments.window.restoresLayout = !arguments.endsByItself();
    const QString theme =
        parser.isSet(QStringLiteral("theme")) ? value("theme")
        : arguments.window.restoresLayout
            ? QSettings().value(QStringLiteral("window/theme"), QStringLiteral("system")).toString()
            : QStringLiteral("system");
    const auto choice = themeChoiceOf(theme);
    if (!choice && parser.isSet(QStringLiteral("theme"))) {
        problem = QStringLiteral("--theme must be dark, light or system, got '%1'").arg(theme);
        return std::nullopt;
    }
    arguments.window.theme = choice.value_or(ThemeChoice::System);
    if (parser.isSet(QStringLiteral("size"))) {
        const QStringList parts = value("size").split(u'x');
        if (parts.size() == 2) arguments.size = QSize(parts[0].toInt(), parts[1].toInt());
        if (arguments.size.width() < 640 || arguments.size.height() < 480) {
            problem =
                QStringLiteral("--size must be WxH, at least 640x480, got '%1'").arg(value("size"));
            return std::nullopt;
        }
    }
    return arguments;
}

bool writeFile(const QString& name, const QByteArray& bytes) {
    QSaveFile file(name);
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit())
        return true;
    std::fprintf(stderr, "orrery: cannot write %s: %s\n", qPrintable(name),
                 qPrintable(file.errorString()));
    return false;
}

/// Drives a window that ends by itself: waits until it is settled, does the next thing, and at last
/// saves what was asked for.
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
        if (!m_window.isSettled()) return;
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
        if (m_arguments.page > 0 && !m_hasTurned) {
            m_hasTurned = true;
            m_window.showPage(m_arguments.page - 1);
            return;
        }
        m_timer.stop();
        bool isWritten = true;
        if (!m_arguments.screenshot.isEmpty())
            isWritten = m_window.grab().save(m_arguments.screenshot, "PNG");
        if (!m_arguments.dump.isEmpty())
            isWritten =
                writeFile(m_arguments.dump, uiDump(&m_window, m_window.selection())) && isWritten;
        if (!isWritten && !m_arguments.screenshot.isEmpty())
            std::fprintf(stderr, "orrery: cannot write %s\n", qPrintable(m_arguments.screenshot));
        QCoreApplication::exit(isWritten ? kOk : kResource);
    }

    MainWindow& m_window;
    const GuiArguments& m_arguments;
    QTimer m_timer;
    bool m_hasSolved = false, m_hasTurned = false;
    int m_numDone = 0;
};

}  // namespace

int runGui(int argc, char** argv) {
    QApplication::setHighDpiScaleFactorRoundingPolicy(
        Qt::HighDpiScaleFactorRoundingPolicy::PassThrough);
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("orrery"));
    QApplication::setApplicationDisplayName(QStringLiteral("Orrery"));
    QApplication::setOrganizationName(QStringLiteral("orrery"));
    QApplication::setWindowIcon(programIcon());
    QCommandLineParser parser;
    addOptions(parser);
    QString problem;
    std::optional<GuiArguments> arguments;
    if (parser.parse(QCoreApplication::arguments()))
        arguments = read(parser, problem);
    else
        problem = parser.errorText();
    if (!arguments) {
        std::fprintf(stderr, "orrery: %s. `orrery --help` lists what there is.\n",
                     qPrintable(problem));
        return kBadUsage;
    }
    MainWindow window(arguments->window);
    if (!arguments->size.isEmpty()) window.resize(arguments->size);
    window.show();
    std::optional<Script> script;
    if (arguments->endsByItself()) script.emplace(window, *arguments);
    return QApplication::exec();
}

}  // namespace orrery
