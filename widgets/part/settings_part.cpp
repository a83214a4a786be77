#include "widgets/part/settings_part.h"

#include <QApplication>
#include <QEvent>
#include <QScreen>
#include <filesystem>

#include "core/base/memory.h"
#include "core/base/thread_team.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/common/color_map.h"
#include "widgets/common/command_table.h"
#include "widgets/common/commands.h"
#include "widgets/common/motion.h"
#include "widgets/common/number_text.h"
#include "widgets/common/tokens.h"
#include "widgets/frame/window_place.h"
#include "widgets/part/system_info.h"
#include "widgets/settings/preferences.h"
#include "widgets/settings/scale_fit.h"
#include "widgets/settings/setting_spec.h"
#include "widgets/settings/settings_window.h"

namespace orrery {

namespace {

const QString kTheme = QStringLiteral("appearance/theme");
const QString kScale = QStringLiteral("appearance/scale");

/// Bytes below a folder; what cannot be read counts as nothing.
std::int64_t bytesBelow(const std::filesystem::path& folder, const std::stop_token& stop) {
    std::int64_t bytes = 0;
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator it(folder, error), end;
         !error && it != end && !stop.stop_requested(); it.increment(error)) {
        std::error_code unreadable;
        const auto size = it->is_regular_file(unreadable) ? it->file_size(unreadable) : 0;
        if (!unreadable) bytes += static_cast<std::int64_t>(size);
    }
    return bytes;
}

}  // namespace

SettingsPart::SettingsPart(Workbench& bench, ThemeChoice wanted)
    : WindowPart(bench), m_theme(wanted) {
    if (m_theme == ThemeChoice::System)
        m_theme = themeChoiceOf(preferences().value(kTheme).toString()).value_or(m_theme);
}

void SettingsPart::saveSession(QJsonObject& session) const {
    session.insert(QStringLiteral("theme"), nameOf(m_theme));
}

void SettingsPart::restoreSession(const QJsonObject& session, bool /*hasOtherWorld*/) {
    if (m_theme == ThemeChoice::System)
        m_theme = themeChoiceOf(session.value(u"theme").toString()).value_or(m_theme);
}

std::vector<LocatorSource> SettingsPart::locatorSources() {
    return {{QStringLiteral(">"), tr("commands"), [this](const QString&) { return items(); }, true,
             true}};
}

void SettingsPart::bindCommands() {
    Commands& c = commands();
    c.bind("edit.settings", [this] { open(); });
    c.bind("view.light", [this] { chooseTheme(ThemeChoice::Light); });
    c.bind("view.dark", [this] { chooseTheme(ThemeChoice::Dark); });
    c.bind("view.system", [this] { chooseTheme(ThemeChoice::System); });
    for (const CommandSpec& spec : commandTable()) applyKeys(QLatin1String(spec.id));
    connect(&preferences(), &Preferences::keysChanged, this, &SettingsPart::applyKeys);
    const QString trouble = preferences().trouble();
    if (!trouble.isEmpty()) frame().say(MessageKind::Warning, trouble);
}

void SettingsPart::applyKeys(const QString& command) {
    for (const CommandSpec& spec : commandTable())
        if (command == QLatin1String(spec.id))
            commands().setKeys(command,
                               preferences().keys(command).value_or(Commands::defaultKeys(spec)));
}

void SettingsPart::applyPreference(const QString& key) {
    const QVariant value = preferences().value(key);
    if (key == kTheme) {
        setTheme(themeChoiceOf(value.toString()).value_or(ThemeChoice::System));
    } else if (key == QLatin1String("appearance/colorMap")) {
        setSequentialMap(value.toString() == QLatin1String("cividis") ? SequentialMap::Cividis
                                                                      : SequentialMap::Viridis);
        repaintAll();
    } else if (key == QLatin1String("appearance/reducedMotion")) {
        setReducedMotion(value.toBool());
        frame().setAnimated(!value.toBool());
    } else if (key == kScale && m_window != nullptr) {
        showFacts(QStringLiteral("Appearance"));
    }
}

void SettingsPart::chooseTheme(ThemeChoice choice) {
    bench().prefer(kTheme, nameOf(choice));
    if (m_theme != choice) setTheme(choice);  // where preferences are not kept
}

void SettingsPart::setTheme(ThemeChoice choice) {
    m_theme = choice;
    applyTheme(*qApp, choice);
    commands().applyTokens(currentTokens());
    Q_EMIT themeChanged();
}

void SettingsPart::repaintAll() {
    // Views keep drawn pictures in the colours of the theme: a change of the palette drops them.
    QEvent change(QEvent::PaletteChange);
    for (QWidget* widget : frame().findChildren<QWidget*>()) {
        QApplication::sendEvent(widget, &change);
        widget->update();
    }
}

std::vector<LocatorItem> SettingsPart::items() {
    std::vector<LocatorItem> items;
    for (const SettingSpec& spec : settingTable())
        items.push_back({tr("Setting: %1").arg(QLatin1String(spec.label)),
                         tr("%1 · %2").arg(QLatin1String(spec.page), QLatin1String(spec.meaning)),
                         {},
                         true,
                         [this, page = QLatin1String(spec.page)] { open(page); }});
    return items;
}

void SettingsPart::open(const QString& page) {
    if (m_window == nullptr) {
        m_window = new SettingsWindow(&preferences(), &commands(), &frame());
        connect(m_window, &SettingsWindow::helpRequested, this,
                [this] { Q_EMIT helpRequested(QStringLiteral("settings")); });
        connect(m_window, &SettingsWindow::pageShown, this, &SettingsPart::showFacts);
    }
    if (!page.isEmpty()) m_window->showPage(page);
    m_window->show();
    m_window->raise();
    m_window->activateWindow();
}

void SettingsPart::showFacts(const QString& page) {
    if (page == QLatin1String("Appearance")) {
        const QSizeF points = QSizeF(frame().screen()->geometry().size()) * appliedScale();
        m_window->setRemark(kScale,
                            scaleRemark(preferences().value(kScale).toInt(), points.toSize()));
    } else if (page == QLatin1String("Compute")) {
        m_window->setFacts(page, tr("This machine has %1 processors and %2 of memory free.")
                                     .arg(processorCount())
                                     .arg(bytesText(static_cast<std::int64_t>(availableMemory()))));
    } else if (page == QLatin1String("Advanced")) {
        m_window->setFacts(page, systemInfo());
    } else if (page == QLatin1String("Storage") && archive().workspace() != nullptr) {
        showStorageFacts(page);
    }
}

void SettingsPart::showStorageFacts(const QString& page) {
    worker().append<std::int64_t>(
        [folder = archive().workspace()->folder()](std::stop_token stop) {
            return bytesBelow(folder, stop);
        },
        [this, page](std::int64_t bytes) {
            if (archive().workspace() == nullptr) return;
            m_window->setFacts(
                page, tr("Open now: %1 with %2 runs, %3.")
                          .arg(QString::fromStdString(archive().workspace()->folder().string()))
                          .arg(archive().runs().size())
                          .arg(bytesText(bytes)));
        },
        [](const QString&) {});
}

}  // namespace orrery
