#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace orrery {

/// One part of what is observed in a step.
struct ObservedSpace {
    enum class Kind : std::uint8_t {
        Array,     ///< always of the same shape
        Sequence,  ///< elements of one shape, any number of them, nested to a fixed depth
        Entities,  ///< any number of things, each with the same features
    };
    /// 1 for a plain sequence and for entities.
    static constexpr int kMostDepth = 16;

    std::string name;  ///< "position", "sentence", "Mine"; unique
    Kind kind = Kind::Array;
    /// Of an array, or of one element; empty: a single number. Entities: {features}.
    std::vector<std::int64_t> shape = {};
    int depth = 0;  ///< [0, kMostDepth]: 0 exactly for arrays
    /// Of the numbers of an element, in their order; entities name all, others may leave it empty.
    std::vector<std::string> features = {};
    /// Numbers are whole and below it, such as the index of a word; 0: they are measurements.
    std::int64_t categories = 0;
    /// Ends included.
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();

    /// Numbers of one element; only things may have none.
    std::int64_t numbersEach() const;
    bool operator==(const ObservedSpace&) const = default;
};

/// One thing that is decided in a step.
struct ActionSpace {
    enum class Kind : std::uint8_t {
        Choice,   ///< one of named choices
        Numbers,  ///< a vector of numbers
        Select,   ///< one of the things observed
    };

    std::string name;  ///< unique
    Kind kind = Kind::Choice;
    std::vector<std::string> choices = {};  ///< Choice: unique names, at least one
    std::int64_t size = 0;                  ///< Numbers: at least 1
    double low = -1, high = 1;              ///< Numbers: ends included
    /// Decided by each of the step's actors, of which there may be none; else once a step.
    bool isOfActors = false;

    bool operator==(const ActionSpace&) const = default;
};

/// What an environment shows and takes. Fixed while it lives.
struct EnvironmentSpaces {
    std::vector<ObservedSpace> observations;
    std::vector<ActionSpace> actions;
    /// Names of what is rewarded, at least one; the first is what is learned if nothing else is
    /// said.
    std::vector<std::string> rewards = {"reward"};
    /// Names of what is true but not observed: for probes, and for looking on.
    std::vector<std::string> facts = {};
    /// Names of what a step tells beside its rewards, for curves.
    std::vector<std::string> metrics = {};

    bool operator==(const EnvironmentSpaces&) const = default;
};

/// The whole of them has one kind if all its observations have it: what a learner asks first.
/// "entities", "sequences" (arrays beside them are fine), "arrays".
const char* kindOf(const EnvironmentSpaces& spaces);

/// What is wrong with spaces, a line each: empty names, names given twice, shapes without numbers,
/// depths out of range.
std::vector<std::string> problemsOf(const EnvironmentSpaces& spaces);

}  // namespace orrery
