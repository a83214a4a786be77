#include "core/nn/learned_table.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/base/error.h"

namespace orrery {

namespace {

/// Numbers of a block, about: small enough to copy it for one changed row.
constexpr unsigned kBlockNumbers = 128;
constexpr std::size_t kSlabBlocks = 64;
/// Where 1 - beta^t is taken from a list instead of computed.
constexpr std::size_t kMaxCorrections = 1 << 15;

std::vector<float> corrections(double beta) {
    std::vector<float> list(1, 0.0F);  // t = 0 does not occur
    double power = 1;
    while (list.size() < kMaxCorrections && list.back() < 1) {
        power *= beta;
        list.push_back(static_cast<float>(1 - power));
    }
    return list;
}

float correction(const std::vector<float>& list, double beta, std::uint32_t updates) {
    if (updates < list.size()) return list[updates];
    return list.back() < 1 ? static_cast<float>(1 - std::pow(beta, updates)) : 1.0F;
}

}  // namespace

void TableVersion::gather(std::span<const Row> rows, std::span<float> out) const {
    assert(out.size() == rows.size() * static_cast<std::size_t>(m_columns));
    constexpr std::size_t kAhead = 8;  // rows whose memory is asked for before they are read
    float* to = out.data();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i + kAhead < rows.size()) __builtin_prefetch(row(rows[i + kAhead]));
        const float* const from = row(rows[i]);
        for (int column = 0; column < m_columns; ++column) *to++ = from[column];
    }
}

LearnedTable::LearnedTable(const TableSpec& spec) : m_spec(spec) {
    assert(spec.columns >= 1);
    m_live.m_columns = spec.columns;
    m_live.m_default = spec.defaultValue;
    m_live.m_shift = static_cast<int>(
        std::bit_width(std::max(1U, kBlockNumbers / static_cast<unsigned>(spec.columns))) - 1);
    m_live.m_defaults =
        std::make_shared<float[]>(static_cast<std::size_t>(spec.columns), spec.defaultValue);
    if (spec.rule == TableSpec::Rule::Adam) {
        m_correction1 = corrections(spec.beta1);
        m_correction2 = corrections(spec.beta2);
    }
}

float* LearnedTable::newBlock() {
    if (m_spare.empty()) {
        const std::size_t numbers = place(Row{1} << m_live.m_shift, 0);
        m_slabs->all.push_back(std::make_unique_for_overwrite<float[]>(kSlabBlocks * numbers));
        for (std::size_t k = kSlabBlocks; k-- > 0;)
            m_spare.push_back(m_slabs->all.back().get() + k * numbers);
    }
    float* const block = m_spare.back();
    m_spare.pop_back();
    return block;
}

void LearnedTable::growTo(Row rows) {
    if (rows <= m_live.m_rows) return;
    const Row blockRows = Row{1} << m_live.m_shift;
    while (m_live.m_blocks.size() << m_live.m_shift < static_cast<std::size_t>(rows)) {
        m_live.m_blocks.push_back(newBlock());
        std::fill_n(m_live.m_blocks.back(), place(blockRows, 0), m_spec.defaultValue);
        m_made.push_back(m_version);
    }
    m_entries.resize(place(rows, 0));
    m_live.m_rows = rows;
    m_last = nullptr;
}

std::uint32_t LearnedTable::updates(Row row, int column) const {
    return row < 0 || row >= rows() ? 0 : m_entries[place(row, column)].updates;
}

float* LearnedTable::writable(Row row) {
    m_last = nullptr;
    const std::size_t index = static_cast<std::size_t>(row) >> m_live.m_shift;
    if (m_made[index] != m_version) {
        float* const old = m_live.m_blocks[index];
        m_live.m_blocks[index] = newBlock();
        std::copy_n(old, place(Row{1} << m_live.m_shift, 0), m_live.m_blocks[index]);
        m_replaced.push_back({m_made[index], m_version, old});
        m_made[index] = m_version;
    }
    return m_live.m_blocks[index] + place(row & ((Row{1} << m_live.m_shift) - 1), 0);
}

void LearnedTable::reuseBlocks() {
    std::erase_if(m_readers, [](const Reader& reader) {
        return reader.hasEnded->load(std::memory_order_acquire);
    });
    std::erase_if(m_replaced, [this](const Replaced& block) {
        for (const Reader& reader : m_readers)
            if (block.made <= reader.version && reader.version < block.replaced) return false;
        m_spare.push_back(block.block);
        return true;
    });
}

void LearnedTable::prefetch(Row row, std::int32_t column) const {
    __builtin_prefetch(&m_entries[place(row, column)], 1);
    __builtin_prefetch(m_live.row(row) + column, 1);
}

void LearnedTable::merge(Row row, std::int32_t column, float gradient) {
    assert(row >= 0 && row < rows() && column >= 0 && column < m_spec.columns);
    Entry& known = m_entries[place(row, column)];
    if (known.place < m_merged.size() && m_merged[known.place].entry == &known) {
        m_merged[known.place].gradient += gradient;
        ++m_merged[known.place].count;
        return;
    }
    known.place = static_cast<std::uint32_t>(m_merged.size());
    m_merged.push_back({&known, row, column, 1, gradient});
}

void LearnedTable::apply(std::span<const Row> rows, std::span<const std::int32_t> columns,
                         std::span<const float> gradients, double rate) {
    assert(rows.size() == columns.size() && rows.size() == gradients.size());
    m_merged.clear();
    for (std::size_t i = 0; i < rows.size(); ++i) prefetch(rows[i], columns[i]);
    for (std::size_t i = 0; i < rows.size(); ++i) merge(rows[i], columns[i], gradients[i]);
    step(rate);
}

void LearnedTable::applyRows(std::span<const Row> rows, std::span<const float> gradients,
                             double rate) {
    assert(gradients.size() == rows.size() * static_cast<std::size_t>(m_spec.columns));
    m_merged.clear();
    for (const Row row : rows) prefetch(row, 0);
    const float* gradient = gradients.data();
    for (const Row row : rows)
        for (std::int32_t column = 0; column < m_spec.columns; ++column)
            merge(row, column, *gradient++);
    step(rate);
}

float LearnedTable::adamStep(Entry& e, float gradient) const {
    e.firstMoment += static_cast<float>(1 - m_spec.beta1) * (gradient - e.firstMoment);
    e.secondMoment += static_cast<float>(1 - m_spec.beta2) * (gradient * gradient - e.secondMoment);
    const float bias1 = correction(m_correction1, m_spec.beta1, e.updates);
    const float bias2 = correction(m_correction2, m_spec.beta2, e.updates);
    return e.firstMoment / bias1 /
           (std::sqrt(e.secondMoment / bias2) + static_cast<float>(m_spec.epsilon));
}

void LearnedTable::step(double rate) {
    for (const Merged& merged : m_merged) {
        Entry& e = *merged.entry;
        if (e.updates == 0) ++m_visited;
        const bool counts = m_spec.rule == TableSpec::Rule::Adaptive;
        const std::uint32_t more = counts ? merged.count : 1;
        e.updates += std::min(more, std::numeric_limits<std::uint32_t>::max() - e.updates);
        float* const value = writable(merged.row) + merged.column;
        double change = 0;
        switch (m_spec.rule) {
            case TableSpec::Rule::Adam:
                change = rate * adamStep(e, merged.gradient);
                break;
            case TableSpec::Rule::Adaptive:
                // Never past the mean of what the gradients ask for.
                change = rate *
                         std::min(std::max(m_spec.rateFloor, 1.0 / e.updates), 1.0 / merged.count) *
                         merged.gradient;
                break;
            case TableSpec::Rule::Sgd:
                change = rate * merged.gradient;
                break;
        }
        *value = static_cast<float>(*value - change);
    }
}

void LearnedTable::set(Row row, int column, float value) {
    assert(row >= 0 && row < rows() && column >= 0 && column < m_spec.columns);
    writable(row)[column] = value;
}

std::shared_ptr<const TableVersion> LearnedTable::version() {
    if (m_last) return m_last;
    reuseBlocks();
    const auto made = std::make_shared<TableVersion>();
    made->m_columns = m_live.m_columns;
    made->m_shift = m_live.m_shift;
    made->m_rows = m_live.m_rows;
    made->m_default = m_live.m_default;
    made->m_defaults = m_live.m_defaults;
    made->m_blocks = m_live.m_blocks;
    made->m_memory = m_slabs;
    made->m_hasEnded = std::make_shared<std::atomic<bool>>(false);
    m_readers.push_back({m_version, made->m_hasEnded});
    ++m_version;
    m_last = made;
    return m_last;
}

LearnedTable::Arrays LearnedTable::arrays() const {
    const auto columns = static_cast<std::size_t>(m_spec.columns);
    const std::size_t numbers = static_cast<std::size_t>(rows()) * columns;
    const bool hasMoments = m_spec.rule == TableSpec::Rule::Adam;
    Arrays out;
    out.values.reserve(numbers);
    out.updates.reserve(numbers);
    out.firstMoment.reserve(hasMoments ? numbers : 0);
    out.secondMoment.reserve(hasMoments ? numbers : 0);
    for (Row r = 0; r < rows(); ++r) {
        out.values.insert(out.values.end(), row(r), row(r) + columns);
        for (int column = 0; column < m_spec.columns; ++column) {
            const Entry& e = m_entries[place(r, column)];
            out.updates.push_back(e.updates);
            if (!hasMoments) continue;
            out.firstMoment.push_back(e.firstMoment);
            out.secondMoment.push_back(e.secondMoment);
        }
    }
    return out;
}

void LearnedTable::restore(const Arrays& arrays) {
    const std::size_t numbers = arrays.values.size();
    const bool hasMoments = m_spec.rule == TableSpec::Rule::Adam;
    const std::size_t moments = hasMoments ? numbers : 0;
    const auto columns = static_cast<std::size_t>(m_spec.columns);
    if (numbers % columns != 0 || arrays.updates.size() != numbers ||
        arrays.firstMoment.size() != moments || arrays.secondMoment.size() != moments ||
        numbers / columns > static_cast<std::size_t>(std::numeric_limits<Row>::max()))
        throw Error("A table of learned values has " + std::to_string(numbers) + " values and " +
                        std::to_string(arrays.updates.size()) +
                        " counts of updates, which do not fit its " + std::to_string(columns) +
                        " columns. Resume from an earlier checkpoint.",
                    Error::Kind::Damaged);
    *this = LearnedTable(m_spec);
    growTo(static_cast<Row>(numbers / columns));
    std::size_t at = 0;
    for (Row r = 0; r < rows(); ++r) {
        float* const values = writable(r);
        for (int column = 0; column < m_spec.columns; ++column, ++at) {
            values[column] = arrays.values[at];
            Entry& e = m_entries[place(r, column)];
            e.updates = arrays.updates[at];
            m_visited += e.updates > 0 ? 1 : 0;
            if (!hasMoments) continue;
            e.firstMoment = arrays.firstMoment[at];
            e.secondMoment = arrays.secondMoment[at];
        }
    }
}

std::size_t LearnedTable::allocatedBytes() const {
    const std::size_t slab = kSlabBlocks * place(Row{1} << m_live.m_shift, 0) * sizeof(float);
    return m_entries.capacity() * sizeof(Entry) + m_slabs->all.size() * slab +
           m_live.m_blocks.capacity() * (sizeof(float*) + sizeof(std::uint64_t));
}

}  // namespace orrery
