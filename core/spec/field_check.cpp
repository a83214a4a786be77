#include "core/spec/field_check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <variant>

#include "core/base/text.h"
#include "core/spec/schedule.h"

namespace orrery {

namespace {

/// What a range leaves out that a number is too large for: the highest of a count, and infinity.
std::string upperBound(const SpecField& field, const FieldValue& value) {
    if (const auto* count = std::get_if<std::int64_t>(&value))
        return field.type == FieldType::Integer && static_cast<double>(*count) > field.high
                   ? " and <= " + std::to_string(static_cast<std::int64_t>(field.high))
                   : std::string();
    const auto* number = std::get_if<double>(&value);
    const bool isOpenAbove = field.range.starts_with('>');
    return number && std::isinf(*number) && *number > 0 && isOpenAbove ? " and finite"
                                                                       : std::string();
}

bool isText(const FieldValue& value) {
    return std::holds_alternative<std::string>(value);
}

bool isEmptyText(const FieldValue& value) {
    return isText(value) && std::get<std::string>(value).empty();
}

/// True for a text, or a list without empty ones; for nothing only where that is allowed.
bool textsFit(const SpecField& field, const FieldValue& value) {
    const bool mayBeNone = field.low <= 0;
    if (isText(value)) return mayBeNone || !isEmptyText(value);
    const auto* list = std::get_if<FieldList>(&value);
    return list != nullptr && (mayBeNone || !list->empty()) &&
           std::ranges::all_of(*list,
                               [](const FieldValue& v) { return isText(v) && !isEmptyText(v); });
}

bool numberFits(const SpecField& field, double value) {
    if (std::isnan(value)) return false;
    if (std::isinf(value)) return value > 0 && field.takesInfinity;
    return (field.lowIsOpen ? value > field.low : value >= field.low) && value <= field.high;
}

bool scheduleFits(const SpecField& field, const FieldValue& value) {
    if (const auto* number = std::get_if<double>(&value)) return numberFits(field, *number);
    if (!isText(value)) return false;
    const auto schedule = Schedule::parse(std::get<std::string>(value));
    return schedule && std::ranges::all_of(schedule->points(), [&](const Schedule::Point& point) {
               return numberFits(field, point.value);
           });
}

bool fits(const SpecField& field, const FieldValue& value);

bool listFits(const SpecField& field, const FieldValue& value) {
    // A list of texts may be one text, or none.
    const auto* text = std::get_if<std::string>(&value);
    if (text != nullptr && field.element != FieldType::Text) return false;
    const FieldList texts(text != nullptr && !text->empty() ? 1 : 0, value);
    const auto* list = text != nullptr ? &texts : std::get_if<FieldList>(&value);
    if (list == nullptr || std::ssize(*list) < field.fewest ||
        (field.most > 0 && std::ssize(*list) > field.most))
        return false;
    SpecField element = field;
    element.type = field.element;
    return std::ranges::all_of(*list, [&](const FieldValue& each) { return fits(element, each); });
}

bool fits(const SpecField& field, const FieldValue& value) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    const auto* number = std::get_if<double>(&value);
    switch (field.type) {
        case FieldType::Text:
            return isText(value) && !(field.low > 0 && isEmptyText(value));
        case FieldType::Flag:
            return std::holds_alternative<bool>(value);
        case FieldType::Integer:
            return whole != nullptr && numberFits(field, static_cast<double>(*whole));
        case FieldType::Number:
            return number != nullptr && numberFits(field, *number);
        case FieldType::Choice:
            return isText(value) &&
                   std::ranges::count(field.choices, std::get<std::string>(value)) > 0;
        case FieldType::Rules:
            return std::holds_alternative<FieldList>(value);
        case FieldType::Texts:
            return textsFit(field, value);
        case FieldType::List:
            return listFits(field, value);
        case FieldType::Json:
            return true;
        case FieldType::Schedule:
            return scheduleFits(field, value);
        case FieldType::Section:
            return std::holds_alternative<bool>(value);
    }
    return false;
}

}  // namespace

void addProblems(std::vector<SpecProblem>& problems, std::vector<SpecProblem> more) {
    for (SpecProblem& problem : more)
        if (std::ranges::find(problems, problem.field, &SpecProblem::field) == problems.end())
            problems.push_back(std::move(problem));
}

std::optional<std::string> checkField(const SpecField& field, const FieldValue& value,
                                      std::string_view got) {
    const bool isUnset = std::holds_alternative<std::monostate>(value);
    if (isUnset ? field.isOptional : fits(field, value)) return std::nullopt;
    const std::string text = got.empty() ? scalarText(value) : std::string(got);
    return "must be " + field.range + upperBound(field, value) + ", got " +
           (isUnset        ? "nothing"
            : text.empty() ? "an empty text"
                           : "'" + escaped(text, 80) + "'");
}

}  // namespace orrery
