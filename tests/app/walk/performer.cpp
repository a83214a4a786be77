#include "tests/app/walk/performer.h"

#include <QFile>
#include <QJsonArray>
#include <QRegularExpression>

#include "tests/app/walk/target.h"

namespace orrery {

namespace {

constexpr int kPatience = 5000, kLivePatience = 250, kQuietMs = 40;

QString word(const QJsonObject& action, const char* key) {
    return action.value(QLatin1String(key)).toString();
}

QPointF pairOf(const QJsonArray& numbers) {
    return {numbers[0].toDouble(), numbers[1].toDouble()};
}

/// "Ctrl+Shift+\\" by the names of X.
QString chordOfX(const QString& keys) {
    static const QHash<QString, QString> kNames{
        {QStringLiteral("\\"), QStringLiteral("backslash")},
        {QStringLiteral("/"), QStringLiteral("slash")},
        {QStringLiteral("]"), QStringLiteral("bracketright")},
        {QStringLiteral("["), QStringLiteral("bracketleft")},
        {QStringLiteral("="), QStringLiteral("equal")},
        {QStringLiteral("+"), QStringLiteral("plus")},
        {QStringLiteral("-"), QStringLiteral("minus")},
        {QStringLiteral(","), QStringLiteral("comma")},
        {QStringLiteral("Space"), QStringLiteral("space")},
        {QStringLiteral("Backspace"), QStringLiteral("BackSpace")},
        {QStringLiteral("Ctrl"), QStringLiteral("ctrl")},
        {QStringLiteral("Shift"), QStringLiteral("shift")},
        {QStringLiteral("Alt"), QStringLiteral("alt")}};
    QStringList parts;
    QString rest = keys;
    while (rest.contains(u'+') && rest.indexOf(u'+') < rest.size() - 1 && rest.indexOf(u'+') > 0) {
        parts << rest.section(u'+', 0, 0);
        rest = rest.section(u'+', 1);
    }
    parts << (rest.size() == 1 ? rest.toLower() : rest);
    for (QString& part : parts) part = kNames.value(part, part);
    return parts.join(u'+');
}

bool addComment(const QString& file) {
    QFile out(file);
    return out.open(QIODevice::Append) && out.write("# noted elsewhere\n") > 0;
}

}  // namespace

WalkPerformer::WalkPerformer(QSize screen)
    : m_screen(std::make_unique<WalkScreen>(screen)), m_ui(std::make_unique<UiDriver>()) {
    m_ui->setVariable(QStringLiteral("DISPLAY"), qEnvironmentVariable("DISPLAY"));
    m_ui->setQuiet(kQuietMs);
}

bool WalkPerformer::start() {
    return m_ui->start();
}

void WalkPerformer::changeScreen(QSize size) {
    if (size == m_screen->size()) return;
    auto screen = std::make_unique<WalkScreen>(size);
    m_ui->changeScreen();
    m_screen = std::move(screen);
}

bool WalkPerformer::perform(const QJsonObject& action) {
    const bool isDone = carryOut(action);
    if (!m_ui->isRunning() || m_ui->settle(kLivePatience)) return isDone;
    // While a run is at work, nothing is settled.
    const bool isLive = m_ui->look().value(u"run").toObject().value(u"live").toBool();
    if (!isLive && m_ui->isRunning()) m_ui->settleOrLook(kPatience - kLivePatience);
    return isDone;
}

bool WalkPerformer::carryOut(const QJsonObject& action) {
    const QString what = word(action, "do");
    if (what == QLatin1String("key")) {
        m_ui->key(word(action, "keys"));
        return true;
    }
    if (what == QLatin1String("press")) return press(action);
    if (what == QLatin1String("fill")) return fill(action);
    if (what == QLatin1String("carry")) return carry(action);
    if (what == QLatin1String("raise")) return raise();
    if (what == QLatin1String("rewrite")) return addComment(m_ui->path(word(action, "text")));
    // What follows is the main window's; a window beside it may have the keyboard.
    if (what != QLatin1String("file") && !isMainActive()) raise();
    if (what == QLatin1String("command")) return runCommand(action);
    if (what == QLatin1String("open")) return find(QStringLiteral("w ") + word(action, "world"));
    if (what == QLatin1String("view"))
        return find(QStringLiteral("> Show ") + word(action, "name"));
    if (what == QLatin1String("newWorld")) return makeWorld(action);
    const QJsonArray size = action.value(u"size").toArray();
    if (what == QLatin1String("size")) return resize({size[0].toInt(), size[1].toInt()});
    if (what == QLatin1String("drag")) {
        drag(inWindow(action.value(u"from").toArray()), inWindow(action.value(u"to").toArray()));
        return true;
    }
    if (what != QLatin1String("file") || !m_ui->has(QStringLiteral("fileNameEdit"))) return false;
    if (word(action, "text").isEmpty()) {
        m_ui->key(QStringLiteral("Escape"));
        return true;
    }
    // The whole name: a dialog may have been left in a folder that the walk must not touch.
    m_ui->click(QStringLiteral("fileNameEdit"));
    m_ui->key(QStringLiteral("ctrl+a"));
    m_ui->type(m_ui->path(word(action, "text")));
    m_ui->key(QStringLiteral("Return"));
    // One that asks for a file that exists says so; that goes first.
    for (int i = 0; i < 2 && !soon([this] { return !m_ui->has(QStringLiteral("fileNameEdit")); });
         ++i)
        m_ui->key(QStringLiteral("Escape"));
    return true;
}

bool WalkPerformer::press(const QJsonObject& action) {
    const auto place = placeOfTarget(*m_ui, action.value(u"at").toObject(),
                                     pairOf(action.value(u"place").toArray()));
    if (!place || !isOnScreen(*place)) return false;
    const QString how = word(action, "how");
    if (how == QLatin1String("double"))
        m_ui->doubleClick(*place);
    else if (how == QLatin1String("wheel"))
        m_ui->wheel(*place, place->x() % 2 == 0 ? 2 : -2);
    else
        m_ui->click(*place, how == QLatin1String("right")    ? 3
                            : how == QLatin1String("middle") ? 2
                                                             : 1);
    return true;
}

bool WalkPerformer::fill(const QJsonObject& action) {
    const auto place = placeOfTarget(*m_ui, action.value(u"at").toObject(), {0.3, 0.5});
    if (!place || !isOnScreen(*place)) return false;
    m_ui->click(*place);
    m_ui->key(QStringLiteral("ctrl+a"));
    if (word(action, "text").isEmpty())
        m_ui->key(QStringLiteral("Delete"));
    else
        m_ui->type(word(action, "text"));
    if (action.value(u"enter").toBool()) m_ui->key(QStringLiteral("Return"));
    return true;
}

QPoint WalkPerformer::inWindow(const QJsonArray& share) const {
    const QJsonArray size = m_ui->dump().value(u"size").toArray();
    const QRect window = m_ui->placeOf(
        {{QStringLiteral("global"), QJsonArray{0, 0, size[0].toInt(), size[1].toInt()}}});
    return {static_cast<int>(window.width() * share[0].toDouble()),
            static_cast<int>(window.height() * share[1].toDouble())};
}

void WalkPerformer::drag(const QPoint& from, const QPoint& to) {
    const QRect screen(QPoint(), m_screen->size());
    const auto inside = [&](const QPoint& place) {
        return QPoint(std::clamp(place.x(), 0, screen.right()),
                      std::clamp(place.y(), 0, screen.bottom()));
    };
    m_ui->drag(inside(from), inside(to));
}

bool WalkPerformer::carry(const QJsonObject& action) {
    const auto place = placeOfTarget(*m_ui, action.value(u"at").toObject(),
                                     pairOf(action.value(u"place").toArray()));
    if (!place) return false;
    drag(*place, *place + inWindow(action.value(u"by").toArray()));
    return true;
}

bool WalkPerformer::runCommand(const QJsonObject& action) {
    const QString name = word(action, "name"), way = word(action, "way");
    if (way == QLatin1String("keys")) {
        m_ui->key(chordOfX(word(action, "keys")));
        return true;
    }
    const QJsonObject entry = m_ui->action(name);
    if (entry.isEmpty()) return false;
    if (way == QLatin1String("find")) {
        static const QRegularExpression kMarks(QStringLiteral("[&.]|\\.\\.\\."));
        return find(QStringLiteral("> ") + word(entry, "text").remove(kMarks));
    }
    const QString menu = entry.value(u"menus").toArray().first().toString().remove(u'&');
    QPoint place;
    for (const QJsonValue value : m_ui->dump().value(u"actions").toArray()) {
        const QJsonObject each = value.toObject();
        const QJsonArray places = each.value(u"places").toArray();
        if (word(each, "text").remove(u'&') == menu && !places.isEmpty())
            place = m_ui->placeOf({{QStringLiteral("global"), places[0]}}).center();
    }
    if (place.isNull() || !isOnScreen(place)) return false;
    m_ui->click(place);
    const auto item = [&] {
        for (const QJsonObject& each : m_ui->partsOfKind(QStringLiteral("QMenu")))
            for (const QJsonValue value : each.value(u"entries").toArray())
                if (word(value.toObject(), "name") == name) return value.toObject();
        return QJsonObject();
    };
    if (!soon([&] { return !item().isEmpty(); })) return false;
    const QPoint line = m_ui->placeOf(item()).center();
    if (!isOnScreen(line)) return false;
    m_ui->click(line);
    return true;
}

bool WalkPerformer::find(const QString& text) {
    m_ui->key(QStringLiteral("ctrl+k"));
    if (!soon([this] { return m_ui->part(QStringLiteral("locator")).value(u"focus").toBool(); }))
        return false;
    m_ui->key(QStringLiteral("ctrl+a"));
    m_ui->type(text);
    if (!soon([this] { return m_ui->has(QStringLiteral("locatorPopup")); })) return false;
    m_ui->key(QStringLiteral("Return"));
    return true;
}

bool WalkPerformer::makeWorld(const QJsonObject& action) {
    m_ui->key(QStringLiteral("ctrl+shift+n"));
    if (!soon([this] { return m_ui->has(QStringLiteral("newWorldHumans")); })) return false;
    for (const auto& [field, key] : {std::pair("newWorldHumans", "humans"),
                                     {"newWorldWidth", "width"},
                                     {"newWorldHeight", "height"}}) {
        const QString number = QString::number(action.value(QLatin1String(key)).toInt());
        if (!fill({{QStringLiteral("at"),
                    QJsonObject{{QStringLiteral("window"), QStringLiteral("newWorldDialog")},
                                {QStringLiteral("name"), QLatin1String(field)},
                                {QStringLiteral("kind"), QStringLiteral("QSpinBox")}}},
                   {QStringLiteral("text"), number}}))
            return false;
    }
    m_ui->look();
    return m_ui->has(QStringLiteral("createWorld")) && m_ui->click(QStringLiteral("createWorld"));
}

/// @param size  empty: maximized, or no longer so
bool WalkPerformer::resize(QSize size) {
    if (size.isEmpty() || m_ui->dump().value(u"maximized").toBool()) m_ui->toggleMaximized();
    if (size.isEmpty()) return true;
    // A window manager lets none be smaller than the window asks for, and there is none here.
    const double ratio = m_ui->dump().value(u"ratio").toDouble(1);
    const QSize fits =
        size.expandedTo((QSizeF(kLeastSize) * ratio).toSize()).boundedTo(m_screen->size());
    return toWindow(QStringLiteral("--onlyvisible"),
                    QStringLiteral("windowmove $id 0 0 windowsize $id %1 %2")
                        .arg(fits.width())
                        .arg(fits.height()));
}

bool WalkPerformer::isMainActive() const {
    for (const QJsonValue value : m_ui->dump().value(u"windows").toArray()) {
        const QJsonObject window = value.toObject();
        if (word(window, "name") == QLatin1String("mainWindow"))
            return window.value(u"active").toBool();
    }
    return false;
}

/// Takes it out again where quitting put it away until its work is done.
bool WalkPerformer::raise() {
    return toWindow({}, QStringLiteral("windowactivate $id"));
}

bool WalkPerformer::toWindow(const QString& which, const QString& what) {
    const QString script =
        QStringLiteral(
            "id=$(xdotool search %1 --pid %2 --name Orrery | head -1) && xdotool %3 2>/dev/null")
            .arg(which)
            .arg(m_ui->pid())
            .arg(what);
    return QProcess::execute(QStringLiteral("sh"), {QStringLiteral("-c"), script}) == 0;
}

/// A run may go on for hours, and saving asks for a file.
bool WalkPerformer::answerQuit() {
    for (const char* now : {"cancelAndQuit", "cancelJobsAndQuit"})
        if (m_ui->has(QLatin1String(now))) return m_ui->click(QLatin1String(now));
    for (const QJsonObject& button : m_ui->partsOfKind(QStringLiteral("QPushButton")))
        if (word(button, "window") == QLatin1String("unsavedBox") &&
            word(button, "text") == QLatin1String("Discard")) {
            m_ui->click(m_ui->placeOf(button).center());
            m_hasDiscarded = true;
            return true;
        }
    return false;
}

bool WalkPerformer::quit() {
    constexpr int kTries = 20, kWait = 500;
    // What asks may lie behind the window.
    const auto toFront = [this] {
        bool isAsked = false;
        for (const QJsonValue value : m_ui->dump().value(u"windows").toArray()) {
            const QJsonObject window = value.toObject();
            if (word(window, "name") == QLatin1String("mainWindow")) continue;
            isAsked = isAsked || word(window, "kind") == QLatin1String("QMessageBox");
            const QPoint corner = m_ui->placeOf(window).topLeft() + QPoint(4, 4);
            if (isOnScreen(corner)) m_ui->click(corner);
        }
        return isAsked;
    };
    m_hasDiscarded = false;
    if (m_ui->dump().value(u"minimized").toBool()) raise();
    for (int i = 0; i < kTries; ++i) {
        // One question may follow another: what is unsaved, then what is at work.
        if (!answerQuit()) {
            m_ui->key(QStringLiteral("Escape"));  // menus and dialogs go first
            m_ui->key(QStringLiteral("ctrl+q"));
            if (m_ui->waitForEnd(kWait)) return true;
            m_ui->look();
            if (!answerQuit() && toFront()) m_ui->key(QStringLiteral("Return"));
        }
        if (m_ui->waitForEnd(kWait * (i + 1))) return true;
        m_ui->look();
    }
    return false;
}

}  // namespace orrery
