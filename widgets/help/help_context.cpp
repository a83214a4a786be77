#include "widgets/help/help_context.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QWhatsThis>
#include <QWhatsThisClickedEvent>
#include <QWidget>

#include "widgets/frame/frame.h"

namespace orrery {

namespace {

struct Place {
    const char* name;  ///< of the control; a beginning of it if it ends with "*"
    const char* address;
};

/// Controls with a part of a page of their own.
constexpr Place kPlaces[] = {
    {"action_*", "play#joint"},
    {"agentList", "world#agents"},
    {"allRobotActions", "inspector#policy"},
    {"ancestorsButton", "predicates#kin"},
    {"bandQuantity", "level_bands#quantity"},
    {"card_*", "home#examples"},
    {"chart_*", "charts"},
    {"configDiff*", "compare#diff"},
    {"continue_*", "home#continue"},
    {"descendantsButton", "predicates#kin"},
    {"difference*", "compare#values"},
    {"editPanel", "editor#panel"},
    {"editView", "editor"},
    {"episodeStrip", "play#episode"},
    {"field_*", "solver#fields"},
    {"filterChips", "compare#filter"},
    {"goalList", "world#agents"},
    {"goalTable", "editor#goals"},
    {"interval*", "compare#curves"},
    {"keyStrip", "play#keys"},
    {"keys_*", "settings#shortcuts"},
    {"latestRuns", "home#runs"},
    {"levelBands*", "level_bands"},
    {"levelTable*", "level_bands#table"},
    {"locator*", "locator"},
    {"makeReport", "compare#report"},
    {"metricCharts", "compare#curves"},
    {"newWorld*", "editor#new"},
    {"openWorkspaceStart", "home#workspaces"},
    {"openWorldStart", "home#own"},
    {"palette", "editor#palette"},
    {"parallelPlot", "compare#parallel"},
    {"path*", "state_graph#paths"},
    {"perspectiveRail", "window#perspectives"},
    {"playOptions", "play#options"},
    {"predicate*", "predicates"},
    {"rail_*", "window#perspectives"},
    {"rangeButton", "world#range"},
    {"recentWorkspaces", "home#workspaces"},
    {"runFilter", "compare#filter"},
    {"runsTable", "compare#runs"},
    {"runsTrash", "compare#trash"},
    {"runs*", "compare#runs"},
    {"settingsWindow", "settings"},
    {"solveButton", "solver"},
    {"solveProgress", "solver#progress"},
    {"spread*", "inspector#spread"},
    {"stateCanvas", "state_graph"},
    {"statusBar", "window#status"},
    {"tableTwin*", "window#table"},
    {"timeline*", "timeline"},
    {"tour_*", "home#tours"},
    {"why*", "inspector#why"},
    {"worldView", "world"},
};

QString knownPlace(const QString& name) {
    for (const Place& place : kPlaces) {
        const QString known = QLatin1String(place.name);
        if (known.endsWith(u'*') ? name.startsWith(QStringView(known).chopped(1)) : name == known)
            return QLatin1String(place.address);
    }
    return {};
}

}  // namespace

QString helpAddressOf(const QWidget* control, const Frame& frame) {
    const ViewSpec* view = frame.viewAround(control);
    for (const QWidget* widget = control; widget && widget != &frame;
         widget = widget->parentWidget()) {
        const QString anchor = widget->property("helpAnchor").toString();
        // "#x" is a part of the view's page.
        if (anchor.startsWith(u'#') && view) return view->help.section(u'#', 0, 0) + anchor;
        if (!anchor.isEmpty()) return anchor;
        const QString known = knownPlace(widget->objectName());
        if (!known.isEmpty()) return known;
        if (view && frame.viewAround(widget->parentWidget()) != view) return view->help;
    }
    return view ? view->help : QStringLiteral("index");
}

QString whatsThisOf(const QWidget* control, const Frame& frame) {
    QString text;
    const QWidget* named = control;
    for (; named && text.isEmpty(); named = named->parentWidget()) {
        if (!named->whatsThis().isEmpty())
            text = named->whatsThis();
        else if (!named->toolTip().isEmpty())
            text = QStringLiteral("<p>%1</p>").arg(named->toolTip().toHtmlEscaped());
        if (named == &frame) break;
    }
    if (text.isEmpty())
        if (const ViewSpec* view = frame.viewAround(control))
            text = QStringLiteral("<p><b>%1</b></p><p>%2</p>")
                       .arg(view->title.toHtmlEscaped(), view->tip.toHtmlEscaped());
    return text + QStringLiteral("<p><a href=\"%1\">%2</a></p>")
                      .arg(helpAddressOf(control, frame), HelpContext::tr("More in the manual"));
}

HelpContext::HelpContext(Frame* frame) : QObject(frame), m_frame(frame) {
    qApp->installEventFilter(this);
}

bool HelpContext::eventFilter(QObject* watched, QEvent* event) {
    const QEvent::Type type = event->type();
    if (type != QEvent::KeyPress && type != QEvent::QueryWhatsThis && type != QEvent::WhatsThis &&
        type != QEvent::WhatsThisClicked)
        return false;
    auto* widget = qobject_cast<QWidget*>(watched);
    if (!widget) return false;
    switch (type) {
        case QEvent::KeyPress: {
            const auto* key = static_cast<QKeyEvent*>(event);
            // The program's window has F1 among its commands.
            if (key->key() != Qt::Key_F1 || key->modifiers() != Qt::NoModifier ||
                widget->window() == m_frame)
                return false;
            Q_EMIT helpRequested(helpAddressOf(widget, *m_frame));
            return true;
        }
        case QEvent::QueryWhatsThis:
            event->accept();
            return true;
        case QEvent::WhatsThis: {
            const auto* help = static_cast<QHelpEvent*>(event);
            QWhatsThis::showText(help->globalPos(), whatsThisOf(widget, *m_frame), widget);
            return true;
        }
        case QEvent::WhatsThisClicked:
            QWhatsThis::hideText();
            Q_EMIT helpRequested(static_cast<QWhatsThisClickedEvent*>(event)->href());
            return true;
        default:
            return false;
    }
}

}  // namespace orrery
