#include "core/nn/table_tensors.h"

#include <ATen/ATen.h>

#include <cassert>

namespace orrery {

namespace {

template <typename Table>
at::Tensor gathered(const Table& table, std::span<const StateRows::Row> rows) {
    at::Tensor out =
        at::empty({static_cast<std::int64_t>(rows.size()), table.columns()}, at::kFloat);
    table.gather(rows, std::span(out.mutable_data_ptr<float>(),
                                 rows.size() * static_cast<std::size_t>(table.columns())));
    return out;
}

}  // namespace

at::Tensor gatherTensor(const LearnedTable& table, std::span<const StateRows::Row> rows) {
    return gathered(table, rows);
}

at::Tensor gatherTensor(const TableVersion& table, std::span<const StateRows::Row> rows) {
    return gathered(table, rows);
}

void applyTensor(LearnedTable& table, std::span<const StateRows::Row> rows,
                 const at::Tensor& gradient, double rate) {
    assert(gradient.dim() == 2 && gradient.size(1) == table.columns());
    const at::Tensor numbers = gradient.contiguous();
    table.applyRows(
        rows, std::span(numbers.const_data_ptr<float>(), static_cast<std::size_t>(numbers.numel())),
        rate);
}

}  // namespace orrery
