#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/spec/field.h"
#include "core/spec/field_binding.h"

namespace orrery {

/// A field of a struct, bound to where that keeps its value.
template <typename Spec>
struct SpecRow : SpecField {
    SpecRow(SpecField field, std::function<FieldValue(const Spec&)> getter,
            std::function<void(Spec&, const FieldValue&)> setter)
        : SpecField(std::move(field)), get(std::move(getter)), set(std::move(setter)) {}

    std::function<FieldValue(const Spec&)> get;
    /// Takes a value that checkField accepts. Setting a field unsets its twin.
    std::function<void(Spec&, const FieldValue&)> set;
};

/// The fields of a struct, in the order in which files and forms list them. Filled once, then only
/// read, by any thread.
template <typename Spec>
class SpecTable {
public:
    /// Adds a field of a member: `reach` is a pointer to it, or a function from a const and from a
    /// changeable struct to a reference. An enum counts through the field's choices; an optional
    /// member makes the field optional.
    template <typename Reach>
    void add(SpecField field, Reach reach) {
        using Value = std::remove_cvref_t<decltype(std::invoke(reach, std::declval<Spec&>()))>;
        if constexpr (detail::IsOptional<Value>::value) {
            field.isOptional = true;
            field.range += " or none";
        }
        const std::vector<std::string> choices = field.choices;
        m_rows.emplace_back(
            std::move(field),
            [choices, reach](const Spec& spec) {
                return detail::toFieldValue(choices, std::invoke(reach, spec));
            },
            [choices, reach](Spec& spec, const FieldValue& value) {
                detail::fromFieldValue(choices, value, std::invoke(reach, spec));
            });
    }

    /// Adds a field that is read and written in a way of its own.
    void add(SpecRow<Spec> row) { m_rows.push_back(std::move(row)); }

    /// Adds the fields of a part of the struct, reached as above.
    template <typename Part, typename Reach>
    void include(const SpecTable<Part>& table, Reach reach) {
        for (const SpecRow<Part>& row : table.rows())
            m_rows.emplace_back(
                row,
                [get = row.get, reach](const Spec& spec) { return get(std::invoke(reach, spec)); },
                [set = row.set, reach](Spec& spec, const FieldValue& value) {
                    set(std::invoke(reach, spec), value);
                });
    }

    /// Adds the fields of a part as a section: "optim.lr" of a part's "lr", which files write as
    /// `optim: {lr: ...}`. Names within the part (twins, needs) are those of the section.
    template <typename Part, typename Reach>
    void includeSection(const std::string& name, const SpecTable<Part>& table, Reach reach) {
        for (const SpecRow<Part>& row : table.rows())
            m_rows.emplace_back(
                inSection(name, static_cast<const SpecField&>(row)),
                [get = row.get, reach](const Spec& spec) { return get(std::invoke(reach, spec)); },
                [set = row.set, reach](Spec& spec, const FieldValue& value) {
                    set(std::invoke(reach, spec), value);
                });
    }

    /// The same of a part that may not be there: `reach` gives a std::optional<Part>. The section
    /// is a field itself; without it those of the part are unset, and setting one brings it in.
    template <typename Part, typename Reach>
    void includeOptional(SpecField section, const SpecTable<Part>& table, Reach reach) {
        section.type = FieldType::Section;
        section.range = "none, or its fields";
        const std::string name = section.name;
        m_rows.emplace_back(
            std::move(section),
            [reach](const Spec& spec) { return FieldValue(std::invoke(reach, spec).has_value()); },
            [reach](Spec& spec, const FieldValue& value) {
                std::optional<Part>& part = std::invoke(reach, spec);
                if (!std::get<bool>(value))
                    part.reset();
                else if (!part)
                    part.emplace();
            });
        for (const SpecRow<Part>& row : table.rows()) {
            SpecField field = inSection(name, static_cast<const SpecField&>(row));
            if (field.section.empty()) field.section = name;
            field.isOptional = true;
            m_rows.emplace_back(
                std::move(field),
                [get = row.get, reach](const Spec& spec) {
                    const std::optional<Part>& part = std::invoke(reach, spec);
                    return part ? get(*part) : FieldValue();
                },
                [set = row.set, reach, wasOptional = row.isOptional,
                 isSection = row.type == FieldType::Section](Spec& spec, const FieldValue& value) {
                    std::optional<Part>& part = std::invoke(reach, spec);
                    if (isSection && !part && value == FieldValue(false)) return;
                    const bool isUnset = std::holds_alternative<std::monostate>(value);
                    if (isUnset && (!part || !wasOptional)) return;
                    if (!part) part.emplace();
                    set(*part, value);
                });
        }
    }

    std::span<const SpecRow<Spec>> rows() const { return m_rows; }

    /// By name or alias; null if no field has it.
    const SpecRow<Spec>* find(std::string_view name) const {
        for (const SpecRow<Spec>& row : m_rows)
            if (row.isNamed(name)) return &row;
        return nullptr;
    }

private:
    static SpecField inSection(const std::string& section, SpecField field) {
        const auto prefixed = [&](std::string& name) { name = section + "." + name; };
        prefixed(field.name);
        for (std::string& alias : field.aliases) prefixed(alias);
        if (!field.twin.empty()) prefixed(field.twin);
        if (!field.section.empty()) prefixed(field.section);
        for (FieldNeed& need : field.needs)
            for (FieldTest& test : need.anyOf) prefixed(test.field);
        return field;
    }

    std::vector<SpecRow<Spec>> m_rows;
};

}  // namespace orrery
