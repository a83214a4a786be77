#include <QApplication>
#include <QClipboard>
#include <QStatusBar>
#include <QSysInfo>
#include <QThread>
#include <QWhatsThis>
#include <algorithm>

#include "app/window/help_parts.h"
#include "app/window/main_window.h"
#include "core/base/error.h"
#include "widgets/common/commands.h"
#include "widgets/frame/centre_area.h"
#include "widgets/help/help_context.h"
#include "widgets/help/help_manual.h"
#include "widgets/help/help_window.h"
#include "widgets/help/tour_guide.h"
#include "widgets/home/home_view.h"
#include "widgets/settings/preferences.h"

namespace orrery {

namespace {

const char* const kHint =
    "Solved. Click any state, in the level bands or in the graph: the inspector shows all its "
    "numbers, and a click on a number shows the sum behind it. F1 explains what has the focus.";

const QString kShowsHint = QStringLiteral("general/showsHint");

}  // namespace

void MainWindow::bindHelpCommands() {
    m_manual = std::make_unique<HelpManual>(helpParts(commands()));
    auto* context = new HelpContext(this);
    connect(context, &HelpContext::helpRequested, this, &MainWindow::openHelp);
    Commands& c = commands();
    c.bind("help.manual", [this] {
        const QWidget* control = QApplication::focusWidget();
        openHelp(control && isAncestorOf(control)
                     ? helpAddressOf(control, *this)
                     : helpAddressOf(view(centre().currentView()), *this));
    });
    c.bind("help.whatsThis", [] { QWhatsThis::enterWhatsThisMode(); });
    c.bind("help.tours", [this] {
        showPerspective(QStringLiteral("home"));
        m_home->showTours();
    });
    c.bind("help.systemInfo", [this] {
        QApplication::clipboard()->setText(systemInfo());
        statusBar()->showMessage(tr("Copied the system's facts"), 4000);
    });
    m_guide = new TourGuide(this);
    makeTours();
}

void MainWindow::openHelp(const QString& address) {
    // A modal dialog would block the manual's own window.
    QWidget* modal = QApplication::activeModalWidget();
    if (modal) {
        auto* window = new HelpWindow(m_manual.get(), modal);
        window->setAttribute(Qt::WA_DeleteOnClose);
        return window->open(address);
    }
    if (!m_help) m_help = new HelpWindow(m_manual.get(), this);
    m_help->open(address);
}

void MainWindow::makeTours() {
    connect(m_guide, &TourGuide::perspectiveNeeded, this, &Frame::showPerspective);
    connect(m_guide, &TourGuide::hintClosed, this, [this] {
        if (m_keepsPreferences) m_preferences->setValue(kShowsHint, false);
    });
    for (const CommandSpec& spec : commandTable()) {
        const QString id = QLatin1String(spec.id);
        connect(commands().action(id), &QAction::triggered, m_guide,
                [this, id] { m_guide->note(QStringLiteral("command:") + id); });
    }
    connect(this, &Frame::perspectiveChanged, m_guide,
            [this](const QString& id) { m_guide->note(QStringLiteral("perspective:") + id); });
    connect(&m_session, &PlanSession::stateChanged, m_guide,
            [this] { m_guide->note(QStringLiteral("state")); });
    connect(&m_selection, &Selection::setChanged, m_guide,
            [this] { m_guide->note(QStringLiteral("set")); });
    connect(&m_session, &PlanSession::solutionChanged, m_guide, [this] {
        if (m_session.solution()) m_guide->note(QStringLiteral("solved"));
    });
    const auto refreshHint = [this] {
        const bool isTrue = m_session.solution() && perspective() == QLatin1String("plan");
        if (!isTrue) return m_guide->takeHintAway();
        if (!m_keepsPreferences || !m_preferences->isOn(kShowsHint) || m_guide->isHinting()) return;
        m_guide->showHint(tr(kHint), &centre());
        m_hintedState = m_session.state();
    };
    // Who has gone to a state needs no word of it any more.
    connect(&m_session, &PlanSession::stateChanged, m_guide, [this] {
        if (m_guide->isHinting() && m_session.state() != m_hintedState) m_guide->closeHint();
    });
    connect(&m_session, &PlanSession::solutionChanged, m_guide, refreshHint);
    connect(this, &Frame::perspectiveChanged, m_guide, refreshHint);
}

void MainWindow::startTour(const QString& id) {
    try {
        const std::vector<Tour> tours = builtinTours();
        const auto tour = std::ranges::find(tours, id, &Tour::id);
        if (tour != tours.end()) m_guide->start(*tour);
    } catch (const Error& error) {
        say(MessageKind::Error, QString::fromUtf8(error.what()));
    }
}

void MainWindow::giveHomeItsTours() {
    connect(m_home, &HomeView::tourRequested, this, &MainWindow::startTour);
    try {
        std::vector<TourRow> rows;
        for (const Tour& tour : builtinTours()) rows.push_back({tour.id, tour.title, tour.minutes});
        m_home->setTours(rows);
    } catch (const Error& error) {
        say(MessageKind::Error, QString::fromUtf8(error.what()));
    }
}

std::vector<LocatorItem> MainWindow::helpItems(const QString& typed) {
    std::vector<LocatorItem> items;
    if (typed.trimmed().isEmpty()) {
        for (const HelpPage& page : m_manual->pages())
            items.push_back(
                {page.title, page.group, {}, true, [this, name = page.name] { openHelp(name); }});
        return items;
    }
    for (const HelpHit& hit : m_manual->search(typed)) {
        // The locator ranks by names: one that has the words only in its text takes them along.
        const bool isNamed = hit.title.contains(typed, Qt::CaseInsensitive);
        items.push_back({isNamed ? hit.title : hit.title + QStringLiteral(": ") + hit.excerpt,
                         isNamed ? hit.excerpt : QString(),
                         {},
                         true,
                         [this, address = hit.address] { openHelp(address); }});
    }
    return items;
}

QString MainWindow::systemInfo() {
    return tr("Orrery %1\nQt %2\n%3, %4, kernel %5\n%6 processors\nplatform %7, %8 screens")
        .arg(QApplication::applicationVersion(), QLatin1String(qVersion()),
             QSysInfo::prettyProductName(), QSysInfo::currentCpuArchitecture(),
             QSysInfo::kernelVersion())
        .arg(QThread::idealThreadCount())
        .arg(QGuiApplication::platformName())
        .arg(QGuiApplication::screens().size());
}

}  // namespace orrery
