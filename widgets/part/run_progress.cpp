#include "widgets/part/run_progress.h"

#include <QObject>

#include "widgets/common/number_text.h"

namespace orrery {

QString progressText(const Progress& progress) {
    const bool isBytes = progress.unit == "bytes";
    const auto amount = [&](std::int64_t n) { return isBytes ? bytesText(n) : countText(n); };
    const QString unit = isBytes ? QString() : u' ' + QString::fromStdString(progress.unit);
    QString text = (progress.total > 0
                        ? QObject::tr("%1 of %2").arg(amount(progress.done), amount(progress.total))
                        : amount(progress.done)) +
                   unit;
    if (progress.ratePerSecond > 0)
        text += QObject::tr(" · %1 a second")
                    .arg(amount(static_cast<std::int64_t>(progress.ratePerSecond)));
    if (progress.secondsLeft >= 0)
        text += QObject::tr(" · %1 left").arg(durationText(progress.secondsLeft));
    return text;
}

JobProgress jobProgress(const Progress& progress) {
    JobProgress job{.phase = phaseText(progress),
                    .done = static_cast<double>(progress.done),
                    .total = static_cast<double>(progress.total)};
    if (progress.ratePerSecond > 0)
        job.rate = QObject::tr("%1 %2 a second")
                       .arg(countText(static_cast<std::int64_t>(progress.ratePerSecond)),
                            QString::fromStdString(progress.unit));
    if (progress.secondsLeft >= 0)
        job.remaining = QObject::tr("%1 left").arg(durationText(progress.secondsLeft));
    return job;
}

QString phaseText(const Progress& progress) {
    QString text = QString::fromStdString(progress.phase);
    return text.replace(0, 1, text.left(1).toUpper());
}

}  // namespace orrery
