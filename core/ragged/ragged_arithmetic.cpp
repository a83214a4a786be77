#include "core/ragged/ragged_arithmetic.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/text.h"

namespace orrery {

namespace {

/// Whole numbers wrap, which only unsigned ones may.
template <class T>
using Wrapping = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;

struct Sum {
    template <class T>
    T operator()(T a, T b) const {
        return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
    }
};

struct Product {
    template <class T>
    T operator()(T a, T b) const {
        return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
    }
};

template <class T>
RaggedBuffer<T> shapedAs(const RaggedBuffer<T>& shape) {
    return RaggedBuffer<T>::ofShape(shape.size2(), shape.rowBegin());
}

/// "(2, [3, 1], 4)": sequences, their lengths, features.
template <class T>
std::string sizes(const RaggedBuffer<T>& buffer) {
    std::vector<std::string> lengths;
    for (const std::int64_t length : buffer.lengths()) lengths.push_back(std::to_string(length));
    return '(' + std::to_string(buffer.size0()) + ", [" + commaList(lengths) + "], " +
           std::to_string(buffer.size2()) + ')';
}

template <class T>
bool isSingle(const RaggedBuffer<T>& buffer) {
    return buffer.items() == buffer.size0() &&
           std::ranges::all_of(buffer.lengths(), [](std::int64_t n) { return n == 1; });
}

/// Each item of `many` with the one item of the other's sequence. `width`: 0 if it is large.
template <int width, class T, class Operation>
void withOne(const RaggedBuffer<T>& many, const RaggedBuffer<T>& one, Operation operation,
             RaggedBuffer<T>& out) {
    const std::int64_t features = width > 0 ? width : many.size2();
    const T* a = many.flat().data();
    T* to = out.flat().data();
    for (std::int64_t i = 0; i < many.size0(); ++i) {
        const T* const b = one.flat().data() + i * features;
        for (std::int64_t item = many.rowBegin()[i]; item < many.rowBegin()[i + 1]; ++item) {
            for (std::int64_t f = 0; f < features; ++f) to[f] = operation(a[f], b[f]);
            a += features;
            to += features;
        }
    }
}

template <class T, class Operation>
RaggedBuffer<T> broadcast(const RaggedBuffer<T>& many, const RaggedBuffer<T>& one,
                          Operation operation) {
    RaggedBuffer<T> out = shapedAs(many);
    switch (many.size2()) {
        case 1:
            withOne<1>(many, one, operation, out);
            break;
        case 2:
            withOne<2>(many, one, operation, out);
            break;
        case 4:
            withOne<4>(many, one, operation, out);
            break;
        case 8:
            withOne<8>(many, one, operation, out);
            break;
        default:
            withOne<0>(many, one, operation, out);
    }
    return out;
}

template <class T, class Operation>
RaggedBuffer<T> combined(const RaggedBuffer<T>& a, const RaggedBuffer<T>& b, Operation operation) {
    if (a.size2() == b.size2() && std::ranges::equal(a.rowBegin(), b.rowBegin())) {
        RaggedBuffer<T> out = shapedAs(a);
        std::transform(a.flat().begin(), a.flat().end(), b.flat().begin(), out.flat().begin(),
                       operation);
        return out;
    }
    if (a.size2() == b.size2() && a.size0() == b.size0()) {
        // Both operations give the same either way round.
        if (isSingle(b)) return broadcast(a, b, operation);
        if (isSingle(a)) return broadcast(b, a, operation);
    }
    throw badInput("Ragged buffers of sizes " + sizes(a) + " and " + sizes(b) +
                   " do not fit: their sequences and features differ.");
}

template <class T, class Operation>
RaggedBuffer<T> each(const RaggedBuffer<T>& a, T b, Operation operation) {
    RaggedBuffer<T> out = shapedAs(a);
    std::transform(a.flat().begin(), a.flat().end(), out.flat().begin(),
                   [&](T x) { return operation(x, b); });
    return out;
}

}  // namespace

template <class T>
RaggedBuffer<T> operator+(const RaggedBuffer<T>& a, const RaggedBuffer<T>& b) {
    return combined(a, b, Sum());
}

template <class T>
RaggedBuffer<T> operator*(const RaggedBuffer<T>& a, const RaggedBuffer<T>& b) {
    return combined(a, b, Product());
}

template <class T>
RaggedBuffer<T> operator+(const RaggedBuffer<T>& a, std::type_identity_t<T> b) {
    return each(a, b, Sum());
}

template <class T>
RaggedBuffer<T> operator*(const RaggedBuffer<T>& a, std::type_identity_t<T> b) {
    return each(a, b, Product());
}

template RaggedBuffer<float> operator+(const RaggedBuffer<float>&, const RaggedBuffer<float>&);
template RaggedBuffer<float> operator*(const RaggedBuffer<float>&, const RaggedBuffer<float>&);
template RaggedBuffer<float> operator+(const RaggedBuffer<float>&, float);
template RaggedBuffer<float> operator*(const RaggedBuffer<float>&, float);
template RaggedBuffer<std::int64_t> operator+(const RaggedBuffer<std::int64_t>&,
                                              const RaggedBuffer<std::int64_t>&);
template RaggedBuffer<std::int64_t> operator*(const RaggedBuffer<std::int64_t>&,
                                              const RaggedBuffer<std::int64_t>&);
template RaggedBuffer<std::int64_t> operator+(const RaggedBuffer<std::int64_t>&, std::int64_t);
template RaggedBuffer<std::int64_t> operator*(const RaggedBuffer<std::int64_t>&, std::int64_t);

}  // namespace orrery
