#include "core/nn/table_tensors.h"

#include <ATen/ATen.h>

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

}  // namespace orrery
