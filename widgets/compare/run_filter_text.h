#pragma once

#include <QString>
#include <QStringList>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace orrery {

struct RunSheet;

/// What is wrong with a filter, at a place of its text.
struct FilterProblem {
    int position = 0;  ///< characters from the beginning
    QString text;      ///< "there is no field 'bta_r'; did you mean beta_r?"
};

/// A condition on runs as people write it:
///
///     world = "Maze" and beta_r >= 5 and state: done and not tag: draft
///
/// Fields are the sheet's columns. Comparisons: = != < <= > >= for numbers and texts, ~ and : for
/// "contains" (tags: is one of them; state: is it, "done" for finished). A word or a text in
/// quotes alone is looked for in name, id, world, note and tags. and, or, not and parentheses;
/// `and` may be left out. Case is ignored. Numbers may end in k or M. Empty text: all runs.
class RunCondition {
public:
    RunCondition();
    ~RunCondition();
    RunCondition(RunCondition&&) noexcept;
    RunCondition& operator=(RunCondition&&) noexcept;

    /// @param sheet gives the fields; the condition keeps no reference to it
    /// @return nothing if the text is wrong; `problem` then says where and why
    static std::optional<RunCondition> read(const QString& text, const RunSheet& sheet,
                                            FilterProblem& problem);

    /// [run] whether it holds. The sheet may be another one than at reading; fields that it lacks
    /// are empty.
    std::vector<char> apply(const RunSheet& sheet) const;

    struct Node;

private:
    std::unique_ptr<Node> m_root;  ///< null: all runs
};

/// Takes the parts of the form `field: value` that are joined by `and` out of a filter.
/// @return those parts; `rest` keeps the others
QStringList takeChips(const QString& text, QString& rest);

}  // namespace orrery
