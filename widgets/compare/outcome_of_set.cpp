#include "widgets/compare/outcome_of_set.h"

#include <cmath>

namespace orrery {

namespace {

constexpr qsizetype kMostAxes = 2;

QString titleOfColumn(const SheetColumn& column) {
    return column.title.isEmpty() ? column.key : column.title;
}

}  // namespace

QString whyNoOutcome(const CompareSet& set) {
    if (set.isEmpty()) return QObject::tr("Check runs in the table to see their results.");
    if (set.differing.contains(QStringLiteral("world")))
        return QObject::tr("The checked runs are of several worlds.");
    if (set.differing.isEmpty()) return QObject::tr("The checked runs have equal parameters.");
    if (set.differing.size() > kMostAxes)
        return QObject::tr("The checked runs differ in %1 parameters; this chart takes one or two.")
            .arg(set.differing.size());
    return {};
}

OutcomeTable outcomeOfSet(const CompareSet& set) {
    OutcomeTable table;
    if (!whyNoOutcome(set).isEmpty()) return table;
    std::vector<const SheetColumn*> axes;
    for (const QString& key : set.differing)
        if (const SheetColumn* column = set.sheet->column(key)) {
            table.axes << key;
            axes.push_back(column);
        }
    std::vector<const SheetColumn*> results;
    for (const SheetColumn& column : set.sheet->columns)
        if (column.part == SheetPart::Result && column.kind == SheetKind::Number) {
            results.push_back(&column);
            table.results.push_back({column.key, titleOfColumn(column)});
        }
    for (const int row : set.rows) {
        const auto at = static_cast<std::size_t>(row);
        OutcomeTable::Run run;
        run.id = set.idOf(row);
        run.state = set.sheet->runs[at].state;
        for (const SheetColumn* axis : axes) {
            run.texts << axis->text[at];
            run.numbers << (axis->number.empty() ? std::nan("") : axis->number[at]);
        }
        for (const SheetColumn* result : results)
            if (!std::isnan(result->number[at]))
                run.results.insert(result->key, result->number[at]);
        table.runs.push_back(std::move(run));
    }
    return table;
}

}  // namespace orrery
