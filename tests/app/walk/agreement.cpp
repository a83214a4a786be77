#include "tests/app/walk/agreement.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <optional>

#include "tests/app/walk/json_text.h"
#include "tests/support/ui_driver.h"

namespace orrery {

namespace {

const QLatin1String kPinnedIn("the pinned state in ");

/// A text as it is read: without tags, numbers without their thin spaces.
QString plain(QString text) {
    static const QRegularExpression kTags(QStringLiteral("<[^>]*>|&nbsp;")),
        kGrouped(QStringLiteral("(?<=\\d)[\\s\\x{202f}\\x{2009}](?=\\d{3})"));
    text.replace(kTags, QStringLiteral(" ")).remove(kGrouped);
    return text.replace(QLatin1String("&lt;"), QLatin1String("<"))
        .replace(QLatin1String("&gt;"), QLatin1String(">"))
        .replace(QLatin1String("&quot;"), QLatin1String("\""))
        .replace(QLatin1String("&amp;"), QLatin1String("&"));
}

std::optional<qint64> numberIn(const QString& text, const char* pattern) {
    const auto match = QRegularExpression(QLatin1String(pattern)).match(text);
    return match.hasMatch() ? std::optional(match.captured(1).toLongLong()) : std::nullopt;
}

/// The one part of a name that is in sight; empty if there are several.
QJsonObject onlyPart(const UiDriver& ui, const char* name) {
    QJsonObject found;
    for (const QJsonObject& part : ui.partsBeginning(QLatin1String(name))) {
        if (textOf(part, "name") != QLatin1String(name) || part.value(u"hidden").toBool()) continue;
        if (!found.isEmpty()) return {};
        found = part;
    }
    return found;
}

class Agreement {
public:
    explicit Agreement(const UiDriver& ui)
        : m_ui(ui),
          m_dump(ui.dump()),
          m_session(m_dump.value(u"session").toObject()),
          m_scopes(m_dump.value(u"scopes").toObject()),
          m_isOpen(m_session.value(u"open").toBool()) {}

    QStringList take() {
        if (!m_dump.value(u"settled").toBool()) return {};
        const QString perspective = textOf(m_dump, "perspective");
        const QJsonObject training = m_dump.value(u"training").toObject();
        const QString breadcrumb = plain(m_ui.text(QStringLiteral("breadcrumb")));
        if (perspective == QLatin1String("train") && training.value(u"shown").toBool()) {
            contains("the title", textOf(m_dump, "title"), textOf(training, "title"));
            contains("the breadcrumb", breadcrumb, textOf(training, "title"));
        } else {
            if (m_isOpen)
                contains("the title", textOf(m_dump, "title"), textOf(m_session, "world"));
            if (perspective == QLatin1String("compare"))
                seeCompared(breadcrumb);
            else if (m_isOpen)
                seeCrumbs(breadcrumb);
        }
        seeScopes();
        seeChips();
        seeInspector();
        seeStatus();
        return m_found;
    }

private:
    /// What was shortened for want of room names less.
    void contains(const char* who, const QString& says, const QString& what) {
        if (!says.contains(u'…') && !says.contains(what))
            m_found << QStringLiteral("%1 says '%2' and does not name '%3'")
                           .arg(QLatin1String(who), says, what);
    }

    void hasPlace(const QString& who, const QString& says) {
        const auto step = m_session.value(u"step").toInteger(),
                   state = m_session.value(u"state").toInteger();
        const auto saidStep = numberIn(says, "\\bt (\\d+)"),
                   saidState = numberIn(says, "\\bs (\\d+)");
        if ((saidStep && *saidStep != step) || (saidState && *saidState != state))
            m_found
                << QStringLiteral("%1 says '%2' at t %3, s %4").arg(who, says).arg(step).arg(state);
    }

    void seeCrumbs(const QString& breadcrumb) {
        contains("the breadcrumb", breadcrumb, textOf(m_session, "world"));
        contains("the breadcrumb", breadcrumb, textOf(m_session, "runName"));
        hasPlace(QStringLiteral("the breadcrumb"), breadcrumb.section(QStringLiteral(" › "), 1));
    }

    void seeCompared(const QString& breadcrumb) {
        const qint64 runs = m_dump.value(u"selectionSets").toArray().at(0).toInteger();
        if (const auto said = numberIn(breadcrumb, "^\\s*(\\d+) runs? compared");
            said && *said != runs)
            m_found
                << QStringLiteral("the breadcrumb says '%1' of %2 runs").arg(breadcrumb).arg(runs);
    }

    /// Views that follow show the session.
    void seeScopes() {
        for (auto it = m_scopes.begin(); it != m_scopes.end(); ++it) {
            const QJsonObject scope = it->toObject();
            if (scope.value(u"frozen").toBool()) continue;
            const QString who = QStringLiteral("%1, which follows,").arg(it.key());
            for (const char* key : {"world", "run"})
                if (scope.contains(QLatin1String(key)) &&
                    textOf(scope, key) != textOf(m_session, key))
                    m_found << QStringLiteral("%1 has the %2 '%3', the session '%4'")
                                   .arg(who, QLatin1String(key), textOf(scope, key),
                                        textOf(m_session, key));
            const QString says = plain(textOf(scope, "text"));
            const qint64 runs = m_dump.value(u"selectionSets").toArray().at(0).toInteger();
            if (const auto said = numberIn(says, "^(\\d+) runs?$")) {
                if (*said != runs)
                    m_found << QStringLiteral("%1 says '%2' of %3 runs").arg(who, says).arg(runs);
            } else if (m_isOpen)
                // A world may be called "t 3".
                hasPlace(who, says.section(QStringLiteral(" · "), -2));
        }
    }

    /// What stands in a tab or a title row is what its view shows.
    void seeChips() {
        static const QRegularExpression kChip(
            QStringLiteral("( is frozen at | follows the selection: )(.*?)\\. Click to"));
        for (const QJsonObject& chip : m_ui.partsBeginning(QStringLiteral("scopeChip"))) {
            const auto says = kChip.match(textOf(chip, "tip"));
            if (!says.hasMatch() || says.captured(2).isEmpty()) continue;
            const bool isFrozen = says.captured(1).contains(QLatin1String("frozen"));
            bool isKnown = false;
            for (const QJsonValue value : m_scopes) {
                const QJsonObject scope = value.toObject();
                isKnown = isKnown || (textOf(scope, "text") == says.captured(2) &&
                                      scope.value(u"frozen").toBool() == isFrozen);
            }
            if (!isKnown)
                m_found << QStringLiteral("a chip says '%1', and no view in sight does")
                               .arg(says.captured(0));
        }
    }

    /// The inspector of the session; one that is frozen says something else.
    void seeInspector() {
        if (!m_isOpen || m_scopes.value(u"inspector").toObject().value(u"frozen").toBool(true))
            return;
        const QString title = textOf(onlyPart(m_ui, "stateTitle"), "text"),
                      subtitle = textOf(onlyPart(m_ui, "stateSubtitle"), "text");
        hasPlace(QStringLiteral("the inspector"), plain(title));
        const auto step = m_session.value(u"step").toInteger();
        if (const auto level = numberIn(subtitle, "^level (\\d+) of"); level && *level != step)
            m_found << QStringLiteral("the inspector says '%1' at t %2").arg(subtitle).arg(step);
        if (title.startsWith(QLatin1String("B: ")) && !m_ui.has(QStringLiteral("pinnedName")))
            m_found << QStringLiteral("the inspector says '%1' and names no A").arg(title);
    }

    void seeStatus() {
        const QString says = m_ui.text(QStringLiteral("statusText")),
                      numbers = plain(m_ui.text(QStringLiteral("statusNumbers")));
        if (says.isEmpty() || m_dump.value(u"run").toObject().value(u"live").toBool()) return;
        const bool isSolved = m_session.value(u"solved").toBool();
        const QStringList right =
            isSolved   ? QStringList{QStringLiteral("Solved"), QStringLiteral("Exploring")}
            : m_isOpen ? QStringList{QStringLiteral("Not solved")}
                       : QStringList{QStringLiteral("Ready")};
        // In a perspective that a guest brings, its own words may stand there, but no wrong ones.
        static const QStringList kAboutSolving{
            QStringLiteral("Solved"), QStringLiteral("Exploring"), QStringLiteral("Not solved"),
            QStringLiteral("Ready")};
        static const QStringList kOwn{QStringLiteral("home"), QStringLiteral("world"),
                                      QStringLiteral("plan"), QStringLiteral("train"),
                                      QStringLiteral("compare")};
        const bool isGuests = !kOwn.contains(textOf(m_dump, "perspective"));
        if (!right.contains(says) && !(isGuests && !kAboutSolving.contains(says)))
            m_found << QStringLiteral("the status says '%1', not '%2'").arg(says, right.first());
        if (const auto states = numberIn(numbers, "^(\\d+) states");
            isSolved && states && *states != m_session.value(u"states").toInteger())
            m_found << QStringLiteral("the status says '%1' of %2 states")
                           .arg(numbers)
                           .arg(m_session.value(u"states").toInteger());
    }

    const UiDriver& m_ui;
    const QJsonObject& m_dump;
    QJsonObject m_session, m_scopes;
    bool m_isOpen;
    QStringList m_found;
};

/// Texts of the frozen views in sight, and the state that is pinned in the world that is open: an
/// unsolved one has levels and no numbers of states. Values that belong to no stored run, as those
/// that a training is compared with, are not there after a restart, nor are numbers by them.
QJsonObject heldIn(const UiDriver& ui) {
    QJsonObject held;
    const QJsonObject session = ui.dump().value(u"session").toObject();
    const QJsonObject scopes = ui.dump().value(u"scopes").toObject();
    for (auto it = scopes.begin(); it != scopes.end(); ++it)
        if (const QJsonObject scope = it->toObject(); scope.value(u"frozen").toBool()) {
            QString text = textOf(scope, "text");
            if (textOf(scope, "run").isEmpty()) text = text.section(QStringLiteral(", s "), 0, 0);
            held.insert(it.key(), text);
        }
    if (const QJsonObject pinned = onlyPart(ui, "pinnedName"); !pinned.isEmpty())
        held.insert(kPinnedIn + textOf(session, "world") +
                        QLatin1String(session.value(u"solved").toBool() ? ", solved" : ""),
                    plain(textOf(pinned, "text")).remove(QLatin1String(" has no values here")));
    return held;
}

/// An action that may pin another state.
bool mayPin(const QJsonObject& action) {
    const QByteArray text = QJsonDocument(action).toJson().toLower();
    return text.contains("pin") || textOf(action, "do") == QLatin1String("key");
}

QStringList differences(const QJsonObject& before, const QJsonObject& now) {
    QStringList found;
    for (auto it = now.begin(); it != now.end(); ++it)
        if (before.contains(it.key()) && before.value(it.key()) != *it)
            found << QStringLiteral("%1 was frozen at '%2' and shows '%3'")
                         .arg(it.key(), before.value(it.key()).toString(), it->toString());
    return found;
}

}  // namespace

QStringList disagreements(const UiDriver& ui) {
    return Agreement(ui).take();
}

QStringList FrozenViews::see(const UiDriver& ui, const QJsonObject& action) {
    const QJsonObject held = heldIn(ui);
    QJsonObject before = std::exchange(m_held, held);
    before.remove(QStringLiteral("compare"));  // the checks of a frozen one are its own
    if (mayPin(action))
        for (const QString& key : before.keys())
            if (key.startsWith(kPinnedIn)) before.remove(key);
    // Two clicks freeze anew, and so may a way through the undo stack.
    const QJsonObject at = action.value(u"at").toObject();
    if (textOf(action, "how") == QLatin1String("double") ||
        textOf(at, "name") == QLatin1String("undoHistory"))
        return {};
    return differences(before, held);
}

QStringList FrozenViews::seeRestored(const UiDriver& ui) const {
    return differences(m_held, heldIn(ui));
}

}  // namespace orrery
