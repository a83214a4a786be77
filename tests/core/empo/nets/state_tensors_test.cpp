#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <QTest>
#include <new>

#include "core/base/error.h"
#include "core/empo/nets/state_tensors.h"
#include "core/nn/segmented_sum.h"
#include "core/nn/torch_errors.h"
#include "tests/core/empo/nets/compact_states.h"
#include "tests/support/test_program.h"

using namespace orrery;
using orrery::test::pointersTo;
using orrery::test::randomStates;

namespace {

constexpr EncodingShape kSeedShape{.width = 7, .height = 7, .numAgents = 4};

/// Planes by the encoder room's own way.
at::Tensor planesOneByOne(const EncodingShape& shape,
                          const std::vector<std::vector<std::byte>>& states, PlaneLayout layout) {
    at::Tensor planes = at::full(
        {static_cast<std::int64_t>(states.size()), numPlanes(layout), shape.height, shape.width},
        -5.0F);
    auto* out = planes.mutable_data_ptr<float>();
    const std::size_t numbers = shape.cells() * static_cast<std::size_t>(numPlanes(layout));
    for (const auto& state : states) {
        const auto parts = partsOf(shape, std::span<const std::byte>(state));
        decompress(parts.cells, layout, std::span(out, numbers));
        out += numbers;
    }
    return planes;
}

}  // namespace

class StateTensorsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); }

    void aBatchHasTheShapesOfTheSeed() {
        const auto states = randomStates(kSeedShape, 1024, 1);
        StateGatherer gatherer(kSeedShape);
        const StateTensors batch = gatherer.gather(pointersTo(states));
        QVERIFY((batch.cells.sizes() == at::IntArrayRef{1024, 7, 7}));
        QVERIFY((batch.globals.sizes() == at::IntArrayRef{1024, 4}));
        QVERIFY((batch.agents.sizes() == at::IntArrayRef{1024, 52}));
        QVERIFY((batch.interactive.sizes() == at::IntArrayRef{1024, 96}));
        QVERIFY((decompressCells(batch.cells, PlaneLayout::Seed).sizes() ==
                 at::IntArrayRef{1024, 39, 7, 7}));
    }

    void gatheredNumbersAreThoseOfTheStates() {
        const EncodingShape shape{.width = 5, .height = 3, .numAgents = 2};
        const auto states = randomStates(shape, 9, 2);
        StateGatherer gatherer(shape);
        (void)gatherer.gather(pointersTo(randomStates(shape, 20, 3)));  // the memory is used again
        const StateTensors batch = gatherer.gather(pointersTo(states));
        QCOMPARE(batch.size(), std::int64_t{9});
        for (std::size_t n = 0; n < states.size(); ++n) {
            const auto parts = partsOf(shape, std::span<const std::byte>(states[n]));
            const auto row = static_cast<std::int64_t>(n);
            const auto equal = [row](const at::Tensor& tensor, const auto& numbers) {
                const at::Tensor flat = tensor[row].flatten().to(at::kDouble);
                for (std::size_t i = 0; i < numbers.size(); ++i)
                    if (flat.const_data_ptr<double>()[i] != static_cast<double>(numbers[i]))
                        return false;
                return flat.numel() == static_cast<std::int64_t>(numbers.size());
            };
            QVERIFY(equal(batch.cells, parts.cells));
            QVERIFY(equal(batch.globals, parts.globals));
            QVERIFY(equal(batch.agents, parts.agents));
            QVERIFY(equal(batch.interactive, parts.interactive));
        }
        const StateTensors some = batch.select(at::tensor({8, 0}, at::kLong));
        QVERIFY(at::equal(some.cells[0], batch.cells[8]));
        QVERIFY(at::equal(batch.narrow(3, 2).agents[1], batch.agents[4]));
    }

    void decompressionEqualsTheEncodersBitForBit_data() {
        QTest::addColumn<int>("layout");
        QTest::newRow("40 planes") << static_cast<int>(PlaneLayout::Whole);
        QTest::newRow("39 planes") << static_cast<int>(PlaneLayout::Seed);
    }
    void decompressionEqualsTheEncodersBitForBit() {
        QFETCH(int, layout);
        const auto planes = static_cast<PlaneLayout>(layout);
        const EncodingShape shape{.width = 6, .height = 9, .numAgents = 3};
        StateGatherer gatherer(shape);
        PlaneBuffer buffer(shape, planes);
        // Growing, shrinking and other contents: what a batch leaves behind shows in no later one.
        for (const int count : {300, 40, 700, 1, 300}) {
            const auto states = randomStates(shape, count, static_cast<std::uint64_t>(count) + 7);
            const StateTensors batch = gatherer.gather(pointersTo(states));
            const at::Tensor expected = planesOneByOne(shape, states, planes);
            QVERIFY(at::equal(decompressCells(batch.cells, planes), expected));
            QVERIFY(at::equal(buffer.fill(batch.cells), expected));
        }
    }

    void segmentsAreSummed() {
        const at::Tensor values = at::tensor({1.0F, 2.0F, 4.0F, 8.0F}).requires_grad_();
        const at::Tensor segment = at::tensor({2, 0, 2, 2}, at::kLong);
        const at::Tensor sums = segmentedSum(values, segment, 4);
        QVERIFY(at::equal(sums, at::tensor({2.0F, 0.0F, 13.0F, 0.0F})));
        (sums * at::tensor({1.0F, 2.0F, 3.0F, 4.0F})).sum().backward();
        QVERIFY(at::equal(values.grad(), at::tensor({3.0F, 1.0F, 3.0F, 3.0F})));
        const at::Tensor rows = segmentedSum(at::arange(6, at::kFloat).view({3, 2}),
                                             at::tensor({1, 1, 0}, at::kLong), 2);
        QVERIFY(at::equal(rows, at::tensor({4.0F, 5.0F, 2.0F, 4.0F}).view({2, 2})));
    }

    void errorsOfTensorsBecomeOurs() {
        const auto kindOf = [](const std::function<void()>& work, QString& text) {
            try {
                translatingTorchErrors(work);
            } catch (const Error& e) {
                text = QString::fromUtf8(e.what());
                return static_cast<int>(e.kind());
            }
            return -1;
        };
        QString text;
        QCOMPARE(kindOf(
                     [] {
                         (void)at::mm(at::zeros({2, 3}), at::zeros({2, 3}));
                     },
                     text),
                 static_cast<int>(Error::Kind::Failed));
        QVERIFY2(text.contains("mat1 and mat2"), qPrintable(text));
        QVERIFY2(!text.contains("frame #"), qPrintable(text));
        QCOMPARE(kindOf([] { throw std::bad_alloc(); }, text),
                 static_cast<int>(Error::Kind::Resource));
        QCOMPARE(kindOf([] { (void)at::empty({std::int64_t{1} << 55}); }, text),
                 static_cast<int>(Error::Kind::Resource));
        QVERIFY2(text.contains("smaller batch"), qPrintable(text));
        QVERIFY_THROWS_EXCEPTION(std::out_of_range,
                                 translatingTorchErrors([] { throw std::out_of_range("x"); }));
        QCOMPARE(kindOf([] {}, text), -1);
    }
};

ORRERY_TEST(StateTensorsTest)
#include "state_tensors_test.moc"
