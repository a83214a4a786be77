#pragma once

#include <QKeySequence>
#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <vector>

class QAction;
class QMenu;
class QWidget;

namespace orrery {

struct Tokens;

/// One thing that the program can do, described once for menus, toolbar, shortcuts and help.
struct CommandSpec {
    QString id;    ///< stable: "world.step"
    QString menu;  ///< "File", "Run", ...; empty: in no menu
    QString text;  ///< sentence case, with a mnemonic; "..." if more input is needed
    QString icon;  ///< name for themedIcon, or empty
    QList<QKeySequence> shortcuts;
    QString tip;  ///< one sentence: what it does
    bool isCheckable = false;
    bool startsGroup = false;  ///< a separator stands before it in its menu
    bool isPrimary = false;    ///< the one filled button: its icon is drawn on the accent colour
};

/// The list of all commands. Each is a QAction, so that enabling one greys it everywhere.
class Commands : public QObject {
    Q_OBJECT

public:
    explicit Commands(QWidget* window);

    /// Adds a command that calls `run` (with the new state if it is checkable).
    QAction* add(const CommandSpec& spec, std::function<void(bool)> run);

    /// The command of an id, which must exist.
    QAction* action(const QString& id) const;
    const std::vector<CommandSpec>& specs() const { return m_specs; }

    /// Appends the commands of one menu in the order in which they were added.
    void fill(QMenu* menu, const QString& menuName) const;

    /// Makes keys without Ctrl, Alt or a function key work only while `view` has the focus.
    void confinePlainKeys(QWidget* view);

    /// Draws the icons again in the colours of a theme.
    void applyTokens(const Tokens& tokens);

    /// Every command with its keys and its sentence, by menu, as rich text for the help.
    QString sheetHtml() const;

private:
    QWidget* m_window;
    std::vector<CommandSpec> m_specs;
    std::vector<QAction*> m_actions;
};

}  // namespace orrery
