#include "widgets/help/help_part.h"

#include <QAction>
#include <QApplication>
#include <QWhatsThis>
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "widgets/common/command_table.h"
#include "widgets/common/commands.h"
#include "widgets/frame/centre_area.h"
#include "widgets/help/help_context.h"
#include "widgets/help/help_window.h"
#include "widgets/help/tour_guide.h"
#include "widgets/part/perspective_ids.h"
#include "widgets/part/system_info.h"
#include "widgets/settings/preferences.h"

namespace orrery {

namespace {

const char* const kHint =
    "Solved. Click any state, in the level bands or in the graph: the inspector shows all its "
    "numbers, and a click on a number shows the sum behind it. F1 explains what has the focus.";

const QString kShowsHint = QStringLiteral("general/showsHint");

}  // namespace

HelpPart::HelpPart(Workbench& bench, HelpManual::Parts parts)
    : WindowPart(bench), m_manual(std::move(parts)), m_guide(new TourGuide(&frame())) {}

HelpPart::~HelpPart() = default;

void HelpPart::bindCommands() {
    auto* context = new HelpContext(&frame());
    connect(context, &HelpContext::helpRequested, this, &HelpPart::open);
    Commands& c = commands();
    c.bind("help.manual", [this] {
        const QWidget* control = QApplication::focusWidget();
        open(control && frame().isAncestorOf(control)
                 ? helpAddressOf(control, frame())
                 : helpAddressOf(frame().view(frame().centre().currentView()), frame()));
    });
    c.bind("help.whatsThis", [] { QWhatsThis::enterWhatsThisMode(); });
    c.bind("help.systemInfo",
           [this] { bench().copy(systemInfo(), tr("Copied the system's facts")); });
    noteDeeds();
}

void HelpPart::open(const QString& address) {
    // A modal dialog would block the manual's own window.
    if (QWidget* modal = QApplication::activeModalWidget()) {
        auto* window = new HelpWindow(&m_manual, modal);
        window->setAttribute(Qt::WA_DeleteOnClose);
        return window->open(address);
    }
    if (!m_window) m_window = new HelpWindow(&m_manual, &frame());
    m_window->open(address);
}

/// Tells the guide what a step of a tour may wait for.
void HelpPart::noteDeeds() {
    connect(m_guide, &TourGuide::perspectiveNeeded, &frame(), &Frame::showPerspective);
    connect(m_guide, &TourGuide::hintClosed, this, [this] { bench().prefer(kShowsHint, false); });
    for (const CommandSpec& spec : commandTable()) {
        const QString id = QLatin1String(spec.id);
        connect(commands().action(id), &QAction::triggered, this,
                [this, id] { m_guide->note(QStringLiteral("command:") + id); });
    }
    connect(&frame(), &Frame::perspectiveChanged, this,
            [this](const QString& id) { m_guide->note(QStringLiteral("perspective:") + id); });
    connect(&session(), &PlanSession::stateChanged, this,
            [this] { m_guide->note(QStringLiteral("state")); });
    connect(&selection(), &Selection::setChanged, this,
            [this] { m_guide->note(QStringLiteral("set")); });
    connect(&session(), &PlanSession::solutionChanged, this, [this] {
        if (session().solution()) m_guide->note(QStringLiteral("solved"));
    });
    // Who has gone to a state needs no word of it any more.
    connect(&session(), &PlanSession::stateChanged, this, [this] {
        if (m_guide->isHinting() && session().state() != m_hintedState) m_guide->closeHint();
    });
    connect(&bench(), &Workbench::numberAsked, m_guide, &TourGuide::closeHint);
    connect(&session(), &PlanSession::solutionChanged, this, &HelpPart::showHint);
    connect(&frame(), &Frame::perspectiveChanged, this, &HelpPart::showHint);
}

/// In Plan, once something is solved, until somebody has closed it.
void HelpPart::showHint() {
    const bool isTrue = session().solution() && frame().perspective() == kPlanPerspective;
    if (!isTrue) return m_guide->takeHintAway();
    if (!bench().keepsPreferences() || !preferences().isOn(kShowsHint) || m_guide->isHinting())
        return;
    m_guide->showHint(tr(kHint), &frame().centre());
    m_hintedState = session().state();
}

std::vector<Tour> HelpPart::tours() {
    try {
        return builtinTours();
    } catch (const Error& error) {
        frame().say(MessageKind::Error, QString::fromUtf8(error.what()));
        return {};
    }
}

void HelpPart::startTour(const QString& id) {
    const std::vector<Tour> all = tours();
    if (const auto tour = std::ranges::find(all, id, &Tour::id); tour != all.end())
        m_guide->start(*tour);
}

std::vector<LocatorSource> HelpPart::locatorSources() {
    return {{QStringLiteral("?"), tr("help"), [this](const QString& typed) { return items(typed); },
             false}};
}

std::vector<LocatorItem> HelpPart::items(const QString& typed) {
    std::vector<LocatorItem> items;
    if (typed.trimmed().isEmpty()) {
        for (const HelpPage& page : m_manual.pages())
            items.push_back(
                {page.title, page.group, {}, true, [this, name = page.name] { open(name); }});
        return items;
    }
    for (const HelpHit& hit : m_manual.search(typed)) {
        // The locator ranks by names: one that has the words only in its text takes them along.
        const bool isNamed = hit.title.contains(typed, Qt::CaseInsensitive);
        items.push_back({isNamed ? hit.title : hit.title + QStringLiteral(": ") + hit.excerpt,
                         isNamed ? hit.excerpt : QString(),
                         {},
                         true,
                         [this, address = hit.address] { open(address); }});
    }
    return items;
}

}  // namespace orrery
