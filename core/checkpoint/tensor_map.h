#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// What the numbers of a stored tensor are. Little-endian; BOOL is one byte, 0 or 1.
enum class TensorType : std::uint8_t {
    Bool,
    U8,
    I8,
    U16,
    I16,
    F16,
    BF16,
    U32,
    I32,
    F32,
    U64,
    I64,
    F64,
};

/// Bytes of one number: 1, 2, 4 or 8.
std::size_t sizeOf(TensorType type);
/// "BOOL", "U8", ..., as files name it.
std::string_view nameOf(TensorType type);
std::optional<TensorType> tensorTypeNamed(std::string_view name);

template <typename T>
inline constexpr std::optional<TensorType> kTensorTypeOf = std::nullopt;
template <>
inline constexpr std::optional<TensorType> kTensorTypeOf<bool> = TensorType::Bool;
template <>
inline constexpr std::optional<TensorType> kTensorTypeOf<std::byte> = TensorType::U8;
template <>
inline constexpr std::optional<TensorType> kTensorTypeOf<std::uint8_t> = TensorType::U8;
template <>
inline constexpr std::optional<TensorType> kTensorTypeOf<std::int8_t> = TensorType::I8;
template <>
inline constexpr std::optional<TensorType> kTensorTypeOf<std::uint16_t> = TensorType::U16;
template <>
inline constexpr std::optional<TensorType> kTensorTypeOf<std::int16_t> = TensorType::I16;
template <>
inline constexpr std::optional<TensorType> kTensorTypeOf<std::uint32_t> = TensorType::U32;
template <>
inline constexpr std::optional<TensorType> kTensorTypeOf<std::int32_t> = TensorType::I32;
template <>
inline constexpr std::optional<TensorType> kTensorTypeOf<float> = TensorType::F32;
template <>
inline constexpr std::optional<TensorType> kTensorTypeOf<std::uint64_t> = TensorType::U64;
template <>
inline constexpr std::optional<TensorType> kTensorTypeOf<std::int64_t> = TensorType::I64;
template <>
inline constexpr std::optional<TensorType> kTensorTypeOf<double> = TensorType::F64;

/// A tensor in memory, row by row without gaps.
struct TensorView {
    TensorType type = TensorType::F32;
    std::vector<std::int64_t> shape;   ///< [rank], each >= 0; rank 0 is one number
    std::span<const std::byte> bytes;  ///< the product of shape times sizeOf(type)

    std::int64_t numNumbers() const;
};

/// Named tensors and a few texts: what is stored of a learner. Knows nothing of files.
///
/// Names are 1 to 200 of A-Z a-z 0-9 _ . / - ; between slashes there is something, and not "..".
/// Copying a map is cheap: tensors are shared and never changed. A map may be read by any number
/// of threads at once.
class TensorMap {
public:
    /// Keeps a copy of the numbers, aligned to 16.
    void copy(const std::string& name, const TensorView& tensor);

    /// Keeps no copy: the bytes must stay and not change as long as this map or a copy of it has
    /// the tensor; `keep` is held as long and may own them.
    void borrow(const std::string& name, TensorView tensor, std::shared_ptr<const void> keep = {});

    /// copy() of plain numbers; without a shape it is [n].
    template <typename T>
    void copyNumbers(const std::string& name, std::span<const T> numbers,
                     std::vector<std::int64_t> shape) {
        static_assert(kTensorTypeOf<T>.has_value());
        copy(name, {*kTensorTypeOf<T>, std::move(shape), std::as_bytes(numbers)});
    }
    template <typename T>
    void copyNumbers(const std::string& name, std::span<const T> numbers) {
        copyNumbers<T>(name, numbers, {static_cast<std::int64_t>(numbers.size())});
    }
    template <typename T>
    void copyNumber(const std::string& name, T number) {
        copyNumbers<T>(name, std::span<const T>(&number, 1), {});
    }

    bool has(std::string_view name) const { return m_tensors.find(name) != m_tensors.end(); }

    /// @throws Error (Damaged) if it is missing
    const TensorView& at(std::string_view name) const;

    /// The numbers of a tensor, aligned for T.
    /// @throws Error (Damaged) naming the tensor if it is missing or of another type
    template <typename T>
    std::span<const T> numbers(std::string_view name) const {
        static_assert(kTensorTypeOf<T>.has_value());
        const TensorView& tensor = typed(name, *kTensorTypeOf<T>, alignof(T));
        return {reinterpret_cast<const T*>(tensor.bytes.data()), tensor.bytes.size() / sizeof(T)};
    }
    /// The same with its shape checked; -1 stands for any length.
    template <typename T>
    std::span<const T> numbers(std::string_view name, std::span<const std::int64_t> shape) const {
        requireShape(name, shape);
        return numbers<T>(name);
    }
    /// The one number of a tensor that has one.
    template <typename T>
    T number(std::string_view name) const {
        const std::span<const T> all = numbers<T>(name);
        if (all.size() != 1) refuse(name, "should hold one number");
        return all[0];
    }

    /// Puts all tensors and texts of another map under `prefix` (for example "q_r/").
    void add(std::string_view prefix, const TensorMap& other);
    /// The tensors and texts whose names begin with `prefix`, without it.
    TensorMap below(std::string_view prefix) const;

    /// Short texts beside the tensors, as a file's metadata.
    void setText(const std::string& name, std::string text);
    /// @throws Error (Damaged) if it is missing
    const std::string& text(std::string_view name) const;
    const std::map<std::string, std::string, std::less<>>& texts() const { return m_texts; }

    /// In the order of their names.
    std::vector<std::string> names() const;
    std::size_t size() const { return m_tensors.size(); }
    /// Of all tensors together.
    std::uint64_t bytes() const;

private:
    struct Entry {
        TensorView view;
        std::shared_ptr<const void> keep;
    };
    const TensorView& typed(std::string_view name, TensorType type, std::size_t alignment) const;
    void requireShape(std::string_view name, std::span<const std::int64_t> shape) const;
    [[noreturn]] static void refuse(std::string_view name, const std::string& why);

    std::map<std::string, Entry, std::less<>> m_tensors;
    std::map<std::string, std::string, std::less<>> m_texts;
};

/// True if a tensor may have this name: UTF-8 that can be printed, blanks too, of 200 bytes at
/// most; no part between slashes is empty or "..".
bool isTensorName(std::string_view name);

}  // namespace orrery
