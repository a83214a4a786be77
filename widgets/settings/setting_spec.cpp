#include "widgets/settings/setting_spec.h"

#include <algorithm>

namespace orrery {

namespace {

constexpr SettingSpec kSettings[] = {
    {.key = "general/restoreSession",
     .page = "General",
     .label = "Go on where the last session ended",
     .meaning = "Opens the last world, state and arrangement. Off: every start is a fresh one.",
     .type = SettingType::Flag,
     .standard = "true"},
    {.key = "general/asksBeforeQuit",
     .page = "General",
     .label = "Ask before quitting while a solve runs",
     .meaning = "What a cancelled solve has explored is lost.",
     .type = SettingType::Flag,
     .standard = "true"},
    {.key = "general/notifies",
     .page = "General",
     .label = "Tell on the desktop when a long solve ends",
     .meaning = "Where another window is in front; needs notify-send (libnotify-bin).",
     .type = SettingType::Flag,
     .standard = "true"},
    {.key = "general/showsHint",
     .page = "General",
     .label = "Show a hint after the first solve",
     .meaning = "Points once at the states; closing the hint switches this off.",
     .type = SettingType::Flag,
     .standard = "true"},

    {.key = "appearance/theme",
     .page = "Appearance",
     .label = "Theme",
     .meaning = "As the system follows the desktop's colours.",
     .type = SettingType::Choice,
     .choices = "system|light|dark",
     .choiceNames = "As the system|Light|Dark",
     .standard = "system"},
    {.key = "appearance/scale",
     .page = "Appearance",
     .label = "Scale",
     .meaning = "Size of everything, on top of the desktop's own scale. From the next start on.",
     .type = SettingType::Integer,
     .unit = "%",
     .low = 100,
     .high = 300,
     .standard = "100"},
    {.key = "appearance/colorMap",
     .page = "Appearance",
     .label = "Colours of values",
     .meaning = "Of heat maps and matrices. Cividis keeps its order for every kind of colour "
                "vision; viridis has more steps to tell apart.",
     .type = SettingType::Choice,
     .choices = "viridis|cividis",
     .choiceNames = "Viridis|Cividis (colour-blind)",
     .standard = "viridis"},
    {.key = "appearance/reducedMotion",
     .page = "Appearance",
     .label = "Reduced motion",
     .meaning = "Graphs and panels take their new places at once instead of gliding there.",
     .type = SettingType::Flag,
     .standard = "false"},
    {.key = "appearance/viewRate",
     .page = "Appearance",
     .label = "Live views are drawn",
     .meaning = "How often charts, pipeline and live world of a training are drawn at most. The "
                "slider above the charts of Train sets it, too.",
     .type = SettingType::Integer,
     .unit = "Hz",
     .low = 0,
     .high = 60,
     .standard = "30",
     .zeroText = "frozen"},

    {.key = "charts/smoothing",
     .page = "Charts",
     .label = "Smoothing",
     .meaning = "Of all charts of metrics, which say so; the raw line stays under the smooth one. "
                "With none here, Train begins with its slider.",
     .type = SettingType::Choice,
     .choices = "none|ema|median|envelope",
     .choiceNames = "None|Exponential mean|Median|Envelope",
     .standard = "none"},
    {.key = "charts/smoothingWindow",
     .page = "Charts",
     .label = "Window of the smoothing",
     .meaning = "Steps that the smooth line looks back or around.",
     .type = SettingType::Integer,
     .unit = "steps",
     .low = 1,
     .high = 100000,
     .standard = "10"},
    {.key = "charts/bands",
     .page = "Charts",
     .label = "Runs that differ in the seed",
     .meaning = "What line and band are; each chart's menu has it, too.",
     .type = SettingType::Choice,
     .choices = "deviation|quartiles|interval|none",
     .choiceNames = "Mean and sd|Median and quartiles|Mean and 95 % interval|Every run",
     .standard = "deviation"},

    {.key = "compute/threads",
     .page = "Compute",
     .label = "Threads of a new solve",
     .meaning = "Written into the solver's form. Values do not depend on it.",
     .type = SettingType::Integer,
     .unit = "threads",
     .low = 0,
     .high = 1024,
     .standard = "0",
     .zeroText = "all processors"},
    {.key = "compute/runsAtOnce",
     .page = "Compute",
     .label = "Runs at once",
     .meaning = "Trainings beyond these wait for their turn. A solve begins at once.",
     .type = SettingType::Integer,
     .unit = "runs",
     .low = 0,
     .high = 64,
     .standard = "0",
     .zeroText = "as many as processors"},
    {.key = "compute/memoryBudget",
     .page = "Compute",
     .label = "Memory of a new solve",
     .meaning = "A world that needs more is refused with its estimate before it starts.",
     .type = SettingType::Integer,
     .unit = "MiB",
     .low = 0,
     .high = 4194304,
     .standard = "0",
     .zeroText = "70 % of what is free"},

    {.key = "storage/workspace",
     .page = "Storage",
     .label = "Workspace at the start",
     .meaning = "Folder NAME.orrery that keeps the runs, used from the next start on unless "
                "--workspace names another. A name alone lies beside the standard one. File > Open "
                "workspace changes it for this session.",
     .type = SettingType::Folder,
     .standard = ""},
    {.key = "storage/recentWorkspaces",
     .page = "Storage",
     .label = "Recent workspaces on Home",
     .meaning = "How many are remembered.",
     .type = SettingType::Integer,
     .low = 0,
     .high = 20,
     .standard = "6",
     .zeroText = "none"},

    {.key = "export/widthMm",
     .page = "Export",
     .label = "Width of a figure",
     .meaning = "What Export figure starts with. 85 mm is one column of most journals.",
     .type = SettingType::Number,
     .unit = "mm",
     .low = 20,
     .high = 2000,
     .standard = "160"},
    {.key = "export/dpi",
     .page = "Export",
     .label = "Dots per inch",
     .meaning = "Of figures saved as PNG; SVG and PDF have none.",
     .type = SettingType::Integer,
     .unit = "dpi",
     .low = 30,
     .high = 2400,
     .standard = "300"},

    {.key = "advanced/keepSeconds",
     .page = "Advanced",
     .label = "Keep the session every",
     .meaning = "So much of the arrangement can be lost if the machine goes down.",
     .type = SettingType::Integer,
     .unit = "s",
     .low = 1,
     .high = 600,
     .standard = "5"},
};

bool isWithin(const SettingSpec& spec, double value) {
    return value >= spec.low && value <= spec.high;
}

}  // namespace

std::span<const SettingSpec> settingTable() {
    return kSettings;
}

QStringList settingPages() {
    QStringList pages;
    for (const SettingSpec& spec : kSettings) {
        const QString page = QLatin1String(spec.page);
        if (pages.contains(page)) continue;
        if (page == QLatin1String("Advanced")) pages << QStringLiteral("Shortcuts");
        pages << page;
    }
    return pages;
}

const SettingSpec* findSetting(const QString& key) {
    const auto* const found = std::ranges::find_if(
        kSettings, [&](const SettingSpec& spec) { return key == QLatin1String(spec.key); });
    return found == std::ranges::end(kSettings) ? nullptr : found;
}

QVariant settingFromText(const SettingSpec& spec, const QString& text) {
    bool isNumber = false;
    switch (spec.type) {
        case SettingType::Flag:
            if (text == QLatin1String("true")) return true;
            if (text == QLatin1String("false")) return false;
            return {};
        case SettingType::Integer: {
            const int value = text.toInt(&isNumber);
            return isNumber && isWithin(spec, value) ? QVariant(value) : QVariant();
        }
        case SettingType::Number: {
            const double value = text.toDouble(&isNumber);
            return isNumber && isWithin(spec, value) ? QVariant(value) : QVariant();
        }
        case SettingType::Choice:
            return QString::fromLatin1(spec.choices).split(u'|').contains(text) ? QVariant(text)
                                                                                : QVariant();
        case SettingType::Folder:
            return text;
    }
    return {};
}

QString settingText(const QVariant& value) {
    return value.toString();
}

QVariant settingDefault(const SettingSpec& spec) {
    return settingFromText(spec, QLatin1String(spec.standard));
}

}  // namespace orrery
