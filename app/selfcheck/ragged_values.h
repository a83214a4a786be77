#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "app/selfcheck/oracle_node.h"
#include "app/selfcheck/tally.h"
#include "core/ragged/ragged_buffer.h"

namespace orrery {

using Wholes = std::vector<std::int64_t>;

inline Wholes wholes(const OracleNode& list) {
    Wholes all;
    for (std::size_t i = 0; i < list.size(); ++i) all.push_back(list.at(i).integer());
    return all;
}

inline void compareWholes(const OracleNode& inFile, const Wholes& computed, Tally& tally) {
    tally.truth(inFile.path(), true, wholes(inFile) == computed);
}

/// A number of a buffer: 0.5, "nan", 3, true.
template <class T>
RaggedCell<T> cellOf(const OracleNode& node) {
    if constexpr (std::is_same_v<T, bool>)
        return node.compact() == "true" || node.compact() == "1" ? 1 : 0;
    else if constexpr (std::is_same_v<T, float>)
        return node.compact() == "\"nan\"" ? std::nanf("") : static_cast<float>(node.number());
    else
        return node.integer();
}

template <class T>
std::vector<RaggedCell<T>> cellsOf(const OracleNode& data) {
    std::vector<RaggedCell<T>> cells;
    for (std::size_t i = 0; i < data.size(); ++i) cells.push_back(cellOf<T>(data.at(i)));
    return cells;
}

/// Number by number; one that is not a number agrees with another such one.
template <class T>
void compareCells(const OracleNode& inFile, std::span<const RaggedCell<T>> computed, Tally& tally,
                  Tolerance tolerance = {}) {
    const std::vector<RaggedCell<T>> due = cellsOf<T>(inFile);
    if (due.size() != computed.size())
        return tally.fail(inFile.path(), std::to_string(computed.size()) + " numbers came");
    for (std::size_t i = 0; i < due.size(); ++i) {
        const auto a = static_cast<double>(due[i]), b = static_cast<double>(computed[i]);
        const std::string path = inFile.path() + '[' + std::to_string(i) + ']';
        if (std::isnan(a))
            tally.truth(path, true, std::isnan(b));
        else
            tally.number(path, a, b, tolerance);
    }
}

/// Type, features, lengths and numbers.
template <class T>
void compareRagged(const OracleNode& inFile, const RaggedBuffer<T>& computed, Tally& tally,
                   Tolerance tolerance = {}) {
    const char* const type = std::is_same_v<T, float>  ? "f32"
                             : std::is_same_v<T, bool> ? "bool"
                                                       : "i64";
    tally.text(inFile.path() + ".dtype", inFile.at("dtype").text(), type);
    tally.number(inFile.path() + ".features", inFile.at("features").number(),
                 static_cast<double>(computed.size2()), {});
    compareWholes(inFile.at("lengths"), computed.lengths(), tally);
    compareCells<T>(inFile.at("data"), computed.flat(), tally, tolerance);
}

}  // namespace orrery
