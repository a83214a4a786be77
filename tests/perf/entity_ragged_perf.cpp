#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/base/rng.h"
#include "core/base/text.h"
#include "core/ragged/ragged_arithmetic.h"
#include "core/ragged/ragged_buffer.h"
#include "core/ragged/ragged_cat.h"
#include "core/ragged/ragged_view.h"
#include "core/ragged/uninitialized_vector.h"
#include "tests/perf/entity_parts.h"

namespace orrery::perf {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kFeatures = 8;

/// The least time of a call, in microseconds.
template <class Call>
double microseconds(Call call) {
    double best = 1e30;
    const auto end = Clock::now() + std::chrono::milliseconds(300);
    for (int i = 0; i < 5 || Clock::now() < end; ++i) {
        const auto begin = Clock::now();
        call();
        best =
            std::min(best, std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
    }
    return best;
}

RaggedBuffer<float> bufferOf(std::int64_t sequences, std::int64_t fixedLength, Rng& rng) {
    std::vector<std::int64_t> begin{0};
    for (std::int64_t i = 0; i < sequences; ++i)
        begin.push_back(begin.back() + (fixedLength > 0
                                            ? fixedLength
                                            : 5 + static_cast<std::int64_t>(rng.below(31))));
    auto buffer = RaggedBuffer<float>::ofShape(kFeatures, begin);
    for (float& cell : buffer.flat()) cell = static_cast<float>(rng.uniform());
    return buffer;
}

/// @param times  of the original's time that the row shall take
/// @param plain  microseconds of a plain loop over the same bytes, of which 1.5 times will do too;
///               0: there is none
void addRow(const std::string& name, double value, double original, double times, double plain) {
    std::string reference = "original " + shortNumber(original) + " us";
    if (plain > 0) reference += ", a plain loop " + shortNumber(plain) + " us";
    rows().push_back({.name = "ragged_" + name,
                      .value = value,
                      .unit = "us",
                      .reference = reference,
                      .target = std::max(original * times, 1.5 * plain),
                      .lessIsBetter = true});
}

/// Plain loops that write new memory, as the operations that give a new buffer do.
struct PlainLoops {
    const RaggedBuffer<float>& from;

    template <class T, class Body>
    static double writing(std::int64_t cells, Body body) {
        UninitializedVector<T> kept;
        return microseconds([&] {
            UninitializedVector<T> out(static_cast<std::size_t>(cells));
            body(out.data());
            kept = std::move(out);
        });
    }
    /// The cells so many times.
    double copy(std::int64_t times) const {
        const std::int64_t cells = std::ssize(from.flat());
        return writing<float>(times * cells, [&](float* out) {
            for (std::int64_t k = 0; k < times; ++k)
                for (std::int64_t i = 0; i < cells; ++i) out[k * cells + i] = from.flat()[i];
        });
    }
    double add() const {
        return writing<float>(std::ssize(from.flat()), [&](float* out) {
            for (std::int64_t i = 0; i < std::ssize(from.flat()); ++i)
                out[i] = from.flat()[i] + from.flat()[i];
        });
    }
    /// A number an item, so many times.
    double count(std::int64_t times) const {
        return writing<std::int64_t>(times * from.items(), [&](std::int64_t* out) {
            for (std::int64_t i = 0; i < times * from.items(); ++i) out[i] = i;
        });
    }
    double columns() const {
        return writing<float>(3 * from.items(), [&](float* out) {
            for (std::int64_t i = 0; i < from.items(); ++i)
                for (std::int64_t f = 0; f < 3; ++f)
                    out[3 * i + f] = from.flat()[kFeatures * i + 1 + f];
        });
    }
    static double subtractColumns(RaggedBuffer<float>& from) {
        return microseconds([&] {
            for (std::int64_t i = 0; i < from.items(); ++i)
                for (std::int64_t f = 1; f < 4; ++f) from.flat()[kFeatures * i + f] -= 0.5F;
        });
    }
};

struct Originals {
    std::int64_t sequences;
    double gather, add, addOne, multiply, cat0, cat1, cat2, catIndices, pack, indices, flat, clone,
        view, viewSubtract;
};

void measureSize(const Originals& original) {
    Rng rng(1);
    const std::string size = std::to_string(original.sequences);
    RaggedBuffer<float> a = bufferOf(original.sequences, 0, rng), b = a, out(kFeatures);
    const RaggedBuffer<float> one = bufferOf(original.sequences, 1, rng);
    std::vector<std::int64_t> order(static_cast<std::size_t>(original.sequences));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
    const PlainLoops plain{a};
    const double copy = plain.copy(1), twice = plain.copy(2), sum = plain.add(),
                 count = plain.count(1);
    const auto row = [&](const char* name, double value, double before, double times, double loop) {
        addRow(name + ("_" + size), value, before, times, loop);
    };
    row("gather", microseconds([&] { a.gatherInto(order, out); }), original.gather, 1, copy);
    row("add", microseconds([&] { out = a + b; }), original.add, 0.1, sum);
    row("add_one", microseconds([&] { out = a + one; }), original.addOne, 0.1, sum);
    row("multiply", microseconds([&] { out = a * 2.F; }), original.multiply, 1, copy);
    const std::array<const RaggedBuffer<float>*, 2> both{&a, &b}, broadcast{&a, &one};
    row("cat0", microseconds([&] { out = cat<float>(both, 0); }), original.cat0, 1, twice);
    row("cat1", microseconds([&] { out = cat<float>(both, 1); }), original.cat1, 1, twice);
    RaggedBuffer<float> wide(2 * kFeatures);
    row("cat2", microseconds([&] { wide = cat<float>(broadcast, 2); }), original.cat2, 1, twice);
    const RaggedBuffer<std::int64_t> flat = a.flatIndices();
    const std::array<const RaggedBuffer<std::int64_t>*, 2> indexes{&flat, &flat};
    RaggedBuffer<std::int64_t> whole(1);
    row("cat1_indices", microseconds([&] { whole = cat<std::int64_t>(indexes, 1); }),
        original.catIndices, 1, plain.count(2));
    row("pack", microseconds([&] { (void)a.padpack(); }), original.pack, 1, 0);
    row("indices", microseconds([&] { whole = a.indices(0); }), original.indices, 1, count);
    row("flat_indices", microseconds([&] { whole = a.flatIndices(); }), original.flat, 1, count);
    row("clone", microseconds([&] { out = a; }), original.clone, 1, copy);
    const RaggedIndex all = RaggedAll(), columns = RaggedSlice{.start = 1, .stop = 4};
    RaggedBuffer<float> three(3);
    row("view", microseconds([&] { three = a.view(all, all, columns).materialize(); }),
        original.view, 0.1, plain.columns());
    RaggedBuffer<float> single = one;
    row("view_subtract",
        microseconds([&] { a.view(all, all, columns) -= single.view(all, all, columns); }),
        original.viewSubtract, 0.1, PlainLoops::subtractColumns(a));
}

}  // namespace

void raggedOperations() {
    measureSize({512, 9.8, 117, 126, 7.3, 10.5, 13.8, 93, 7.4, 47, 6.4, 1.9, 7.5, 342, 537});
    measureSize({4096, 104, 898, 970, 55, 76, 110, 739, 57, 422, 56, 13.5, 56, 2600, 4100});
    const std::vector<float> rowsOf20(20 * kFeatures, 1.F);
    RaggedBuffer<float> grown(kFeatures);
    addRow("push_512_of_20", microseconds([&] {
               grown.clear();
               for (int i = 0; i < 512; ++i) grown.push(20, rowsOf20);
           }),
           97, 1, 0);
}

}  // namespace orrery::perf
