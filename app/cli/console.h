#pragma once

#include <chrono>
#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/mutex.h"
#include "core/base/progress.h"
#include "core/base/text.h"

namespace orrery {

/// A variable of the environment; empty where there is none of that name.
std::string environment(const char* name);

enum class Ink { Plain, Bold, Dim, Red, Green, Yellow, Blue, Magenta, Cyan, Inverse };

/// What a verb prints: results on the standard output, everything else on the standard error.
/// Colours appear only on a terminal that is not "dumb", and never where NO_COLOR is set.
/// Any thread may print; lines do not mix.
class Console {
public:
    Console();

    /// One line of the result. The text must be safe already (core/base/text.h escaped).
    void line(std::string_view text = {});
    /// "written: FILE", unless the file is this output itself ("-").
    void wrote(const std::string& file);
    /// The same for all of them, or as JSON: {"files": [...]}.
    void wrote(const std::vector<std::string>& files, bool asJson);
    /// The result as JSON, indented; numbers that JSON lacks must be texts already (jsonNumber).
    void json(const nlohmann::ordered_json& value);

    /// "orrery: ..." on the standard error. Escapes the text, all but its line ends.
    void error(std::string_view text);
    /// As it is, on the standard error.
    void message(std::string_view text);

    /// The text in a colour, or unchanged where there are no colours.
    std::string inked(Ink ink, std::string_view text) const;
    bool hasColors() const { return m_colors; }
    /// True if the terminal's locale is UTF-8.
    bool isUnicode() const { return m_unicode; }

    /// One line on the standard error that overwrites itself, where that is a terminal; else
    /// nothing.
    void progress(const Progress& progress);
    void endProgress();
    ProgressSink progressSink();

    /// Writes out what is buffered. @return false if anything printed so far was lost
    bool flush();

private:
    void endProgressLocked() ORRERY_REQUIRES(m_mutex);

    const bool m_colors;
    const bool m_unicode;
    const bool m_showsProgress;
    Mutex m_mutex;
    bool m_progressShown ORRERY_GUARDED_BY(m_mutex) = false;
    bool m_failed ORRERY_GUARDED_BY(m_mutex) = false;
    std::chrono::steady_clock::time_point m_lastProgress ORRERY_GUARDED_BY(m_mutex);
};

/// Columns of text, aligned.
class TextTable {
public:
    struct Column {
        std::string title;
        bool right = false;  ///< numbers
    };
    explicit TextTable(std::vector<Column> columns) : m_columns(std::move(columns)) {}

    void add(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); }
    bool isEmpty() const { return m_rows.empty(); }
    void print(Console& console) const;

private:
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

/// A number for JSON output: infinities and NaN become "inf", "-inf" and "nan".
nlohmann::ordered_json jsonNumber(double value);
nlohmann::ordered_json jsonNumbers(const std::vector<double>& values);

/// "12.3 MiB"
std::string sizeText(std::int64_t bytes);
/// "0.42 s", "3 min 20 s"
std::string secondsText(double seconds);

}  // namespace orrery
