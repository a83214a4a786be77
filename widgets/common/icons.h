#pragma once

#include <QIcon>
#include <QString>

namespace orrery {

struct Tokens;

/// Makes the compiled-in icons reachable under ":/icons"; calling it again does nothing.
void loadIcons();

/// A line icon of ours by its name ("media-playback-start"), drawn in the theme's colours: text 2,
/// accent while switched on, text 3 while disabled. Crisp at every size and pixel ratio.
/// An unknown name gives a null icon.
QIcon themedIcon(const QString& name, const Tokens& tokens);

/// The same in one colour, for buttons with a fill of their own; disabled in another.
QIcon coloredIcon(const QString& name, const QColor& color, const QColor& disabled = {});

/// The program's mark: a brass orbit with two bodies.
QIcon programIcon();

}  // namespace orrery
