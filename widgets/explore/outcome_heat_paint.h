#pragma once

#include <QModelIndex>
#include <QRectF>

class QPainter;

namespace orrery {

class OutcomeHeatModel;
struct Tokens;

/// One cell of a heat table: its number on its colour, or the reason for having none on hatching.
void paintOutcomeCell(QPainter& painter, const QModelIndex& index, const QRectF& cell,
                      const Tokens& tokens);

/// The colour bar of a heat table: symbol with its kind, ends, and what hatching means. `box` holds
/// all of it; kOutcomeBarWidth wide.
void paintOutcomeBar(QPainter& painter, const OutcomeHeatModel& model, const QRectF& box,
                     const Tokens& tokens);

/// The whole table with its headings, in `box`.
void paintOutcomeTable(QPainter& painter, const OutcomeHeatModel& model, const QRectF& box,
                       bool hasBar, const Tokens& tokens);

/// The bar within its box: where the colours are.
QRectF outcomeBarColors(const QRectF& box);

inline constexpr double kOutcomeBarWidth = 96;

}  // namespace orrery
