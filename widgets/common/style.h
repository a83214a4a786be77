#pragma once

#include <QFont>
#include <QObject>
#include <QString>
#include <optional>

class QApplication;
class QWidget;

namespace orrery {

enum class ThemeChoice { System, Light, Dark };

/// "system", "light", "dark"; nothing for any other word.
std::optional<ThemeChoice> themeChoiceOf(const QString& word);
QString nameOf(ThemeChoice choice);

/// Gives the application Fusion, the palette, the fonts and the one style sheet of the theme.
/// With System the palette that the desktop gave at the start decides.
void applyTheme(QApplication& application, ThemeChoice choice);

/// Whether a hidden widget is left out with all in it when the theme changes. One that missed a
/// change is styled anew when it is no longer put by, as Qt does it wherever a parent changes.
void setPutBy(QWidget* tree, bool isPutBy);

/// While it lives, no widget hears that its style changed. For where colours or a parent change and
/// no size does: told of it, each of the window's widgets would be laid out anew, on its own.
class KeptSizes : public QObject {
public:
    KeptSizes();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

/// The interface face: Inter, else Noto Sans, else DejaVu Sans.
QFont interfaceFont(double pixels, int weight = QFont::Normal);
/// The face of compared numbers: JetBrains Mono, else DejaVu Sans Mono.
QFont numberFont(double pixels, int weight = QFont::Normal);

}  // namespace orrery
