#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QSettings>
#include <QString>
#include <QVariant>
#include <optional>

namespace orrery {

/// A workspace that was opened before, as Home shows it.
struct RecentWorkspace {
    QString folder;
    QString openedUtc;  ///< ISO 8601
    int numRuns = -1;   ///< when it was last open; -1: unknown
    bool operator==(const RecentWorkspace&) const = default;
};

/// What a person prefers, in one INI file: the values of settingTable(), keys chosen for commands,
/// and the workspaces opened lately. Only what differs from the default is written; keys that this
/// version does not know stay in the file. A wrong value in the file reads as the default.
/// Lives in the GUI thread.
class Preferences : public QObject {
    Q_OBJECT

public:
    /// @param fileName  empty: fileOfUser()
    explicit Preferences(const QString& fileName = {}, QObject* parent = nullptr);
    ~Preferences() override;

    /// `$XDG_CONFIG_HOME/orrery/orrery.ini`, by default below `~/.config`.
    static QString fileOfUser();
    QString fileName() const { return m_file.fileName(); }
    /// Empty, or why the file cannot be written.
    QString trouble() const;

    /// Of a key of settingTable().
    QVariant value(const QString& key) const;
    bool isOn(const QString& key) const { return value(key).toBool(); }
    /// Nothing happens with a value that settingFromText refuses. @return whether it was taken
    bool setValue(const QString& key, const QVariant& value);
    void reset(const QString& key);
    bool isChanged(const QString& key) const;

    /// The keys that a person chose for a command; nothing: those of commandTable().
    std::optional<QList<QKeySequence>> keys(const QString& command) const;
    void setKeys(const QString& command, const QList<QKeySequence>& keys);
    void resetKeys(const QString& command);

    /// Latest first, at most as many as the setting says.
    QList<RecentWorkspace> recentWorkspaces() const;
    void noteWorkspace(const RecentWorkspace& workspace);
    void forgetWorkspace(const QString& folder);

    /// Writes the file now; it is written by itself soon after a change.
    void flush() { m_file.sync(); }

Q_SIGNALS:
    void changed(const QString& key);
    void keysChanged(const QString& command);
    void recentChanged();

private:
    void store(const QString& key, const QVariant& value);
    void writeRecent(const QList<RecentWorkspace>& all);

    mutable QSettings m_file;
};

}  // namespace orrery
