#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/run/run_spec.h"

namespace orrery {

/// The value of one field; monostate where an optional one is not set.
using FieldValue = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

enum class FieldType {
    Text,
    Flag,
    Integer,
    Number,
    Choice,  ///< one of SpecField::choices
    Rules,   ///< a list; read and written by files only (readRules), its value is its JSON text
    Texts,   ///< a list of texts, or one; as a value the one text or the JSON text of the list
};

/// One field of a run's spec: the single place of its name, range and meaning, used by the file
/// reader, the command line, forms and help. Its default is the value in a fresh RunSpec.
struct SpecField {
    std::string name = {};  ///< key in files: "beta_h"; the option is --beta-h
    FieldType type = FieldType::Text;
    std::string label = {};  ///< for a form: "Humans' inverse temperature"
    std::string unit = {};   ///< "bytes", "threads", "" for pure numbers
    std::string range = {};  ///< in words: ">= 0 or inf"
    /// Numbers and integers: the accepted range.
    double low = 0, high = 0;
    bool lowIsOpen = false;      ///< low itself is refused
    bool takesInfinity = false;  ///< `inf` is accepted, whatever `high` is
    bool isOptional = false;     ///< may be unset: null in a file, "none" as text
    std::string twin = {};       ///< the field that says the same in another form: rho_h of gamma_h
    bool isExpert = false;       ///< a form hides it at first
    std::vector<std::string> choices = {};
    std::string meaning = {};  ///< one sentence
    /// Of a spec with another job: the default.
    std::function<FieldValue(const RunSpec&)> get = {};
    /// Takes a value that checkField accepts; the spec must have the field's job. Setting gamma
    /// unsets rho and the other way round.
    std::function<void(RunSpec&, const FieldValue&)> set = {};
};

/// Fields of every run: name, note, seed.
std::span<const SpecField> runFields();

/// Fields of SolveJob, those of its SolveSpec included.
std::span<const SpecField> solveFields();

/// Fields of TrainJob, those of its EmpoSpec included. Names are the seeds' where they have one.
std::span<const SpecField> trainFields();

/// Fields of the alternative of that name (jobKinds), without runFields().
std::span<const SpecField> jobFields(std::string_view kind);

/// Null if neither runFields() nor the job's fields have that name.
const SpecField* findField(std::string_view kind, std::string_view name);

/// What is wrong with a value for a field: "must be >= 0 or inf, got -1"; nothing if it is right.
std::optional<std::string> checkField(const SpecField& field, const FieldValue& value);

/// Reads "0.5", "inf", "true", "none", "4GiB" (fields in bytes); nothing if the text is of another
/// kind. The range is not checked.
std::optional<FieldValue> parseFieldText(const SpecField& field, std::string_view text);

/// Reads and checks what a person typed.
/// @throws Error (BadInput) "beta_h must be >= 0 or inf, got 'abc'"
FieldValue fieldFromText(const SpecField& field, std::string_view text);

/// A value as fieldFromText reads it back.
std::string fieldText(const FieldValue& value);

/// The same for people, and as exact: "2" for "2.0", "0.0001" for "1e-04".
std::string shortFieldText(const FieldValue& value);

/// A list of texts as a field's value, and back.
/// @throws Error (BadInput) if the text is a list that cannot be read
std::string textsValue(const std::vector<std::string>& texts);
std::vector<std::string> textsOf(const std::string& value);

/// The value in a fresh spec of that job.
FieldValue fieldDefault(const SpecField& field);

/// A table of the fields for `--help` and man pages: name, range, default, meaning.
std::string fieldHelp(std::span<const SpecField> fields);

}  // namespace orrery
