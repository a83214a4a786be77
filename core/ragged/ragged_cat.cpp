#include "core/ragged/ragged_cat.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/text.h"

namespace orrery {

namespace {

template <class T>
using Buffers = std::span<const RaggedBuffer<T>* const>;

/// What differs between buffers that must have the same of it.
template <class T>
void checkSame(Buffers<T> buffers, std::int64_t (RaggedBuffer<T>::*size)() const,
               const char* what) {
    std::vector<std::string> sizes;
    bool isSame = true;
    for (const RaggedBuffer<T>* buffer : buffers) {
        sizes.push_back(std::to_string((buffer->*size)()));
        isSame = isSame && sizes.back() == sizes.front();
    }
    if (!isSame)
        throw badInput("The buffers have " + commaList(sizes) + ' ' + what +
                       "; to be joined so they must have as many.");
}

template <class T>
RaggedBuffer<T> catSequences(Buffers<T> buffers) {
    std::int64_t sequences = 0;
    for (const RaggedBuffer<T>* buffer : buffers) sequences += buffer->size0();
    std::vector<std::int64_t> rowBegin{0};
    rowBegin.reserve(static_cast<std::size_t>(sequences + 1));
    for (const RaggedBuffer<T>* buffer : buffers) {
        const std::int64_t before = rowBegin.back();
        for (const std::int64_t begin : buffer->rowBegin().subspan(1))
            rowBegin.push_back(before + begin);
    }
    auto out = RaggedBuffer<T>::ofShape(buffers.front()->size2(), rowBegin);
    auto to = out.flat().begin();
    for (const RaggedBuffer<T>* buffer : buffers) to = std::ranges::copy(buffer->flat(), to).out;
    return out;
}

template <class T>
RaggedBuffer<T> catItems(Buffers<T> buffers) {
    const std::int64_t sequences = buffers.front()->size0(), features = buffers.front()->size2();
    std::vector<std::int64_t> rowBegin(static_cast<std::size_t>(sequences + 1));
    for (const RaggedBuffer<T>* buffer : buffers)
        for (std::int64_t i = 0; i <= sequences; ++i) rowBegin[i] += buffer->rowBegin()[i];
    auto out = RaggedBuffer<T>::ofShape(features, rowBegin);
    auto* to = out.flat().data();
    for (std::int64_t i = 0; i < sequences; ++i)
        for (const RaggedBuffer<T>* buffer : buffers) {
            const std::int64_t begin = buffer->rowBegin()[i],
                               cells = (buffer->rowBegin()[i + 1] - begin) * features;
            to = std::copy_n(buffer->flat().data() + begin * features, cells, to);
        }
    return out;
}

/// Items of a sequence of joined features. @throws Error if a buffer has another number
template <class T>
std::int64_t joinedLength(Buffers<T> buffers, std::int64_t sequence) {
    const auto lengthOf = [&](const RaggedBuffer<T>* buffer) {
        return buffer->rowBegin()[sequence + 1] - buffer->rowBegin()[sequence];
    };
    std::int64_t longest = 0;
    bool hasEmpty = false;
    for (const RaggedBuffer<T>* buffer : buffers) {
        longest = std::max(longest, lengthOf(buffer));
        hasEmpty = hasEmpty || lengthOf(buffer) == 0;
    }
    if (hasEmpty) return 0;
    for (std::size_t k = 0; k < buffers.size(); ++k)
        if (const std::int64_t length = lengthOf(buffers[k]); length != 1 && length != longest)
            throw badInput("Buffer " + std::to_string(k) + " has " + std::to_string(length) +
                           " items in sequence " + std::to_string(sequence) +
                           ", where another has " + std::to_string(longest) + '.');
    return longest;
}

/// Copies items of one width into those of another. `width`: 0 if it is large.
template <int width, class Cell>
void copyFeatures(const Cell* from, std::int64_t fromStep, std::int64_t features, Cell* to,
                  std::int64_t toStep, std::int64_t items) {
    const std::int64_t count = width > 0 ? width : features;
    for (std::int64_t item = 0; item < items; ++item, from += fromStep, to += toStep)
        for (std::int64_t f = 0; f < count; ++f) to[f] = from[f];
}

template <class T>
RaggedBuffer<T> catFeatures(Buffers<T> buffers) {
    std::int64_t features = 0;
    for (const RaggedBuffer<T>* buffer : buffers) features += buffer->size2();
    std::vector<std::int64_t> rowBegin{0};
    for (std::int64_t i = 0; i < buffers.front()->size0(); ++i)
        rowBegin.push_back(rowBegin.back() + joinedLength(buffers, i));
    auto out = RaggedBuffer<T>::ofShape(features, rowBegin);
    std::int64_t column = 0;
    for (const RaggedBuffer<T>* buffer : buffers) {
        const std::int64_t own = buffer->size2();
        for (std::int64_t i = 0; i < out.size0(); ++i) {
            const std::int64_t begin = buffer->rowBegin()[i],
                               step = buffer->rowBegin()[i + 1] - begin == 1 ? 0 : own,
                               items = rowBegin[i + 1] - rowBegin[i];
            const auto* const from = buffer->flat().data() + begin * own;
            auto* const to = out.flat().data() + rowBegin[i] * features + column;
            if (own == 8)
                copyFeatures<8>(from, step, own, to, features, items);
            else
                copyFeatures<0>(from, step, own, to, features, items);
        }
        column += own;
    }
    return out;
}

}  // namespace

template <class T>
RaggedBuffer<T> cat(std::span<const RaggedBuffer<T>* const> buffers, int dimension) {
    if (buffers.empty()) throw badInput("There are no ragged buffers to be joined.");
    if (dimension < 0 || dimension > 2)
        throw badInput("Ragged buffers have 3 dimensions, from 0: there is no " +
                       std::to_string(dimension) + '.');
    if (dimension > 0) checkSame(buffers, &RaggedBuffer<T>::size0, "sequences");
    if (dimension < 2) checkSame(buffers, &RaggedBuffer<T>::size2, "features");
    return dimension == 0   ? catSequences(buffers)
           : dimension == 1 ? catItems(buffers)
                            : catFeatures(buffers);
}

template RaggedBuffer<float> cat(std::span<const RaggedBuffer<float>* const>, int);
template RaggedBuffer<std::int64_t> cat(std::span<const RaggedBuffer<std::int64_t>* const>, int);
template RaggedBuffer<bool> cat(std::span<const RaggedBuffer<bool>* const>, int);

}  // namespace orrery
