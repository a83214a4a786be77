#include "core/dag/export_stream.h"

#include <charconv>
#include <utility>

#include "core/base/output_file.h"
#include "core/base/text.h"

namespace orrery {

namespace {

constexpr std::size_t kFlushedBytes = 65'536;

/// Between two reports; the first comes at once.
constexpr std::chrono::milliseconds kPause(34);

}  // namespace

ExportStream::ExportStream(FileWriter& writer, std::stop_token stop)
    : m_writer(writer), m_stop(std::move(stop)) {
    m_buffer.reserve(kFlushedBytes + 256);
}

void ExportStream::flushIfFull() {
    if (m_buffer.size() >= kFlushedBytes) flush();
}

void ExportStream::flush() {
    m_isStopped = m_isStopped || m_stop.stop_requested();
    if (!m_isStopped) m_writer.write(m_buffer);
    m_buffer.clear();
}

ExportStream& ExportStream::operator<<(std::string_view text) {
    m_buffer += text;
    flushIfFull();
    return *this;
}

ExportStream& ExportStream::operator<<(char character) {
    m_buffer += character;
    flushIfFull();
    return *this;
}

ExportStream& ExportStream::operator<<(std::int64_t number) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    return *this << std::string_view(digits, static_cast<std::size_t>(end - digits));
}

ExportStream& ExportStream::operator<<(double number) {
    return *this << formatDouble(number);
}

ExportProgress::ExportProgress(const ProgressSink& sink, std::int64_t total)
    : m_sink(sink),
      m_total(total),
      m_begin(std::chrono::steady_clock::now()),
      m_last(m_begin - kPause) {}

void ExportProgress::advance(int step) {
    ++m_done;
    if (!m_sink || m_done % 64 != 0) return;
    if (const auto now = std::chrono::steady_clock::now(); now - m_last >= kPause) {
        m_last = now;
        report(step);
    }
}

void ExportProgress::finish() {
    if (m_sink) report(-1);
}

void ExportProgress::report(int step) {
    Progress progress;
    progress.phase = "write";
    progress.unit = "states";
    progress.done = m_done;
    progress.total = m_total;
    progress.level = step;
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - m_begin;
    progress.seconds = since.count();
    if (since.count() > 0 && m_done > 0) {
        progress.ratePerSecond = static_cast<double>(m_done) / since.count();
        progress.secondsLeft = static_cast<double>(m_total - m_done) / progress.ratePerSecond;
    }
    m_sink(progress);
}

bool writeExport(const std::filesystem::path& file, const std::stop_token& stop,
                 const std::function<void(ExportStream&)>& body) {
    if (stop.stop_requested()) return false;
    return writeOutput(
        file,
        [&](FileWriter& writer) {
            ExportStream stream(writer, stop);
            body(stream);
            stream.flush();
            return !stream.isStopped();
        },
        stop);
}

StateNumbers::StateNumbers(const StateGraph& graph) : m_graph(graph), m_first{0} {
    for (int step = 0; step < graph.numLevels(); ++step)
        m_first.push_back(m_first.back() + graph.levelSize(step));
}

void StateNumbers::select(int step) {
    m_begin = m_graph.levelBegin(step);
    m_base = m_first[step];
    m_rank.clear();
    if (m_graph.levelIsRange(step)) {
        m_base -= m_begin;
        return;
    }
    std::uint32_t rank = 0;
    for (ConfigIndex config = m_begin; config < m_graph.levelEnd(step); ++config) {
        m_rank.push_back(rank);
        if (m_graph.inLevel(step, config)) ++rank;
    }
}

}  // namespace orrery
