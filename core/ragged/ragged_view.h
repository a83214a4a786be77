#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ragged/ragged_buffer.h"

namespace orrery {

/// A part of a buffer, whose cells it shares: chosen sequences, of each chosen items, of each
/// chosen features. Valid while the buffer lives and keeps its sequences.
///
/// Of a dimension taken as a list, items end at the first that a sequence lacks; a range is cut to
/// each sequence, its negative ends counting from the number of cells of the buffer; one item that
/// a sequence lacks is none.
template <class T>
class RaggedView {
public:
    using Cell = RaggedCell<T>;

    /// @throws Error (BadInput) as RaggedBuffer::view
    RaggedView(RaggedBuffer<T>& buffer, const RaggedIndex& sequences, const RaggedIndex& items,
               const RaggedIndex& features);

    std::int64_t size0() const { return std::ssize(m_begin) - 1; }
    /// @throws Error (BadInput) if there is no such sequence, or sequences or items are a list
    std::int64_t size1(std::int64_t sequence) const;
    std::int64_t size2() const { return std::ssize(m_features); }
    std::int64_t items() const { return std::ssize(m_items); }

    /// A buffer of its own with these cells.
    RaggedBuffer<T> materialize() const;

    /// Takes another view from the cells of this one, sequence by sequence. Where one side has a
    /// single item, it stands for all of the other's; a single one here is changed by each of them.
    /// @throws Error (BadInput) where sizes do not fit; then nothing is changed
    RaggedView& operator-=(const RaggedView& other) requires(!std::is_same_v<T, bool>);

private:
    friend void translateRotate(const RaggedView<float>& points, const RaggedView<float>& origin,
                                const RaggedView<float>& direction);
    std::int64_t length(std::int64_t sequence) const {
        return m_begin[sequence + 1] - m_begin[sequence];
    }
    Cell* item(std::int64_t index) const { return m_cells + m_items[index] * m_width; }

    Cell* m_cells;                         // of the buffer
    std::int64_t m_width;                  // its features
    std::vector<std::int64_t> m_begin{0};  // [size0 + 1] of the view's items
    std::vector<std::int64_t> m_items;     // of the buffer
    std::vector<std::int64_t> m_features;  // of the buffer
    bool m_isList;                         // sequences or items are one
};

/// Moves points so that the origin lies at 0, and turns them so that the direction lies along x:
/// p -= o, then (dx px + dy py, dx py - dy px). All have two features; each sequence has one origin
/// and one direction. @throws Error (BadInput) where it does not; then nothing is changed
void translateRotate(const RaggedView<float>& points, const RaggedView<float>& origin,
                     const RaggedView<float>& direction);

}  // namespace orrery
