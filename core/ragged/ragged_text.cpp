#include <array>
#include <charconv>
#include <cmath>

#include "core/ragged/ragged_buffer.h"

namespace orrery {

namespace {

const char* nameOf(float) {
    return "f32";
}
const char* nameOf(std::int64_t) {
    return "i64";
}
const char* nameOf(bool) {
    return "bool";
}

/// @param isAlone  in a sequence of one item
void append(std::string& text, float value, bool isAlone) {
    if (!std::isfinite(value)) {
        text += std::isnan(value) ? "NaN" : value > 0 ? "inf" : "-inf";
        return;
    }
    constexpr std::size_t kLongest = 64;  // of 3.4e38 without an exponent
    std::array<char, kLongest> digits{};
    char* const end =
        std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed)
            .ptr;
    text.append(digits.data(), end);
    if (isAlone && value == std::trunc(value)) text += ".0";
}
void append(std::string& text, std::int64_t value, bool /*isAlone*/) {
    text += std::to_string(value);
}
void append(std::string& text, std::uint8_t value, bool /*isAlone*/) {
    text += value != 0 ? "true" : "false";
}

template <class Cell>
void appendItem(std::string& text, const Cell* cells, std::int64_t features, bool isAlone) {
    text += '[';
    for (std::int64_t f = 0; f < features; ++f) {
        if (f > 0) text += ", ";
        append(text, cells[f], isAlone);
    }
    text += ']';
}

}  // namespace

template <class T>
std::string RaggedBuffer<T>::text() const {
    std::string text = "RaggedBuffer([\n";
    for (std::int64_t i = 0; i < size0(); ++i) {
        const std::int64_t begin = m_rowBegin[i], end = m_rowBegin[i + 1];
        const bool isAlone = end - begin == 1;
        text += "    [";
        if (end - begin > 1) text += '\n';
        for (std::int64_t item = begin; item < end; ++item) {
            if (!isAlone) text += "        ";
            appendItem(text, m_cells.data() + item * m_features, m_features, isAlone);
            if (!isAlone) text += ",\n";
        }
        text += end - begin > 1 ? "    ],\n" : "],\n";
    }
    return text + "], '" + std::to_string(size0()) + " * var * " + std::to_string(m_features) +
           " * " + nameOf(T{}) + ')';
}

template std::string RaggedBuffer<float>::text() const;
template std::string RaggedBuffer<std::int64_t>::text() const;
template std::string RaggedBuffer<bool>::text() const;

}  // namespace orrery
