#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace orrery {

enum class FilterType : std::uint8_t {
    Number,     ///< compared with numbers and with other fields of this type
    Whole,      ///< the same with whole numbers of 32 bits, true and false
    Real,       ///< the same with a number, by < <= > >= alone
    Mixed,      ///< numbers or texts; < and > need numbers
    Text,       ///< = != ~ :
    Truth,      ///< yes or no (true, false, 1, 0), or alone
    Condition,  ///< alone
};

/// ASCII letters alone change.
std::string inLowerCase(std::string_view text);

/// What a filter may ask about.
struct FilterField {
    std::string name;  ///< case is ignored where no other has exactly the name that is written
    FilterType type = FilterType::Number;
    int id = 0;                                 ///< the user's
    std::string example = {};                   ///< of a comparison: "step < 4"
    std::string meaning = "a number";           ///< what it is, of numbers
    bool hasArguments = false;                  ///< "human0.at(2,1)"
    bool isTruth = false;                       ///< a Whole that may stand alone
    std::vector<std::string> completions = {};  ///< what is offered for it; empty: its name
};

/// The fields of one kind of things: what the user of the language gives to it. Immutable once it
/// is filled; any thread.
struct FilterFields {
    std::string example;        ///< a condition: "step < 4"
    std::string hint = {};      ///< of an unknown name that is like none: "names look like ..."
    std::string callHint = {};  ///< which fields take arguments
    bool findsWords = false;    ///< a word or a text in quotes alone is looked for in texts
    std::vector<FilterField> list = {};

    /// A field of a name that is there is replaced under that name.
    void add(FilterField field);
    /// Another name of a field.
    void addAlias(const std::string& alias, const std::string& name);
    /// Index into `list`; -1 if there is none.
    int find(std::string_view name) const;
    std::string names() const;  ///< "actor, episode, step"
    /// All that may begin a condition, for completion.
    std::vector<std::string> words() const;
    /// @throws FilterError with the nearest name
    [[noreturn]] void failUnknown(std::string_view name, int column) const;

private:
    std::unordered_map<std::string, int> m_exact, m_folded;
};

}  // namespace orrery
