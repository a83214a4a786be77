#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/cuda/cuda_library.h"
#include "core/cuda/kernel_bodies.h"
#include "tests/support/cuda_checks.h"
#include "tests/support/test_program.h"

namespace {

constexpr int kLanes = 32;

/// Runs the bodies of the kernels thread by thread, in the order of a warp's lanes.
CudaBackend hostBackend() {
    CudaBackend backend;
    backend.decompress = [](std::span<const std::int32_t> cells, std::int64_t cellsPerState,
                            orrery::PlaneLayout layout) {
        std::vector<float> out(cells.size() * static_cast<std::size_t>(orrery::numPlanes(layout)),
                               std::numeric_limits<float>::quiet_NaN());
        for (std::size_t i = cells.size(); i-- > 0;)
            orrery::decompressCell(cells.data(), cellsPerState, layout == orrery::PlaneLayout::Seed,
                                   static_cast<std::int64_t>(i), out.data());
        return out;
    };
    backend.segmentSums = [](const SegmentProblem& problem) {
        const auto orNull = [](const auto& list) { return list.empty() ? nullptr : list.data(); };
        const orrery::SegmentInput in{orNull(problem.weight), problem.value.data(),
                                      orNull(problem.valueIndex), problem.begin.data()};
        std::vector<float> sums(problem.begin.size() - 1);
        for (std::size_t s = 0; s < sums.size(); ++s) {
            std::array<double, kLanes> lanes{};
            for (std::size_t lane = 0; lane < kLanes; ++lane)
                lanes[lane] = orrery::laneSum(in, static_cast<std::int64_t>(s),
                                              static_cast<int>(lane), kLanes);
            for (std::size_t distance = kLanes / 2; distance > 0; distance /= 2)
                for (std::size_t lane = 0; lane < distance; ++lane)
                    lanes[lane] += lanes[lane + distance];
            sums[s] = static_cast<float>(lanes[0]);
        }
        return sums;
    };
    return backend;
}

std::string resourceErrorOf(const std::string& file) {
    try {
        orrery::CudaLibrary::load(file);
    } catch (const orrery::Error& e) {
        return e.exitStatus() == 6 ? e.what() : "another kind";
    }
    return "";
}

}  // namespace

class CudaKernelsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theBodiesGiveWhatPlainCodeGives() {
        const std::vector<CudaCheck> checks = runCudaChecks(hostBackend());
        QVERIFY(checks.size() >= 15);
        for (const CudaCheck& check : checks)
            QVERIFY2(check.mismatches.empty(),
                     (check.name + ": " +
                      (check.mismatches.empty() ? std::string() : check.mismatches.front()))
                         .c_str());
    }

    // What the checks are for: they notice one wrong number, one missing and one that was not
    // written.
    void theChecksNoticeWhatIsWrong() {
        const auto failures = [](const CudaBackend& backend) {
            int count = 0;
            for (const CudaCheck& check : runCudaChecks(backend))
                count += check.mismatches.empty() ? 0 : 1;
            return count;
        };
        CudaBackend wrong = hostBackend();
        wrong.decompress = [right = wrong.decompress](auto cells, auto perState, auto layout) {
            std::vector<float> out = right(cells, perState, layout);
            if (!out.empty()) out.back() = std::numeric_limits<float>::quiet_NaN();
            return out;
        };
        QCOMPARE(failures(wrong), 12);
        wrong = hostBackend();
        wrong.segmentSums = [right = wrong.segmentSums](const SegmentProblem& problem) {
            std::vector<float> sums = right(problem);
            if (!sums.empty()) sums.front() += 0.01F * static_cast<float>(problem.value.size());
            return sums;
        };
        QVERIFY(failures(wrong) >= 6);
    }

    void aLibraryThatIsNotThereOrNotOursIsAMissingResource() {
        const QTemporaryDir folder;
        const std::string missing = folder.filePath("none.so").toStdString();
        QVERIFY(resourceErrorOf(missing).starts_with("No GPU can be used: '" + missing + "'"));
        const std::string text = folder.filePath("text.so").toStdString();
        std::ofstream(text) << "no library";
        QVERIFY(resourceErrorOf(text).find("cannot be loaded") != std::string::npos);
        const std::string other = resourceErrorOf("libm.so.6");
        QVERIFY2(other.find("lacks the entry orreryCudaVersion") != std::string::npos,
                 other.c_str());
        for (const std::string& error : {resourceErrorOf(missing), other}) {
            QVERIFY(error.find('\n') == std::string::npos);
            QVERIFY(error.ends_with("Use --device cpu."));
        }
    }
};

ORRERY_TEST(CudaKernelsTest)
#include "cuda_kernels_test.moc"
