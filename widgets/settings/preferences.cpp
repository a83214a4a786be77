#include "widgets/settings/preferences.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>

#include "widgets/settings/setting_spec.h"

namespace orrery {

namespace {

constexpr int kSchemaVersion = 1;
const QString kSchemaKey = QStringLiteral("schema/version");

/// A setting's key in the file. QSettings writes a group "general" as "[%General]" and reads it
/// back as "General".
QString fileKey(const QString& key) {
    const QLatin1String general("general/");
    return key.startsWith(general) ? QStringLiteral("General/") + key.mid(general.size()) : key;
}

QString shortcutKey(const QString& command) {
    return QStringLiteral("shortcuts/") + command;
}

}  // namespace

QString Preferences::fileOfUser() {
    QString folder = qEnvironmentVariable("XDG_CONFIG_HOME");
    if (folder.isEmpty() || !QDir::isAbsolutePath(folder))
        folder = QDir::homePath() + QStringLiteral("/.config");
    return folder + QStringLiteral("/orrery/orrery.ini");
}

Preferences::Preferences(const QString& fileName, QObject* parent)
    : QObject(parent), m_file(fileName.isEmpty() ? fileOfUser() : fileName, QSettings::IniFormat) {}

Preferences::~Preferences() = default;

QString Preferences::trouble() const {
    m_file.sync();
    switch (m_file.status()) {
        case QSettings::NoError:
            return m_file.isWritable() ? QString()
                                       : tr("%1 cannot be written: settings hold until the program "
                                            "ends.")
                                             .arg(fileName());
        case QSettings::FormatError:
            return tr("%1 is damaged: what cannot be read counts as the default.").arg(fileName());
        case QSettings::AccessError:
            return tr("%1 cannot be read or written: settings hold until the program ends.")
                .arg(fileName());
    }
    return {};
}

QVariant Preferences::value(const QString& key) const {
    const SettingSpec* spec = findSetting(key);
    if (!spec) return {};
    const QVariant stored = m_file.value(fileKey(key));
    if (stored.isValid()) {
        const QVariant read = settingFromText(*spec, stored.toString());
        if (read.isValid()) return read;
    }
    return settingDefault(*spec);
}

bool Preferences::setValue(const QString& key, const QVariant& value) {
    const SettingSpec* spec = findSetting(key);
    if (!spec) return false;
    const QVariant wanted = settingFromText(*spec, settingText(value));
    if (!wanted.isValid()) return false;
    if (wanted == this->value(key)) return true;
    if (wanted == settingDefault(*spec))
        m_file.remove(fileKey(key));
    else
        store(fileKey(key), settingText(wanted));
    Q_EMIT changed(key);
    return true;
}

void Preferences::reset(const QString& key) {
    const bool wasChanged = isChanged(key);
    m_file.remove(fileKey(key));
    if (wasChanged) Q_EMIT changed(key);
}

bool Preferences::isChanged(const QString& key) const {
    const SettingSpec* spec = findSetting(key);
    return spec && value(key) != settingDefault(*spec);
}

std::optional<QList<QKeySequence>> Preferences::keys(const QString& command) const {
    const QVariant stored = m_file.value(shortcutKey(command));
    if (!stored.isValid()) return std::nullopt;
    QList<QKeySequence> keys;
    for (const QString& text : stored.toString().split(u'|', Qt::SkipEmptyParts)) {
        const auto key = QKeySequence::fromString(text, QKeySequence::PortableText);
        if (!key.isEmpty() && key[0].key() != Qt::Key_unknown) keys << key;
    }
    return keys;
}

void Preferences::setKeys(const QString& command, const QList<QKeySequence>& keys) {
    QStringList texts;
    for (const QKeySequence& key : keys) texts << key.toString(QKeySequence::PortableText);
    store(shortcutKey(command), texts.join(u'|'));
    Q_EMIT keysChanged(command);
}

void Preferences::resetKeys(const QString& command) {
    m_file.remove(shortcutKey(command));
    Q_EMIT keysChanged(command);
}

QList<RecentWorkspace> Preferences::recentWorkspaces() const {
    const int most = value(QStringLiteral("storage/recentWorkspaces")).toInt();
    QList<RecentWorkspace> all;
    const int size = m_file.beginReadArray(QStringLiteral("recentWorkspaces"));
    for (int i = 0; i < std::min(size, most); ++i) {
        m_file.setArrayIndex(i);
        const QString folder = m_file.value(QStringLiteral("folder")).toString();
        if (!folder.isEmpty())
            all << RecentWorkspace{folder, m_file.value(QStringLiteral("opened")).toString(),
                                   m_file.value(QStringLiteral("runs"), -1).toInt()};
    }
    m_file.endArray();
    return all;
}

void Preferences::noteWorkspace(const RecentWorkspace& workspace) {
    QList<RecentWorkspace> all = recentWorkspaces();
    if (!all.isEmpty() && all.first() == workspace) return;
    all.removeIf([&](const RecentWorkspace& each) { return each.folder == workspace.folder; });
    all.prepend(workspace);
    writeRecent(all);
}

void Preferences::forgetWorkspace(const QString& folder) {
    QList<RecentWorkspace> all = recentWorkspaces();
    if (all.removeIf([&](const RecentWorkspace& each) { return each.folder == folder; }) > 0)
        writeRecent(all);
}

void Preferences::writeRecent(const QList<RecentWorkspace>& all) {
    const int most = value(QStringLiteral("storage/recentWorkspaces")).toInt();
    m_file.remove(QStringLiteral("recentWorkspaces"));
    m_file.beginWriteArray(QStringLiteral("recentWorkspaces"));
    for (int i = 0; i < all.size() && i < most; ++i) {
        m_file.setArrayIndex(i);
        m_file.setValue(QStringLiteral("folder"), all[i].folder);
        m_file.setValue(QStringLiteral("opened"), all[i].openedUtc);
        m_file.setValue(QStringLiteral("runs"), all[i].numRuns);
    }
    m_file.endArray();
    m_file.setValue(kSchemaKey, kSchemaVersion);
    Q_EMIT recentChanged();
}

void Preferences::store(const QString& key, const QVariant& value) {
    m_file.setValue(key, value);
    m_file.setValue(kSchemaKey, kSchemaVersion);
}

}  // namespace orrery
