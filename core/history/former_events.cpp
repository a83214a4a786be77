#include "core/history/former_events.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/text.h"

namespace orrery {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kArrow = " -> ";
constexpr std::string_view kRefused = " refused: ";
constexpr std::string_view kEvery = "every ";

/// "(source)" off the end of a text. @return the source
std::optional<std::string> takeSource(std::string_view& text) {
    const std::size_t open = text.rfind(" (");
    if (open == std::string_view::npos || !text.ends_with(')')) return std::nullopt;
    std::string source(text.substr(open + 2, text.size() - open - 3));
    text = text.substr(0, open);
    return source;
}

/// Takes everything before `mark`, and the mark, off the front.
std::optional<std::string> takeUntil(std::string_view& text, std::string_view mark) {
    const std::size_t at = text.find(mark);
    if (at == std::string_view::npos) return std::nullopt;
    std::string part(text.substr(0, at));
    text.remove_prefix(at + mark.size());
    return part;
}

/// The first word that is a whole number.
std::optional<std::int64_t> numberIn(std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        std::string_view word = text.substr(0, end);
        while (!word.empty() && std::string_view(":,.;").find(word.back()) != word.npos)
            word.remove_suffix(1);
        if (const auto number = parseInt(word)) return number;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return std::nullopt;
}

/// "step 2000: lr_q_r 0.0001 -> 0.0005 (orrery steer)", or "step 2000: lr_q_r=9 refused: ...
/// (...)".
FormerEvent change(std::string_view text, bool isRefused) {
    const auto source = takeSource(text);
    if (!source || !text.starts_with("step ")) return {.isUnread = true};
    text.remove_prefix(5);
    const auto step = takeUntil(text, ": ");
    const auto number = step ? parseInt(*step) : std::nullopt;
    const auto key = takeUntil(text, isRefused ? "=" : " ");
    const auto value = takeUntil(text, isRefused ? kRefused : kArrow);
    if (!number || !key || !value) return {.isUnread = true};
    Json data{{"key", *key}, {"value", isRefused ? *value : std::string(text)}};
    if (isRefused)
        data["problem"] = std::string(text);
    else
        data["old"] = *value;
    data["source"] = *source;
    if (source->find("undo") != std::string::npos) data["undo"] = true;
    return {.step = *number, .data = data.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

/// "Checkpoints are made every 120 s from here on: writing one takes 2.3 s".
FormerEvent interval(std::string_view text) {
    const std::size_t at = text.find(kEvery);
    if (at == std::string_view::npos) return {.isUnread = true};
    const std::string_view rest = text.substr(at + kEvery.size());
    const auto seconds = parseDouble(rest.substr(0, rest.find(' ')));
    if (!seconds) return {.isUnread = true};
    return {.data = Json{{"seconds", *seconds}}.dump()};
}

}  // namespace

FormerEvent formerEvent(std::string_view code, std::string_view text) {
    if (code == "steer" || code == "steer.replayed") return change(text, false);
    if (code == "steer.refused") return change(text, true);
    if (code == "checkpoint.interval") return interval(text);
    if (code == "train.resumed") return {.step = numberIn(text).value_or(0)};
    if (code != "nan" && code != "train.saved") return {};
    const auto step = numberIn(text);
    return {.step = step, .isUnread = !step};
}

}  // namespace orrery
