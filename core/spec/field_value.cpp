#include "core/spec/field_value.h"

#include "core/base/text.h"

namespace orrery {

FieldValue valueOfTexts(const std::vector<std::string>& texts) {
    if (texts.empty()) return std::string();
    if (texts.size() == 1 && !texts.front().starts_with('[')) return texts.front();
    return FieldList(texts.begin(), texts.end());
}

std::vector<std::string> textsOf(const FieldValue& value) {
    std::vector<std::string> texts;
    const auto take = [&](const FieldValue& each) {
        if (const auto* text = std::get_if<std::string>(&each); text != nullptr && !text->empty())
            texts.push_back(*text);
    };
    if (const auto* list = std::get_if<FieldList>(&value))
        for (const FieldValue& each : *list) take(each);
    else
        take(value);
    return texts;
}

std::string scalarText(const FieldValue& value) {
    struct Writer {
        std::string operator()(std::monostate) const { return "none"; }
        std::string operator()(bool flag) const { return flag ? "true" : "false"; }
        std::string operator()(std::int64_t number) const { return std::to_string(number); }
        std::string operator()(double number) const { return formatDouble(number); }
        std::string operator()(const std::string& text) const { return text; }
        std::string operator()(const FieldList&) const { return "a list"; }
        std::string operator()(const FieldMap&) const { return "a map"; }
    };
    return std::visit(Writer{}, value.tree());
}

}  // namespace orrery
