#include "widgets/compare/compare_set.h"

#include <QSet>
#include <algorithm>
#include <utility>

namespace orrery {

namespace {

constexpr int kMostDifferingColumns = 3;

QString shortNumber(const QString& text) {
    return text.endsWith(QLatin1String(".0")) ? text.chopped(2) : text;
}

QString labelOf(const RunSheet& sheet, const QStringList& differing, int row) {
    QStringList parts;
    for (const QString& key : differing) {
        const QString text = sheet.column(key)->text[static_cast<std::size_t>(row)];
        if (text.isEmpty()) continue;
        parts << (key == QLatin1String("world") ? text : key + u' ' + shortNumber(text));
    }
    return parts.isEmpty() ? sheet.nameOf(row) : parts.join(QStringLiteral(", "));
}

}  // namespace

QString CompareSet::idOf(int row) const {
    return QString::fromStdString(sheet->runs[static_cast<std::size_t>(row)].id);
}

int CompareSet::settingOf(int row) const {
    return settingOfRow.value(row, -1);
}

bool countsForSetting(const SheetColumn& column) {
    return column.key == QLatin1String("world") ||
           (column.part == SheetPart::Parameter && changesValues(column.key.toStdString()));
}

QStringList differingKeys(const RunSheet& sheet, const std::vector<int>& rows) {
    QStringList keys;
    if (rows.empty()) return keys;
    for (const SheetColumn& column : sheet.columns) {
        if (!countsForSetting(column)) continue;
        // Runs of other jobs lack most fields; that they are of another job is told once.
        QSet<QString> texts;
        for (const int row : rows) texts.insert(column.text[static_cast<std::size_t>(row)]);
        if (column.key != QLatin1String("job")) texts.remove({});
        if (texts.size() > 1) keys << column.key;
    }
    return keys;
}

QStringList tellingColumns(const RunSheet& sheet, const std::vector<int>& rows) {
    QStringList keys{QStringLiteral("state")};
    QStringList differing = differingKeys(sheet, rows);
    if (differing.removeOne(QStringLiteral("world"))) keys << QStringLiteral("world");
    keys << differing.mid(0, kMostDifferingColumns);
    const bool hasTags = std::ranges::any_of(
        rows, [&](int row) { return !sheet.runs[static_cast<std::size_t>(row)].tags.empty(); });
    if (hasTags) keys << QStringLiteral("tag");
    for (const char* key : {"v_r", "x_h", "states", "seconds", "created"})
        if (sheet.column(QLatin1String(key)) != nullptr) keys << QLatin1String(key);
    return keys;
}

CompareSet makeCompareSet(std::shared_ptr<const RunSheet> sheet, std::vector<int> rows) {
    CompareSet set;
    set.sheet = std::move(sheet);
    set.rows = std::move(rows);
    if (!set.sheet) return set;
    set.differing = differingKeys(*set.sheet, set.rows);
    QHash<QString, int> known;
    for (const int row : set.rows) {
        QString key;
        for (const QString& field : set.differing)
            key += set.sheet->column(field)->text[static_cast<std::size_t>(row)] + QChar(0x1f);
        const auto found = known.find(key);
        if (found != known.end()) {
            set.settings[static_cast<std::size_t>(*found)].rows.push_back(row);
            set.settingOfRow.insert(row, *found);
            continue;
        }
        const int index = static_cast<int>(set.settings.size());
        known.insert(key, index);
        set.settingOfRow.insert(row, index);
        set.settings.push_back({labelOf(*set.sheet, set.differing, row), index % 8, {row}});
    }
    return set;
}

CompareSet readCompareSet(const std::filesystem::path& workspaceFolder, const QSet<QString>& ids,
                          std::stop_token stop) {
    auto sheet = readSheet(workspaceFolder, nullptr, stop);
    if (!sheet) return {};
    std::vector<int> rows;
    for (int row = 0; row < sheet->size(); ++row)
        if (ids.contains(QString::fromStdString(sheet->runs[static_cast<std::size_t>(row)].id)))
            rows.push_back(row);
    return makeCompareSet(std::move(sheet), std::move(rows));
}

}  // namespace orrery
