#include "core/checkpoint/tensor_map.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <utility>

#include "core/base/error.h"
#include "core/base/text.h"

namespace orrery {

namespace {

struct TypeFacts {
    std::string_view name;
    std::size_t size;
};

constexpr std::array<TypeFacts, 13> kTypes{{{"BOOL", 1},
                                            {"U8", 1},
                                            {"I8", 1},
                                            {"U16", 2},
                                            {"I16", 2},
                                            {"F16", 2},
                                            {"BF16", 2},
                                            {"U32", 4},
                                            {"I32", 4},
                                            {"F32", 4},
                                            {"U64", 8},
                                            {"I64", 8},
                                            {"F64", 8}}};

const TypeFacts& factsOfType(TensorType type) {
    return kTypes[static_cast<std::size_t>(type)];
}

std::string shapeText(std::span<const std::int64_t> shape) {
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (i > 0) text += ", ";
        text += shape[i] < 0 ? "any" : std::to_string(shape[i]);
    }
    return text + "]";
}

[[maybe_unused]] bool fits(const TensorView& tensor) {
    const bool sized =
        std::ranges::all_of(tensor.shape, [](std::int64_t length) { return length >= 0; });
    return sized && static_cast<std::uint64_t>(tensor.numNumbers()) * sizeOf(tensor.type) ==
                        tensor.bytes.size();
}

}  // namespace

std::size_t sizeOf(TensorType type) {
    return factsOfType(type).size;
}

std::string_view nameOf(TensorType type) {
    return factsOfType(type).name;
}

std::optional<TensorType> tensorTypeNamed(std::string_view name) {
    for (std::size_t i = 0; i < kTypes.size(); ++i)
        if (kTypes[i].name == name) return static_cast<TensorType>(i);
    return std::nullopt;
}

bool isTensorName(std::string_view name) {
    constexpr std::size_t kMost = 200;
    if (name.empty() || name.size() > kMost) return false;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('/', begin), name.size());
        const std::string_view part = name.substr(begin, end - begin);
        if (part.empty() || part == "..") return false;
        begin = end + 1;
    }
    // A name may come from somebody's file and is printed as it is: nothing in it needs an escape.
    return escaped(name, 8 * kMost) == name;
}

std::int64_t TensorView::numNumbers() const {
    std::int64_t product = 1;
    for (const std::int64_t length : shape) product *= length;
    return product;
}

void TensorMap::copy(const std::string& name, const TensorView& tensor) {
    TensorView own = tensor;
    const std::shared_ptr<std::byte[]> bytes(new std::byte[tensor.bytes.size()]);
    if (!tensor.bytes.empty()) std::memcpy(bytes.get(), tensor.bytes.data(), tensor.bytes.size());
    own.bytes = {bytes.get(), tensor.bytes.size()};
    borrow(name, std::move(own), bytes);
}

void TensorMap::borrow(const std::string& name, TensorView tensor,
                       std::shared_ptr<const void> keep) {
    assert(isTensorName(name) && "a tensor's name is text that can be printed");
    assert(fits(tensor) && "shape and bytes of a tensor agree");
    m_tensors.insert_or_assign(name, Entry{std::move(tensor), std::move(keep)});
}

void TensorMap::refuse(std::string_view name, const std::string& why) {
    throw Error("Tensor '" + escaped(name) + "' " + why +
                    ". These tensors do not belong to this run: take those of another checkpoint.",
                Error::Kind::Damaged);
}

const TensorView& TensorMap::at(std::string_view name) const {
    const auto found = m_tensors.find(name);
    if (found == m_tensors.end()) refuse(name, "is missing");
    return found->second.view;
}

const TensorView& TensorMap::typed(std::string_view name, TensorType type,
                                   std::size_t alignment) const {
    const TensorView& tensor = at(name);
    if (tensor.type != type)
        refuse(name,
               "holds " + std::string(nameOf(tensor.type)) + ", not " + std::string(nameOf(type)));
    assert(reinterpret_cast<std::uintptr_t>(tensor.bytes.data()) % alignment == 0);
    static_cast<void>(alignment);
    return tensor;
}

void TensorMap::requireShape(std::string_view name, std::span<const std::int64_t> shape) const {
    const std::vector<std::int64_t>& real = at(name).shape;
    bool equal = real.size() == shape.size();
    for (std::size_t i = 0; equal && i < shape.size(); ++i)
        equal = shape[i] < 0 || shape[i] == real[i];
    if (!equal) refuse(name, "has the shape " + shapeText(real) + ", not " + shapeText(shape));
}

void TensorMap::add(std::string_view prefix, const TensorMap& other) {
    for (const auto& [name, entry] : other.m_tensors)
        borrow(std::string(prefix) + name, entry.view, entry.keep);
    for (const auto& [name, text] : other.m_texts) setText(std::string(prefix) + name, text);
}

TensorMap TensorMap::below(std::string_view prefix) const {
    TensorMap part;
    for (auto it = m_tensors.lower_bound(prefix);
         it != m_tensors.end() && it->first.starts_with(prefix); ++it)
        if (it->first.size() > prefix.size())
            part.borrow(it->first.substr(prefix.size()), it->second.view, it->second.keep);
    for (auto it = m_texts.lower_bound(prefix);
         it != m_texts.end() && it->first.starts_with(prefix); ++it)
        part.setText(it->first.substr(prefix.size()), it->second);
    return part;
}

void TensorMap::setText(const std::string& name, std::string text) {
    m_texts.insert_or_assign(name, std::move(text));
}

const std::string& TensorMap::text(std::string_view name) const {
    const auto found = m_texts.find(name);
    if (found == m_texts.end())
        throw Error("The text '" + escaped(name) +
                        "' is missing beside the tensors. They do not belong to this run: take "
                        "those of another checkpoint.",
                    Error::Kind::Damaged);
    return found->second;
}

std::vector<std::string> TensorMap::names() const {
    std::vector<std::string> all;
    all.reserve(m_tensors.size());
    for (const auto& [name, entry] : m_tensors) all.push_back(name);
    return all;
}

std::uint64_t TensorMap::bytes() const {
    std::uint64_t sum = 0;
    for (const auto& [name, entry] : m_tensors) sum += entry.view.bytes.size();
    return sum;
}

}  // namespace orrery
