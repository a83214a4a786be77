#include "core/run/jobs/import_metrics.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/meter.h"
#include "core/base/text.h"
#include "core/files/tensorboard.h"
#include "core/run/code_version.h"
#include "core/run/jobs/import_kind.h"
#include "core/run/run_spec.h"

namespace orrery {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostTableBytes = std::uint64_t{1} << 30;
constexpr std::size_t kLongestKey = 300;
constexpr std::int64_t kRowsBetweenLooks = 1024;  // at the clock

[[noreturn]] void refuse(const fs::path& file, std::int64_t line, const std::string& text) {
    throw Error(escaped(file.string()) + ":" + std::to_string(line) + ": " + text,
                Error::Kind::BadInput);
}

/// Reads a table cell by cell, as RFC 4180 says: cells in quotes may hold separators and line ends.
class TableReader {
public:
    TableReader(std::string_view text, char separator) : m_text(text), m_separator(separator) {}

    bool isAtEnd() const { return m_at >= m_text.size(); }
    /// The line of the row that was read last, from 1.
    std::int64_t line() const { return m_rowLine; }
    /// How many lines there are if all are as long as those that were read.
    std::int64_t linesExpected() const {
        return static_cast<std::int64_t>(static_cast<double>(m_line) /
                                         static_cast<double>(std::max<std::size_t>(1, m_at)) *
                                         static_cast<double>(m_text.size()));
    }
    std::vector<std::string> row() {
        std::vector<std::string> cells(1);
        m_rowLine = m_line;
        bool isQuoted = false;
        for (; m_at < m_text.size(); ++m_at) {
            const char c = m_text[m_at];
            if (c == '\n') ++m_line;
            if (isQuoted) {
                if (c != '"')
                    cells.back() += c;
                else if (m_at + 1 < m_text.size() && m_text[m_at + 1] == '"')
                    cells.back() += m_text[++m_at];
                else
                    isQuoted = false;
            } else if (c == '"') {
                isQuoted = true;
            } else if (c == m_separator) {
                cells.emplace_back();
            } else if (c == '\n') {
                ++m_at;
                break;
            } else if (c != '\r') {
                cells.back() += c;
            }
        }
        return cells;
    }

private:
    std::string_view m_text;
    char m_separator;
    std::size_t m_at = 0;
    std::int64_t m_line = 1, m_rowLine = 1;
};

double numberOf(const std::string& cell, const fs::path& file, std::int64_t line) {
    char* end = nullptr;
    const double number = std::strtod(cell.c_str(), &end);
    if (cell.empty() || *end != '\0')
        refuse(file, line, "'" + escaped(cell, 60) + "' is no number.");
    return number;
}

std::int64_t stepOf(const std::string& cell, const fs::path& file, std::int64_t line) {
    const double step = numberOf(cell, file, line);
    constexpr double kMost = 9e15;  // whole numbers up to here are exact
    if (!(std::abs(step) <= kMost) || step != std::floor(step))
        refuse(file, line, "A step must be a whole number, got '" + escaped(cell, 60) + "'.");
    return static_cast<std::int64_t>(step);
}

void addPoint(ImportedRun& run, const std::string& key, std::int64_t step, double value,
              const fs::path& file, std::int64_t line) {
    if (key.empty() || key.size() > kLongestKey)
        refuse(file, line,
               "A curve needs a name of at most " + std::to_string(kLongestKey) + " bytes.");
    run.points.push_back({key, step, value});
}

ImportedRun readTable(const fs::path& file, char separator, const std::stop_token& stop,
                      const ProgressSink& progress) {
    ImportedRun run{.name = file.stem().string(), .source = file.string(), .points = {}};
    const std::string text = readFile(file, kMostTableBytes);
    TableReader table(text, separator);
    const std::vector<std::string> head = table.row();
    const auto columnOf = [&](const char* name) {
        return static_cast<std::size_t>(std::ranges::find(head, name) - head.begin());
    };
    const std::size_t key = columnOf("key"), step = columnOf("step"), value = columnOf("value");
    const bool isLong = key < head.size() && step < head.size() && value < head.size();
    if (!isLong && head.size() < 2)
        refuse(file, 1,
               "The head must name key, step and value, or a step and at least one curve.");
    Meter meter({.phase = "read", .unit = "rows"}, progress);
    while (!table.isAtEnd() && !stop.stop_requested()) {
        if (table.line() % kRowsBetweenLooks == 0) meter.tell(table.line(), table.linesExpected());
        const std::vector<std::string> row = table.row();
        if (row.size() == 1 && row[0].empty()) continue;
        const std::int64_t line = table.line();
        if (row.size() != head.size())
            refuse(file, line,
                   "The row has " + std::to_string(row.size()) + " cells, the head " +
                       std::to_string(head.size()) + ".");
        if (isLong) {
            addPoint(run, row[key], stepOf(row[step], file, line), numberOf(row[value], file, line),
                     file, line);
            continue;
        }
        const std::int64_t at = stepOf(row[0], file, line);
        for (std::size_t column = 1; column < row.size(); ++column)
            if (!row[column].empty())
                addPoint(run, head[column], at, numberOf(row[column], file, line), file, line);
    }
    return run;
}

void addEventFile(ImportedRun& run, const fs::path& file, const std::stop_token& stop,
                  const ProgressSink& progress) {
    TensorBoardFile events = readTensorBoardFile(file, stop, progress);
    if (stop.stop_requested()) return;
    run.leftOut += events.otherValues;
    run.isWhole = run.isWhole && events.isWhole;
    auto restart = events.restarts.begin();
    const auto goOn = [&](std::size_t place) {
        for (; restart != events.restarts.end() && restart->before <= place; ++restart)
            std::erase_if(run.points, [step = restart->step](const ImportedPoint& point) {
                return point.step >= step;
            });
    };
    for (std::size_t i = 0; i < events.values.size(); ++i) {
        if (stop.stop_requested()) return;
        goOn(i);
        TensorBoardValue& value = events.values[i];
        if (value.isText)
            ++run.leftOut;
        else if (!value.tag.empty() && value.tag.size() <= kLongestKey)
            run.points.push_back({std::move(value.tag), value.step, value.value});
    }
    goOn(events.values.size());
}

/// In bytes; 0 if it is not known.
std::int64_t sizeOf(const fs::path& file) {
    std::error_code unknown;
    const std::uintmax_t size = fs::file_size(file, unknown);
    return unknown ? 0 : static_cast<std::int64_t>(size);
}

std::vector<ImportedRun> readFolder(const fs::path& folder, const std::stop_token& stop,
                                    const ProgressSink& progress) {
    std::map<fs::path, std::vector<fs::path>> files;  // by their folders
    std::int64_t before = 0, total = 0;               // bytes of the files read; of all
    std::error_code error;
    for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
         it.increment(error)) {
        if (stop.stop_requested()) return {};
        if (it->path().filename().string().find("tfevents") == std::string::npos) continue;
        files[it->path().parent_path()].push_back(it->path());
        total += sizeOf(it->path());
    }
    std::vector<ImportedRun> runs;
    Meter meter({.phase = "read", .unit = "bytes"}, progress);
    const auto tell = [&](const Progress& file) { meter.tell(before + file.done, total); };
    for (auto& [place, events] : files) {
        std::ranges::sort(events);
        const fs::path within = fs::relative(place, folder, error);
        ImportedRun run{
            .name = within.empty() || within == "." ? folder.filename().string() : within.string(),
            .source = place.string(),
            .points = {}};
        for (const fs::path& file : events) {
            addEventFile(run, file, stop, tell);
            before += sizeOf(file);
        }
        runs.push_back(std::move(run));
        if (stop.stop_requested()) return runs;
    }
    if (runs.empty())
        throw Error("There are no TensorBoard event files below " + escaped(folder.string()) + ".",
                    Error::Kind::BadInput);
    return runs;
}

}  // namespace

std::vector<ImportedRun> readImport(const fs::path& path, std::stop_token stop,
                                    const ProgressSink& progress) {
    std::error_code error;
    if (fs::is_directory(path, error)) return readFolder(path, stop, progress);
    if (!fs::exists(path, error))
        throw Error("There is no file '" + escaped(path.string()) + "'.", Error::Kind::BadInput);
    const std::string extension = path.extension().string();
    if (extension == ".csv") return {readTable(path, ',', stop, progress)};
    if (extension == ".tsv") return {readTable(path, '\t', stop, progress)};
    ImportedRun run{
        .name = path.parent_path().filename().string(), .source = path.string(), .points = {}};
    if (run.name.empty()) run.name = path.filename().string();
    addEventFile(run, path, stop, progress);
    return {std::move(run)};
}

namespace {

/// A curve there, and what it is here.
struct RenamedCurve {
    std::string_view theirs, ours;
    double factor = 1;
};
constexpr std::array<RenamedCurve, 10> kStableBaselines{{
    {"rollout/ep_rew_mean", "episodic_reward.mean"},
    {"rollout/ep_len_mean", "episode_length.mean"},
    {"time/fps", "throughput"},
    {"train/approx_kl", "losses/approx_kl"},
    {"train/clip_fraction", "losses/clipfrac"},
    {"train/explained_variance", "losses/explained_variance"},
    {"train/policy_gradient_loss", "losses/policy_loss"},
    {"train/learning_rate", "charts/learning_rate"},
    {"train/entropy_loss", "losses/entropy", -1},
    {"train/value_loss", "losses/value_loss", 0.5},
}};

}  // namespace

void takeStableBaselinesNames(ImportedRun& run) {
    for (ImportedPoint& point : run.points) {
        const auto* found = std::ranges::find(kStableBaselines, point.key, &RenamedCurve::theirs);
        if (found == kStableBaselines.end()) continue;
        point.key = found->ours;
        point.value *= found->factor;
    }
}

std::string storeImport(Workspace& workspace, const ImportedRun& run, std::stop_token stop,
                        const ProgressSink& progress) {
    RunSpec spec;
    spec.name = run.name;
    spec.note = "Curves of " + run.source;
    spec.job = ImportJob{.source = run.source};
    NewRun fresh{.name = run.name,
                 .kind = spec.job.kind().name,
                 .configJson = toJson(spec),
                 .codeVersion = codeVersion(),
                 .note = spec.note,
                 .tags = {"imported"}};
    DbWriter& writer = workspace.writer();
    std::string id = writer.createRun(fresh);
    bool isWhole = writer.changeState(id, std::array{RunState::Queued}, RunState::Running);
    Meter meter({.phase = "store", .unit = "points"}, progress);
    std::int64_t stored = 0;
    for (const ImportedPoint& point : run.points) {
        if (!isWhole) break;
        if (++stored % kRowsBetweenLooks == 0) meter.tell(stored, std::ssize(run.points));
        RunEvent event;
        event.body = event::Metric{.step = point.step, .key = point.key, .value = point.value};
        isWhole = writer.record(id, event, stop) && !stop.stop_requested();
    }
    isWhole = isWhole && writer.flush(std::chrono::hours(24), stop);
    if (isWhole && writer.changeState(id, std::array{RunState::Running}, RunState::Finished))
        return id;
    writer.changeState(id, std::array{RunState::Queued, RunState::Running}, RunState::Stopped);
    writer.editRuns(std::array{RunEdit{.run = id, .isTrashed = true}});
    writer.deleteRows(std::array{id});
    return {};
}

}  // namespace orrery
