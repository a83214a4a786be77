#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/verb.h"
#include "core/run/run_kind.h"

namespace orrery {

/// What a command line says about fields of a spec, in the order of the table.
class FieldOptions {
public:
    /// Declares one option `--name-of-field` for each field, with meaning, range and default from
    /// the table, and one for each alias; a flag also takes `--no-name-of-field`. Lists of rules
    /// have none.
    /// @param only  names of fields; empty: all
    void declare(Verb& verb, std::span<const RunField> fields,
                 const std::vector<std::string_view>& only = {});

    /// Whether any field was given.
    bool hasAny() const;

    /// Sets the fields that were given.
    /// @return every problem: "beta_h must be >= 0 or inf, got 'abc'"
    std::vector<std::string> apply(RunSpec& spec) const;

private:
    struct Entry {
        const RunField* field = nullptr;
        std::string text;                         // as typed
        bool isOn = false, isOff = false;         // values of a flag's two options
        bool isGiven = false, isNoGiven = false;  // --..., and --no-... of a flag
        bool isAliasGiven = false;                // by another of its names
    };
    void declareOne(Verb& verb, const RunField& field, Entry& entry);
    void declareAlias(Verb& verb, const std::string& alias, Entry& entry);
    void refuseTwins(std::vector<std::string>& problems) const;

    std::vector<std::unique_ptr<Entry>> m_entries;  // stable: the verb has pointers
};

/// Sets the fields that were given on a command line.
/// @throws Error (BadInput) with all problems of all of them
void applyAll(std::initializer_list<const FieldOptions*> options, RunSpec& spec);

/// What a word FIELD=VALUE of a command line says.
struct FieldChange {
    const RunField* field = nullptr;
    FieldValue value = {};
    /// Of a field that holds an object: the member that gets the value; empty: the field itself.
    std::string member = {};

    void apply(RunSpec& spec) const;
};

/// @throws Error (BadInput) if the word or its value is wrong, or if there is no such field
FieldChange fieldChange(const std::string& word, const RunKind& kind);

/// Sets what words say about fields, or about several by one name (the kind's aliases).
/// @return the other words: those without '=', and files
/// @throws Error (BadInput) with all that is wrong, as fieldChange
std::vector<std::string> takeFields(const std::vector<std::string>& words, RunSpec& spec);

/// Declares `--preset`, with the kind's presets in its help.
void addPresetOption(Verb& verb, const RunKind& kind, std::string& preset);

/// Gives the spec's fields the values of a preset of its kind; nothing if the name is empty.
/// @throws Error (BadInput) if there is none of that name
void takePreset(RunSpec& spec, const std::string& preset);

/// Declares `--options`, which lists the fields instead of what the verb does (printFields).
void addFieldsOption(Verb& verb, bool& isWanted);

/// Every field of a kind with range, default, what it needs and meaning, then its presets, as
/// tables in Markdown: those of resources/specs/README.md.
void printFields(const RunKind& kind, Console& console);

}  // namespace orrery
