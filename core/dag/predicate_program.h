#pragma once

#include <cstdint>
#include <vector>

#include "core/dag/predicate.h"

namespace orrery {

/// One instruction of a predicate. A program has one truth value at hand, which comparisons and
/// tests set; jumps skip the right side of an "and" or "or" that the left side decides.
struct PredicateInstruction {
    enum class Op : std::uint8_t {
        Equal,
        NotEqual,
        Less,
        LessEqual,
        Greater,
        GreaterEqual,  ///< left against right
        Inside,        ///< variable left in [x1, x2] and variable right in [y1, y2]
        Not,           ///< turns the truth value over
        JumpIfFalse,   ///< to instruction `target`
        JumpIfTrue,
    };
    struct Operand {
        enum class Kind : std::uint8_t { Number, Step, Variable };
        Kind kind = Kind::Number;
        std::int32_t value = 0;  ///< the number, or the index of the variable
    };
    Op op = Op::Equal;
    Operand left{}, right{};
    std::int32_t x1 = 0, y1 = 0, x2 = 0, y2 = 0;
    std::int32_t target = 0;
};

struct Predicate::Program {
    std::vector<PredicateInstruction> instructions;
};

}  // namespace orrery
