// The kernels of liborrery_cuda.so as the learner calls them, by a library that does their work on
// the host: equal to what the CPU does.

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <QTest>
#include <algorithm>
#include <memory>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/empo/learner/gathered_sums.h"
#include "core/empo/nets/gpu_kernels.h"
#include "core/empo/nets/state_tensors.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

at::Tensor randomNumbers(Rng& rng, std::int64_t count) {
    at::Tensor numbers = at::empty({count}, at::kFloat);
    for (std::int64_t i = 0; i < count; ++i)
        numbers.mutable_data_ptr<float>()[i] = static_cast<float>(2 * rng.uniform() - 1);
    return numbers;
}

struct Parts {
    std::vector<std::int64_t> index, group;
    std::vector<float> weight;
};

Parts randomParts(Rng& rng, std::size_t count, std::uint64_t values, std::uint64_t groups) {
    Parts parts;
    for (std::size_t i = 0; i < count; ++i) {
        parts.index.push_back(static_cast<std::int64_t>(rng.below(values)));
        parts.group.push_back(static_cast<std::int64_t>(rng.below(groups)));
        parts.weight.push_back(static_cast<float>(rng.uniform()));
    }
    return parts;
}

}  // namespace

class KernelsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        at::set_num_threads(1);
        m_kernels = CudaLibrary::load(builtPath("tests/host_cuda.so"));
    }

    void decompressedCellsAreTheSame() {
        Rng rng(1, 2);
        for (const PlaneLayout layout : {PlaneLayout::Whole, PlaneLayout::Seed})
            for (const std::int64_t count : {0, 1, 33}) {
                at::Tensor cells = at::empty({count, 5, 7}, at::kInt);
                for (std::int64_t i = 0; i < cells.numel(); ++i)
                    cells.mutable_data_ptr<std::int32_t>()[i] =
                        static_cast<std::int32_t>(static_cast<std::uint32_t>(rng.next()));
                const at::Tensor planes = decompressByKernel(*m_kernels, cells, layout);
                QVERIFY((planes.sizes() == at::IntArrayRef{count, numPlanes(layout), 5, 7}));
                QVERIFY(at::equal(planes, decompressCells(cells, layout)));
            }
        // Cells that do not lie one behind the other.
        const at::Tensor turned = at::randint(1 << 30, {4, 7, 5}, at::kInt).transpose(1, 2);
        QVERIFY(at::equal(decompressByKernel(*m_kernels, turned, PlaneLayout::Whole),
                          decompressCells(turned, PlaneLayout::Whole)));
    }

    void sumsAreTheSame() {
        Rng rng(3, 4);
        const at::Tensor values = randomNumbers(rng, 50);
        for (const std::int64_t count : {1, 7, 200}) {
            Parts parts = randomParts(
                rng, 300, 50, static_cast<std::uint64_t>(std::max<std::int64_t>(1, count - 3)));
            check(values, parts, count);  // groups in any order, the last ones empty
            std::ranges::sort(parts.group);
            check(values, parts, count);  // in order
        }
        check(values, {}, 4);
        check(values, {}, 0);
    }

    void sumsOfValuesInTheirOrderAreTheSame() {
        Rng rng(5, 6);
        const at::Tensor values = randomNumbers(rng, 300);
        Parts parts = randomParts(rng, 300, 300, 20);
        parts.index.clear();
        check(values, parts, 20);
        std::ranges::sort(parts.group);
        check(values, parts, 20);
        check(randomNumbers(rng, 600).view({300, 2}).select(1, 0), parts, 20);
    }

    void anErrorOfTheGpuIsAnErrorOfOurs() {
        QVERIFY_THROWS_EXCEPTION(
            Error, m_kernels->decompress(nullptr, 1, 1, 0, nullptr, reinterpret_cast<void*>(1)));
    }

private:
    void check(const at::Tensor& values, const Parts& own, std::int64_t count) {
        const GatheredParts parts{own.index, own.weight, own.group};
        const at::Tensor wanted = gatheredSums(values, parts, count);
        const at::Tensor sums = gatheredSumsByKernel(*m_kernels, values, parts, count);
        QVERIFY(sums.sizes() == wanted.sizes());
        QVERIFY(at::allclose(sums, wanted, 1e-5, 1e-6));
        QVERIFY(at::allclose(gatheredSumsOfTensors(values, parts, count), wanted, 1e-5, 1e-6));
    }

    std::unique_ptr<CudaLibrary> m_kernels;
};

ORRERY_TEST(KernelsTest)
#include "kernels_test.moc"
