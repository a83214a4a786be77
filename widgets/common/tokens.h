#pragma once

#include <QColor>
#include <array>

namespace orrery {

/// The colours of one theme. Roles and uses are those of the design tokens: text colours keep 4.5:1
/// on every surface they are used on, data colours 3:1.
struct Tokens {
    bool isDark = false;
    QColor window, panel, raised, input, canvas;  ///< surfaces
    QColor border, strongBorder;
    QColor text, text2, text3;  ///< values; labels; units and hints
    QColor accent, onAccent;
    QColor ok, okBack, warning, warningBack, error, errorBack, info, infoBack;
    QColor brass;  ///< logo and fork marks
    QColor chartGrid, chartAxis;
    QColor floor, floorLine, wall;
    QColor hover;                 ///< 2 px outline of what the pointer is on
    QColor currentRow;            ///< row fill of the current thing
    QColor setTint;               ///< tint of the members of a set
    QColor underHeat;             ///< line under every outline that lies on a heat map
    std::array<QColor, 8> data;   ///< series colours; the index decides
    std::array<QColor, 7> world;  ///< by orrery::Color: red green blue purple yellow grey brown
    QColor humanBody, humanEdge, robotBody, robotEdge;
};

const Tokens& darkTokens();
const Tokens& lightTokens();

/// The tokens of the theme that the application's palette shows: dark if its window colour is dark.
/// (The palettes of single widgets are changed by the style sheet.)
const Tokens& currentTokens();

/// `over` laid on `under` with the given opacity in [0, 1].
QColor mixed(const QColor& under, const QColor& over, double opacity);

/// The colour of a part among others of a whole that a method names: of twelve, told apart on the
/// canvas. Below 0: that of what is idle.
QColor partColor(int index, const Tokens& tokens);

/// WCAG contrast of two opaque colours, in [1, 21].
double contrast(const QColor& a, const QColor& b);

/// #0E1116 or #FFFFFF, whichever contrasts more with a filled cell.
QColor textOn(const QColor& fill);

}  // namespace orrery
