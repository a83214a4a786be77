#pragma once

#include <QHash>
#include <QSet>
#include <QString>
#include <QStringList>
#include <memory>
#include <vector>

#include "widgets/compare/run_sheet.h"

namespace orrery {

/// Runs that are the same but for the seed and what leaves values as they are: of one world and
/// one program, equally steered, and none of them ended before its time unlike the others: in
/// another way or at another step.
struct Setting {
    QString label;  ///< one run's name; of several what sets them apart: "beta_r 5", else the world
    int color = 0;  ///< palette index
    std::vector<int> rows;  ///< of the sheet
};

/// The runs that are compared.
struct CompareSet {
    std::shared_ptr<const RunSheet> sheet;
    std::vector<int> rows;            ///< of the sheet, in its order
    std::vector<Setting> settings;    ///< in the order of their first runs
    QStringList differing;            ///< keys of parameters and "world" in which settings differ
    QHash<int, int> settingOfRow;     ///< index into settings by row
    QHash<int, QString> differences;  ///< by row; see differenceOf

    bool isEmpty() const { return rows.empty(); }
    QString idOf(int row) const;
    /// As RunSheet; empty for a row that is not of the sheet.
    QString nameOf(int row) const;
    /// What sets it apart from the others but for the seed: "beta_r 5, no stop_step, stopped".
    QString differenceOf(int row) const;
    /// Index into settings; -1 if the row is not compared.
    int settingOf(int row) const;
};

/// Whether a column is part of what makes a setting: the world, and parameters that change values.
bool countsForSetting(const SheetColumn& column);

/// Keys of the parameters that change values and differ among rows, in the sheet's order, with
/// "world" in front if the worlds do. A parameter that some runs of a job lack differs, too.
QStringList differingKeys(const RunSheet& sheet, const std::vector<int>& rows);

/// Columns that tell rows apart, with their main results: what a table shows unless asked.
QStringList tellingColumns(const RunSheet& sheet, const std::vector<int>& rows);

CompareSet makeCompareSet(std::shared_ptr<const RunSheet> sheet, std::vector<int> rows);

/// The runs with these ids; without a sheet if stopped. For a worker.
/// @throws Error as HistoryReader
CompareSet readCompareSet(const std::filesystem::path& workspaceFolder, const QSet<QString>& ids,
                          std::stop_token stop = {});

}  // namespace orrery
