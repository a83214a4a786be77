#pragma once

#include <QHash>
#include <QKeySequence>
#include <QStringList>
#include <QWidget>

class QKeySequenceEdit;
class QLabel;
class QToolButton;

namespace orrery {

class Commands;
class Preferences;
struct CommandSpec;

/// "Step, Follow policy" : the commands other than `command` that have one of the keys; empty if
/// none has.
QString commandsWithKeys(const Commands& commands, const QString& command,
                         const QList<QKeySequence>& keys);

/// The keys of every command, to be changed one by one. Keys that another command has are refused
/// with its name.
class ShortcutPage : public QWidget {
    Q_OBJECT

public:
    ShortcutPage(Commands* commands, Preferences* preferences, QWidget* parent);

    /// Shows only the commands whose name, menu, sentence or keys have the words, those that
    /// are still made, too. @return how many
    int filter(const QString& words);

private:
    struct Line {
        QWidget* row = nullptr;
        QKeySequenceEdit* first = nullptr;
        QLabel* others = nullptr;      ///< null until there are some
        QLabel* problem = nullptr;     ///< null until there is one
        QToolButton* reset = nullptr;  ///< null until the keys were changed
        QString name;
    };
    static QLabel* others(Line& line);
    QLabel* problem(const QString& command, Line& line);
    QToolButton* resetButton(const QString& command, Line& line);
    void addNextLines();
    void addHeading(const QString& menu);
    void addLine(const CommandSpec& spec);
    bool isSought(const CommandSpec& spec) const;
    int showSought();
    void takeKeys(const QString& command, const QKeySequence& first);
    void refresh(const QString& command);

    Commands* m_commands;
    Preferences* m_preferences;
    QList<const CommandSpec*> m_unmade;  ///< whose lines are not made yet
    QStringList m_words;                 ///< that the lines shown have
    QHash<QString, Line> m_lines;
    QList<std::pair<QLabel*, QStringList>> m_headings;  ///< with the commands below each
};

}  // namespace orrery
