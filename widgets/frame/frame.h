#pragma once

#include <QHash>
#include <QJsonObject>
#include <QList>
#include <QMainWindow>
#include <QUndoStack>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "widgets/common/message_strip.h"
#include "widgets/frame/view_spec.h"

class QVBoxLayout;

namespace orrery {

class CentreArea;
class Commands;
class JobList;
class MessageLog;
class PerspectiveRail;
class SidePanel;
class ViewPage;
class ViewScope;

/// What one perspective looks like now.
struct Arrangement {
    QString perspective;
    QByteArray panels;             ///< QMainWindow::saveState; empty: the factory's
    QJsonObject centre;            ///< CentreArea::saveState
    QStringList extraPanels = {};  ///< duplicated panels that are shown
    bool isSmall = false;          ///< of a small window
    bool operator==(const Arrangement&) const = default;
};

/// The window around all views: perspectives on a rail, tabbed and splittable views in the centre,
/// panels at the sides, a timeline below the centre. It knows views by their specs only; what they
/// show is not its business. Changes of the arrangement go on the undo stack.
///
/// A window under kSmallWidth or kSmallHeight has arrangements of its own, with fewer parts. They
/// are changed to when the window becomes small, and back when it is large again.
///
/// A view with a scope can be shown several times: the instances of "world" are "world", "world~2"
/// and so on. Wherever an id is asked for, one of an instance may be given.
class Frame : public QMainWindow {
    Q_OBJECT

public:
    static constexpr int kSmallWidth = 1150, kSmallHeight = 620;

    explicit Frame(QWidget* parent = nullptr);
    ~Frame() override;

    /// The panels "jobs" and "messages", which every window has.
    void addOwnViews();
    /// Views come before the perspectives that name them, perspectives before setUpFrame().
    void addView(ViewSpec spec);
    void addPerspective(PerspectiveSpec spec);
    void setTimeline(QWidget* timeline);
    /// Puts the parts into the window and shows the first perspective.
    void setUpFrame();

    Commands& commands() { return *m_commands; }
    QUndoStack& undoStack() { return m_undo; }
    CentreArea& centre() { return *m_centre; }
    JobList& jobs() { return *m_jobs; }
    MessageLog& messages() { return *m_messages; }

    /// Says something in the strip at the foot of the views and keeps it among the messages.
    void say(MessageKind kind, const QString& text);
    /// The same with something that can be done about it: a button in both places.
    void say(MessageKind kind, const QString& text, const QString& actionText,
             std::function<void()> action);
    MessageStrip& strip() { return *m_strip; }

    /// Its main view gets the keyboard, unless something that lies over the views has it.
    void showPerspective(const QString& id);
    QString perspective() const { return m_perspective; }
    const std::vector<PerspectiveSpec>& perspectives() const { return m_perspectives; }
    const std::vector<ViewSpec>& views() const { return m_views; }

    /// The widget of a view, made if it was not; null for an unknown id.
    QWidget* view(const QString& id);
    template <typename T>
    T* view(const QString& id) {
        return qobject_cast<T*>(view(id));
    }
    bool isViewShown(const QString& id) const;
    /// An entry that opens and closes a view.
    void addToggle(QMenu* menu, const ViewSpec& spec);
    /// What a right click beside the views asks for: the panels. The bars stay.
    QMenu* createPopupMenu() override;
    /// The view that a widget is or lies in; null if it lies in none.
    const ViewSpec* viewAround(const QWidget* widget) const;
    /// The id of its instance; empty if it lies in none.
    QString instanceAround(const QWidget* widget) const;

    // frame_instances.cpp
    /// Ids of all instances that were made, the first ones included.
    QStringList instances() const;
    /// "World", "World 2".
    QString titleOf(const QString& id) const;
    /// What an instance is about, behind its title in its tab: "Training: Two rooms". Empty:
    /// nothing.
    void setSubject(const QString& id, const QString& subject);
    /// The scope of an instance, made if it was not; null for a view without one.
    ViewScope* scope(const QString& id);
    /// The view that commands mean: a panel with the focus, else the current one of the centre.
    QString meantView() const;

    // Each of these is one step on the undo stack.
    void showView(const QString& id);
    void hideView(const QString& id);
    void splitView(Qt::Orientation orientation);
    void moveViewToNextGroup();
    void resetLayout();
    /// Opens another instance of a view beside it, with the same scope and choices. Empty, and the
    /// reason is said, if there can be none.
    QString duplicateView(const QString& id);
    /// The same for a person, in two turns of the event loop: to make a large view and to open it
    /// takes some 20 ms each.
    void duplicateInTurns(const QString& id);
    void setFrozen(const QString& id, bool isFrozen);
    /// Gives duplicates of the last session their zoom and what they had opened, as soon as they
    /// have something to show it in.
    void restorePictures();

    /// Opens the table of the current view; says so if it has none.
    void showTable();

    /// Gives the keyboard to the next view, panel or bar in the order of the picture, or to the
    /// one before.
    void focusNextArea(bool next);

    /// All perspectives' arrangements, for the session. Restoring leaves out what is unknown and
    /// says so, adds the views that the program which wrote the state did not have, and does
    /// nothing with a state of another version.
    QJsonObject saveFrame() const;
    void restoreFrame(const QJsonObject& state);

Q_SIGNALS:
    void perspectiveChanged(const QString& id);
    void currentViewChanged(const QString& id);
    /// What an instance shows, or whether it is frozen.
    void scopeChanged(const QString& id);

protected:
    /// Tab goes through the window as its picture is read: see focus_order.h.
    bool focusNextPrevChild(bool next) override;
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    friend class ArrangeCommand;
    void refreshRailTips();
    QStringList goneViews(const QJsonObject& arrangements, const QStringList& known) const;
    Arrangement arrangement() const;
    void arrange(const Arrangement& arrangement);
    /// Shows the last of the arrangements that undo or redo went through; those of other
    /// perspectives are there when one of them is shown.
    void arrangeAsWanted();
    Arrangement factoryArrangement(const PerspectiveSpec& spec) const;
    /// As it was left in a window of this size, else the factory's.
    Arrangement wantedArrangement(const PerspectiveSpec& spec) const;
    static QString keyOf(const QString& perspective, bool isSmall);
    /// Where panels of that place are docked.
    static Qt::DockWidgetArea areaOf(ViewPlace place);
    /// Whether the window is small, or will be when it is shown, and the perspective has an
    /// arrangement for that.
    bool wantsSmall(const PerspectiveSpec& spec) const;
    void followSize();
    /// Whether the panels at both sides and the least centre fit between the window's edges.
    bool isWideEnough() const;
    /// Where they do not, panels side by side at the bottom become tabs; if that is not enough,
    /// those at the other side than `wanted`, else at the right, are closed.
    void giveRoom(SidePanel* wanted = nullptr);
    void arrangePanelsAsMade(const PerspectiveSpec& spec);
    bool restorePanels(const QByteArray& panels);
    /// Sizes change without a step on the undo stack: what comes next is undone to the present
    /// ones.
    void noteSizes();
    /// Puts what changed since the last note on the undo stack under a name.
    void noteArrangement(const QString& text);
    QWidget* made(const ViewSpec& spec, const QString& id, QWidget* parent);
    ViewPage* page(const QString& id);
    Arrangement completed(const PerspectiveSpec& spec, const QJsonObject& saved,
                          const std::optional<QStringList>& known);
    void keepMessagesOf(QWidget* widget, const QString& title);
    const ViewSpec* specOf(const QString& id) const;
    const PerspectiveSpec& perspectiveSpec(const QString& id) const;
    void watchPanel(SidePanel* panel, const QString& title);
    SidePanel* addPanel(const ViewSpec& spec, const QString& id);
    /// The panel of an instance, made if it is a duplicate that was not.
    SidePanel* panel(const QString& id);
    bool canBeSeveral(const ViewSpec* spec) const;
    /// An instance of a kind of view that is not open; empty if all are.
    QString freeInstance(const QString& kind) const;
    /// A copy that is made later begins with the choices of the instance.
    void keepStateFor(const QString& copy, const QString& id);
    void openBeside(const QString& id, const QString& original);
    QJsonObject savedPictures() const;
    /// Lets all instances follow.
    void thawAll();
    const QWidget* areaAround(const QWidget* widget) const;
    void focusMainView();

    Commands* m_commands;
    QUndoStack m_undo;
    std::vector<ViewSpec> m_views;
    QHash<QString, QString> m_subjects;
    std::vector<PerspectiveSpec> m_perspectives;
    QHash<QString, ViewScope*> m_scopes;
    QHash<QString, QWidget*> m_centreWidgets;
    QHash<QString, ViewPage*> m_pages;         ///< the places of views of the centre
    QHash<QString, QStringList> m_newPanels;   ///< by perspective: those its file did not know
    QHash<QString, QJsonObject> m_pictures;    ///< restored, of duplicates that show nothing yet
    QHash<QString, QJsonObject> m_viewStates;  ///< restored, of views that are not made yet
    QHash<QString, SidePanel*> m_panels;
    QHash<QString, Arrangement> m_arrangements;  ///< by keyOf; not of what is shown
    bool m_isSmall = false;                      ///< what is shown is arranged so
    std::vector<Arrangement> m_wanted;           ///< by the steps of the undo stack in hand
    Arrangement m_noted;                         ///< the present one as the undo stack knows it
    QString m_perspective;
    PerspectiveRail* m_rail;
    CentreArea* m_centre;
    JobList* m_jobs;
    MessageLog* m_messages;
    MessageStrip* m_strip;
    QVBoxLayout* m_middle;
    QWidget* m_timeline = nullptr;
    bool m_isArranging = false;
};

}  // namespace orrery
