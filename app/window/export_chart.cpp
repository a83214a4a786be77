#include "app/window/export_chart.h"

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>

#include "app/export/npz.h"
#include "core/base/output_file.h"
#include "widgets/export/table_feed.h"
#include "widgets/plots/chart.h"
#include "widgets/plots/chart_picture.h"

namespace orrery {

namespace {

constexpr std::int64_t kSlice = 16384;  // points between two looks at the stop token

/// Tells how many points are done.
class PointCounter {
public:
    PointCounter(const ProgressSink& sink, std::int64_t total) : m_sink(sink) {
        m_progress.phase = "write";
        m_progress.unit = "points";
        m_progress.total = total;
    }
    void add(std::int64_t points) {
        m_progress.done += points;
        const double seconds = std::chrono::duration<double>(Clock::now() - m_start).count();
        m_progress.seconds = seconds;
        if (seconds > 0) {
            m_progress.ratePerSecond = static_cast<double>(m_progress.done) / seconds;
            m_progress.secondsLeft =
                static_cast<double>(m_progress.total - m_progress.done) / m_progress.ratePerSecond;
        }
        if (m_sink) m_sink(m_progress);
    }

private:
    using Clock = std::chrono::steady_clock;
    const ProgressSink& m_sink;
    Progress m_progress;
    const Clock::time_point m_start = Clock::now();
};

void addDigits(std::string& text, double value) {
    std::array<char, 40> digits{};
    const int size = std::snprintf(digits.data(), digits.size(), "%.17g", value);
    text.append(digits.data(), static_cast<std::size_t>(size));
}

/// Calls `slice` with stretches of a line's points. False if stopped.
template <typename Slice>
bool eachSlice(const ChartPoints::Line& line, const std::stop_token& stop, const Slice& slice) {
    for (std::int64_t begin = line.begin; begin < line.end; begin += kSlice) {
        if (stop.stop_requested()) return false;
        slice(begin, std::min(line.end, begin + kSlice));
    }
    return true;
}

}  // namespace

std::int64_t ChartPoints::rows() const {
    std::int64_t sum = 0;
    for (const Line& line : lines) sum += line.end - line.begin;
    return sum;
}

ChartPoints pointsOf(const Chart& chart, bool isAll) {
    const ChartContent& content = chart.content();
    const AxisView x = chart.shownX();
    ChartPoints points;
    points.xName = content.xName.toStdString();
    points.valueName =
        (content.unit.isEmpty() ? content.title
                                : QStringLiteral("%1 [%2]").arg(content.title, content.unit))
            .toStdString();
    if (chart.view().smoothing.kind == SmoothingKind::Ema) {
        points.emaWindow = chart.view().smoothing.window;
        points.smoothing = textOf(chart.view().smoothing, content.xName).toStdString();
    }
    for (const ChartContent::Entry& entry : content.series) {
        if (!isShown(entry, chart.view())) continue;
        const double after = std::nextafter(x.high, std::numeric_limits<double>::infinity());
        const std::int64_t begin = isAll ? 0 : entry.points.lowerBound(x.low);
        const std::int64_t end = isAll ? entry.points.size() : entry.points.lowerBound(after);
        if (begin < end)
            points.lines.push_back({entry.key.toStdString(), entry.points, begin, end});
    }
    return points;
}

bool writeChartTable(const ChartPoints& points, char separator, const std::filesystem::path& file,
                     const std::stop_token& stop, const ProgressSink& progress) {
    const std::string lineEnd = separator == ',' ? "\r\n" : "\n";
    const auto cell = [separator](const std::string& text) {
        return tableCell(QString::fromStdString(text), separator);
    };
    return writeOutput(
        file,
        [&](FileWriter& out) {
            PointCounter counter(progress, points.rows());
            out.write(
                "series" + (separator + cell(points.xName)) + separator + cell(points.valueName) +
                (points.emaWindow ? separator + cell(points.smoothing) : std::string()) + lineEnd);
            for (const ChartPoints::Line& line : points.lines) {
                const std::string name = cell(line.name);
                std::optional<EmaLine> ema;
                if (points.emaWindow) {
                    ema.emplace(*points.emaWindow);
                    while (ema->advance(line.points, kSlice) > 0)
                        if (stop.stop_requested()) return false;
                }
                const auto slice = [&](std::int64_t begin, std::int64_t end) {
                    std::string text;
                    for (std::int64_t i = begin; i < end; ++i) {
                        text += name + separator;
                        addDigits(text, line.points.x(i));
                        text += separator;
                        addDigits(text, line.points.y(i));
                        if (ema) {
                            text += separator;
                            addDigits(text, ema->at(line.points, i));
                        }
                        text += lineEnd;
                    }
                    out.write(text);
                    counter.add(end - begin);
                };
                if (!eachSlice(line, stop, slice)) return false;
            }
            return true;
        },
        stop);
}

bool writeChartArrays(const ChartPoints& points, const std::filesystem::path& file,
                      const std::stop_token& stop, const ProgressSink& progress) {
    return writeOutput(
        file,
        [&](FileWriter& out) {
            PointCounter counter(progress, 2 * points.rows());
            NpzWriter npz(out);
            std::map<std::string, int> names;  // two lines of one name get numbers
            for (const ChartPoints::Line& line : points.lines) {
                const int number = names[line.name]++;
                const std::string name =
                    number == 0 ? line.name : line.name + "#" + std::to_string(number + 1);
                const auto add = [&](const char* part, const auto& of) {
                    return npz.array(name + part, NpzWriter::Type::Double, {line.end - line.begin},
                                     [&](NpzWriter::Array& array) {
                                         return eachSlice(
                                             line, stop, [&](std::int64_t begin, std::int64_t end) {
                                                 std::vector<double> values;
                                                 for (std::int64_t i = begin; i < end; ++i)
                                                     values.push_back(of(i));
                                                 array.add(values);
                                                 counter.add(end - begin);
                                             });
                                     });
                };
                if (!add(".x", [&](std::int64_t i) { return line.points.x(i); }) ||
                    !add(".y", [&](std::int64_t i) { return line.points.y(i); }))
                    return false;
            }
            npz.finish();
            return true;
        },
        stop);
}

}  // namespace orrery
