#pragma once

#include <QColor>
#include <QString>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "widgets/plots/series.h"
#include "widgets/plots/smoothing.h"

namespace orrery {

struct Tokens;

/// The number of a series in its chart, from 0 in the order of adding; -1: none.
using SeriesHandle = int;

/// One line of a chart. `color` is an index: it gives the colour and the dashes of each theme.
struct SeriesSpec {
    QString name = {};  ///< symbols such as "V_h^e" are set as such
    int color = 0;
    int group = -1;         ///< the group whose member it is (see addGroup), -1: none
    bool isDimmed = false;  ///< a parent's history, a run that is not emphasised
    QString note = {};      ///< what sets it apart ("beta_r 5, seed 3"); shown with its values
};

/// Series that belong together, as the seeds of one setting: drawn as a band.
struct SeriesGroup {
    QString name;
    int color = 0;
};

enum class ChartEventKind { Steering, Checkpoint, BufferClear, NotANumber, Fork, Note };

/// "steering", "checkpoint", "buffer clear", "nan", "fork", "note".
QString nameOf(ChartEventKind kind);
/// The token colour of an event's diamond.
QColor colorOf(ChartEventKind kind, const Tokens& tokens);

/// Something that happened at a step: a diamond on the top edge.
struct ChartEvent {
    double x = 0;
    ChartEventKind kind = ChartEventKind::Note;
    QString text = {};  ///< "beta_r target 3.0 -> 5.0"
};

/// A stretch of steps filled behind the grid.
struct ChartStage {
    double from = 0, to = 0;
    QString name = {};
    int color = 0;           ///< palette index
    bool isCurrent = false;  ///< filled with the accent
};

/// A constant known exactly: a thin line in the exact colour.
struct ChartReference {
    QString name;
    double value = 0;
};

/// All that a chart knows, without how it is looked at. GUI thread only.
struct ChartContent {
    struct Entry {
        SeriesSpec spec;
        QString key;       ///< what a view hides it by: its name, after its group's name and "/"
        QString groupKey;  ///< its group's name, empty without one
        Series points = {};
        std::optional<EmaLine> ema = {};        ///< of the view's window, as far as it is made
        std::optional<MedianLine> median = {};  ///< of the view's window
    };

    QString title;
    QString unit;  ///< beside the title, quiet: "mean |learned - exact|"
    QString xName = QStringLiteral("step");
    bool isXWhole = true;  ///< x counts something: its axis has no fractions
    std::vector<Entry> series;
    std::vector<SeriesGroup> groups;
    std::vector<ChartEvent> events;
    std::vector<ChartStage> stages;
    std::vector<ChartReference> references;
    /// x range of other charts that this one is fitted together with.
    std::optional<std::pair<double, double>> linkedExtent;

    /// Over all series; 0 without points.
    std::int64_t numPoints() const;
    /// Memory of points and smoothed lines.
    std::int64_t bytes() const;
    int numMembers(int group) const;
};

}  // namespace orrery
