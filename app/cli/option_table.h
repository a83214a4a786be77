#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace orrery {

/// What is read into the place that it points to; a switch is a bool, a list takes several words.
/// None: asks for a text, such as --help.
using OptionPlace =
    std::variant<std::monostate, bool*, int*, std::int64_t*, std::uint64_t*, double*, std::string*,
                 std::vector<std::string>*, std::optional<std::uint64_t>*>;

/// The numbers that an option takes, both ends included.
struct NumberRange {
    double least, most;
    const char* name = "";  ///< in place of the ends in the help: "POSITIVE"
};
inline constexpr NumberRange kPositive{.least = std::numeric_limits<double>::min(),
                                       .most = std::numeric_limits<double>::max(),
                                       .name = "POSITIVE"};
inline constexpr NumberRange kNotNegative{
    .least = 0, .most = std::numeric_limits<double>::max(), .name = "NONNEGATIVE"};

/// Whether an option names what its verb writes. Then the verb has `--force`, without which it
/// replaces nothing.
enum class Writes {
    Nothing,
    Target,  ///< this file or folder: looked at before the verb begins
    ByName,  ///< files whose names the verb makes of it, and looks at itself
};

/// What holds for an option beyond its name, place and meaning.
struct OptionRules {
    bool isRequired = false;
    bool showsDefault = false;   ///< the help shows the value that is in the place already
    std::string takes = {};      ///< what a value is called; empty: by its type, "TEXT"
    bool isOnePerUse = false;    ///< of a list: --set A --set B, not --set A B
    bool isMarkedAsList = true;  ///< of a list: the help shows "..."
    std::optional<NumberRange> range = {};
    std::vector<std::string> choices = {};  ///< empty: any
    std::string excludes = {};              ///< an option declared before: "--plot"
    bool* isGiven = nullptr;                ///< becomes true if the option is used
    Writes writes = Writes::Nothing;
};

/// An option, a switch or a positional of a verb. Plain data: reading a command line writes into
/// the places and leaves the table as it is.
struct VerbOption {
    std::string names;  ///< "-o,--output"; without a dash, a positional: "WORLD"
    OptionPlace place;
    std::string meaning;
    OptionRules rules = {};
    std::string byDefault = {};  ///< as the help shows it, or empty

    bool isPositional() const { return !names.starts_with("-"); }
};

/// With the default that its place holds now, if it is to be shown.
VerbOption makeOption(std::string names, OptionPlace place, std::string meaning, OptionRules rules);

/// "-h,--help", which every verb has.
VerbOption helpOption();

/// What the help says of an option's value: "FLOAT", "TEXT:{csv,json}"; empty if it takes none.
std::string valueText(const VerbOption& option);

/// Its names with two dashes, as they are typed: "--output".
std::vector<std::string> longNames(const VerbOption& option);

}  // namespace orrery
