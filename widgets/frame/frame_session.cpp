#include <QJsonArray>
#include <QJsonDocument>
#include <QtEndian>
#include <algorithm>
#include <functional>

#include "widgets/frame/frame.h"
#include "widgets/frame/side_panel.h"
#include "widgets/frame/view_scope.h"

// What the frame keeps from start to start, and how a file of an older program gets the views that
// it does not know.

namespace orrery {

namespace {

constexpr int kFrameFormat = 1;

QStringList tabsOf(const QJsonObject& group) {
    QStringList ids;
    for (const QJsonValue tab : group.value(u"tabs").toArray()) ids << tab.toString();
    return ids;
}

/// Calls `visit` for each group of tabs in a state of the centre and takes over what it changes.
QJsonObject eachGroup(QJsonObject part, const std::function<void(QJsonObject&)>& visit) {
    QJsonArray parts = part.value(u"parts").toArray();
    if (parts.isEmpty()) {
        visit(part);
        return part;
    }
    for (qsizetype i = 0; i < parts.size(); ++i) parts[i] = eachGroup(parts[i].toObject(), visit);
    part.insert(QStringLiteral("parts"), parts);
    return part;
}

QStringList viewsIn(const QJsonObject& centre) {
    QStringList ids;
    eachGroup(centre, [&](QJsonObject& group) { ids << tabsOf(group); });
    return ids;
}

/// A group of its own beside or below everything, as the factory's arrangement is divided.
QJsonObject beside(const QJsonObject& centre, const QJsonObject& group,
                   const QJsonObject& factory) {
    const QJsonValue split = factory.value(u"split");
    const QJsonArray factorySizes = factory.value(u"sizes").toArray();
    const int size = factorySizes.isEmpty() ? 200 : factorySizes.last().toInt();
    if (centre.value(u"split") == split && split.isString()) {
        QJsonObject wider = centre;
        QJsonArray parts = centre.value(u"parts").toArray(),
                   sizes = centre.value(u"sizes").toArray();
        parts.append(group);
        sizes.append(size);
        wider.insert(QStringLiteral("parts"), parts);
        wider.insert(QStringLiteral("sizes"), sizes);
        return wider;
    }
    return {{QStringLiteral("split"), split.isString() ? split : QStringLiteral("vertical")},
            {QStringLiteral("sizes"), QJsonArray{3 * size, size}},
            {QStringLiteral("parts"), QJsonArray{centre, group}}};
}

/// Puts views where the factory's arrangement has them: beside their neighbours there, else into a
/// group of their own.
QJsonObject withViews(QJsonObject centre, const QJsonObject& factory, const QStringList& added) {
    eachGroup(factory, [&](QJsonObject& group) {
        QStringList all = tabsOf(group), fresh;
        std::ranges::copy_if(all, std::back_inserter(fresh),
                             [&](const QString& id) { return added.contains(id); });
        if (fresh.isEmpty()) return;
        bool isPlaced = false;
        centre = eachGroup(centre, [&](QJsonObject& own) {
            QStringList tabs = tabsOf(own);
            const bool isNeighbour = std::ranges::any_of(
                tabs, [&](const QString& id) { return all.contains(id) && !fresh.contains(id); });
            if (isPlaced || !isNeighbour) return;
            isPlaced = true;
            own.insert(QStringLiteral("tabs"), QJsonArray::fromStringList(tabs + fresh));
        });
        if (isPlaced) return;
        QJsonObject own = group;
        own.insert(QStringLiteral("tabs"), QJsonArray::fromStringList(fresh));
        centre = beside(centre, own, factory);
    });
    return centre;
}

/// Whether a state of QMainWindow tells of a panel, shown or hidden.
bool knowsPanel(const QByteArray& state, const QString& objectName) {
    QByteArray name(objectName.size() * 2, Qt::Uninitialized);
    qToBigEndian<quint16>(objectName.utf16(), objectName.size(), name.data());
    return state.contains(name);
}

}  // namespace

QJsonObject Frame::saveFrame() const {
    QHash<QString, Arrangement> all = m_arrangements;
    all.insert(keyOf(m_perspective, m_isSmall), arrangement());
    QJsonObject saved;
    for (const Arrangement& each : all)
        saved.insert(
            keyOf(each.perspective, each.isSmall),
            QJsonObject{
                {QStringLiteral("panels"), QString::fromLatin1(each.panels.toBase64())},
                {QStringLiteral("centre"), each.centre},
                {QStringLiteral("extraPanels"), QJsonArray::fromStringList(each.extraPanels)}});
    QJsonObject states, scopes;
    for (auto state = m_viewStates.begin(); state != m_viewStates.end(); ++state)
        states.insert(state.key(), state.value());
    for (const QString& id : instances()) {
        const SidePanel* panel = m_panels.value(id);
        const QWidget* widget = panel ? panel->made() : m_centreWidgets.value(id);
        if (const auto* keeper = dynamic_cast<const KeepsState*>(widget))
            states.insert(id, keeper->saveState());
    }
    for (auto scope = m_scopes.begin(); scope != m_scopes.end(); ++scope)
        if (const QJsonObject scopeState = scope.value()->saveState(); !scopeState.isEmpty())
            scopes.insert(scope.key(), scopeState);
    QJsonArray known;
    for (const ViewSpec& spec : m_views) known.append(spec.id);
    return {{QStringLiteral("version"), kFrameFormat},
            {QStringLiteral("perspective"), m_perspective},
            {QStringLiteral("knownViews"), known},
            {QStringLiteral("arrangements"), saved},
            {QStringLiteral("views"), states},
            {QStringLiteral("scopes"), scopes},
            {QStringLiteral("pictures"), savedPictures()}};
}

/// A perspective as a file has it, with the views that the program which wrote it did not have. A
/// file without the list of its views is of such a program.
Arrangement Frame::completed(const PerspectiveSpec& spec, const QJsonObject& saved,
                             const std::optional<QStringList>& known) {
    Arrangement restored{
        spec.id, QByteArray::fromBase64(saved.value(u"panels").toString().toLatin1()),
        saved.value(u"centre").toObject(), saved.value(u"extraPanels").toVariant().toStringList()};
    const QJsonObject factory = factoryArrangement(spec).centre;
    const QStringList shown = viewsIn(restored.centre);
    QStringList added;
    for (const QString& id : viewsIn(factory))
        if (!shown.contains(id) && !(known && known->contains(id))) added << id;
    if (!added.isEmpty())
        restored.centre = shown.isEmpty() ? factory : withViews(restored.centre, factory, added);
    for (const QString& id : spec.panels) {
        const SidePanel* panel = m_panels.value(id);
        if (panel && !restored.panels.isEmpty() &&
            !knowsPanel(restored.panels, panel->objectName()))
            m_newPanels[spec.id] << id;
    }
    return restored;
}

/// Views of a file's arrangements that this program does not have.
QStringList Frame::goneViews(const QJsonObject& arrangements, const QStringList& known) const {
    QStringList gone;
    for (const QJsonValue each : arrangements) {
        for (const QString& id : viewsIn(each.toObject().value(u"centre").toObject()))
            if (!specOf(id)) gone << id;
        const QByteArray panels =
            QByteArray::fromBase64(each.toObject().value(u"panels").toString().toLatin1());
        for (const QString& id : known)
            if (!specOf(id) && knowsPanel(panels, SidePanel::nameOf(id))) gone << id;
    }
    gone.removeDuplicates();
    return gone;
}

void Frame::restoreFrame(const QJsonObject& state) {
    if (state.value(u"version").toInt() != kFrameFormat) return;
    std::optional<QStringList> known;
    if (state.contains(u"knownViews"))
        known = state.value(u"knownViews").toVariant().toStringList();
    const QJsonObject saved = state.value(u"arrangements").toObject();
    if (const QStringList gone = goneViews(saved, known.value_or(QStringList())); !gone.isEmpty())
        say(MessageKind::Info,
            tr("Left out of the last session, because this version does not have it: %1.")
                .arg(gone.join(QStringLiteral(", "))));
    for (const PerspectiveSpec& spec : m_perspectives) {
        for (const bool isSmall : {false, true}) {
            const QString key = keyOf(spec.id, isSmall);
            const QJsonObject each = saved.value(key).toObject();
            if (each.isEmpty()) continue;
            Arrangement restored = completed(spec, each, known);
            restored.isSmall = isSmall;
            m_arrangements.insert(key, restored);
        }
    }
    const QJsonObject states = state.value(u"views").toObject();
    for (const QString& id : states.keys()) {
        if (!specOf(id)) continue;
        m_viewStates.insert(id, states.value(id).toObject());
        SidePanel* panel = m_panels.value(id);
        QWidget* widget = panel ? panel->made() : m_centreWidgets.value(id);
        if (auto* keeper = dynamic_cast<KeepsState*>(widget))
            keeper->restoreState(m_viewStates.value(id));
    }
    const QJsonObject pictures = state.value(u"pictures").toObject();
    for (const QString& id : pictures.keys())
        if (specOf(id)) m_pictures.insert(id, pictures.value(id).toObject());
    const QJsonObject scopes = state.value(u"scopes").toObject();
    for (const QString& id : scopes.keys())
        if (ViewScope* scope = this->scope(id)) scope->restoreState(scopes.value(id).toObject());
    const PerspectiveSpec& shown = perspectiveSpec(state.value(u"perspective").toString());
    m_isSmall = wantsSmall(shown);
    arrange(wantedArrangement(shown));
    m_undo.clear();
}

}  // namespace orrery
