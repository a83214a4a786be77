#include "core/filter/filter_fields.h"

#include "core/base/text.h"
#include "core/filter/filter_tokens.h"

namespace orrery {

void FilterFields::add(FilterField field) {
    const int index = static_cast<int>(list.size());
    m_exact.insert_or_assign(field.name, index);
    m_folded.try_emplace(inLowerCase(field.name), index);
    list.push_back(std::move(field));
}

void FilterFields::addAlias(const std::string& alias, const std::string& name) {
    if (const int index = find(name); index >= 0) m_folded.try_emplace(alias, index);
}

int FilterFields::find(std::string_view name) const {
    if (const auto exact = m_exact.find(std::string(name)); exact != m_exact.end())
        return exact->second;
    const auto folded = m_folded.find(inLowerCase(name));
    return folded == m_folded.end() ? -1 : folded->second;
}

std::string FilterFields::names() const {
    std::vector<std::string> names;
    for (const FilterField& field : list) names.push_back(field.name);
    return commaList(names);
}

std::vector<std::string> FilterFields::words() const {
    std::vector<std::string> words;
    for (const FilterField& field : list) {
        words.insert(words.end(), field.completions.begin(), field.completions.end());
        if (field.completions.empty()) words.push_back(field.name);
    }
    for (const char* word : {"and", "or", "not", "true", "false"}) words.emplace_back(word);
    return words;
}

void FilterFields::failUnknown(std::string_view name, int column) const {
    if (name == "&" || name == "|")
        throw FilterError(column, "a single \"" + std::string(name) +
                                      "\" has no meaning; write \"" + (name == "&" ? "and" : "or") +
                                      "\"");
    if (!isNameOrNumber(name)) {
        std::size_t length = 1;
        while (length < name.size() && characters(name.substr(length, 1)) == 0) ++length;
        throw FilterError(column,
                          "\"" + escaped(name.substr(0, length)) + "\" has no meaning here");
    }
    std::vector<std::string> names{"and", "or", "not", "true", "false"};
    for (const FilterField& field : list) names.push_back(field.name);
    std::string text = "unknown name \"" + escaped(name, 60) + "\"";
    if (const auto nearest = closestName(name.substr(0, 200), names))
        text += "; did you mean \"" + *nearest + "\"?";
    else if (!hint.empty())
        text += "; " + hint;
    throw FilterError(column, text);
}

}  // namespace orrery
