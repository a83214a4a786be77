#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QInputDialog>
#include <QLabel>
#include <QMenuBar>
#include <QStatusBar>
#include <QTextBrowser>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/main_window.h"
#include "core/base/error.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/run_bridge.h"
#include "widgets/common/commands.h"
#include "widgets/common/icons.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/side_rail.h"
#include "widgets/common/tokens.h"
#include "widgets/world/world_panel.h"
#include "widgets/world/world_picture.h"
#include "widgets/world/world_view.h"

namespace orrery {

namespace {

QKeySequence keys(const char* text) {
    return QKeySequence(QLatin1String(text));
}

}  // namespace

void MainWindow::makeCommands() {
    makeFileCommands();
    makeEditCommands();
    makeViewCommands();
    makeGoCommands();
    makeRunCommands();
    makeWorldCommands();
    makeHelpCommands();
}

void MainWindow::makeFileCommands() {
    m_commands->add({QStringLiteral("file.open"),
                     QStringLiteral("File"),
                     tr("&Open..."),
                     QStringLiteral("document-open"),
                     {QKeySequence::Open},
                     tr("Opens a world file")},
                    [this](bool) { chooseFile(); });
    m_commands->add({QStringLiteral("file.exportPng"),
                     QStringLiteral("File"),
                     tr("Export picture as &PNG..."),
                     QStringLiteral("document-export"),
                     {keys("Ctrl+E")},
                     tr("Saves the world as it is drawn now as an image"),
                     false,
                     true},
                    [this](bool) { exportPicture(false); });
    m_commands->add({QStringLiteral("file.exportSvg"),
                     QStringLiteral("File"),
                     tr("Export picture as &SVG..."),
                     QStringLiteral("document-export"),
                     {keys("Ctrl+Shift+E")},
                     tr("Saves the world as it is drawn now as vectors")},
                    [this](bool) { exportPicture(true); });
    m_commands->add({QStringLiteral("file.quit"),
                     QStringLiteral("File"),
                     tr("&Quit"),
                     QStringLiteral("application-exit"),
                     {QKeySequence::Quit},
                     tr("Ends the program"),
                     false,
                     true},
                    [this](bool) { close(); });
}

void MainWindow::makeEditCommands() {
    m_commands->add({QStringLiteral("edit.copyLink"),
                     QStringLiteral("Edit"),
                     tr("&Copy link"),
                     QStringLiteral("insert-link"),
                     {keys("Ctrl+Shift+C")},
                     tr("Copies the address of this run, step and state")},
                    [this](bool) { copyAddress(); });
    m_commands->add({QStringLiteral("edit.goTo"),
                     QStringLiteral("Edit"),
                     tr("&Go to address..."),
                     QString(),
                     {keys("Ctrl+K")},
                     tr("Goes to the state that an address names")},
                    [this](bool) { goToAddress(); });
}

void MainWindow::makeHelpCommands() {
    m_commands->add({QStringLiteral("help.shortcuts"),
                     QStringLiteral("Help"),
                     tr("&Commands and shortcuts"),
                     QStringLiteral("help-contents"),
                     {keys("F1"), keys("Ctrl+/")},
                     tr("Lists everything the program can do")},
                    [this](bool) { showShortcuts(); });
    m_commands->add({QStringLiteral("help.about"),
                     QStringLiteral("Help"),
                     tr("&About Orrery"),
                     QStringLiteral("dialog-information"),
                     {},
                     tr("What this program is, its version and its licence"),
                     false,
                     true},
                    [this](bool) { showAbout(); });
}

void MainWindow::makeViewCommands() {
    const QStringList pages{tr("&Examples"), tr("&World"), tr("&Solver"), tr("&Runs")};
    for (int i = 0; i < pages.size(); ++i)
        m_commands->add({QStringLiteral("view.page%1").arg(i + 1),
                         QStringLiteral("View"),
                         pages[i],
                         QString(),
                         {QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i))},
                         tr("Shows this page at the left")},
                        [this, i](bool) { m_rail->showPage(i); });
    m_commands->add({QStringLiteral("view.fit"),
                     QStringLiteral("View"),
                     tr("Zoom to &fit"),
                     QStringLiteral("zoom-fit-best"),
                     {keys("Ctrl+0")},
                     tr("Shows the whole world"),
                     false,
                     true},
                    [this](bool) { m_worldPanel->view()->zoomToFit(); });
    m_commands->add({QStringLiteral("view.zoomIn"),
                     QStringLiteral("View"),
                     tr("Zoom &in"),
                     QStringLiteral("zoom-in"),
                     {keys("Ctrl+="), keys("Ctrl++")},
                     tr("Enlarges the world")},
                    [this](bool) { m_worldPanel->view()->zoomBy(1.25); });
    m_commands->add({QStringLiteral("view.zoomOut"),
                     QStringLiteral("View"),
                     tr("Zoom &out"),
                     QStringLiteral("zoom-out"),
                     {keys("Ctrl+-")},
                     tr("Makes the world smaller")},
                    [this](bool) { m_worldPanel->view()->zoomBy(0.8); });
    makeAppearanceCommands();
}

void MainWindow::makeAppearanceCommands() {
    m_commands->add({QStringLiteral("view.light"),
                     QStringLiteral("View"),
                     tr("&Light"),
                     QStringLiteral("theme"),
                     {},
                     tr("Light colours"),
                     false,
                     true},
                    [this](bool) { setTheme(ThemeChoice::Light); });
    m_commands->add({QStringLiteral("view.dark"),
                     QStringLiteral("View"),
                     tr("&Dark"),
                     QStringLiteral("theme"),
                     {},
                     tr("Dark colours")},
                    [this](bool) { setTheme(ThemeChoice::Dark); });
    m_commands->add({QStringLiteral("view.system"),
                     QStringLiteral("View"),
                     tr("As the s&ystem"),
                     QStringLiteral("theme"),
                     {},
                     tr("The colours that the desktop asks for")},
                    [this](bool) { setTheme(ThemeChoice::System); });
    m_commands->add({QStringLiteral("view.fullScreen"),
                     QStringLiteral("View"),
                     tr("F&ull screen"),
                     QStringLiteral("view-fullscreen"),
                     {keys("F11")},
                     tr("Fills the screen with the window"),
                     true,
                     true},
                    [this](bool on) { on ? showFullScreen() : showNormal(); });
}

void MainWindow::makeGoCommands() {
    m_commands->add({QStringLiteral("go.back"),
                     QStringLiteral("Go"),
                     tr("&Back"),
                     QStringLiteral("go-previous"),
                     {keys("Alt+Left")},
                     tr("Back to what was selected before")},
                    [this](bool) { m_selection.goBack(); });
    m_commands->add({QStringLiteral("go.forward"),
                     QStringLiteral("Go"),
                     tr("&Forward"),
                     QStringLiteral("go-next"),
                     {keys("Alt+Right")},
                     tr("Forward in what was selected")},
                    [this](bool) { m_selection.goForward(); });
}

void MainWindow::makeRunCommands() {
    m_commands->add({QStringLiteral("run.solve"),
                     QStringLiteral("Run"),
                     tr("&Solve"),
                     QStringLiteral("media-playback-start"),
                     {keys("F5")},
                     tr("Explores all states and solves both phases exactly"),
                     false,
                     false,
                     true},
                    [this](bool) { solve(); });
    m_commands->add({QStringLiteral("run.pause"),
                     QStringLiteral("Run"),
                     tr("&Pause"),
                     QStringLiteral("media-playback-pause"),
                     {keys("F6")},
                     tr("Pauses the solve, or goes on with it")},
                    [this](bool) {
                        const auto snapshot = m_bridge->snapshot();
                        if (snapshot && snapshot->state == RunState::Paused)
                            m_bridge->resume();
                        else
                            m_bridge->pause();
                    });
    m_commands->add({QStringLiteral("run.cancel"),
                     QStringLiteral("Run"),
                     tr("&Cancel"),
                     QStringLiteral("media-playback-stop"),
                     {keys("Shift+F5")},
                     tr("Ends the solve; nothing is changed")},
                    [this](bool) { m_bridge->cancel(); });
}

void MainWindow::makeWorldCommands() {
    m_commands->add({QStringLiteral("world.step"),
                     QStringLiteral("World"),
                     tr("&Step"),
                     QStringLiteral("media-skip-forward"),
                     {keys("F7"), keys("Return")},
                     tr("Carries out the joint action; chance draws the successor")},
                    [this](bool) { m_session.step(); });
    m_commands->add({QStringLiteral("world.follow"),
                     QStringLiteral("World"),
                     tr("&Follow policy"),
                     QStringLiteral("system-run"),
                     {keys("F8"), keys("P")},
                     tr("Draws everyone's actions from their policies and steps")},
                    [this](bool) { m_session.followPolicy(); });
    m_commands->add({QStringLiteral("world.back"),
                     QStringLiteral("World"),
                     tr("Step &back"),
                     QStringLiteral("media-skip-backward"),
                     {keys("Shift+F7"), keys("Backspace")},
                     tr("Goes back one step of the walk")},
                    [this](bool) { m_session.stepBack(); });
    m_commands->add({QStringLiteral("world.restart"),
                     QStringLiteral("World"),
                     tr("&Restart"),
                     QStringLiteral("view-refresh"),
                     {keys("Ctrl+R"), keys("R")},
                     tr("Goes back to the initial state")},
                    [this](bool) { m_session.restart(); });
    // Plain keys belong to the world's view; in a text field they are text.
    m_commands->confinePlainKeys(m_worldPanel->view());
}

void MainWindow::makeMenus() {
    for (const char* name : {"File", "Edit", "View", "Go", "Run", "World", "Help"}) {
        QMenu* menu = menuBar()->addMenu(QLatin1Char('&') + tr(name));
        menu->setToolTipsVisible(true);
        m_commands->fill(menu, QLatin1String(name));
    }
}

void MainWindow::makeToolBar() {
    auto* bar = new QToolBar(tr("Main"), this);
    bar->setObjectName(QStringLiteral("mainToolBar"));
    bar->setMovable(false);
    bar->setFloatable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setIconSize(QSize(16, 16));
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    const auto add = [&](const char* id, bool isPlain) {
        QAction* action = m_commands->action(QLatin1String(id));
        bar->addAction(action);
        auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(action));
        button->setObjectName(QStringLiteral("tool_") + QLatin1String(id));
        if (isPlain) {
            button->setToolButtonStyle(Qt::ToolButtonIconOnly);
            button->setProperty("look", QStringLiteral("plain"));
        }
        button->setAccessibleName(action->toolTip());
    };
    add("file.open", false);
    bar->addSeparator();
    add("run.solve", false);
    add("run.pause", true);
    add("run.cancel", true);
    bar->addSeparator();
    add("world.back", true);
    add("world.step", false);
    add("world.follow", false);
    add("world.restart", true);
    bar->addSeparator();
    add("go.back", true);
    add("go.forward", true);
    m_crumbs = new QLabel(bar);
    m_crumbs->setObjectName(QStringLiteral("breadcrumb"));
    m_crumbs->setTextFormat(Qt::RichText);
    m_crumbs->setContentsMargins(8, 0, 8, 0);
    m_crumbs->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_crumbs->setMinimumWidth(40);
    bar->addWidget(m_crumbs);
    add("view.fit", true);
    add("file.exportPng", true);
    addToolBar(bar);
    bar->widgetForAction(m_commands->action(QStringLiteral("run.solve")))
        ->setProperty("look", QStringLiteral("primary"));
}

void MainWindow::refreshCommands() {
    const bool isOpen = m_session.isOpen();
    const bool isLive = m_bridge->isLive();
    const auto snapshot = m_bridge->snapshot();
    const auto set = [this](const char* id, bool isEnabled) {
        m_commands->action(QLatin1String(id))->setEnabled(isEnabled);
    };
    set("run.solve", isOpen && !isLive);
    set("run.pause", isLive);
    set("run.cancel", isLive);
    m_commands->action(QStringLiteral("run.pause"))
        ->setText(isLive && snapshot && snapshot->state == RunState::Paused ? tr("&Resume")
                                                                            : tr("&Pause"));
    set("world.step", isOpen && !m_session.isTerminal());
    set("world.follow", isOpen && m_session.values() && !m_session.isTerminal());
    set("world.back", isOpen && m_session.walkIndex() > 0);
    set("world.restart", isOpen);
    set("file.exportPng", isOpen);
    set("file.exportSvg", isOpen);
    set("edit.copyLink", isOpen);
    set("edit.goTo", isOpen);
    set("go.back", m_selection.canGoBack());
    set("go.forward", m_selection.canGoForward());
}

void MainWindow::chooseFile() {
    const QString file = QFileDialog::getOpenFileName(
        this, tr("Open a world"), {}, tr("World files (*.yaml *.yml *.json);;All files (*)"));
    if (!file.isEmpty()) openWorld(file);
}

void MainWindow::exportPicture(bool asSvg) {
    const QString ending = asSvg ? QStringLiteral("svg") : QStringLiteral("png");
    QString file = QFileDialog::getSaveFileName(
        this, tr("Export the picture"), QStringLiteral("world.") + ending,
        asSvg ? tr("SVG pictures (*.svg)") : tr("PNG pictures (*.png)"));
    if (file.isEmpty()) return;
    if (!file.endsWith(u'.' + ending, Qt::CaseInsensitive)) file += u'.' + ending;
    try {
        const WorldScene scene = m_worldPanel->view()->exportScene();
        if (asSvg)
            saveWorldSvg(scene, file.toStdString(), currentTokens());
        else
            saveWorldPng(scene, file.toStdString(), currentTokens());
        m_messages->show(MessageKind::Ok, tr("The picture was saved as %1.").arg(file));
    } catch (const Error& error) {
        m_messages->show(MessageKind::Error, QString::fromUtf8(error.what()));
    }
}

void MainWindow::copyAddress() {
    QApplication::clipboard()->setText(m_selection.address());
    statusBar()->showMessage(tr("Copied %1").arg(m_selection.address()), 4000);
}

void MainWindow::goToAddress() {
    bool isAccepted = false;
    const QString text = QInputDialog::getText(
        this, tr("Go to address"), tr("Address, such as orrery:run/r00012/t6/s1204:"),
        QLineEdit::Normal,
        QApplication::clipboard()->text().startsWith(u"orrery:") ? QApplication::clipboard()->text()
                                                                 : m_selection.address(),
        &isAccepted);
    if (!isAccepted) return;
    const auto address = parseAddress(text);
    if (!address || !m_session.goTo(*address))
        m_messages->show(MessageKind::Error,
                         tr("No state of this world has the address '%1'. Copy one with "
                            "Edit > Copy link; a number s... needs a solved world.")
                             .arg(text));
}

void MainWindow::showShortcuts() {
    auto* dialog = new QDialog(this);
    dialog->setObjectName(QStringLiteral("shortcutSheet"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Commands and shortcuts"));
    dialog->resize(680, 560);
    auto* layout = new QVBoxLayout(dialog);
    auto* text = new QTextBrowser(dialog);
    text->setHtml(m_commands->sheetHtml());
    layout->addWidget(text);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    layout->addWidget(buttons);
    dialog->show();
}

void MainWindow::showAbout() {
    m_messages->show(MessageKind::Info,
                     tr("Orrery %1: exact planning and learning in worlds with humans and robots "
                        "that share power. GPL-3.0-or-later. Qt %2.")
                         .arg(QApplication::applicationVersion(), QLatin1String(qVersion())));
}

}  // namespace orrery
