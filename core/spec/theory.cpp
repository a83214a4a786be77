#include "core/spec/theory.h"

#include <algorithm>
#include <array>

#include "core/spec/field_parts.h"

namespace orrery {

SpecField theoryField(std::string_view name) {
    using enum NumberLimit;
    static const std::array kFields{
        numberField("beta_h", "Humans' inverse temperature", ZeroOrMoreOrInf,
                    "Inverse temperature of the humans' policies; inf: the best actions, all "
                    "alike."),
        numberField("zeta", "Risk aversion", AboveZero,
                    "Risk aversion in X_h, the sum of w_g V_h^e(g)^zeta."),
        numberField("xi", "Inequality aversion", AboveZero,
                    "Aversion to unequal X_h among the humans, in U_r."),
        numberField("eta", "Intertemporal aversion", AboveZero,
                    "Aversion to uneven power over time, in U_r."),
        expert(numberField("terminal_v_r", "Value at the end", BelowZero,
                           "V_r of a state that ends the world.")),
    };
    return *std::ranges::find(kFields, name, &SpecField::name);
}

}  // namespace orrery
