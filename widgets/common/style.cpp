#include "widgets/common/style.h"

#include <QApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QPalette>
#include <QStyle>
#include <QStyleFactory>
#include <QWidget>
#include <cmath>

#include "widgets/common/elided_tips.h"
#include "widgets/common/house_style.h"
#include "widgets/common/icons.h"
#include "widgets/common/sort_keys.h"
#include "widgets/common/style_sheet.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

QPalette paletteOf(const Tokens& t) {
    QPalette p;
    p.setColor(QPalette::Window, t.panel);
    p.setColor(QPalette::WindowText, t.text);
    p.setColor(QPalette::Base, t.input);
    p.setColor(QPalette::AlternateBase, t.panel);
    p.setColor(QPalette::Text, t.text);
    p.setColor(QPalette::PlaceholderText, t.text3);
    p.setColor(QPalette::Button, t.raised);
    p.setColor(QPalette::ButtonText, t.text);
    p.setColor(QPalette::BrightText, t.error);
    p.setColor(QPalette::Highlight, t.accent);
    p.setColor(QPalette::HighlightedText, t.onAccent);
    p.setColor(QPalette::ToolTipBase, t.raised);
    p.setColor(QPalette::ToolTipText, t.text);
    p.setColor(QPalette::Link, t.accent);
    p.setColor(QPalette::LinkVisited, t.accent);
    p.setColor(QPalette::Light, t.raised);
    p.setColor(QPalette::Midlight, t.border);
    p.setColor(QPalette::Mid, t.border);
    p.setColor(QPalette::Dark, t.strongBorder);
    p.setColor(QPalette::Shadow, t.window);
    const QColor faint = mixed(t.panel, t.text3, 0.7);
    for (const QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, faint);
    return p;
}

QFont firstInstalled(const QStringList& families) {
    static const QStringList kInstalled = QFontDatabase::families();
    for (const QString& family : families)
        if (kInstalled.contains(family)) return QFont(family);
    return QFont(families.last());
}

QFont sized(QFont font, double pixels, int weight) {
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(pixels))));
    font.setWeight(static_cast<QFont::Weight>(weight));
    return font;
}

constexpr char kIsPutBy[] = "isPutBy", kHasOldStyle[] = "hasOldStyle";

QList<QWidget*> putBy() {
    QList<QWidget*> found;
    for (const QWidget* window : QApplication::topLevelWidgets())
        for (QWidget* widget : window->findChildren<QWidget*>())
            if (widget->property(kIsPutBy).toBool()) found << widget;
    return found;
}

/// What Qt has given the style sheet, and does not take it from or give it again while this lives.
class Unstyled {
public:
    explicit Unstyled(const QList<QWidget*>& trees) {
        for (QWidget* tree : trees)
            for (QWidget* part : QList<QWidget*>{tree} + tree->findChildren<QWidget*>())
                if (part->testAttribute(Qt::WA_WState_Polished)) m_parts << part;
        for (QWidget* part : m_parts) part->setAttribute(Qt::WA_WState_Polished, false);
    }
    ~Unstyled() {
        for (QWidget* part : m_parts) part->setAttribute(Qt::WA_WState_Polished);
    }

private:
    QList<QWidget*> m_parts;
};

bool systemIsDark(QApplication& application) {
    application.setPalette(QPalette());  // back to what the desktop gives
    return application.palette().color(QPalette::Window).lightness() < 128;
}

}  // namespace

std::optional<ThemeChoice> themeChoiceOf(const QString& word) {
    for (const ThemeChoice choice : {ThemeChoice::System, ThemeChoice::Light, ThemeChoice::Dark})
        if (nameOf(choice) == word) return choice;
    return std::nullopt;
}

QString nameOf(ThemeChoice choice) {
    switch (choice) {
        case ThemeChoice::System:
            return QStringLiteral("system");
        case ThemeChoice::Light:
            return QStringLiteral("light");
        case ThemeChoice::Dark:
            return QStringLiteral("dark");
    }
    return {};
}

void applyTheme(QApplication& application, ThemeChoice choice) {
    loadIcons();  // the style sheet names some
    static const char* const kHasStyle = "orreryStyle";
    if (!application.property(kHasStyle).toBool()) {
        application.setStyle(makeHouseStyle(QStyleFactory::create(QStringLiteral("Fusion"))));
        application.installEventFilter(new ElidedTips(&application));
        application.installEventFilter(new SortKeys(&application));
    }
    application.setProperty(kHasStyle, true);
    const bool isDark =
        choice == ThemeChoice::Dark || (choice == ThemeChoice::System && systemIsDark(application));
    const Tokens& tokens = isDark ? darkTokens() : lightTokens();
    const QString sheet = styleSheetOf(tokens);
    // The palette, too, where the sheet is in force: to ask the desktop takes it away.
    if (sheet == application.styleSheet()) return application.setPalette(paletteOf(tokens));
    const KeptSizes kept;
    const QList<QWidget*> away = putBy();
    for (QWidget* tree : away) tree->setProperty(kHasOldStyle, true);
    const Unstyled unstyled(away);
    // Taken away first: to put a sheet in the place of another takes Qt eight times as long, 1.6 s
    // for 2,400 widgets.
    application.setStyleSheet({});
    application.setFont(interfaceFont(12));
    application.setPalette(paletteOf(tokens));
    application.setStyleSheet(sheet);
    for (QWidget* window : QApplication::topLevelWidgets()) window->update();
}

void setPutBy(QWidget* tree, bool isPutBy) {
    tree->setProperty(kIsPutBy, isPutBy);
    if (isPutBy || !tree->property(kHasOldStyle).toBool()) return;
    tree->setProperty(kHasOldStyle, false);
    const KeptSizes kept;
    QWidget* parent = tree->parentWidget();
    QWidget elsewhere(parent);  // of the same window, or what OpenGL draws would be lost
    {
        const Unstyled unstyled({tree});
        tree->setParent(&elsewhere);
    }
    tree->setParent(parent);
}

KeptSizes::KeptSizes() {
    qApp->installEventFilter(this);
}

bool KeptSizes::eventFilter(QObject*, QEvent* event) {
    return event->type() == QEvent::StyleChange;
}

QFont interfaceFont(double pixels, int weight) {
    static const QFont kFace = firstInstalled(
        {QStringLiteral("Inter"), QStringLiteral("Noto Sans"), QStringLiteral("DejaVu Sans")});
    return sized(kFace, pixels, weight);
}

QFont numberFont(double pixels, int weight) {
    static const QFont kFace =
        firstInstalled({QStringLiteral("JetBrains Mono"), QStringLiteral("DejaVu Sans Mono")});
    QFont font = sized(kFace, pixels, weight);
    font.setStyleHint(QFont::Monospace);
    return font;
}

}  // namespace orrery
