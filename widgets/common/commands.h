#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QPointer>
#include <QString>
#include <functional>
#include <vector>

#include "widgets/common/command_table.h"

class QAction;
class QMenu;
class QShortcut;
class QWidget;

namespace orrery {

struct Tokens;

/// The commands of commandTable() in one window. Each is a QAction, so that enabling one greys it
/// in menus, toolbar and locator at once.
class Commands : public QObject {
    Q_OBJECT

public:
    explicit Commands(QWidget* window);

    /// What a command does (with the new state if it is checkable).
    void bind(const char* id, std::function<void(bool)> run);
    void bind(const char* id, std::function<void()> run) {
        bind(id, [run = std::move(run)](bool) { run(); });
    }
    /// Ids for which nothing was bound.
    std::vector<const char*> unbound() const;

    /// The command of an id, which must exist.
    QAction* action(const QString& id) const;

    /// @param whyNot  one sentence, shown as the tip while the command is disabled
    void setEnabled(const char* id, bool isEnabled, const QString& whyNot = {});

    /// Fills the buttons of a command with the accent colour: it is what comes next. At most one
    /// button of a window is filled.
    void setFilled(const char* id, bool isFilled);

    /// The keys of a command: those of the table, or what a person chose in their place.
    const QList<QKeySequence>& keys(const QString& id) const;
    void setKeys(const QString& id, const QList<QKeySequence>& keys);
    /// The keys that the table gives a command.
    static QList<QKeySequence> defaultKeys(const CommandSpec& spec);
    /// A key that types: no Ctrl or Alt and no function key. It works in canvases only.
    static bool isPlain(const QKeySequence& keys);

    /// The menus' names in order, and the commands of one.
    static QStringList menuNames();
    void fill(QMenu* menu, const QString& menuName) const;

    /// Makes keys without Ctrl, Alt or a function key work while `view` has the focus; nowhere
    /// else.
    void addPlainKeys(QWidget* view);

    /// Draws the icons again in the colours of a theme.
    void applyTokens(const Tokens& tokens);

    /// Every command with its keys and its sentence, by menu, as rich text for the help.
    QString sheetHtml() const;

    /// "Ctrl+K, Ctrl+Shift+P", as the desktop writes it; and text without its mnemonic.
    QString keysText(const CommandSpec& spec) const;
    static QString plainText(const CommandSpec& spec);

Q_SIGNALS:
    void keysChanged();

private:
    std::size_t indexOf(const QString& id) const;
    void refreshIcon(std::size_t index, const Tokens& tokens);
    QString tipOf(std::size_t index) const;
    void giveKeys(std::size_t index);
    void addPlainKeysOf(std::size_t index, QWidget* view);

    struct Bound {
        QAction* action = nullptr;
        bool isBound = false;
        bool isFilled = false;
        QList<QKeySequence> keys;
        QList<QPointer<QShortcut>> plain;  ///< in the views that take plain keys
    };
    QList<QPointer<QWidget>> m_plainViews;
    std::vector<Bound> m_bound;  ///< parallel to commandTable()
};

}  // namespace orrery
