#pragma once

#include <QRectF>
#include <QString>

class QColor;
class QPainter;

namespace orrery {

struct LearnedErrors;
struct LearnedPairs;

/// "V_r · two_rooms, r00003 · step 5 000": what a picture of errors is about.
QString headingOf(const LearnedErrors& errors, const LearnedPairs& pairs);

/// Diagonal lines over a rectangle, as lines of their own, so that every format of figures has
/// them.
void paintHatching(QPainter& painter, const QRectF& box, const QColor& color);

}  // namespace orrery
