// Trains the same networks on the CPU and on a GPU from one buffer and compares what they say.
//
//     gpu_training         50 steps without dropout, then the speed of both
//
// Ends with "equal to ..." and status 0, or 1 if the two differ by more than 1e-4; without a GPU
// with one line and exit status 6. The environment variables ORRERY_CUDA_LIBRARY and
// ORRERY_TORCH_CUDA name the kernels and the folder of LibTorch's CUDA part.

#include <ATen/Parallel.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/cuda/torch_cuda.h"
#include "tests/core/empo/training.h"

namespace {

using namespace orrery;

constexpr int kSteps = 50;
constexpr double kTolerance = 1e-4;

EmpoSpec specOf(int hidden, int batch) {
    EmpoSpec spec = test::networkSpec();
    spec.hiddenSize = hidden;
    spec.batchSize = batch;
    spec.bufferCapacity = 20'000;
    spec.dropout = 0;
    for (const Quantity quantity : kQuantities) {
        spec.of(quantity).warmupSteps = 0;
        spec.of(quantity).targetCopySteps = 10;
    }
    spec.rampSteps = 0;
    return spec;
}

/// The greatest difference, relative beyond 1.
double distanceOf(std::span<const float> a, std::span<const float> b) {
    double greatest = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        const double distance =
            std::abs(double{a[i]} - b[i]) / std::max(1.0, std::abs(double{b[i]}));
        if (!(distance <= greatest)) greatest = distance;
    }
    return a.size() == b.size() ? greatest : std::numeric_limits<double>::infinity();
}

double distanceOf(const LearnedValues& a, const LearnedValues& b) {
    double greatest = std::max({distanceOf(a.q_r, b.q_r), distanceOf(a.pi_r, b.pi_r),
                                distanceOf(a.x_h, b.x_h), distanceOf(a.v_r, b.v_r)});
    for (std::size_t h = 0; h < b.v_h_e.size(); ++h)
        greatest = std::max(greatest, distanceOf(a.v_h_e[h], b.v_h_e[h]));
    return greatest;
}

LearnedValues valuesOf(Learner& learner, const ReplayBuffer& buffer) {
    std::vector<const std::byte*> states;
    for (StateStore::Index i = 0; i < std::min<std::size_t>(buffer.states().size(), 500); ++i)
        states.push_back(buffer.states().at(i).data());
    return learner.evaluate(0, states);
}

/// Steps a second, the values read at the end included; a tenth as many are made before.
double speedOf(Learner& learner, ReplayBuffer& buffer, int steps) {
    const auto make = [&](int count) {
        for (int i = 0; i < count; ++i)
            if (!learner.step(buffer).hasTrained) throw Error("The buffer holds no batch.");
        valuesOf(learner, buffer);
    };
    make((steps + 9) / 10);
    const auto begin = std::chrono::steady_clock::now();
    make(steps);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    return steps / taken.count();
}

void printSpeeds(int hidden, int batch, int cpuSteps) {
    const EmpoSpec spec = specOf(hidden, batch);
    test::Training training(spec, {test::fourInRoom(50)});
    training.collect(std::max(2000, 2 * batch));
    const auto cpu = Learner::on("cpu", spec, training.facts());
    const auto gpu = Learner::on("cuda", spec, training.facts());
    const double cpuSpeed = speedOf(*cpu, training.buffer(), cpuSteps);
    const double gpuSpeed = speedOf(*gpu, training.buffer(), 200);
    std::printf("hidden %d, batch %d: CPU %.1f, GPU %.1f training steps/s (%.2f times)\n", hidden,
                batch, cpuSpeed, gpuSpeed, gpuSpeed / cpuSpeed);
    std::fflush(stdout);
}

int compare() {
    loadTorchCuda();
    const EmpoSpec spec = specOf(64, 32);
    test::Training training(spec, {test::fourInRoom(20)});
    training.collect(1000);
    const auto cpu = Learner::on("cpu", spec, training.facts());
    const auto gpu = Learner::on("cuda", spec, training.facts());
    if (const std::string note = gpu->deviceNote(); !note.empty())
        std::printf("%s\n", note.c_str());
    const LearnedValues before = valuesOf(*cpu, training.buffer());
    std::printf("before the first step: %.2g apart\n",
                distanceOf(valuesOf(*gpu, training.buffer()), before));
    for (int i = 0; i < kSteps; ++i) {
        cpu->step(training.buffer());
        gpu->step(training.buffer());
    }
    const LearnedValues after = valuesOf(*cpu, training.buffer());
    const double distance = distanceOf(valuesOf(*gpu, training.buffer()), after);
    const bool hasLearned = distanceOf(before, after) > 100 * kTolerance;
    const bool isEqual = distance <= kTolerance && hasLearned;
    std::printf("after %d steps: %.2g apart, learned %.2g; %s\n", kSteps, distance,
                distanceOf(before, after), isEqual ? "equal to 1e-4" : "NOT EQUAL to 1e-4");
    // A checkpoint of the GPU on the CPU.
    const auto resumed = Learner::on("cpu", spec, training.facts());
    resumed->load(gpu->save());
    const double moved =
        distanceOf(valuesOf(*resumed, training.buffer()), valuesOf(*gpu, training.buffer()));
    std::printf("the GPU's checkpoint on the CPU: %.2g apart\n", moved);
    printSpeeds(64, 64, 100);
    printSpeeds(256, 64, 30);
    printSpeeds(256, 1024, 3);
    return isEqual && moved <= kTolerance ? 0 : 1;
}

}  // namespace

int main() {
    try {
        at::set_num_threads(1);
        return compare();
    } catch (const Error& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return e.exitStatus();
    } catch (const std::exception& e) {
        std::fprintf(stderr, "gpu_training failed: %s. Close other programs and run it again.\n",
                     e.what());
        return 1;
    }
}
