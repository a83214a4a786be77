#include "core/world/world_editing.h"

#include <array>
#include <charconv>
#include <system_error>

#include "core/world/world_family.h"

namespace orrery {

namespace {

const WorldEditing& editingIn(const WorldFamily& family) {
    static const WorldEditing kNone;
    return family.editing != nullptr ? *family.editing : kNone;
}

template <typename Number>
std::optional<Number> typed(std::string_view text) {
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    Number value{};
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    if (error != std::errc() || end != last) return std::nullopt;
    return value;
}

}  // namespace

const WorldEditing& editingOf(const WorldSpec& spec) {
    return editingIn(spec.family());
}

const WorldEditing& editingOfNew() {
    return editingIn(*worldFamilies().front());
}

std::string typedText(double value) {
    std::array<char, 32> text{};
    // Adding 0 makes 0 of -0.
    const auto result = std::to_chars(text.data(), text.data() + text.size(), value + 0.0,
                                      std::chars_format::general, 15);
    return {text.data(), result.ptr};
}

std::optional<double> typedNumber(std::string_view text) {
    return typed<double>(text);
}

std::optional<int> typedWhole(std::string_view text) {
    return typed<int>(text);
}

}  // namespace orrery
