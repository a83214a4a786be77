#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <string>

#include "core/base/rng.h"
#include "core/ragged/ragged_arithmetic.h"
#include "core/ragged/ragged_buffer.h"
#include "core/ragged/ragged_cat.h"
#include "core/ragged/ragged_view.h"
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

void addRow(const std::string& name, double value, double original, double times) {
    rows().push_back({.name = "ragged_" + name,
                      .value = value,
                      .unit = "us",
                      .reference = "original " + std::to_string(original) + " us",
                      .target = original * times,
                      .lessIsBetter = true});
}

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
    addRow("gather_" + size, microseconds([&] { a.gatherInto(order, out); }), original.gather, 1);
    addRow("add_" + size, microseconds([&] { out = a + b; }), original.add, 0.1);
    addRow("add_one_" + size, microseconds([&] { out = a + one; }), original.addOne, 0.1);
    addRow("multiply_" + size, microseconds([&] { out = a * 2.F; }), original.multiply, 1);
    const std::array<const RaggedBuffer<float>*, 2> both{&a, &b}, broadcast{&a, &one};
    addRow("cat0_" + size, microseconds([&] { out = cat<float>(both, 0); }), original.cat0, 1);
    addRow("cat1_" + size, microseconds([&] { out = cat<float>(both, 1); }), original.cat1, 1);
    RaggedBuffer<float> wide(2 * kFeatures);
    addRow("cat2_" + size, microseconds([&] { wide = cat<float>(broadcast, 2); }), original.cat2,
           1);
    const RaggedBuffer<std::int64_t> flat = a.flatIndices();
    const std::array<const RaggedBuffer<std::int64_t>*, 2> indexes{&flat, &flat};
    RaggedBuffer<std::int64_t> whole(1);
    addRow("cat1_indices_" + size, microseconds([&] { whole = cat<std::int64_t>(indexes, 1); }),
           original.catIndices, 1);
    addRow("pack_" + size, microseconds([&] { (void)a.padpack(); }), original.pack, 1);
    addRow("indices_" + size, microseconds([&] { whole = a.indices(0); }), original.indices, 1);
    addRow("flat_indices_" + size, microseconds([&] { whole = a.flatIndices(); }), original.flat,
           1);
    addRow("clone_" + size, microseconds([&] { out = a; }), original.clone, 1);
    const RaggedIndex all = RaggedAll(), columns = RaggedSlice{.start = 1, .stop = 4};
    RaggedBuffer<float> three(3);
    addRow("view_" + size, microseconds([&] { three = a.view(all, all, columns).materialize(); }),
           original.view, 0.1);
    RaggedBuffer<float> single = one;
    addRow("view_subtract_" + size,
           microseconds([&] { a.view(all, all, columns) -= single.view(all, all, columns); }),
           original.viewSubtract, 0.1);
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
           97, 1);
}

}  // namespace orrery::perf
