#include "core/run/run.h"

#include <cassert>
#include <future>
#include <new>
#include <system_error>
#include <thread>

#include "core/base/atomic_write.h"
#include "core/history/workspace.h"
#include "core/run/run_context.h"
#include "core/run/run_kind.h"

namespace orrery {

namespace {

RunSpec checked(RunSpec spec) {
    const RunKind& kind = spec.job.kind();
    if (!kind.canStart())
        throw Error("A " + kind.noun + " cannot be started.", Error::Kind::BadInput);
    kind.takeSeed(spec.job, spec.seed);
    std::string text;
    for (const SpecProblem& problem : validate(spec))
        text += (text.empty() ? "The run cannot be started: " : "; ") + problem.field + " " +
                problem.text;
    if (!text.empty()) throw Error(text + ".", Error::Kind::BadInput);
    return spec;
}

RunOutcome failed(const std::string& text, int exitStatus) {
    return {.state = RunState::Failed, .text = text, .exitStatus = exitStatus};
}

RunOutcome outOfMemory(const Job& job) {
    const RunKind& kind = job.kind();
    const char* const resumed =
        kind.isTraining() ? " If the run has a checkpoint, it can be resumed from it." : "";
    return failed("Memory ran out. " + kind.memoryAdvice + resumed,
                  Error("", Error::Kind::Resource).exitStatus());
}

RunOutcome outcomeOf(const Error& error) {
    RunOutcome outcome = failed(error.what(), error.exitStatus());
    if (error.kind() == Error::Kind::Diverged) outcome.state = RunState::Diverged;
    return outcome;
}

RunOutcome stoppedOnFullDisk(const DiskFullError& error) {
    return {.state = RunState::Stopped,
            .text = "stopped while the disk was full",
            .exitStatus = 130,
            .lost = error.what()};
}

}  // namespace

struct Run::Impl {
    Impl(RunSpec given, RunOptions options)
        : spec(checked(std::move(given))), context(spec, std::move(options), stop) {}

    void begin() {
        thread = std::jthread([this] { work(stop.get_token()); });
    }

    /// The boundary at which exceptions end; an exception of another family ends the program.
    void work(const std::stop_token& stopped) noexcept {
        RunOutcome result;
        try {
            result = runJob();
        } catch (const DiskFullError& e) {
            result = outcomeOf(e);
            if (stopped.stop_requested()) result = stoppedOnFullDisk(e);
        } catch (const Error& e) {
            result = outcomeOf(e);
        } catch (const std::bad_alloc&) {
            result = outOfMemory(spec.job);
        } catch (const std::system_error& e) {
            result =
                failed(std::string("The system refused a thread or a lock: ") + e.what() +
                           ". Close other programs, or raise the limits that `ulimit -a` shows.",
                       Error("", Error::Kind::Resource).exitStatus());
        } catch (const std::exception& e) {
            result = failed(std::string("Internal error: ") + e.what() +
                                ". Please report it with the run's spec.",
                            1);
        }
        done.set_value(ended(std::move(result)));
    }

    /// Where there is no memory even to store the end, the next start finds the run
    /// unfinished and marks it as interrupted.
    RunOutcome ended(RunOutcome result) {
        try {
            return context.end(result);
        } catch (const std::bad_alloc&) {
            result.state = RunState::Failed;
            result.exitStatus = outOfMemoryStatus;
            return result;
        }
    }

    RunOutcome runJob() {
        const std::unique_ptr<RunWork> work = spec.job.kind().work(spec.job, context);
        std::string worldHash;
        try {
            worldHash = work->prepare();
        } catch (const Error&) {
            storeFailed();
            throw;
        }
        context.store(worldHash);
        context.setState(RunState::Running);
        context.boundary("the start");
        return work->work();
    }

    /// So that history says why the run failed; where it cannot, the failure is told all the same.
    void storeFailed() {
        try {
            context.store({});
        } catch (const Error&) {
        }
    }

    const int outOfMemoryStatus = Error("", Error::Kind::Resource).exitStatus();
    std::stop_source stop;
    const RunSpec spec;
    RunContext context;
    std::promise<RunOutcome> done;
    std::shared_future<RunOutcome> outcome = done.get_future().share();
    std::jthread thread;  // last: it uses the members above
};

Run::Run(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}

Run::~Run() {
    m_impl->stop.request_stop();
    m_impl->thread.join();
}

std::unique_ptr<Run> Run::start(RunSpec spec, RunOptions options) {
    auto impl = std::make_unique<Impl>(std::move(spec), std::move(options));
    impl->begin();
    return std::unique_ptr<Run>(new Run(std::move(impl)));
}

void Run::setViewPause(std::chrono::milliseconds pause) {
    m_impl->context.setViewPause(pause);
}

bool Run::command(RunCommand command) {
    const bool isCancel = command.kind == RunCommand::Kind::Cancel;
    const bool isTaken = m_impl->context.command(std::move(command));
    if (isCancel) m_impl->stop.request_stop();
    return isTaken;
}

RunOutcome Run::wait() {
    return m_impl->outcome.get();
}

bool Run::waitFor(std::chrono::milliseconds patience) {
    return m_impl->outcome.wait_for(patience) == std::future_status::ready;
}

RunState Run::state() const {
    return m_impl->context.state();
}
const RunSpec& Run::spec() const {
    return m_impl->spec;
}
std::string Run::id() const {
    return m_impl->context.id();
}
Feed<RunSnapshot>& Run::feed() {
    return m_impl->context.feed();
}

}  // namespace orrery
