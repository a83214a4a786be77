#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/spec/field_value.h"

namespace orrery {

enum class FieldType {
    Text,
    Flag,
    Integer,
    Number,
    Choice,    ///< one of SpecField::choices
    Rules,     ///< a list of maps; read and written by files only (readRules)
    Texts,     ///< a list of texts, or one
    List,      ///< of numbers, whole numbers, flags or texts: SpecField::element
    Json,      ///< any value
    Schedule,  ///< a number, or one that follows the steps (schedule.h)
    Section,   ///< whether a part of the spec is there, whose fields have its name in front
};

/// How a number lies on a slider: evenly, or evenly in its logarithm. Values beyond its ends can be
/// typed.
struct Slider {
    double low = 0, high = 1;  ///< at the ends
    bool isLog = false;
};

/// A test of another field: its value is one of these, as it is written in files, or is none.
struct FieldTest {
    std::string field;
    std::vector<std::string> texts;
    bool isNot = false;
};

/// What a field needs to have an effect: that one of the tests holds.
struct FieldNeed {
    std::vector<FieldTest> anyOf;
    std::string reason;  ///< why it has none: "Q_r is no table"
    bool isPart =
        false;  ///< what the field belongs to is not there at all: a narrow place hides it
};

/// One field of a spec: the single place of its name, range and meaning, used by the file reader,
/// the command line, forms and help. Its table (spec_table.h) stands beside the spec's struct and
/// binds it to a member there; its default is the value in a fresh struct.
struct SpecField {
    /// Key in files: "beta_h"; the option is --beta-h. Dots part sections: "optim.lr".
    std::string name = {};
    std::vector<std::string> aliases = {};  ///< other names that files and options take
    FieldType type = FieldType::Text;
    std::string label = {};  ///< for a form: "Humans' inverse temperature"
    bool isSymbol = false;   ///< the name is the theory's symbol, which a form shows for the label
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
    FieldType element = FieldType::Number;  ///< of a list; the range is that of each element
    int fewest = 0, most = 0;               ///< elements of a list; most 0: any number
    std::string section = {};               ///< that may not be there, and the field with it
    std::string meaning = {};               ///< one sentence

    bool isLive = false;                ///< may be changed while a run trains
    std::string shortLabel = {};        ///< of a live one, for a narrow place: "rate of Q_r"
    Slider slider = {};                 ///< of a live one
    bool isStructural = false;          ///< shapes what is learned: a checkpoint needs it as it was
    bool isQuiet = false;               ///< says nothing about values: runs may differ in it
    std::vector<FieldNeed> needs = {};  ///< all of them, or it has no effect (field_effect.h)

    /// By its name or by an alias.
    bool isNamed(std::string_view text) const;
};

/// Reads "0.5", "inf", "true", "none", "4GiB" (fields in bytes), lists and trees as JSON; nothing
/// if the text is of another kind. The range is not checked.
std::optional<FieldValue> parseFieldText(const SpecField& field, std::string_view text);

/// A plain tree, as a file or JSON gives it, as a value of the field: whole numbers are numbers
/// where these are wanted, "inf" is infinity. Nothing if it is of another kind.
std::optional<FieldValue> valueOfTree(const SpecField& field, const FieldValue& tree);

/// Reads and checks what a person typed.
/// @throws Error (BadInput) "beta_h must be >= 0 or inf, got 'abc'"
FieldValue fieldFromText(const SpecField& field, std::string_view text);

/// A value as fieldFromText reads it back.
std::string fieldText(const FieldValue& value);

/// The same for people, and as exact: "2" for "2.0", "0.0001" for "1e-04".
std::string shortFieldText(const FieldValue& value);

}  // namespace orrery
