#include "core/empo/learner/archive_parts.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <utility>

namespace orrery {

namespace {

ShapedArray<float> matrix(std::vector<float> values, int columns) {
    const auto rows = std::ssize(values) / columns;
    return {{rows, columns}, std::move(values)};
}

}  // namespace

void saveTensor(NamedArrays& arrays, const std::string& name, const at::Tensor& tensor) {
    const at::Tensor numbers = tensor.detach().cpu().contiguous();
    const float* from = numbers.const_data_ptr<float>();
    arrays.floats[name] = {numbers.sizes().vec(), {from, from + numbers.numel()}};
}

void loadTensor(const NamedArrays& arrays, const std::string& name, const at::Tensor& tensor) {
    const ShapedArray<float>& from = need(arrays.floats, name);
    if (from.shape != tensor.sizes().vec())
        throw Error("Array \"" + name + "\" of the checkpoint has another shape than this run's " +
                        "learner. Resume with the spec that the checkpoint was made with.",
                    Error::Kind::Damaged);
    tensor.detach().copy_(
        at::from_blob(const_cast<float*>(from.values.data()), from.shape, at::kFloat));
}

const std::vector<std::int64_t>& integers(const NamedArrays& arrays, const std::string& name,
                                          std::size_t count) {
    const ShapedArray<std::int64_t>& found = need(arrays.integers, name);
    if (found.values.size() != count)
        throw Error("Array \"" + name + "\" of the checkpoint has " +
                        std::to_string(found.values.size()) + " numbers instead of " +
                        std::to_string(count) + ". Resume from another checkpoint.",
                    Error::Kind::Damaged);
    return found.values;
}

void saveTable(NamedArrays& arrays, const std::string& quantity, const LearnedTable& table,
               const TableVersion& target) {
    const std::string name = "table." + quantity;
    LearnedTable::Arrays own = table.arrays();
    std::vector<float> copy(static_cast<std::size_t>(target.rows()) * target.columns());
    for (StateRows::Row row = 0; row < target.rows(); ++row)
        std::copy_n(target.row(row), target.columns(),
                    copy.data() + static_cast<std::size_t>(row) * target.columns());
    arrays.floats[name + ".values"] = matrix(std::move(own.values), table.columns());
    arrays.floats[name + ".target"] = matrix(std::move(copy), table.columns());
    if (table.spec().rule == TableSpec::Rule::Adam) {
        arrays.floats["optimiser/" + name + ".first_moment"] =
            matrix(std::move(own.firstMoment), table.columns());
        arrays.floats["optimiser/" + name + ".second_moment"] =
            matrix(std::move(own.secondMoment), table.columns());
    }
    arrays.integers[name + ".updates"] = {{table.rows(), table.columns()},
                                          {own.updates.begin(), own.updates.end()}};
}

std::shared_ptr<const TableVersion> loadTable(const NamedArrays& arrays,
                                              const std::string& quantity, LearnedTable& table,
                                              StateRows::Row rows) {
    const std::string name = "table." + quantity;
    LearnedTable::Arrays own;
    const ShapedArray<float>& target = need(arrays.floats, name + ".target");
    // The copy may have fewer rows than the table; those it has not hold the default all the same.
    own.values = target.values;
    own.updates.assign(own.values.size(), 0);
    if (table.spec().rule == TableSpec::Rule::Adam) {
        own.firstMoment.assign(own.values.size(), 0);
        own.secondMoment.assign(own.values.size(), 0);
    }
    table.restore(own);
    std::shared_ptr<const TableVersion> copy = table.version();

    const std::size_t count = static_cast<std::size_t>(rows) * table.columns();
    own.values = need(arrays.floats, name + ".values").values;
    if (table.spec().rule == TableSpec::Rule::Adam) {
        own.firstMoment = need(arrays.floats, "optimiser/" + name + ".first_moment").values;
        own.secondMoment = need(arrays.floats, "optimiser/" + name + ".second_moment").values;
    }
    const auto& updates = integers(arrays, name + ".updates", own.values.size());
    if (own.values.size() > count)
        throw Error("Table \"" + name +
                        "\" of the checkpoint has more rows than states were met. "
                        "Resume from another checkpoint.",
                    Error::Kind::Damaged);
    own.updates.assign(updates.begin(), updates.end());
    table.restore(own);
    return copy;
}

}  // namespace orrery
