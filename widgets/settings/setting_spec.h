#pragma once

#include <QString>
#include <QStringList>
#include <QVariant>
#include <span>

namespace orrery {

enum class SettingType { Flag, Integer, Number, Choice, Folder };

/// One setting, described once for the file, the Settings window, its search and the manual.
struct SettingSpec {
    const char* key = "";      ///< in the file, with its group: "appearance/theme"
    const char* page = "";     ///< "Appearance"
    const char* label = "";    ///< sentence case
    const char* meaning = "";  ///< one or two sentences: what it changes, and when
    SettingType type = SettingType::Flag;
    const char* unit = "";         ///< "mm", "" for none
    double low = 0, high = 0;      ///< of numbers
    const char* choices = "";      ///< of a choice, with "|" between: as stored
    const char* choiceNames = "";  ///< the same as shown
    const char* standard = "";     ///< the default as text: "true", "10", "system"
    const char* zeroText = "";     ///< what 0 means: "all processors"
};

/// Every setting, page by page. Shortcuts are kept beside them (Preferences::keys).
std::span<const SettingSpec> settingTable();

/// The names of the pages in order: those of the table, and "Shortcuts".
QStringList settingPages();

/// Null for an unknown key.
const SettingSpec* findSetting(const QString& key);

/// A text as a value of the setting: bool, int, double or QString. Invalid if it is of another kind
/// or out of range.
QVariant settingFromText(const SettingSpec& spec, const QString& text);
QString settingText(const QVariant& value);
QVariant settingDefault(const SettingSpec& spec);

}  // namespace orrery
