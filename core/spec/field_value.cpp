#include "core/spec/field_value.h"

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

}  // namespace orrery
