#pragma once

#include <QFont>
#include <QString>
#include <optional>

class QApplication;

namespace orrery {

enum class ThemeChoice { System, Light, Dark };

/// "system", "light", "dark"; nothing for any other word.
std::optional<ThemeChoice> themeChoiceOf(const QString& word);
QString nameOf(ThemeChoice choice);

/// Gives the application Fusion, the palette, the fonts and the one style sheet of the theme.
/// With System the palette that the desktop gave at the start decides.
void applyTheme(QApplication& application, ThemeChoice choice);

/// The interface face: Inter, else Noto Sans, else DejaVu Sans.
QFont interfaceFont(double pixels, int weight = QFont::Normal);
/// The face of compared numbers: JetBrains Mono, else DejaVu Sans Mono.
QFont numberFont(double pixels, int weight = QFont::Normal);

}  // namespace orrery
