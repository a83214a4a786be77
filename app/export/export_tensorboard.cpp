#include "app/export/export_tensorboard.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/error.h"
#include "core/base/output_file.h"
#include "core/files/tensorboard.h"
#include "core/run/run_name.h"

namespace orrery {

namespace {

constexpr std::int64_t kCheckEvery = 4096;

/// Wall times of a run's points, by their place among its events.
class RunClock {
public:
    RunClock(const RunRecord& run, const std::vector<EventRow>& events)
        : m_start(secondsOfUtc(run.createdUtc)) {
        for (const EventRow& event : events)
            m_times.push_back({event.seq, secondsOfUtc(event.utc)});
    }
    double start() const { return m_start; }
    double at(std::int64_t seq) const {
        const auto after = std::ranges::upper_bound(m_times, seq, {}, &Time::seq);
        return after == m_times.begin() ? m_start : std::max(m_start, (after - 1)->seconds);
    }

private:
    struct Time {
        std::int64_t seq;
        double seconds;
    };
    const double m_start;
    std::vector<Time> m_times;  ///< by seq
};

/// The config as a Markdown code block, indented where it is JSON.
std::string configText(const RunRecord& run) {
    const auto json = nlohmann::ordered_json::parse(run.configJson, nullptr, false);
    std::string text = json.is_discarded() ? run.configJson : json.dump(2);
    return "```json\n" + text + "\n```";
}

std::string aboutText(const RunRecord& run) {
    std::string text = "| | |\n|---|---|\n";
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty()) text += "| " + std::string(name) + " | " + value + " |\n";
    };
    add("run", run.id);
    add("name", run.name);
    add("parent", run.parent);
    add("seed", std::to_string(run.seed));
    add("created", run.createdUtc);
    add("ended", run.endedUtc);
    add("program", run.codeVersion);
    add("note", run.note);
    return text;
}

class RunWriter {
public:
    RunWriter(const HistoryReader& reader, RunRecord run, const std::stop_token& stop)
        : m_reader(reader),
          m_run(std::move(run)),
          m_events(reader.events(m_run.id)),
          m_clock(m_run, m_events),
          m_stop(stop) {}

    double start() const { return m_clock.start(); }

    /// False if stopped.
    bool write(FileWriter& out, const std::function<void(std::int64_t)>& report) {
        TensorBoardWriter writer(out, m_clock.start());
        writer.text("run", 0, m_clock.start(), aboutText(m_run));
        writer.text("config", 0, m_clock.start(), configText(m_run));
        for (const EventRow& event : m_events)
            writer.text("events", event.seq, secondsOfUtc(event.utc), event.text);
        std::int64_t points = 0;
        for (const std::string& key : m_reader.metricKeys(m_run.id))
            for (const MetricRow& row : m_reader.metrics(m_run.id, key)) {
                writer.scalar(key, row.step, m_clock.at(row.seq), row.value);
                if (++points % kCheckEvery != 0) continue;
                report(points);
                if (m_stop.stop_requested()) return false;
            }
        report(points);
        return !m_stop.stop_requested();
    }

private:
    const HistoryReader& m_reader;
    const RunRecord m_run;
    const std::vector<EventRow> m_events;
    const RunClock m_clock;
    const std::stop_token& m_stop;
};

void makeFolder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (std::filesystem::is_directory(folder)) return;
    throw Error("The folder " + folder.string() +
                    " cannot be made. Name a folder, new or there already, in which you may write.",
                Error::Kind::BadInput);
}

}  // namespace

double secondsOfUtc(const std::string& utc) {
    int year = 0, month = 0, day = 0, hour = 0, minute = 0;
    double second = 0;
    if (std::sscanf(utc.c_str(), "%d-%d-%dT%d:%d:%lfZ", &year, &month, &day, &hour, &minute,
                    &second) != 6)
        return 0;
    const std::chrono::year_month_day date{std::chrono::year(year),
                                           std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    if (!date.ok()) return 0;
    const auto days = std::chrono::sys_days(date).time_since_epoch().count();
    return static_cast<double>(days) * 86400 + hour * 3600.0 + minute * 60.0 + second;
}

std::vector<std::filesystem::path> tensorBoardFolders(const HistoryReader& reader,
                                                      const std::vector<std::string>& runs,
                                                      const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> folders;
    for (const std::string& id : runs)
        if (const auto run = reader.run(id))
            folders.push_back(folder / runFolderName(run->name, run->id));
    return folders;
}

std::vector<std::filesystem::path> exportTensorBoard(const HistoryReader& reader,
                                                     const std::vector<std::string>& runs,
                                                     const std::filesystem::path& folder,
                                                     const std::stop_token& stop,
                                                     const ProgressSink& progress) {
    std::vector<std::filesystem::path> files;
    Progress told{.phase = "write", .unit = "points"};
    std::int64_t before = 0;
    for (const std::string& id : runs) {
        const auto run = reader.run(id);
        if (!run) throw Error("There is no run " + id + ".", Error::Kind::BadInput);
        const std::filesystem::path place = folder / runFolderName(run->name, run->id);
        RunWriter writer(reader, *run, stop);
        makeFolder(place);
        const std::filesystem::path file =
            place / tensorBoardFileName(writer.start(), "orrery." + id);
        const auto report = [&](std::int64_t points) {
            told.done = before + points;
            if (progress) progress(told);
        };
        if (!writeOutput(
                file, [&](FileWriter& out) { return writer.write(out, report); }, stop))
            break;
        before = told.done;
        files.push_back(file);
    }
    return files;
}

}  // namespace orrery
