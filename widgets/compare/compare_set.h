#pragma once

#include <QHash>
#include <QSet>
#include <QString>
#include <QStringList>
#include <memory>
#include <vector>

#include "widgets/compare/run_sheet.h"

namespace orrery {

/// Runs that are the same but for the seed and what leaves values as they are.
struct Setting {
    QString label;          ///< what sets it apart: "beta_r 5"; the run's name if nothing does
    int color = 0;          ///< palette index
    std::vector<int> rows;  ///< of the sheet
};

/// The runs that are compared.
struct CompareSet {
    std::shared_ptr<const RunSheet> sheet;
    std::vector<int> rows;          ///< of the sheet, in its order
    std::vector<Setting> settings;  ///< in the order of their first runs
    QStringList differing;          ///< keys of parameters and "world" in which settings differ
    QHash<int, int> settingOfRow;   ///< index into settings by row

    bool isEmpty() const { return rows.empty(); }
    QString idOf(int row) const;
    /// Index into settings; -1 if the row is not compared.
    int settingOf(int row) const;
};

/// Whether a column is part of what makes a setting: the world, and parameters that change values.
bool countsForSetting(const SheetColumn& column);

/// Keys of the parameters that change values and differ among rows, in the sheet's order, with
/// "world" in front if the worlds do.
QStringList differingKeys(const RunSheet& sheet, const std::vector<int>& rows);

/// Columns that tell rows apart, with their main results: what a table shows unless asked.
QStringList tellingColumns(const RunSheet& sheet, const std::vector<int>& rows);

CompareSet makeCompareSet(std::shared_ptr<const RunSheet> sheet, std::vector<int> rows);

/// The runs with these ids; without a sheet if stopped. For a worker.
/// @throws Error as HistoryReader
CompareSet readCompareSet(const std::filesystem::path& workspaceFolder, const QSet<QString>& ids,
                          std::stop_token stop = {});

}  // namespace orrery
