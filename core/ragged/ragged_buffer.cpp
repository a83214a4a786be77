#include "core/ragged/ragged_buffer.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "core/base/error.h"
#include "core/ragged/ragged_view.h"

namespace orrery {

template <class T>
RaggedBuffer<T>::RaggedBuffer(std::int64_t features) : m_features(features) {
    assert(features >= 0);
}

template <class T>
RaggedBuffer<T> RaggedBuffer<T>::fromFlattened(std::span<const Cell> cells, std::int64_t features,
                                               std::span<const std::int64_t> lengths) {
    if (const auto negative = std::ranges::find_if(lengths, [](auto n) { return n < 0; });
        negative != lengths.end())
        throw badInput("The lengths of sequences hold " + std::to_string(*negative) +
                       "; none is below 0.");
    const std::int64_t items = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
    if (std::ssize(cells) != items * features)
        throw badInput("The lengths say " + std::to_string(items) + " items, the data hold " +
                       std::to_string(features > 0 ? std::ssize(cells) / features : 0) + '.');
    RaggedBuffer buffer(features);
    buffer.m_cells.assign(cells.begin(), cells.end());
    buffer.m_rowBegin.reserve(lengths.size() + 1);
    for (const std::int64_t length : lengths) buffer.m_rowBegin.push_back(buffer.items() + length);
    return buffer;
}

template <class T>
RaggedBuffer<T> RaggedBuffer<T>::ofShape(std::int64_t features,
                                         std::span<const std::int64_t> rowBegin) {
    RaggedBuffer buffer(features);
    buffer.reshape(rowBegin);
    return buffer;
}

template <class T>
void RaggedBuffer<T>::reshape(std::span<const std::int64_t> rowBegin) {
    assert(!rowBegin.empty() && rowBegin.front() == 0 && std::ranges::is_sorted(rowBegin));
    m_rowBegin.assign(rowBegin.begin(), rowBegin.end());
    m_cells.resize(static_cast<std::size_t>(items() * m_features));
}

template <class T>
void RaggedBuffer<T>::refuseSequence(std::int64_t index) const {
    throw badInput("There is no sequence " + std::to_string(index) + ": the buffer has " +
                   std::to_string(size0()) + '.');
}

template <class T>
std::vector<std::int64_t> RaggedBuffer<T>::lengths() const {
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(size0()));
    for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = m_rowBegin[i + 1] - m_rowBegin[i];
    return lengths;
}

template <class T>
void RaggedBuffer<T>::push(std::int64_t items, std::span<const Cell> cells) {
    assert(items >= 0);
    if (std::ssize(cells) != items * m_features)
        throw badInput("The items have " +
                       std::to_string(items > 0 ? std::ssize(cells) / items : std::ssize(cells)) +
                       " features where the buffer has " + std::to_string(m_features) + '.');
    m_cells.insert(m_cells.end(), cells.begin(), cells.end());
    m_rowBegin.push_back(this->items() + items);
}

template <class T>
std::span<RaggedCell<T>> RaggedBuffer<T>::grow(std::int64_t items) {
    assert(items >= 0);
    const std::size_t begin = m_cells.size();
    m_cells.resize(begin + static_cast<std::size_t>(items * m_features));
    m_rowBegin.push_back(this->items() + items);
    return std::span(m_cells).subspan(begin);
}

template <class T>
void RaggedBuffer<T>::extend(const RaggedBuffer& other) {
    if (other.m_features != m_features)
        throw badInput("A buffer of " + std::to_string(m_features) +
                       " features cannot take one of " + std::to_string(other.m_features) + '.');
    // The other may be this one: sizes first, and no pointer across what grows.
    const std::int64_t added = other.size0(), offset = items();
    const std::size_t begin = m_cells.size(), cells = other.m_cells.size();
    m_cells.resize(begin + cells);
    std::copy_n(other.m_cells.data(), cells, m_cells.data() + begin);
    m_rowBegin.reserve(m_rowBegin.size() + static_cast<std::size_t>(added));
    for (std::int64_t i = 1; i <= added; ++i) m_rowBegin.push_back(offset + other.m_rowBegin[i]);
}

template <class T>
void RaggedBuffer<T>::clear() {
    m_cells.clear();
    m_rowBegin.resize(1);
}

template <class T>
RaggedBuffer<T> RaggedBuffer<T>::gather(std::span<const std::int64_t> sequences) const {
    RaggedBuffer out(m_features);
    gatherInto(sequences, out);
    return out;
}

template <class T>
void RaggedBuffer<T>::gatherInto(std::span<const std::int64_t> sequences, RaggedBuffer& out) const {
    assert(&out != this && out.m_features == m_features);
    std::int64_t items = 0;
    for (const std::int64_t sequence : sequences) items += size1(sequence);
    out.m_rowBegin.resize(sequences.size() + 1);
    out.m_cells.resize(static_cast<std::size_t>(items * m_features));
    std::int64_t at = 0;
    for (std::size_t i = 0; i < sequences.size(); ++i) {
        const std::int64_t begin = m_rowBegin[sequences[i]],
                           length = m_rowBegin[sequences[i] + 1] - begin;
        std::copy_n(m_cells.data() + begin * m_features, length * m_features,
                    out.m_cells.data() + at * m_features);
        at += length;
        out.m_rowBegin[i + 1] = at;
    }
}

template <class T>
RaggedView<T> RaggedBuffer<T>::view(const RaggedIndex& sequences, const RaggedIndex& items,
                                    const RaggedIndex& features) {
    return RaggedView<T>(*this, sequences, items, features);
}

template <class T>
RaggedBuffer<std::int64_t> RaggedBuffer<T>::indices(int dimension) const {
    if (dimension != 0 && dimension != 1)
        throw badInput("Items have no indices in dimension " + std::to_string(dimension) +
                       ": it is 0 (sequences) or 1 (places in them).");
    auto out = RaggedBuffer<std::int64_t>::ofShape(1, m_rowBegin);
    for (std::int64_t i = 0; i < size0(); ++i) {
        const auto begin = out.m_cells.begin() + m_rowBegin[i],
                   end = out.m_cells.begin() + m_rowBegin[i + 1];
        if (dimension == 0)
            std::fill(begin, end, i);
        else
            std::iota(begin, end, std::int64_t{0});
    }
    return out;
}

template <class T>
RaggedBuffer<std::int64_t> RaggedBuffer<T>::flatIndices() const {
    auto out = RaggedBuffer<std::int64_t>::ofShape(1, m_rowBegin);
    std::iota(out.m_cells.begin(), out.m_cells.end(), std::int64_t{0});
    return out;
}

template class RaggedBuffer<float>;
template class RaggedBuffer<std::int64_t>;
template class RaggedBuffer<bool>;

}  // namespace orrery
