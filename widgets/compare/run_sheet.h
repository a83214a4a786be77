#pragma once

#include <QString>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/history/records.h"
#include "core/run/run_facts.h"

namespace orrery {

enum class SheetKind : std::uint8_t { Text, Number, State, Time, Tags };
enum class SheetPart : std::uint8_t { Identity, Parameter, Result };

/// One field of all runs.
struct SheetColumn {
    QString key;    ///< in filters and sessions: "beta_r", "state"
    QString title;  ///< symbols such as "V_r" are set as such
    SheetKind kind = SheetKind::Text;
    SheetPart part = SheetPart::Identity;
    std::vector<QString> text;   ///< [run] as shown; empty: none
    std::vector<double> number;  ///< [run] of Number and Time; NaN: none. Empty for other kinds
    int decimals = -1;           ///< of numbers as shown; -1: as written
};

/// All runs of a workspace with what is known about them, newest first. Immutable once made, so
/// that workers and views share it.
struct RunSheet {
    std::filesystem::path folder;  ///< of the workspace; empty: made of what was given
    std::vector<RunRecord> runs;
    std::vector<RunFacts> facts;  ///< [run]
    std::vector<SheetColumn> columns;
    std::vector<QString> titles;  ///< [run] see nameOf()

    int size() const { return static_cast<int>(runs.size()); }
    const SheetColumn* column(const QString& key) const;  ///< null if there is none
    int rowOf(const QString& runId) const;                ///< -1 if there is none
    /// As all of Compare names a run: "Slippery bridge"; "Slippery bridge · r00004" where another
    /// run bears that name, too; the id where it has none.
    const QString& nameOf(int row) const { return titles[static_cast<std::size_t>(row)]; }
};

/// Puts columns together; `facts` is parallel to `runs`.
std::shared_ptr<RunSheet> makeSheet(std::vector<RunRecord> runs, std::vector<RunFacts> facts);

/// Reads all runs, those in the trash too. Facts of runs that had ended in `former` (may be null)
/// are taken over where it is of the same workspace: each counts its runs anew. For a worker.
/// @return null if stopped
/// @throws Error as HistoryReader
std::shared_ptr<const RunSheet> readSheet(const std::filesystem::path& workspaceFolder,
                                          const std::shared_ptr<const RunSheet>& former,
                                          std::stop_token stop = {});

}  // namespace orrery
