#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
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

    std::span<const SpecRow<Spec>> rows() const { return m_rows; }

    /// By name or alias; null if no field has it.
    const SpecRow<Spec>* find(std::string_view name) const {
        for (const SpecRow<Spec>& row : m_rows)
            if (row.isNamed(name)) return &row;
        return nullptr;
    }

private:
    std::vector<SpecRow<Spec>> m_rows;
};

}  // namespace orrery
