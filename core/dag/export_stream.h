#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/atomic_write.h"
#include "core/base/progress.h"
#include "core/dag/state_graph.h"

namespace orrery {

/// Buffered text on its way into a file. The text so far is handed on in pieces of 64 KiB. Once a
/// stop is seen, nothing more is; long loops ask isStopped() and end.
class ExportStream {
public:
    ExportStream(FileWriter& writer, std::stop_token stop);

    ExportStream& operator<<(std::string_view text);
    ExportStream& operator<<(char character);
    ExportStream& operator<<(std::int64_t number);
    ExportStream& operator<<(int number) { return *this << std::int64_t{number}; }
    ExportStream& operator<<(double number);  ///< shortest text that reads back to the same bits

    void flush();
    bool isStopped() const { return m_isStopped; }

private:
    void flushIfFull();

    FileWriter& m_writer;
    std::stop_token m_stop;
    std::string m_buffer;
    bool m_isStopped = false;
};

/// Reports states done, at most 30 times a second.
class ExportProgress {
public:
    /// @param total states over all files of the export
    ExportProgress(const ProgressSink& sink, std::int64_t total);

    /// One more state is written.
    void advance(int step);
    void finish();

private:
    void report(int step);

    const ProgressSink& m_sink;
    std::int64_t m_total;
    std::int64_t m_done = 0;
    std::chrono::steady_clock::time_point m_begin, m_last;
};

/// Writes a file as writeOutput, through a stream.
/// @return false if `stop` was requested while it was written; the file is then as before
bool writeExport(const std::filesystem::path& file, const std::stop_token& stop,
                 const std::function<void(ExportStream&)>& body);

/// The numbers of states in an export. One level at a time can be looked up by configuration.
class StateNumbers {
public:
    explicit StateNumbers(const StateGraph& graph);

    std::int64_t total() const { return m_first.back(); }
    std::int64_t first(int step) const { return m_first[step]; }

    /// Makes `step` the level that of() answers for. O(level range).
    void select(int step);
    /// The number of a state of the selected level.
    std::int64_t of(ConfigIndex config) const {
        return m_rank.empty() ? m_base + config : m_base + m_rank[config - m_begin];
    }

private:
    const StateGraph& m_graph;
    std::vector<std::int64_t> m_first;  ///< [levels + 1] number of the first state of each
    std::int64_t m_base = 0;
    ConfigIndex m_begin = 0;
    std::vector<std::uint32_t> m_rank;  ///< [range] place in the level; empty if that is the index
};

/// Calls visit(profile, probability, successor) for every stored outcome of a configuration.
template <class Visit>
void forEachOutcome(const StateGraph& graph, ConfigIndex config, Visit&& visit) {
    const ConfigRows rows = graph.rows(config);
    std::uint32_t entry = 0;
    for (ActionProfileIndex profile = 0; profile < graph.numProfiles(); ++profile) {
        const std::uint32_t count = rows.count != nullptr ? rows.count[profile] : 1;
        for (std::uint32_t k = 0; k < count; ++k, ++entry)
            visit(profile,
                  rows.probability != nullptr ? graph.palette()[rows.probability[entry]] : 1.0,
                  rows.successor[entry]);
    }
}

}  // namespace orrery
