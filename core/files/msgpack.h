#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// A value of MessagePack. Texts and binary strings lie in the bytes that it was read from.
struct MsgpackValue {
    enum class Kind : std::uint8_t { Nil, Truth, Integer, Number, Text, Binary, Array, Map };

    Kind kind = Kind::Nil;
    bool truth = false;
    std::int64_t integer = 0;
    double number = 0;                        ///< of an Integer likewise
    std::string_view bytes = {};              ///< Text, Binary
    std::vector<MsgpackValue> elements = {};  ///< Array; of a Map keys and values in turn

    /// The value of a map's first key with these bytes, be it a text or binary; null: there is
    /// none.
    const MsgpackValue* find(std::string_view key) const;
    std::size_t members() const { return elements.size() / 2; }  ///< of a map
    const MsgpackValue& key(std::size_t i) const { return elements[2 * i]; }
    const MsgpackValue& value(std::size_t i) const { return elements[2 * i + 1]; }
};

struct MsgpackLimits {
    int depth = 32;                  ///< of arrays and maps within each other
    std::size_t values = 1'000'000;  ///< all together
};

/// Reads the one value that fills these bytes. Nothing is allocated by a length that they only
/// declare. Whole numbers beyond 63 bits and extensions are refused.
/// @throws Error (BadInput) "byte 12: ...", what is wrong
/// Source: MessagePack specification of 2017.
MsgpackValue readMsgpack(std::string_view bytes, const MsgpackLimits& limits = {});

/// Writes values one after the other, each in its shortest form: an array or a map is its number
/// of elements or members, then those.
class MsgpackWriter {
public:
    void nil();
    void truth(bool value);
    void integer(std::int64_t value);
    void number(double value);
    void text(std::string_view value);
    void binary(std::string_view value);
    void array(std::size_t elements);
    void map(std::size_t members);

    const std::string& bytes() const { return m_bytes; }
    std::string take() { return std::move(m_bytes); }

private:
    std::string m_bytes;
};

}  // namespace orrery
