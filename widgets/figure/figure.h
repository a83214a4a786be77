#pragma once

#include <QJsonObject>
#include <QString>
#include <array>

#include "widgets/common/color_map.h"

namespace orrery {

/// A picture for a paper: what is drawn, from what, and how it lies on its page. All that a figure
/// file holds.
struct Figure {
    QString view;        ///< DrawsFigure::figureId
    QJsonObject state;   ///< DrawsFigure::figureState
    QJsonObject source;  ///< the world or run, its state and the selection; see figure_file.h

    double width = 160, height = 100;  ///< millimetres of the page, in [20, 2000]
    int dpi = 300;                     ///< dots per inch of a PNG, in [30, 2400]
    double font = 8;                   ///< points of the body text, in [3, 36]
    bool isDark = false;
    SequentialMap palette = SequentialMap::Viridis;  ///< colours of values
    bool hasLegend = true;
    bool hasFooter = true;    ///< what charts tell of how many points are drawn
    bool hasCaption = false;  ///< what bands are, n and smoothing, below the picture
    QString title;            ///< above the picture; empty: none
    QString picture;          ///< file that is drawn, as written: relative to the figure file
};

/// A page as journals want it: its width and the size of its text, without a footer.
struct FigurePreset {
    const char* name;  ///< in files and on the command line: "column"
    const char* text;  ///< for people
    double width, font;
};
inline constexpr std::array<FigurePreset, 4> kFigurePresets{{
    {"column", "One column (89 mm, 7 pt)", 89, 7},
    {"two_columns", "Two columns (183 mm, 7 pt)", 183, 7},
    {"ieee_column", "IEEE, one column (88.9 mm, 8 pt)", 88.9, 8},
    {"ieee_two_columns", "IEEE, two columns (181 mm, 8 pt)", 181, 8},
}};

inline constexpr double kMmPerInch = 25.4;
inline constexpr double kLeastFigureMm = 20, kMostFigureMm = 2000;
inline constexpr int kLeastFigureDpi = 30, kMostFigureDpi = 2400;
inline constexpr double kLeastFigureFont = 3, kMostFigureFont = 36;

}  // namespace orrery
