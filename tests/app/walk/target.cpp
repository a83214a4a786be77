#include "tests/app/walk/target.h"

#include <QJsonArray>
#include <QMap>
#include <QRegularExpression>

#include "tests/app/walk/json_text.h"
#include "tests/support/ui_driver.h"

namespace orrery {

namespace {

constexpr qsizetype kFew = 15;

/// How the items of a part are kept in a dump, and what names one of them.
struct ItemKind {
    const char* list;
    const char* name;  ///< of its entries
    bool isNumbered;   ///< by row and column instead
};

constexpr ItemKind kItemKinds[] = {{"spots", "name", false},
                                   {"cells", "", true},
                                   {"headers", "column", true},
                                   {"tabs", "text", false},
                                   {"entries", "text", false}};

QJsonObject itemJson(const ItemKind& kind, const QJsonObject& entry) {
    if (!kind.isNumbered)
        return {{QStringLiteral("of"), QLatin1String(kind.list)},
                {QStringLiteral("name"), entry.value(QLatin1String(kind.name))}};
    return {{QStringLiteral("of"), QLatin1String(kind.list)},
            {QStringLiteral("row"), entry.value(u"row").toInt()},
            {QStringLiteral("column"), entry.value(u"column").toInt()}};
}

/// @param isShort  a list of so few rows that each is something of its own
QString itemReach(const ItemKind& kind, const QJsonObject& entry, bool isShort) {
    if (isShort) return withoutNumbers(textOf(entry, "text")).left(40);
    if (!kind.isNumbered) return withoutNumbers(textOf(entry, kind.name)).left(40);
    return QStringLiteral("%1 column %2")
        .arg(QLatin1String(kind.list))
        .arg(entry.value(u"column").toInt());
}

/// Names of what is counted apart from others of its kind.
QString partName(const QJsonObject& part) {
    const QString name = textOf(part, "name");
    return name.isEmpty() ? textOf(part, "kind") + u' ' + textOf(part, "text").left(30) : name;
}

bool isAt(const QJsonObject& part, const QJsonObject& target) {
    for (const char* key : {"window", "name", "kind"})
        if (target.contains(QLatin1String(key)) && textOf(part, key) != textOf(target, key))
            return false;
    return !target.contains(u"text") || textOf(part, "text") == textOf(target, "text");
}

bool isInSight(const QJsonObject& part) {
    return !part.value(u"hidden").toBool() || part.contains(u"spots");
}

class Finder {
public:
    explicit Finder(const UiDriver& ui) {
        const QJsonArray parts = ui.dump().value(u"widgets").toArray();
        for (const QJsonValue value : parts) add(value.toObject());
    }
    std::vector<WalkTarget> take() { return std::move(m_targets); }

private:
    void add(const QJsonObject& part) {
        if (!isInSight(part)) return;
        WalkTarget target;
        for (const char* key : {"window", "name", "kind"})
            target.json.insert(QLatin1String(key), textOf(part, key));
        // A button without a name is known by what it says.
        if (textOf(part, "name").isEmpty() && part.contains(u"text"))
            target.json.insert(QStringLiteral("text"), textOf(part, "text"));
        const QString key = textOf(part, "window") + u'/' + partName(part);
        if (const int nth = m_seen[key]++; nth > 0) target.json.insert(QStringLiteral("nth"), nth);
        target.window = textOf(part, part.contains(u"window") ? "window" : "name");
        target.reach = (target.window.isEmpty() ? partName(part) : target.window) + u'/' +
                       withoutNumbers(partName(part));
        target.isEnabled = part.value(u"enabled").toBool(true);
        const QString kind = textOf(part, "kind");
        target.takesText = part.value(u"input").toBool() &&
                           (part.contains(u"cursor") || kind.endsWith(QLatin1String("SpinBox")) ||
                            kind.endsWith(QLatin1String("TextEdit")));
        const std::size_t before = m_targets.size();
        target.isColumn = part.value(u"columns").toInt() == 1;
        for (const ItemKind& each : kItemKinds) {
            const QJsonArray items = part.value(QLatin1String(each.list)).toArray();
            for (const QJsonValue item : items)
                addItem(target, each, item.toObject(), items.size());
        }
        target.isSplit = m_targets.size() > before;
        if (part.value(u"input").toBool() || target.isSplit) m_targets.push_back(target);
    }

    void addItem(const WalkTarget& whole, const ItemKind& kind, const QJsonObject& entry,
                 qsizetype count) {
        WalkTarget one = whole;
        one.json.insert(QStringLiteral("item"), itemJson(kind, entry));
        const bool isShort = kind.isNumbered && whole.isColumn && count <= kFew;
        one.reach += u'/' + itemReach(kind, entry, isShort);
        one.isOfMany = count > kFew;
        one.isEnabled = one.isEnabled && entry.value(u"enabled").toBool(true);
        m_targets.push_back(one);
    }

    QMap<QString, int> m_seen;
    std::vector<WalkTarget> m_targets;
};

/// The entry of an item in a part, or nothing.
QJsonObject itemOf(const QJsonObject& part, const QJsonObject& item) {
    for (const ItemKind& kind : kItemKinds) {
        if (textOf(item, "of") != QLatin1String(kind.list)) continue;
        for (const QJsonValue value : part.value(QLatin1String(kind.list)).toArray())
            if (itemJson(kind, value.toObject()) == item) return value.toObject();
    }
    return {};
}

}  // namespace

QString withoutNumbers(QString name) {
    static const QRegularExpression kNumber(QStringLiteral("[0-9]+(\\.[0-9]+)?"));
    return name.replace(kNumber, QStringLiteral("#"));
}

std::vector<WalkTarget> walkTargets(const UiDriver& ui) {
    return Finder(ui).take();
}

std::optional<QPoint> placeOfTarget(const UiDriver& ui, const QJsonObject& target, QPointF place) {
    int nth = target.value(u"nth").toInt();
    for (const QJsonValue value : ui.dump().value(u"widgets").toArray()) {
        const QJsonObject part = value.toObject();
        if (!isInSight(part) || !isAt(part, target) || nth-- > 0) continue;
        const QJsonObject item = target.value(u"item").toObject();
        const QJsonObject entry = item.isEmpty() ? part : itemOf(part, item);
        if (entry.isEmpty()) return std::nullopt;
        const QRect rect = ui.placeOf(entry);
        return rect.topLeft() + QPoint(static_cast<int>((rect.width() - 1) * place.x()),
                                       static_cast<int>((rect.height() - 1) * place.y()));
    }
    return std::nullopt;
}

}  // namespace orrery
