#include <QTest>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/ragged/ragged_arithmetic.h"
#include "core/ragged/ragged_cat.h"
#include "core/ragged/ragged_view.h"
#include "tests/support/test_program.h"

using namespace orrery;
using Floats = RaggedBuffer<float>;
using Wholes = RaggedBuffer<std::int64_t>;
using Numbers = std::vector<std::int64_t>;

namespace {

/// Numbers 0, 1, 2, ... in sequences of these lengths.
Floats counted(const Numbers& lengths, std::int64_t features) {
    std::vector<float> cells(static_cast<std::size_t>(
        std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}) * features));
    std::iota(cells.begin(), cells.end(), 0.0F);
    return Floats::fromFlattened(cells, features, lengths);
}

Floats floats(const Numbers& lengths, const std::vector<float>& cells) {
    return Floats::fromFlattened(cells, 2, lengths);
}

template <class T>
Numbers flatOf(const RaggedBuffer<T>& buffer) {
    return Numbers(buffer.flat().begin(), buffer.flat().end());
}

Floats joined(const std::vector<const Floats*>& buffers, int dimension) {
    return cat<float>(buffers, dimension);
}

/// The message of what is refused; empty: it was not.
template <class Call>
std::string refusal(Call&& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.kind() == Error::Kind::BadInput ? error.what() : "of another kind";
    }
    return {};
}

bool says(const std::string& text, std::initializer_list<const char*> parts) {
    for (const char* part : parts)
        if (text.find(part) == std::string::npos) return false;
    return true;
}

}  // namespace

class RaggedBufferTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thingsWithoutFeaturesAreCounted() {
        const Floats beans = Floats::fromFlattened({}, 0, Numbers{3, 0, 1});
        QCOMPARE(beans.items(), 4);
        QCOMPARE(beans.size1(0), 3);
        QCOMPARE(beans.gather(Numbers{2, 0}).lengths(), (Numbers{1, 3}));
        Floats more(0);
        more.push(2, {});
        more.extend(beans);
        QCOMPARE(more.lengths(), (Numbers{2, 3, 0, 1}));
        QCOMPARE(flatOf(more.flatIndices()), (Numbers{0, 1, 2, 3, 4, 5}));
    }

    void clearingKeepsTheMemory() {
        Floats buffer = counted({4, 0, 2}, 3);
        const float* const cells = buffer.flat().data();
        buffer.clear();
        QCOMPARE(buffer.size0(), 0);
        QCOMPARE(buffer.items(), 0);
        buffer.grow(6)[17] = 5;
        QCOMPARE(buffer.flat().data(), cells);
        QCOMPARE(buffer.lengths(), Numbers{6});
    }

    void aBufferMayTakeItself() {
        Floats buffer = counted({1, 2}, 1);
        buffer.extend(buffer);
        QCOMPARE(buffer.lengths(), (Numbers{1, 2, 1, 2}));
        QCOMPARE(flatOf(buffer), (Numbers{0, 1, 2, 0, 1, 2}));
    }

    void nothingEqualsWhatIsNotANumber() {
        const Floats buffer = floats({1}, {std::numeric_limits<float>::quiet_NaN(), 1});
        const Floats copy = buffer;
        QVERIFY(!(buffer == copy));
        QVERIFY(counted({2, 1}, 2) == counted({2, 1}, 2));
        QVERIFY(!(counted({2, 1}, 2) == counted({1, 2}, 2)));
    }

    void whatDoesNotFitIsRefusedAndNothingChanges() {
        Floats buffer = counted({2, 1}, 2);
        const Floats before = buffer;
        QVERIFY(says(refusal([&] { buffer.push(1, std::vector<float>{1, 2, 3}); }), {"3", "2"}));
        QVERIFY(says(refusal([&] { buffer.extend(counted({1}, 3)); }), {"2", "3"}));
        QVERIFY(says(refusal([&] {
                         Floats::fromFlattened(std::vector<float>{1, 2}, 1, Numbers{3});
                     }),
                     {"3 items", "2"}));
        QVERIFY(says(refusal([&] { buffer.gather(Numbers{0, -1}); }), {"-1"}));
        QVERIFY(says(refusal([&] { buffer.gather(Numbers{2}); }), {"2"}));
        QVERIFY(says(refusal([&] { (void)buffer.size1(5); }), {"5"}));
        QVERIFY(says(refusal([&] { buffer.indices(2); }), {"2"}));
        QVERIFY(buffer == before);
    }

    void itemsKnowTheirSequencesAndPlaces() {
        const Floats buffer = counted({2, 0, 3}, 4);
        QCOMPARE(flatOf(buffer.indices(0)), (Numbers{0, 0, 2, 2, 2}));
        QCOMPARE(flatOf(buffer.indices(1)), (Numbers{0, 1, 0, 1, 2}));
        QCOMPARE(buffer.indices(1).lengths(), (Numbers{2, 0, 3}));
    }

    /// "actors + offsets" of the seed.
    void oneItemASequenceStandsForAll() {
        const Wholes actors = Wholes::fromFlattened(Numbers{5, 1, 3, 4}, 1, Numbers{1, 1, 2}),
                     offsets = Wholes::fromFlattened(Numbers{0, 6, 9}, 1, Numbers{1, 1, 1});
        QCOMPARE(flatOf(actors + offsets), (Numbers{5, 7, 12, 13}));
        QVERIFY(actors + offsets == offsets + actors);
        QCOMPARE(flatOf(actors * offsets), (Numbers{0, 6, 27, 36}));
        QCOMPARE(flatOf(actors * 10 + 1), (Numbers{51, 11, 31, 41}));
    }

    void wholeNumbersWrap() {
        const Wholes most =
            Wholes::fromFlattened(Numbers{std::numeric_limits<std::int64_t>::max()}, 1, Numbers{1});
        QCOMPARE(flatOf(most + 1).front(), std::numeric_limits<std::int64_t>::min());
        QCOMPARE(flatOf(most * 2).front(), std::int64_t{-2});
    }

    void featuresAreNeverBroadcast() {
        const std::string text = refusal([] { (void)(counted({2, 1}, 2) + counted({2, 1}, 1)); });
        QVERIFY2(says(text, {"(2, [2, 1], 2)", "(2, [2, 1], 1)"}), text.c_str());
        QVERIFY(!refusal([] { (void)(counted({2, 3}, 1) + counted({1, 2}, 1)); }).empty());
        QVERIFY(!refusal([] { (void)(counted({2, 3}, 1) * counted({1}, 1)); }).empty());
    }

    void sequencesItemsAndFeaturesAreJoined() {
        const Floats a = counted({2, 0}, 1), b = counted({1, 1}, 1);
        QCOMPARE(joined({&a, &b}, 0).lengths(), (Numbers{2, 0, 1, 1}));
        QCOMPARE(joined({&a, &b}, 1).lengths(), (Numbers{3, 1}));
        QCOMPARE(flatOf(joined({&a, &b}, 1)), (Numbers{0, 1, 0, 1}));
        const Floats wide = joined({&a, &b}, 2);
        QCOMPARE(wide.lengths(), (Numbers{2, 0}));
        QCOMPARE(flatOf(wide), (Numbers{0, 0, 1, 0}));
        QVERIFY(!refusal([] { joined({}, 0); }).empty());
        QVERIFY(says(refusal([&] { joined({&a}, 3); }), {"3"}));
        const Floats three = counted({3, 3}, 1);
        QVERIFY(says(refusal([&] { joined({&a, &three}, 2); }), {"Buffer 0", "2", "3"}));
    }

    void viewsTakeRangesListsAndSingles() {
        Floats buffer = counted({3, 0, 2}, 2);
        const RaggedAll all;
        QCOMPARE(flatOf(buffer.view(all, RaggedSlice{1, {}, {}}, std::int64_t{1}).materialize()),
                 (Numbers{3, 5, 9}));
        QCOMPARE(buffer.view(all, std::int64_t{2}, all).materialize().lengths(),
                 (Numbers{1, 0, 0}));
        QCOMPARE(flatOf(buffer.view(Numbers{2, 0}, Numbers{1, 2}, Numbers{1, 0}).materialize()),
                 (Numbers{9, 8, 3, 2, 5, 4}));
        QCOMPARE(buffer.view(Numbers{0}, Numbers{3, 0}, all).items(), 0);
        QCOMPARE(
            flatOf(buffer.view(RaggedSlice{-1, {}, {}}, all, RaggedSlice{0, -1, {}}).materialize()),
            (Numbers{6, 8}));
        QCOMPARE(buffer.view(all, RaggedSlice{{}, {}, 2}, all).materialize().lengths(),
                 (Numbers{2, 0, 1}));
    }

    void whatAViewCannotTakeIsRefused() {
        Floats buffer = counted({3, 1}, 2);
        const RaggedAll all;
        QVERIFY(says(refusal([&] { buffer.view(std::int64_t{9}, all, all); }), {"9", "2"}));
        QVERIFY(says(refusal([&] { buffer.view(all, all, std::int64_t{-1}); }), {"-1"}));
        QVERIFY(says(refusal([&] { buffer.view(all, Numbers{-1}, all); }), {"-1"}));
        QVERIFY(says(refusal([&] { buffer.view(all, RaggedSlice{0, 2, 0}, all); }), {"0"}));
        const auto listed = buffer.view(Numbers{1, 0}, all, all);
        QVERIFY(says(refusal([&] { (void)listed.size1(0); }), {"materialize"}));
        QCOMPARE(buffer.view(std::int64_t{1}, all, all).size1(0), 1);
    }

    void takingAwayWritesThrough() {
        Floats points = floats({2, 1}, {1, 2, 3, 4, 5, 6}), origins = floats({1, 1}, {1, 1, 5, 5});
        const RaggedAll all;
        auto view = points.view(all, all, std::int64_t{1});
        view -= origins.view(all, all, std::int64_t{0});
        QCOMPARE(flatOf(points), (Numbers{1, 1, 3, 3, 5, 1}));
        // A single item is changed by each of the other's.
        auto single = origins.view(all, all, std::int64_t{0});
        single -= points.view(all, all, std::int64_t{0});
        QCOMPARE(flatOf(origins), (Numbers{-3, 1, 0, 5}));
        auto wide = points.view(all, all, all);
        QVERIFY(!refusal([&] { wide -= single; }).empty());
    }

    void pointsAreMovedAndTurned() {
        Floats points = floats({2}, {3, 4, 1, 2}), origin = floats({1}, {1, 2}),
               north = floats({1}, {0, 1});
        const RaggedAll all;
        const auto whole = [&](Floats& buffer) { return buffer.view(all, all, all); };
        translateRotate(whole(points), whole(origin), whole(north));
        // Two east and two north of the origin is two ahead and two to the right.
        QCOMPARE(flatOf(points), (Numbers{2, -2, 0, 0}));
        Floats two = floats({2}, {1, 2, 3, 4});
        QVERIFY(says(refusal([&] { translateRotate(whole(points), whole(two), whole(north)); }),
                     {"2", "one"}));
        Floats deep = counted({2}, 3);
        QVERIFY(says(refusal([&] { translateRotate(whole(deep), whole(origin), whole(north)); }),
                     {"2", "3"}));
    }

    /// The seed's "Packing/padding metadata".
    void sequencesArePackedAsInTheSeed() {
        const auto packed = counted({6, 3, 5}, 2).padpack();
        QVERIFY(packed);
        QCOMPARE(packed->rows, 3);
        QCOMPARE(packed->index,
                 (Numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 9, 10, 11, 12, 13, 0}));
        QCOMPARE(packed->inverse, (Numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 14, 15, 16}));
        QCOMPARE(packed->batch[8], 1.0F);
        QVERIFY(std::isnan(packed->batch[9]));
        QVERIFY(!counted({2, 2}, 1).padpack());
        QVERIFY(!counted({}, 1).padpack());
    }

    void packedRowsHoldEverySequenceWhole() {
        Rng rng(7);
        for (int round = 0; round < 50; ++round) {
            Numbers lengths{1, 2};  // they differ
            for (int i = 0; i < 40; ++i) lengths.push_back(static_cast<std::int64_t>(rng.below(9)));
            const Floats buffer = counted(lengths, 1);
            const auto packed = buffer.padpack();
            QVERIFY(packed);
            std::vector<int> found(static_cast<std::size_t>(buffer.items()));
            for (std::size_t slot = 0; slot < packed->index.size(); ++slot)
                if (!std::isnan(packed->batch[slot])) ++found[packed->index[slot]];
            QVERIFY(std::ranges::all_of(found, [](int times) { return times == 1; }));
            for (std::int64_t i = 0; i < buffer.size0(); ++i)
                for (std::int64_t item = buffer.rowBegin()[i]; item < buffer.rowBegin()[i + 1];
                     ++item) {
                    const std::int64_t place = packed->inverse[item],
                                       first = packed->inverse[buffer.rowBegin()[i]];
                    QCOMPARE(packed->index[place], item);
                    QCOMPARE(packed->batch[place], static_cast<float>(i));
                    QCOMPARE(place - first, item - buffer.rowBegin()[i]);
                    QCOMPARE(place / packed->width, first / packed->width);
                }
        }
    }

    void textShowsSequencesLineByLine() {
        Floats buffer = floats({2, 0, 1}, {1, 0, 0.5F, 1, 1, 1});
        QCOMPARE(buffer.text(),
                 std::string("RaggedBuffer([\n    [\n        [1, 0],\n        [0.5, 1],\n    ],\n"
                             "    [],\n    [[1.0, 1.0]],\n], '3 * var * 2 * f32)"));
        RaggedBuffer<bool> truths(1);
        truths.push(1, std::vector<std::uint8_t>{1});
        QCOMPARE(truths.text(),
                 std::string("RaggedBuffer([\n    [[true]],\n], '1 * var * 1 * bool)"));
    }
};

ORRERY_TEST(RaggedBufferTest)
#include "ragged_buffer_test.moc"
