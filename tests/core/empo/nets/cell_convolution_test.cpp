#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include <QTest>
#include <algorithm>
#include <cmath>
#include <memory>

#include "core/empo/nets/cell_convolution.h"
#include "core/empo/nets/cell_kernel.h"
#include "core/empo/nets/state_tensors.h"
#include "tests/core/empo/nets/compact_states.h"
#include "tests/core/empo/nets/difference.h"
#include "tests/support/test_program.h"

using namespace orrery;
using orrery::test::difference;
using orrery::test::pointersTo;
using orrery::test::randomStates;

namespace {

constexpr EncodingShape kShape{.width = 7, .height = 7, .numAgents = 4};

at::Tensor cellsOf(const EncodingShape& shape, int count) {
    StateGatherer gatherer(shape);
    return gatherer.gather(pointersTo(randomStates(shape, count, 4))).cells;
}

}  // namespace

class CellConvolutionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); }

    void convolvingCellsEqualsConvolvingPlanes_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("channels");
        QTest::addColumn<int>("layout");
        QTest::newRow("as trained") << 7 << 7 << 64 << 0;
        QTest::newRow("odd channels, seed's planes") << 5 << 8 << 25 << 1;
        QTest::newRow("smallest") << 2 << 3 << 8 << 0;
    }
    void convolvingCellsEqualsConvolvingPlanes() {
        QFETCH(int, width);
        QFETCH(int, height);
        QFETCH(int, channels);
        QFETCH(int, layout);
        const auto planes = static_cast<PlaneLayout>(layout);
        const EncodingShape shape{.width = width, .height = height, .numAgents = 1};
        const at::Tensor cells = cellsOf(shape, 37);
        Rng rng(8);
        at::Tensor weight = at::empty({channels, numPlanes(planes), 3, 3});
        at::Tensor bias = at::empty({channels});
        for (at::Tensor* tensor : {&weight, &bias}) {
            auto* numbers = tensor->mutable_data_ptr<float>();
            for (std::int64_t i = 0; i < tensor->numel(); ++i)
                numbers[i] = static_cast<float>(rng.uniform() - 0.5);
            tensor->requires_grad_();
        }
        const at::Tensor dense = at::max_pool2d(
            at::relu(at::conv2d(decompressCells(cells, planes), weight, bias, 1, 1)), 2);
        const at::Tensor direction = at::sin(at::arange(dense.numel(), at::kFloat)).view_as(dense);
        (dense * direction).sum().backward();
        const at::Tensor weightGradient = weight.grad().clone();
        const at::Tensor biasGradient = bias.grad().clone();
        weight.mutable_grad() = at::Tensor();
        bias.mutable_grad() = at::Tensor();

        const auto coded = std::make_shared<const CodedCells>(cells, planes);
        const at::Tensor sparse = convolveCells(coded, weight, bias);
        QVERIFY(sparse.sizes() == dense.sizes());
        QVERIFY(difference(sparse, dense) < 1e-5);
        (sparse * direction).sum().backward();
        QVERIFY(difference(weight.grad(), weightGradient) < 1e-5);
        QVERIFY(difference(bias.grad(), biasGradient) < 1e-5);
        const at::NoGradGuard off;
        QVERIFY(at::equal(convolveCells(coded, weight, bias), sparse));
    }

    void instructionSetsGiveTheSameBits() {
        const EncodingShape shape{.width = 7, .height = 6, .numAgents = 1};
        const CodedCells cells(cellsOf(shape, 20), PlaneLayout::Whole);
        const CellKernelInput input{
            .numStates = 20, .height = 6, .width = 7, .channels = 32, .codes = cells.index.data()};
        Rng rng(3);
        const auto numbers = [&rng](std::size_t count) {
            std::vector<float> drawn(count);
            for (float& number : drawn) number = static_cast<float>(rng.uniform() - 0.5);
            return drawn;
        };
        const auto columns = numbers(static_cast<std::size_t>(cells.codes.size()) * 9 * 32);
        const auto bias = numbers(32);
        const auto gradient = numbers(std::size_t{20} * 9 * 32);
        std::vector<float> first;
        for (const auto level : {CpuLevel::Baseline, CpuLevel::Avx2, CpuLevel::Avx512}) {
            if (level > cpuLevel()) continue;
            const CellKernel kernel = cellKernel(level);
            std::vector<float> all(gradient.size());
            std::vector<std::uint8_t> from(gradient.size());
            kernel.forward(input, columns.data(), bias.data(), all.data(), from.data());
            std::vector<float> ofColumns(columns.size()), ofBias(32);
            kernel.backward(input, from.data(), gradient.data(), ofColumns.data(), ofBias.data());
            all.insert(all.end(), from.begin(), from.end());
            all.insert(all.end(), ofColumns.begin(), ofColumns.end());
            all.insert(all.end(), ofBias.begin(), ofBias.end());
            if (first.empty()) first = all;
            QVERIFY(all == first);
        }
        QVERIFY(std::ranges::any_of(first, [](float x) { return x != 0; }));
    }

    void aNumberThatIsNoneShows() {
        const auto cells =
            std::make_shared<const CodedCells>(cellsOf(kShape, 3), PlaneLayout::Whole);
        at::Tensor weight = at::zeros({8, 40, 3, 3});
        weight[5].fill_(std::nan(""));
        const at::Tensor out = convolveCells(cells, weight, at::zeros({8}));
        QVERIFY(out.select(1, 5).isnan().any().item<bool>());
        QVERIFY(!out.select(1, 4).isnan().any().item<bool>());
    }
};

ORRERY_TEST(CellConvolutionTest)
#include "cell_convolution_test.moc"
