#include "widgets/learned/learned_figure.h"

#include <QObject>
#include <QPainter>
#include <QPen>
#include <algorithm>

#include "widgets/common/number_text.h"
#include "widgets/common/run_title.h"
#include "widgets/learned/learned_errors.h"

namespace orrery {

namespace {

constexpr double kPitch = 5;  ///< units between two lines

}  // namespace

QString headingOf(const LearnedErrors& errors, const LearnedPairs& pairs) {
    return QObject::tr("%1 · %2, %3 · step %4")
        .arg(textOf(pairs.quantity, *errors.world), errors.loaded.title,
             runTitle(errors.runName, errors.runId), countText(errors.step));
}

void paintHatching(QPainter& painter, const QRectF& box, const QColor& color) {
    painter.setPen(QPen(color, 1));
    for (double sum = box.left() + box.top() + kPitch / 2; sum < box.right() + box.bottom();
         sum += kPitch) {
        const double from = std::max(box.left(), sum - box.bottom());
        const double to = std::min(box.right(), sum - box.top());
        if (to > from) painter.drawLine(QPointF(from, sum - from), QPointF(to, sum - to));
    }
}

}  // namespace orrery
