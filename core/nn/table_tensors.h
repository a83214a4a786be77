#pragma once

#include <ATen/core/Tensor.h>

#include <span>

#include "core/nn/learned_table.h"

namespace orrery {

/// float [n, columns] on the CPU, new memory.
at::Tensor gatherTensor(const LearnedTable& table, std::span<const StateRows::Row> rows);
at::Tensor gatherTensor(const TableVersion& table, std::span<const StateRows::Row> rows);

}  // namespace orrery
