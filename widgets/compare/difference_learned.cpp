#include <QPointer>

#include "core/run/archive/compare_runs.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/common/number_text.h"
#include "widgets/compare/difference_view.h"

// Two trainings: whether they learned the same, bit for bit.

namespace orrery {

namespace {

QString comparisonText(const RunComparison& comparison) {
    QStringList fields;
    for (const FieldDifference& field : comparison.fields)
        fields << QString::fromStdString(field.field);
    const QString configuration =
        fields.isEmpty() ? QObject::tr("Their configurations are the same.")
                         : QObject::tr("Their configurations differ in %1.").arg(fields.join(", "));
    if (!comparison.learned)
        return QObject::tr("What they learned cannot be compared: %1").arg(configuration);
    const LearnedDifference& learned = *comparison.learned;
    if (learned.same())
        return QObject::tr("Identical: what they learned is the same, bit for bit, at step %1. %2")
            .arg(countText(learned.stepA), configuration);
    if (learned.stepA != learned.stepB)
        return QObject::tr("They stand at different steps, %1 and %2. %3")
            .arg(countText(learned.stepA), countText(learned.stepB), configuration);
    QStringList files;
    for (const std::string& file : learned.unequal) files << QString::fromStdString(file);
    return QObject::tr("What they learned differs at step %1: %2. %3")
        .arg(countText(learned.stepA), files.join(", "), configuration);
}

}  // namespace

void DifferenceView::compareLearned(const QString& a, const QString& b) {
    ++m_numWorking;
    showText(tr("Comparing what they learned …"));
    const QPointer<DifferenceView> self(this);
    m_worker->append<QString>(
        [folder = m_folder, a, b](std::stop_token stop) {
            const auto workspace = Workspace::open(folder, Workspace::Mode::ReadOnly);
            const auto comparison = compareRuns(*workspace, a.toStdString(), b.toStdString(), stop);
            return comparison ? comparisonText(*comparison) : QString();
        },
        [self, generation = m_generation](const QString& text) {
            if (!self) return;
            --self->m_numWorking;
            if (generation == self->m_generation && !text.isEmpty()) self->showText(text);
        },
        [self, generation = m_generation](const QString& text) {
            if (!self) return;
            --self->m_numWorking;
            if (generation == self->m_generation) self->showText(text);
        });
}

}  // namespace orrery
