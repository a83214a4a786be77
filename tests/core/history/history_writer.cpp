/// A small program that writes a history, to be killed and starved by tests.
///
///     history_writer write WS ROWS     ROWS metric rows in a new run (0: for ever), a file every
///                                      500; prints "COMMIT n" after each commit, n = all rows of
///                                      the workspace that are durable; stops on TERM
///     history_writer verify WS [N]     status 0 if all is well and there are N metric rows or more
///     history_writer open WS           prints "WRITER" or "READER <reason>", waits for a signal
///     history_writer race WS COUNT     opens and closes COUNT times; prints "WRITER n" and "READER
///     n" history_writer list WS           prints "run state" lines, read only
#include <unistd.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/base/signals.h"
#include "core/history/database.h"
#include "core/history/verify.h"
#include "core/history/workspace.h"
#include "tests/support/wait_until.h"

namespace event = orrery::event;
using orrery::atomicWrite;
using orrery::blockStopSignals;
using orrery::Commit;
using orrery::DbWriter;
using orrery::Error;
using orrery::Finding;
using orrery::nameOf;
using orrery::RunEvent;
using orrery::RunRecord;
using orrery::RunState;
using orrery::sha256Hex;
using orrery::StopSignals;
using orrery::VerifyReport;
using orrery::verifyWorkspace;
using orrery::Workspace;
using orrery::WriterTrouble;
using Mode = Workspace::Mode;

namespace {

constexpr std::uint64_t kMostAhead = 500;  ///< rows that are not durable yet

void print(const std::string& line) {
    std::puts(line.c_str());
    std::fflush(stdout);
}

/// Writes "values-N.bin" into the run's folder and lists it.
void writeFile(Workspace& workspace, const std::string& run, std::int64_t step) {
    const std::string content(20000, static_cast<char>('a' + step % 26));
    const std::string relative = "runs/" + run + "/values-" + std::to_string(step) + ".bin";
    workspace.makeRunFolder(run);
    atomicWrite(workspace.folder() / relative, content);
    workspace.writer().addArtefact(run, {.kind = "values",
                                         .file = relative,
                                         .sha256 = sha256Hex(content),
                                         .bytes = content.size()});
}

int write(const std::string& folder, std::int64_t rows) {
    std::stop_source stop;
    const StopSignals signals(stop);
    std::int64_t before = 0;
    std::mutex mutex;
    std::condition_variable_any committed;
    std::uint64_t numCommitted = 0;  // metric rows of this process; guarded by mutex
    DbWriter::Options options{.batchRows = 50,
                              .batchTime = std::chrono::milliseconds(20),
                              .retryPause = std::chrono::milliseconds(50),
                              .requestPatience = orrery::test::kHang,
                              .endPatience = std::chrono::milliseconds(300)};
    options.onCommit = [&](const Commit& commit) {
        print("COMMIT " + std::to_string(before + std::int64_t(commit.metricRowsTotal)));
        const std::lock_guard lock(mutex);
        numCommitted = commit.metricRowsTotal;
        committed.notify_one();
    };
    options.onTrouble = [](const WriterTrouble& trouble) { print("TROUBLE " + trouble.text); };
    const auto workspace = Workspace::open(folder, Mode::Create, options);
    workspace->writer();
    before = workspace->reader().metricRowCount();
    const std::string run = workspace->writer().createRun(
        {.name = "writer", .configJson = R"({"rows":)" + std::to_string(rows) + "}"});
    DbWriter& writer = workspace->writer();
    writer.record(run, {.body = event::State{RunState::Running}});
    for (std::int64_t step = 0; (rows == 0 || step < rows) && !stop.stop_requested(); ++step) {
        const RunEvent event{.body = event::Metric{step, "loss", 1.0 / double(step + 1)}};
        if (!writer.record(run, event, stop.get_token())) break;
        if (step % 500 == 10) writeFile(*workspace, run, step);
        // Never far ahead of the disk, so that a stop does not leave seconds of work.
        std::unique_lock lock(mutex);
        committed.wait(lock, stop.get_token(), [&] {
            return static_cast<std::uint64_t>(step) < numCommitted + kMostAhead;
        });
    }
    const RunState end = stop.stop_requested() ? RunState::Stopped : RunState::Finished;
    writer.record(run, {.body = event::Finished{end, "done"}});
    if (!writer.flush(orrery::test::kHang))
        throw Error(writer.troubleText(), Error::Kind::Resource);
    print("SAVED " + run);
    return signals.exitStatus();
}

/// Opens the workspace and waits until all that has ended is in chunks.
int compact(const std::string& folder) {
    const auto workspace =
        Workspace::open(folder, Mode::ReadWrite, {.batchTime = std::chrono::milliseconds(5)});
    workspace->writer();
    const auto end = std::chrono::steady_clock::now() + orrery::test::kHang;
    while (std::chrono::steady_clock::now() < end) {
        orrery::Database database(workspace->folder() / "workspace.db",
                                  orrery::Database::Access::Read);
        if (database.integer("SELECT count(*) FROM point") == 0) return 0;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return 1;
}

int verify(const std::string& folder, std::int64_t atLeast) {
    const VerifyReport report = verifyWorkspace(folder);
    for (const Finding& finding : report.findings) print(finding.where + ": " + finding.text);
    if (report.metricRows < atLeast)
        print("only " + std::to_string(report.metricRows) + " of " + std::to_string(atLeast) +
              " rows");
    return report.findings.empty() && report.metricRows >= atLeast ? 0 : 1;
}

int openAndWait(const std::string& folder) {
    const auto workspace = Workspace::open(folder, Mode::ReadWrite);
    print(workspace->writable() ? "WRITER" : "READER " + workspace->readOnlyReason());
    ::pause();
    return 0;
}

/// Each holder raises a counter file that only the lock protects; a second writer would be seen.
int race(const std::string& folder, std::int64_t count) {
    int writers = 0;
    int readers = 0;
    const std::filesystem::path mark = std::filesystem::path(folder) / "holder";
    for (std::int64_t i = 0; i < count; ++i) {
        const auto workspace = Workspace::open(folder, Mode::ReadWrite);
        workspace->writable() ? ++writers : ++readers;
        if (!workspace->writable()) continue;
        std::FILE* const file = std::fopen(mark.c_str(), "wx");
        if (file == nullptr) throw Error("two writers at the same time");
        std::fclose(file);
        std::filesystem::remove(mark);
    }
    print("WRITER " + std::to_string(writers));
    print("READER " + std::to_string(readers));
    return 0;
}

int list(const std::string& folder) {
    const auto workspace = Workspace::open(folder, Mode::ReadOnly);
    for (const RunRecord& run : workspace->reader().listRuns())
        print(run.id + " " + (run.state ? std::string(nameOf(*run.state)) : "?"));
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string verb = argc > 2 ? argv[1] : "";
    const std::string folder = argc > 2 ? argv[2] : "";
    const std::int64_t number = argc > 3 ? std::atoll(argv[3]) : 0;
    try {
        if (verb == "write") {
            blockStopSignals();
            return write(folder, number);
        }
        if (verb == "compact") return compact(folder);
        if (verb == "verify") return verify(folder, number);
        if (verb == "open") return openAndWait(folder);
        if (verb == "race") return race(folder, number);
        if (verb == "list") return list(folder);
        print("usage: history_writer write|verify|open|race|list FOLDER [NUMBER]");
        return 2;
    } catch (const Error& e) {
        print(std::string("ERROR ") + e.what());
        return e.exitStatus();
    } catch (const std::exception& e) {
        print(std::string("ERROR ") + e.what());
        return 1;
    }
}
