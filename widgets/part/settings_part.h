#pragma once

#include "widgets/common/style.h"
#include "widgets/part/window_part.h"

namespace orrery {

class SettingsWindow;

/// What a person prefers: the window that shows it, the keys of commands, colours and motion. Other
/// parts follow the preferences that are theirs.
class SettingsPart : public WindowPart {
    Q_OBJECT

public:
    /// @param wanted  System: as it is preferred, else as in the last session
    SettingsPart(Workbench& bench, ThemeChoice wanted);

    void bindCommands() override;
    void applyPreference(const QString& key) override;
    /// Each setting by its name.
    std::vector<LocatorSource> locatorSources() override;
    void saveSession(QJsonObject& session) const override;
    void restoreSession(const QJsonObject& session, bool hasOtherWorld) override;

    ThemeChoice theme() const { return m_theme; }
    /// Without keeping it as what the person prefers.
    void setTheme(ThemeChoice choice);

    /// @param page  empty: the one that was shown last
    void open(const QString& page = {});

Q_SIGNALS:
    void themeChanged();
    void helpRequested(const QString& address);

private:
    std::vector<LocatorItem> items();
    void chooseTheme(ThemeChoice choice);
    void applyKeys(const QString& command);
    void repaintAll();
    void showFacts(const QString& page);
    void showStorageFacts(const QString& page);

    SettingsWindow* m_window = nullptr;  ///< made when it is opened first
    ThemeChoice m_theme;
};

}  // namespace orrery
