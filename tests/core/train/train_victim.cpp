// train_victim: loads the library of the learners once, then for each line of its standard input
// forks a child that trains, and tells how that ended. So hundreds of trainings can be ended at any
// moment without loading LibTorch for each. Fields of a line, between tabs: see VictimOrder.
//
// It answers "PID n"; "COMMIT n" after each transaction (points of curves that are durable, of this
// child); "AFTER s", seconds from the last failure of an actor to the end; "OUTCOME state status
// text" if the run ended by itself; "ENDED n", waitpid's status.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <new>
#include <sstream>
#include <system_error>

#include "core/base/error.h"
#include "core/base/fault.h"
#include "core/base/file_descriptor.h"
#include "core/history/workspace.h"
#include "core/run/archive/stored_spec.h"
#include "core/run/run.h"
#include "core/train/learn_library.h"
#include "step_clock.h"
#include "victims.h"

namespace {

constexpr std::chrono::milliseconds kRetryPause{20};  // of database and files on a full disk

/// Counts down to the allocation that fails; 0: none does.
std::atomic<std::int64_t>& allocationsLeft() {
    static std::atomic<std::int64_t> left = 0;
    return left;
}

void* allocated(std::size_t size, std::size_t alignment) {
    if (allocationsLeft().load(std::memory_order_relaxed) > 0 &&
        allocationsLeft().fetch_sub(1, std::memory_order_relaxed) == 1)
        throw std::bad_alloc();
    void* const memory =
        alignment <= alignof(std::max_align_t)
            ? std::malloc(size == 0 ? 1 : size)
            : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

}  // namespace

// The library's allocations come here too.
void* operator new(std::size_t size) {
    return allocated(size, 1);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocated(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

namespace orrery::test {
namespace {

/// One line, in one piece whatever other threads print.
void tell(const std::string& line) {
    const std::string whole = line + "\n";
    if (::write(STDOUT_FILENO, whole.data(), whole.size()) < 0) ::_exit(3);
}

/// Without memory, which may be used up.
void tellCommit(const Commit& commit) {
    char line[40];
    const int size = std::snprintf(line, sizeof line, "COMMIT %llu\n",
                                   static_cast<unsigned long long>(commit.metricRowsTotal));
    if (::write(STDOUT_FILENO, line, static_cast<std::size_t>(size)) < 0) ::_exit(3);
}

std::int64_t statusNumber(const char* name) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(name)) return std::atoll(line.c_str() + std::string(name).size());
    return 0;
}

/// Faults and limits of the order.
void prepare(const VictimOrder& order) {
    setFaults(order.faults);
    if (order.memory > 0) {
        const auto most = static_cast<rlim_t>(statusNumber("VmSize:") * 1024 + order.memory);
        const rlimit limit{most, most};
        ::setrlimit(RLIMIT_AS, &limit);
    }
    allocationsLeft() = order.allocation;
}

std::unique_ptr<Run> begin(const VictimOrder& order, Workspace& workspace) {
    RunOptions options{.workspace = &workspace, .keepsEvents = true, .diskRetryPause = kRetryPause};
    const auto runs = workspace.reader().listRuns();
    if (!runs.empty()) {
        options.resumedId = runs.front().id;
        return Run::start(storedSpec(workspace, options.resumedId), options);
    }
    const RunSpecReading reading = readRunSpec(readFile(order.spec, 1 << 20), order.spec);
    if (!reading.spec) throw Error("The spec of the test is wrong.", Error::Kind::BadInput);
    return Run::start(*reading.spec, options);
}

int train(const VictimOrder& order) {
    prepare(order);
    const auto workspace = Workspace::open(order.workspace, Workspace::Mode::Create,
                                           {.retryPause = kRetryPause,
                                            .requestPatience = std::chrono::seconds(1),
                                            .onCommit = tellCommit});
    StepClock clock(order.clock, true);
    const auto run = begin(order, *workspace);
    const std::int64_t begun = StepClock::now();
    std::int64_t points = 0, lastFailure = 0;
    for (bool hasEnded = false, isCancelled = false; !hasEnded;) {
        const std::int64_t since = StepClock::now();
        hasEnded = run->waitFor(std::chrono::milliseconds(2));
        if (order.cancelAfter > 0 && !isCancelled &&
            StepClock::now() - begun > order.cancelAfter * 1'000'000) {
            run->cancel("the test");
            isCancelled = true;
        }
        const std::int64_t before = points;
        for (const RunEvent& event : run->feed().events().drain()) {
            points += std::holds_alternative<RunEvent::Metric>(event.body) ? 1 : 0;
            const auto* const message = std::get_if<RunEvent::Message>(&event.body);
            if (message != nullptr && message->code == "actor") lastFailure = since;
        }
        if (points > before) clock.note(since, points);
    }
    if (lastFailure > 0)
        tell("AFTER " + std::to_string(static_cast<double>(StepClock::now() - lastFailure) * 1e-9));
    const RunOutcome outcome = run->wait();
    tell("OUTCOME " + std::string(nameOf(outcome.state)) + " " +
         std::to_string(outcome.exitStatus) + " " + outcome.text);
    return outcome.exitStatus;
}

int trainInChild(const VictimOrder& order) {
    try {
        return train(order);
    } catch (const Error& e) {
        tell(std::string("OUTCOME error ") + std::to_string(e.exitStatus()) + " " + e.what());
        return e.exitStatus();
    } catch (const std::bad_alloc&) {
        tell("OUTCOME error 6 Memory ran out.");
        return 6;
    } catch (const std::system_error& e) {
        tell(std::string("OUTCOME error 6 ") + e.what());
        return 6;
    }
}

VictimOrder readOrder(const std::string& line) {
    VictimOrder order;
    std::istringstream fields(line);
    std::string memory, allocation, cancelAfter;
    for (std::string* field : {&order.workspace, &order.spec, &order.clock, &order.faults, &memory,
                               &allocation, &cancelAfter})
        std::getline(fields, *field, '\t');
    order.memory = std::atoll(memory.c_str());
    order.allocation = std::atoll(allocation.c_str());
    order.cancelAfter = std::atoll(cancelAfter.c_str());
    return order;
}

}  // namespace
}  // namespace orrery::test

int main() {
    using namespace orrery;
    try {
        loadLearnLibrary();
    } catch (const Error& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return e.exitStatus();
    }
    if (test::statusNumber("Threads:") != 1) {
        std::fprintf(stderr, "The library has begun threads, which a fork does not copy.\n");
        return 3;
    }
    for (std::string line; std::getline(std::cin, line);) {
        const pid_t child = ::fork();
        if (child == 0) ::_exit(test::trainInChild(test::readOrder(line)));
        test::tell("PID " + std::to_string(child));
        int status = 0;
        ::waitpid(child, &status, 0);
        test::tell("ENDED " + std::to_string(status));
    }
    return 0;
}
