// Views of which there are several, and what each of them shows.
#include <QApplication>
#include <QTimer>
#include <QUndoCommand>
#include <algorithm>

#include "widgets/common/draws_figure.h"
#include "widgets/frame/centre_area.h"
#include "widgets/frame/frame.h"
#include "widgets/frame/side_panel.h"
#include "widgets/frame/view_scope.h"

namespace orrery {

namespace {

constexpr int kMostInstances = 9;
constexpr int kSplitWidth = 800;  ///< pixels of a group that two views can share side by side

QString kindOfView(const QString& id) {
    return id.section(u'~', 0, 0);
}

/// 1 for "world", 2 for "world~2"; 0 if the id is none.
int numberOfView(const QString& id) {
    if (!id.contains(u'~')) return 1;
    bool isNumber = false;
    const int number = id.section(u'~', 1).toInt(&isNumber);
    return isNumber && number >= 2 && number <= kMostInstances ? number : 0;
}

/// What a view draws, if its choices are kept with that and not by itself.
DrawsFigure* pictureOf(QWidget* view) {
    if (!view || dynamic_cast<KeepsState*>(view)) return nullptr;
    if (auto* drawer = dynamic_cast<DrawsFigure*>(view)) return drawer;
    for (QWidget* part : view->findChildren<QWidget*>())
        if (auto* drawer = dynamic_cast<DrawsFigure*>(part)) return drawer;
    return nullptr;
}

}  // namespace

/// Freezing an instance, or letting it follow again.
class FreezeCommand : public QUndoCommand {
public:
    FreezeCommand(Frame* frame, QString id, ViewScope::Memento before, ViewScope::Memento after,
                  const QString& text)
        : QUndoCommand(text),
          m_frame(frame),
          m_id(std::move(id)),
          m_before(std::move(before)),
          m_after(std::move(after)) {}

    void undo() override { bringBack(m_before); }
    void redo() override {
        if (m_isDone) bringBack(m_after);
        m_isDone = true;
    }

private:
    void bringBack(const ViewScope::Memento& memento) {
        if (ViewScope* scope = m_frame->scope(m_id)) memento(*scope);
    }

    Frame* m_frame;
    QString m_id;
    ViewScope::Memento m_before, m_after;
    bool m_isDone = false;  ///< it was carried out before it came on the stack
};

const ViewSpec* Frame::specOf(const QString& id) const {
    const auto found = std::ranges::find(m_views, kindOfView(id), &ViewSpec::id);
    if (found == m_views.end()) return nullptr;
    const int number = numberOfView(id);
    return number == 1 || (number > 1 && canBeSeveral(&*found)) ? &*found : nullptr;
}

bool Frame::canBeSeveral(const ViewSpec* spec) const {
    return spec && spec->makeScope && spec->makeScoped;
}

QString Frame::titleOf(const QString& id) const {
    const ViewSpec* spec = specOf(id);
    if (!spec) return id;
    const int number = numberOfView(id);
    return number == 1 ? spec->title : tr("%1 %2").arg(spec->title).arg(number);
}

void Frame::setSubject(const QString& id, const QString& subject) {
    if (m_subjects.value(id) == subject) return;
    m_subjects.insert(id, subject);
    m_centre->refreshTitle(id);
}

QStringList Frame::instances() const {
    QStringList ids = m_centreWidgets.keys() + m_panels.keys();
    ids.sort();
    return ids;
}

QWidget* Frame::made(const ViewSpec& spec, const QString& id, QWidget* parent) {
    QWidget* widget = canBeSeveral(&spec) ? spec.makeScoped(*scope(id), numberOfView(id), parent)
                                          : spec.make(parent);
    if (numberOfView(id) > 1 && !widget->objectName().isEmpty())
        widget->setObjectName(widget->objectName() + id.mid(id.indexOf(u'~')));
    if (auto* keeper = dynamic_cast<KeepsState*>(widget); keeper && m_viewStates.contains(id))
        keeper->restoreState(m_viewStates.value(id));
    keepMessagesOf(widget, titleOf(id));
    return widget;
}

SidePanel* Frame::panel(const QString& id) {
    if (SidePanel* known = m_panels.value(id)) return known;
    const ViewSpec* spec = specOf(id);
    if (!spec || spec->place == ViewPlace::Centre || id == spec->id) return nullptr;
    return addPanel(*spec, id);
}

ViewScope* Frame::scope(const QString& id) {
    if (ViewScope* known = m_scopes.value(id)) return known;
    const ViewSpec* spec = specOf(id);
    if (!canBeSeveral(spec)) return nullptr;
    ViewScope* scope = spec->makeScope(this);
    connect(scope, &ViewScope::changed, this, [this, id] { Q_EMIT scopeChanged(id); });
    m_scopes.insert(id, scope);
    return scope;
}

QString Frame::instanceAround(const QWidget* widget) const {
    for (; widget && widget != this; widget = widget->parentWidget()) {
        auto* one = const_cast<QWidget*>(widget);
        if (QString id = m_centreWidgets.key(one); !id.isEmpty()) return id;
        if (auto* panel = qobject_cast<SidePanel*>(one)) return m_panels.key(panel);
    }
    return {};
}

const ViewSpec* Frame::viewAround(const QWidget* widget) const {
    const QString id = instanceAround(widget);
    return id.isEmpty() ? nullptr : specOf(id);
}

QString Frame::meantView() const {
    const QString focused = instanceAround(QApplication::focusWidget());
    return m_panels.contains(focused) ? focused : m_centre->currentView();
}

QString Frame::freeInstance(const QString& kind) const {
    for (int number = 2; number <= kMostInstances; ++number)
        if (QString id = QStringLiteral("%1~%2").arg(kind).arg(number); !isViewShown(id)) return id;
    return {};
}

void Frame::keepStateFor(const QString& copy, const QString& id) {
    if (const auto* keeper = dynamic_cast<const KeepsState*>(view(id)))
        m_viewStates.insert(copy, keeper->saveState());
}

void Frame::duplicateInTurns(const QString& id) {
    const ViewSpec* spec = specOf(id);
    const QString copy = canBeSeveral(spec) ? freeInstance(spec->id) : QString();
    if (!copy.isEmpty() && !scope(id)->isFrozen()) {  // what a frozen one shows goes before it
        keepStateFor(copy, id);
        view(copy);
    }
    QTimer::singleShot(0, this, [this, id] {
        if (isViewShown(id)) duplicateView(id);
    });
}

QString Frame::duplicateView(const QString& id) {
    const ViewSpec* spec = specOf(id);
    if (!canBeSeveral(spec)) {
        say(MessageKind::Info, spec ? tr("There is only one %1: it belongs to the open world or "
                                         "the workspace as a whole.")
                                          .arg(spec->title)
                                    : tr("No view is open."));
        return {};
    }
    QString copy = freeInstance(spec->id);
    if (copy.isEmpty()) {
        say(MessageKind::Info, tr("%1 is open %2 times, which is the most. Close one first.")
                                   .arg(spec->title)
                                   .arg(kMostInstances));
        return {};
    }
    const QString text = tr("Duplicate %1").arg(titleOf(id));
    m_undo.beginMacro(text);
    keepStateFor(copy, id);
    ViewScope* scope = this->scope(copy);
    const auto before = scope->memento();
    this->scope(id)->memento()(*scope);
    openBeside(copy, id);
    if (auto* keeper = dynamic_cast<KeepsState*>(view(copy)))
        keeper->restoreState(m_viewStates.value(copy));
    const DrawsFigure* picture = pictureOf(view(id));
    if (picture && picture->hasFigure())
        pictureOf(view(copy))->restoreFigure(picture->figureState());
    noteArrangement(text);
    if (scope->isFrozen())
        m_undo.push(new FreezeCommand(this, copy, before, scope->memento(), text));
    m_undo.endMacro();
    return copy;
}

void Frame::openBeside(const QString& id, const QString& original) {
    if (SidePanel* panel = this->panel(id)) {
        SidePanel* beside = m_panels.value(original);
        if (!beside->isHidden() && !beside->isFloating()) {
            const bool isBottom = dockWidgetArea(beside) == Qt::BottomDockWidgetArea;
            splitDockWidget(beside, panel, isBottom ? Qt::Horizontal : Qt::Vertical);
        }
        panel->show();
        panel->content()->setFocus(Qt::OtherFocusReason);
        return;
    }
    m_centre->show(original);
    if (view(original)->width() >= kSplitWidth)
        m_centre->showBeside(id, original);
    else
        m_centre->show(id);
    focusMainView();
}

void Frame::setFrozen(const QString& id, bool isFrozen) {
    ViewScope* scope = this->scope(id);
    if (!scope) {
        const ViewSpec* spec = specOf(id);
        return say(MessageKind::Info,
                   spec ? tr("%1 cannot be frozen: it belongs to the open world or the workspace "
                             "as a whole.")
                              .arg(spec->title)
                        : tr("No view is open."));
    }
    if (scope->isFrozen() == isFrozen) return;
    if (const QString why = scope->whyNotFrozen(); isFrozen && !why.isEmpty())
        return say(MessageKind::Info, why);
    const auto before = scope->memento();
    scope->setFrozen(isFrozen);
    m_undo.push(new FreezeCommand(
        this, id, before, scope->memento(),
        isFrozen ? tr("Freeze %1").arg(titleOf(id)) : tr("Let %1 follow").arg(titleOf(id))));
}

QJsonObject Frame::savedPictures() const {
    QJsonObject saved;
    for (auto picture = m_pictures.begin(); picture != m_pictures.end(); ++picture)
        saved.insert(picture.key(), picture.value());
    for (auto view = m_centreWidgets.begin(); view != m_centreWidgets.end(); ++view) {
        const DrawsFigure* picture = numberOfView(view.key()) > 1 && isViewShown(view.key())
                                         ? pictureOf(view.value())
                                         : nullptr;
        if (picture && picture->hasFigure()) saved.insert(view.key(), picture->figureState());
    }
    return saved;
}

void Frame::restorePictures() {
    for (const QString& id : m_pictures.keys()) {
        const ViewScope* scope = m_scopes.value(id);
        if (scope && !scope->isFrozen() && !scope->saveState().isEmpty()) continue;  // not yet
        DrawsFigure* picture = pictureOf(m_centreWidgets.value(id));
        if (picture && picture->hasFigure()) picture->restoreFigure(m_pictures.take(id));
    }
}

void Frame::thawAll() {
    for (const QString& id : m_scopes.keys()) setFrozen(id, false);
}

}  // namespace orrery
