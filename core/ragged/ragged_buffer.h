#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/ragged/packed_rows.h"
#include "core/ragged/ragged_index.h"
#include "core/ragged/uninitialized_vector.h"

namespace orrery {

/// What one number of a buffer is kept as: truth values are bytes, 0 or 1.
template <class T>
using RaggedCell = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

template <class T>
class RaggedView;

/// Sequences of items, each with the same features: a batch of many lengths without padding. T is
/// float, std::int64_t or bool; types never mix in one operation.
///
/// Cells lie item by item, sequence by sequence. Not thread-safe; const members may be called from
/// any thread. What a call refuses leaves the buffer as it was.
/// Source: seed 004, "VecEnv / VecObs"; ragged-buffer 0.4.
template <class T>
class RaggedBuffer {
public:
    using Cell = RaggedCell<T>;

    /// Without sequences. @param features  of every item, at least 0
    explicit RaggedBuffer(std::int64_t features);
    /// @param cells    [sum of lengths x features]
    /// @param lengths  [sequences] items of each
    /// @throws Error (BadInput) if they do not fit
    static RaggedBuffer fromFlattened(std::span<const Cell> cells, std::int64_t features,
                                      std::span<const std::int64_t> lengths);

    /// With cells to be written. @param rowBegin  [sequences + 1] from 0, ascending
    static RaggedBuffer ofShape(std::int64_t features, std::span<const std::int64_t> rowBegin);

    std::int64_t size0() const { return std::ssize(m_rowBegin) - 1; }  ///< sequences
    /// Items of a sequence. @throws Error (BadInput) if there is no such sequence
    std::int64_t size1(std::int64_t sequence) const {
        if (sequence < 0 || sequence >= size0()) refuseSequence(sequence);
        return m_rowBegin[sequence + 1] - m_rowBegin[sequence];
    }
    std::int64_t size2() const { return m_features; }
    std::int64_t items() const { return m_rowBegin.back(); }  ///< of all sequences
    std::vector<std::int64_t> lengths() const;                ///< [size0]

    std::span<const Cell> flat() const { return m_cells; }  ///< [items x size2]
    std::span<Cell> flat() { return m_cells; }
    std::span<const std::int64_t> rowBegin() const { return m_rowBegin; }  ///< [size0 + 1]
    /// [items of it x size2]
    std::span<const Cell> sequence(std::int64_t index) const {
        const std::int64_t length = size1(index);
        return flat().subspan(m_rowBegin[index] * m_features, length * m_features);
    }

    /// One sequence more. @param cells  [items x size2] @throws Error (BadInput) for another width
    void push(std::int64_t items, std::span<const Cell> cells);
    void pushEmpty() { m_rowBegin.push_back(items()); }
    /// One sequence more, to be written. @return [items x size2], valid until the next one
    std::span<Cell> grow(std::int64_t items);
    /// All sequences of another one. @throws Error (BadInput) for another width
    void extend(const RaggedBuffer& other);
    /// Takes the sequences away and keeps the memory.
    void clear();
    /// Other sequences in the same memory, with cells to be written. @param rowBegin  as ofShape
    void reshape(std::span<const std::int64_t> rowBegin);

    /// Sequences in this order, as often as they are named.
    /// @throws Error (BadInput) if there is no such sequence
    RaggedBuffer gather(std::span<const std::int64_t> sequences) const;
    /// The same into a buffer whose memory is used again.
    void gatherInto(std::span<const std::int64_t> sequences, RaggedBuffer& out) const;

    /// A part that shares the cells: valid while this buffer keeps its sequences.
    /// @throws Error (BadInput) if sequences or features are out of range, or a step is below 1
    RaggedView<T> view(const RaggedIndex& sequences, const RaggedIndex& items,
                       const RaggedIndex& features);

    /// Of each item: its sequence (0), or its place in the sequence (1). One feature.
    /// @throws Error (BadInput) for another dimension
    RaggedBuffer<std::int64_t> indices(int dimension) const;
    /// 0 to items() - 1, one feature.
    RaggedBuffer<std::int64_t> flatIndices() const;
    std::optional<PackedRows> padpack() const { return packRows(m_rowBegin); }

    /// "RaggedBuffer([ ... ], 'S * var * F * f32)", a line an item. A number that is not whole is
    /// as short as reads back to the same bits; of a whole one a sequence of a single item shows
    /// ".0".
    std::string text() const;

    /// Same sequences, features and numbers; NaN is not equal to itself.
    bool operator==(const RaggedBuffer&) const = default;

private:
    template <class>
    friend class RaggedBuffer;  // indices() makes one of another type
    [[noreturn]] void refuseSequence(std::int64_t index) const;

    std::int64_t m_features;
    std::vector<std::int64_t> m_rowBegin{0};
    UninitializedVector<Cell> m_cells;
};

}  // namespace orrery
