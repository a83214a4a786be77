#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "core/filter/filter_tree.h"

namespace orrery {

struct FilterFields;
struct RunSheet;

/// A condition on runs (core/filter/read_filter.h):
///
///     world = "Maze" and beta_r >= 5 and state: done and not tag: draft
///
/// Fields are the sheet's columns. Of tags = and : mean "is one of them", of other texts : means
/// "contains"; the state is it, "done" for finished. A word or a text in quotes alone is looked for
/// in name, id, world, note and tags. Empty text: all runs.
class RunCondition {
public:
    /// @param sheet gives the fields; the condition keeps no reference to it
    /// @throws FilterError
    RunCondition(const QString& text, const RunSheet& sheet);

    /// [run] whether it holds. The sheet may be another one than at reading; fields that it lacks
    /// are empty.
    std::vector<char> apply(const RunSheet& sheet) const;

private:
    std::optional<FilterNode> m_root;  ///< nothing: all runs
};

/// Takes the parts of the form `field: value` that are joined by `and` out of a filter.
/// @return those parts; `rest` keeps the others
/// @throws FilterError
QStringList takeChips(const QString& text, const RunSheet& sheet, QString& rest);

}  // namespace orrery
