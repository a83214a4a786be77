#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/empo/named_arrays.h"
#include "core/nn/learned_table.h"
#include "core/nn/state_rows.h"

namespace orrery {

/// @throws Error (Damaged) if there is no such array
template <typename T>
const ShapedArray<T>& need(const std::map<std::string, ShapedArray<T>>& arrays,
                           const std::string& name) {
    const auto found = arrays.find(name);
    if (found == arrays.end())
        throw Error("The checkpoint has no array \"" + name +
                        "\", which this run's learner needs. Resume from another checkpoint.",
                    Error::Kind::Damaged);
    return found->second;
}

/// @throws Error (Damaged) unless there are `count` numbers of that name
const std::vector<std::int64_t>& integers(const NamedArrays& arrays, const std::string& name,
                                          std::size_t count);

void saveTensor(NamedArrays& arrays, const std::string& name, const at::Tensor& tensor);
/// Copies into the tensor. @throws Error (Damaged) if the array is missing or of another shape
void loadTensor(const NamedArrays& arrays, const std::string& name, const at::Tensor& tensor);

/// A table and its target copy as "table.<quantity>..." and "optimiser/table.<quantity>...".
void saveTable(NamedArrays& arrays, const std::string& quantity, const LearnedTable& table,
               const TableVersion& target);
/// @param rows  that exist at most
/// @return the target copy
/// @throws Error (Damaged)
std::shared_ptr<const TableVersion> loadTable(const NamedArrays& arrays,
                                              const std::string& quantity, LearnedTable& table,
                                              StateRows::Row rows);

}  // namespace orrery
