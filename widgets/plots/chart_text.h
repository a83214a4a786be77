#pragma once

#include <QPen>
#include <QPointF>
#include <QString>
#include <vector>

#include "widgets/plots/chart_content.h"
#include "widgets/plots/chart_view.h"

class QPainter;

namespace orrery {

struct DrawnChart;
struct Tokens;

/// Draws words in the painter's pen; those with _ or ^ are set as symbols. @return the width
double paintWords(QPainter& painter, const QPointF& baseline, double pixels, const QString& text,
                  int weight);
double wordsWidth(double pixels, const QString& text, int weight);

/// The pen of a palette index: colour, width and dashes of the tokens.
QPen seriesPen(const Tokens& tokens, int color);

/// One entry of the legend, from left to right: bands, series, exact values.
struct LegendEntry {
    QString name;   ///< as drawn
    QString key;    ///< what hides it: the series' or group's name
    int color = 0;  ///< -1: an exact value
    bool isHidden = false;
    QString what = {};  ///< the end of a band's name: "mean, sd, n = 5"
};
/// A band's entry says what it is and of how many: "beta_r 5 · mean, sd, n = 5".
std::vector<LegendEntry> legendEntries(const ChartContent& content, const ChartView& view);

/// Takes what bands are out of the names of a legend that has too little room, and gives it back
/// in one piece: "mean, sd, n = 5", or "mean, sd" where n differs and stays in the names.
QString shortenLegend(std::vector<LegendEntry>& entries);

/// What is done to the values before they are drawn: "exponential mean over 50 steps"; empty if
/// they are drawn as they are.
QString smoothingRemark(const ChartContent& content, const ChartView& view);
/// Bands and smoothing in one line, for captions: "beta_r 5 · mean, sd, n = 5; raw values".
QString chartCaption(const ChartContent& content, const ChartView& view);

/// Full: all; Short: without the number of series, which the legend shows, and in fewer words;
/// Least: how many points and what x is.
enum class FooterLength { Full, Short, Least };

/// "10 000 000 points, drawn as min and max of 5 208 each" and what else was reduced.
QString footerText(const ChartContent& content, const ChartView& view, const DrawnChart& drawn,
                   FooterLength length = FooterLength::Full);

/// A remark that must not be overlooked: values that the picture cannot show.
struct ChartBadge {
    QString text;
    bool isError = false;
};
std::vector<ChartBadge> badgesOf(const ChartView& view, const DrawnChart& drawn);

/// What the chart shows, with footer and badges, for screen readers.
QString chartDescription(const ChartContent& content, const ChartView& view,
                         const DrawnChart& drawn);

}  // namespace orrery
