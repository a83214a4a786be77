#include "app/cli/console.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/base/text.h"

namespace orrery {
namespace {

// Read once, before any thread of ours begins.
bool wantsColors() {
    const std::string terminal = environment("TERM");
    return environment("NO_COLOR").empty() && isatty(STDOUT_FILENO) == 1 && !terminal.empty() &&
           terminal != "dumb";
}

bool isUnicodeLocale() {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        std::string value = environment(name);
        if (value.empty()) continue;
        std::ranges::transform(value, value.begin(), [](char c) {
            return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        });
        return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
    }
    return false;
}

const char* codeOf(Ink ink) {
    switch (ink) {
        case Ink::Plain:
            return "0";
        case Ink::Bold:
            return "1";
        case Ink::Dim:
            return "2";
        case Ink::Red:
            return "31";
        case Ink::Green:
            return "32";
        case Ink::Yellow:
            return "33";
        case Ink::Blue:
            return "34";
        case Ink::Magenta:
            return "35";
        case Ink::Cyan:
            return "36";
        case Ink::Inverse:
            return "7";
    }
    return "0";
}

/// Columns that a text takes: code points, without colour sequences.
std::size_t displayWidth(std::string_view text) {
    std::size_t width = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\x1b') {
            while (i < text.size() && text[i] != 'm') ++i;
            continue;
        }
        if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) ++width;
    }
    return width;
}

std::string fixed(double value, int digits) {
    std::array<char, 64> buffer{};
    const int length = std::snprintf(buffer.data(), buffer.size(), "%.*f", digits, value);
    return {buffer.data(), static_cast<std::size_t>(std::clamp(length, 0, 63))};
}

/// An empty view may have no data at all, which fwrite must not be given.
bool put(std::string_view text, std::FILE* file) {
    return text.empty() || std::fwrite(text.data(), 1, text.size(), file) == text.size();
}

}  // namespace

std::string environment(const char* name) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
    return value == nullptr ? "" : value;
}

Console::Console()
    : m_colors(wantsColors()),
      m_unicode(isUnicodeLocale()),
      m_showsProgress(isatty(STDERR_FILENO) == 1) {}

void Console::line(std::string_view text) {
    const MutexLock lock(m_mutex);
    endProgressLocked();
    m_failed |= !put(text, stdout);
    m_failed |= std::fputc('\n', stdout) == EOF;
}

void Console::wrote(const std::string& file) {
    if (file != "-") line("written: " + escaped(file, 2000));
}

void Console::wrote(const std::vector<std::string>& files, bool asJson) {
    if (asJson) return json({{"files", files}});
    for (const std::string& file : files) wrote(file);
}

void Console::json(const nlohmann::ordered_json& value) {
    line(value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

void Console::error(std::string_view text) {
    std::string lines;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines +=
            (lines.empty() ? "orrery: " : "\n") + escaped(text.substr(begin, end - begin), 2000);
        begin = end + 1;
    }
    message(lines);
}

void Console::message(std::string_view text) {
    const MutexLock lock(m_mutex);
    endProgressLocked();
    std::fflush(stdout);
    put(text, stderr);
    std::fputc('\n', stderr);
}

std::string Console::inked(Ink ink, std::string_view text) const {
    if (!m_colors || ink == Ink::Plain) return std::string(text);
    return std::string("\x1b[") + codeOf(ink) + "m" + std::string(text) + "\x1b[0m";
}

void Console::progress(const Progress& progress) {
    if (!m_showsProgress || progress.phase.empty()) return;  // nothing has begun
    const MutexLock lock(m_mutex);
    const auto now = std::chrono::steady_clock::now();
    if (m_progressShown && now - m_lastProgress < std::chrono::milliseconds(100)) return;
    m_lastProgress = now;
    std::string text = progress.phase;
    if (progress.level >= 0) text += ", step " + std::to_string(progress.level);
    text += ": " + grouped(progress.done);
    if (progress.total > 0) text += " of " + grouped(progress.total);
    text += " " + progress.unit;
    if (progress.ratePerSecond > 0)
        text += ", " + grouped(std::llround(progress.ratePerSecond)) + " a second";
    if (progress.secondsLeft >= 0) text += ", " + secondsText(progress.secondsLeft) + " left";
    text = "\r" + escaped(text, 110) + "\x1b[K";
    put(text, stderr);
    std::fflush(stderr);
    m_progressShown = true;
}

void Console::endProgress() {
    const MutexLock lock(m_mutex);
    endProgressLocked();
}

void Console::endProgressLocked() {
    if (!m_progressShown) return;
    std::fputs("\r\x1b[K", stderr);
    std::fflush(stderr);
    m_progressShown = false;
}

ProgressSink Console::progressSink() {
    return [this](const Progress& state) { progress(state); };
}

bool Console::flush() {
    const MutexLock lock(m_mutex);
    endProgressLocked();
    m_failed |= std::fflush(stdout) != 0;
    return !m_failed;
}

void TextTable::print(Console& console) const {
    std::vector<std::size_t> widths;
    for (const Column& column : m_columns) widths.push_back(displayWidth(column.title));
    for (const auto& row : m_rows)
        for (std::size_t c = 0; c < row.size() && c < widths.size(); ++c)
            widths[c] = std::max(widths[c], displayWidth(row[c]));
    const auto render = [&](const std::vector<std::string>& cells) {
        std::string text;
        for (std::size_t c = 0; c < cells.size(); ++c) {
            const std::size_t gap = widths[c] - displayWidth(cells[c]);
            if (c > 0) text += "  ";
            if (m_columns[c].right)
                text += std::string(gap, ' ') + cells[c];
            else
                text += cells[c] + (c + 1 < cells.size() ? std::string(gap, ' ') : "");
        }
        return text;
    };
    std::vector<std::string> titles;
    for (const Column& column : m_columns) titles.push_back(column.title);
    console.line(console.inked(Ink::Bold, render(titles)));
    for (const auto& row : m_rows) console.line(render(row));
}

nlohmann::ordered_json jsonNumber(double value) {
    if (std::isfinite(value)) return value;
    return formatDouble(value);
}

nlohmann::ordered_json jsonNumbers(const std::vector<double>& values) {
    auto list = nlohmann::ordered_json::array();
    for (const double value : values) list.push_back(jsonNumber(value));
    return list;
}

std::string sizeText(std::int64_t bytes) {
    static constexpr std::array<const char*, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < kUnits.size()) {
        value /= 1024;
        ++unit;
    }
    return fixed(value, unit == 0 ? 0 : 1) + " " + kUnits[unit];
}

std::string secondsText(double seconds) {
    if (seconds < 10) return fixed(seconds, 2) + " s";
    if (seconds < 120) return fixed(seconds, 1) + " s";
    const auto whole = std::llround(seconds);
    if (whole < 7200)
        return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
    return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

}  // namespace orrery
