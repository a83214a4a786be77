#include "core/ragged/ragged_view.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "core/base/error.h"

namespace orrery {

namespace {

/// A range with its ends within [0, size].
struct Range {
    std::int64_t begin, end, step;
};

Range resolved(const RaggedSlice& slice, std::int64_t size) {
    const std::int64_t step = slice.step.value_or(1);
    if (step < 1)
        throw badInput("A range of a ragged buffer has a step of " + std::to_string(step) +
                       "; it is at least 1.");
    const auto end = [&](std::int64_t at) {
        return std::clamp(at < 0 ? at + size : at, std::int64_t{0}, size);
    };
    return {end(slice.start.value_or(0)), end(slice.stop.value_or(size)), step};
}

[[noreturn]] void refuse(std::int64_t at, const char* what, std::int64_t size) {
    throw badInput("A view takes " + std::string(what) + ' ' + std::to_string(at) +
                   "; the buffer has " + std::to_string(size) + " of them, from 0.");
}

/// Which of `size` sequences or features an index takes.
std::vector<std::int64_t> chosen(const RaggedIndex& index, const char* what, std::int64_t size) {
    std::vector<std::int64_t> all;
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&index)) {
        all = *list;
    } else if (const auto* one = std::get_if<std::int64_t>(&index)) {
        all = {*one};
    } else {
        const auto* slice = std::get_if<RaggedSlice>(&index);
        const Range range = resolved(slice != nullptr ? *slice : RaggedSlice{}, size);
        for (std::int64_t at = range.begin; at < range.end; at += range.step) all.push_back(at);
    }
    for (const std::int64_t at : all)
        if (at < 0 || at >= size) refuse(at, what, size);
    return all;
}

/// Which items of each sequence an index takes.
class ItemChoice {
public:
    /// @param cells  of the buffer
    ItemChoice(const RaggedIndex& index, std::int64_t cells) {
        if (const auto* list = std::get_if<std::vector<std::int64_t>>(&index)) {
            m_list = *list;
            m_isList = true;
            for (const std::int64_t at : m_list) check(at);
        } else if (const auto* one = std::get_if<std::int64_t>(&index)) {
            check(*one);
            m_range = {*one, *one + 1, 1};
        } else if (const auto* slice = std::get_if<RaggedSlice>(&index)) {
            m_range = resolved(*slice, cells);
            m_isOpen = !slice->stop;
        } else {
            m_isOpen = true;
        }
    }

    bool isList() const { return m_isList; }

    /// Adds those of a sequence that begins at `begin`.
    void append(std::int64_t begin, std::int64_t length, std::vector<std::int64_t>& items) const {
        if (m_isList) {
            for (const std::int64_t at : m_list) {
                if (at >= length) break;
                items.push_back(begin + at);
            }
            return;
        }
        const std::int64_t end = m_isOpen ? length : std::min(length, m_range.end);
        for (std::int64_t at = m_range.begin; at < end; at += m_range.step)
            items.push_back(begin + at);
    }

private:
    static void check(std::int64_t at) {
        if (at < 0)
            throw badInput("A view takes item " + std::to_string(at) +
                           " of each sequence; the first is 0.");
    }

    std::vector<std::int64_t> m_list;
    Range m_range{0, 0, 1};
    bool m_isList = false;
    bool m_isOpen = false;  // to the end of each sequence, also where there are no cells
};

/// The chosen features of an item; their number is known where it is small.
template <int numFeatures>
class Columns {
public:
    explicit Columns(std::span<const std::int64_t> features) : m_all(features) {
        std::copy_n(features.begin(), numFeatures, m_known.begin());
    }
    std::size_t count() const { return numFeatures > 0 ? numFeatures : m_all.size(); }
    std::int64_t operator[](std::size_t f) const { return numFeatures > 0 ? m_known[f] : m_all[f]; }

private:
    std::span<const std::int64_t> m_all;
    std::array<std::int64_t, numFeatures> m_known;
};

template <int numFeatures, class Cell>
void copyItems(const Cell* cells, std::int64_t width, std::span<const std::int64_t> items,
               std::span<const std::int64_t> features, Cell* out) {
    const Columns<numFeatures> columns(features);
    for (const std::int64_t item : items) {
        const Cell* const from = cells + item * width;
        for (std::size_t f = 0; f < columns.count(); ++f) out[f] = from[columns[f]];
        out += columns.count();
    }
}

/// Calls body with the number of features as a constant where it is small, else with 0.
template <class Body>
void withCount(std::size_t numFeatures, Body&& body) {
    switch (numFeatures) {
        case 1:
            return body(std::integral_constant<int, 1>());
        case 2:
            return body(std::integral_constant<int, 2>());
        case 3:
            return body(std::integral_constant<int, 3>());
        case 4:
            return body(std::integral_constant<int, 4>());
        default:
            return body(std::integral_constant<int, 0>());
    }
}

/// Whole numbers wrap.
template <class Cell>
Cell difference(Cell a, Cell b) {
    if constexpr (std::is_integral_v<Cell>)
        return static_cast<Cell>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
    else
        return a - b;
}

}  // namespace

template <class T>
RaggedView<T>::RaggedView(RaggedBuffer<T>& buffer, const RaggedIndex& sequences,
                          const RaggedIndex& items, const RaggedIndex& features)
    : m_cells(buffer.flat().data()),
      m_width(buffer.size2()),
      m_features(chosen(features, "feature", buffer.size2())),
      m_isList(std::holds_alternative<std::vector<std::int64_t>>(sequences)) {
    const ItemChoice choice(items, std::ssize(buffer.flat()));
    m_isList = m_isList || choice.isList();
    const std::span<const std::int64_t> rowBegin = buffer.rowBegin();
    const std::vector<std::int64_t> taken = chosen(sequences, "sequence", buffer.size0());
    m_begin.reserve(taken.size() + 1);
    m_items.reserve(static_cast<std::size_t>(buffer.items()));
    for (const std::int64_t sequence : taken) {
        const std::int64_t begin = rowBegin[sequence];
        choice.append(begin, rowBegin[sequence + 1] - begin, m_items);
        m_begin.push_back(std::ssize(m_items));
    }
}

template <class T>
std::int64_t RaggedView<T>::size1(std::int64_t sequence) const {
    if (m_isList)
        throw badInput(
            "A view of listed sequences or items does not tell their lengths: materialize it "
            "first.");
    if (sequence < 0 || sequence >= size0())
        throw badInput("There is no sequence " + std::to_string(sequence) + ": the view has " +
                       std::to_string(size0()) + '.');
    return length(sequence);
}

template <class T>
RaggedBuffer<T> RaggedView<T>::materialize() const {
    auto out = RaggedBuffer<T>::ofShape(size2(), m_begin);
    withCount(m_features.size(), [&](auto count) {
        copyItems<count()>(m_cells, m_width, m_items, m_features, out.flat().data());
    });
    return out;
}

template <class T>
RaggedView<T>& RaggedView<T>::operator-=(const RaggedView& other) requires(
    !std::is_same_v<T, bool>) {
    if (other.size0() != size0() || other.size2() != size2())
        throw badInput("A view of " + std::to_string(size0()) + " sequences with " +
                       std::to_string(size2()) + " features cannot take away one of " +
                       std::to_string(other.size0()) + " with " + std::to_string(other.size2()) +
                       '.');
    for (std::int64_t i = 0; i < size0(); ++i)
        if (length(i) != other.length(i) && length(i) != 1 && other.length(i) != 1)
            throw badInput("In sequence " + std::to_string(i) + " a view of " +
                           std::to_string(length(i)) + " items cannot take away one of " +
                           std::to_string(other.length(i)) + '.');
    withCount(m_features.size(), [&](auto count) {
        const Columns<count()> own(m_features), taken(other.m_features);
        for (std::int64_t i = 0; i < size0(); ++i) {
            const std::int64_t ownStep = length(i) > 1 || other.length(i) == 0 ? 1 : 0,
                               otherStep = other.length(i) > 1 || length(i) == 0 ? 1 : 0,
                               times = length(i) == 1 ? other.length(i) : length(i);
            for (std::int64_t k = 0; k < times; ++k) {
                Cell* const to = item(m_begin[i] + k * ownStep);
                const Cell* const from = other.item(other.m_begin[i] + k * otherStep);
                for (std::size_t f = 0; f < own.count(); ++f)
                    to[own[f]] = difference(to[own[f]], from[taken[f]]);
            }
        }
    });
    return *this;
}

void translateRotate(const RaggedView<float>& points, const RaggedView<float>& origin,
                     const RaggedView<float>& direction) {
    for (const RaggedView<float>* view : {&points, &origin, &direction}) {
        if (view->size2() != 2)
            throw badInput("Points, origins and directions have 2 features each, not " +
                           std::to_string(view->size2()) + '.');
        if (view->size0() != points.size0())
            throw badInput("There are " + std::to_string(view->size0()) +
                           " origins or directions for " + std::to_string(points.size0()) +
                           " sequences of points.");
        for (std::int64_t i = 0; view != &points && i < view->size0(); ++i)
            if (view->length(i) != 1)
                throw badInput("Sequence " + std::to_string(i) + " has " +
                               std::to_string(view->length(i)) +
                               " origins or directions; it needs exactly one.");
    }
    for (std::int64_t i = 0; i < points.size0(); ++i) {
        const float* const from = origin.item(origin.m_begin[i]);
        const float* const towards = direction.item(direction.m_begin[i]);
        const float ox = from[origin.m_features[0]], oy = from[origin.m_features[1]],
                    dx = towards[direction.m_features[0]], dy = towards[direction.m_features[1]];
        for (std::int64_t k = points.m_begin[i]; k < points.m_begin[i + 1]; ++k) {
            float* const point = points.item(k);
            float& x = point[points.m_features[0]];
            float& y = point[points.m_features[1]];
            const float px = x - ox, py = y - oy;
            x = dx * px + dy * py;
            y = -dy * px + dx * py;
        }
    }
}

template class RaggedView<float>;
template class RaggedView<std::int64_t>;
template class RaggedView<bool>;

}  // namespace orrery
