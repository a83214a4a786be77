#include "core/entity/files/numpy_array.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/text.h"

namespace orrery {

namespace {

constexpr std::size_t kMostDimensions = 8;

using Kind = MsgpackValue::Kind;

[[noreturn]] void refuseArray(const std::string& where, const std::string& why) {
    throw badInput("'" + escaped(where, 100) + "' " + why);
}

const MsgpackValue& memberOf(const MsgpackValue& value, std::string_view name, Kind kind,
                             const std::string& where) {
    const MsgpackValue* member = value.find(name);
    if (member == nullptr || member->kind != kind)
        refuseArray(where, "is no array of NumPy: '" + std::string(name) + "' is missing or wrong");
    return *member;
}

}  // namespace

std::size_t numpyBytes(std::string_view type) {
    if (type == kNumpyType<float>) return 4;
    if (type == kNumpyType<std::int64_t>) return 8;
    return type == kNumpyType<std::uint8_t> ? 1 : 0;
}

NumpyArray numpyArrayIn(const MsgpackValue& value, const std::string& where) {
    if (value.kind != Kind::Map) refuseArray(where, "should be an array of NumPy");
    const MsgpackValue* kind = value.find("kind");
    if (kind != nullptr && kind->bytes == "O")
        refuseArray(where,
                    "is an array of objects, a pickle, which could run code: it is never read");
    if (!memberOf(value, "nd", Kind::Truth, where).truth)
        refuseArray(where, "is a single number, and should be an array");
    NumpyArray array{.type = memberOf(value, "type", Kind::Text, where).bytes,
                     .shape = {},
                     .data = memberOf(value, "data", Kind::Binary, where).bytes};
    const std::size_t each = numpyBytes(array.type);
    if (each == 0)
        refuseArray(where, "has numbers of type '" + escaped(array.type, 20) +
                               "'; <f4, <i8 and |b1 are read");
    const MsgpackValue& shape = memberOf(value, "shape", Kind::Array, where);
    if (shape.elements.size() > kMostDimensions) refuseArray(where, "has too many dimensions");
    std::size_t numbers = 1;
    bool isRight = true;
    for (const MsgpackValue& size : shape.elements) {
        isRight = isRight && size.kind == Kind::Integer && size.integer >= 0;
        const auto length = isRight ? static_cast<std::size_t>(size.integer) : 0;
        // What overflows is more than the bytes that are there.
        isRight = isRight && (length == 0 || numbers <= array.data.size() / length + 1);
        numbers = isRight ? numbers * length : 0;
        array.shape.push_back(size.integer);
    }
    if (!isRight || array.data.size() % each != 0 || numbers != array.data.size() / each)
        refuseArray(where, "has a shape that does not fit its " +
                               std::to_string(array.data.size()) + " bytes");
    return array;
}

template <class T>
std::vector<T> numbersOf(const NumpyArray& array, const std::string& where) {
    if (array.type != kNumpyType<T>)
        refuseArray(where, "has numbers of type '" + escaped(array.type, 20) + "' instead of " +
                               std::string(kNumpyType<T>));
    std::vector<T> numbers(array.data.size() / sizeof(T));
    if (!numbers.empty()) std::memcpy(numbers.data(), array.data.data(), array.data.size());
    if constexpr (sizeof(T) == 1)
        if (std::ranges::any_of(numbers, [](T cell) { return cell > 1; }))
            refuseArray(where, "has a truth value that is neither true nor false");
    return numbers;
}

template std::vector<float> numbersOf(const NumpyArray&, const std::string&);
template std::vector<std::int64_t> numbersOf(const NumpyArray&, const std::string&);
template std::vector<std::uint8_t> numbersOf(const NumpyArray&, const std::string&);

void packNumpy(MsgpackWriter& out, std::string_view type, std::span<const std::int64_t> shape,
               std::string_view bytes) {
    out.map(5);
    out.binary("nd");
    out.truth(true);
    out.binary("type");
    out.text(type);
    out.binary("kind");
    out.binary("");
    out.binary("shape");
    out.array(shape.size());
    for (const std::int64_t size : shape) out.integer(size);
    out.binary("data");
    out.binary(bytes);
}

}  // namespace orrery
