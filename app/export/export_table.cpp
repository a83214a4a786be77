#include "app/export/export_table.h"

#include <chrono>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "app/export/export_blocks.h"
#include "app/export/npz.h"
#include "core/base/error.h"
#include "core/base/output_file.h"
#include "core/base/text.h"

namespace orrery {
namespace {

/// Visits all states in order and says how far it is.
class Walk {
public:
    Walk(const StateGraph& graph, int passes, std::stop_token stop, const ProgressSink& progress)
        : m_graph(graph), m_stop(std::move(stop)), m_progress(progress) {
        for (int t = 0; t < graph.numLevels(); ++t) m_states += graph.levelSize(t);
        m_total = m_states * passes;
    }

    std::int64_t states() const { return m_states; }

    /// @return false if stopped
    bool each(const std::function<void(State)>& visit) {
        for (int t = 0; t < m_graph.numLevels(); ++t)
            for (ConfigIndex c = m_graph.levelBegin(t); c < m_graph.levelEnd(t); ++c) {
                if (!m_graph.inLevel(t, c)) continue;
                visit({.step = t, .config = c});
                if ((++m_done & 255) != 0) continue;
                if (m_stop.stop_requested()) return false;
                report();
            }
        return true;
    }

private:
    void report() {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - m_begin;
        if (!m_progress || passed.count() - m_reported < 0.1) return;
        m_reported = passed.count();
        m_progress({.phase = "write",
                    .done = m_done,
                    .total = m_total,
                    .unit = "states",
                    .seconds = m_reported});
    }

    const StateGraph& m_graph;
    std::stop_token m_stop;
    const ProgressSink& m_progress;
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
    double m_reported = 0;
    std::int64_t m_states = 0, m_total = 0, m_done = 0;
};

using Cells = std::function<void(State, const std::vector<int>& variables,
                                 const std::vector<double>& numbers)>;

/// Computes the row of every state. False if stopped.
bool eachRow(const Solution& solution, const std::vector<ExportBlock>& blocks, Walk& walk,
             const Cells& write) {
    const World& world = solution.world();
    std::vector<int> variables(world.variables().size());
    std::vector<double> numbers;
    return walk.each([&](State state) {
        world.valuate(solution.graph().configuration(state.config), variables);
        const StateValues values = solution.values(state);
        numbers.clear();
        for (const ExportBlock& block : blocks) block.append(values, numbers);
        write(state, variables, numbers);
    });
}

std::vector<std::string> columnNames(const World& world, const std::vector<ExportBlock>& blocks) {
    std::vector<std::string> names{"step", "config"};
    for (const Variable& variable : world.variables()) names.push_back(variable.name);
    for (const ExportBlock& block : blocks)
        names.insert(names.end(), block.columns.begin(), block.columns.end());
    return names;
}

std::string csvHeader(const std::vector<std::string>& names) {
    std::string line;
    for (const std::string& name : names) line += (line.empty() ? "" : ",") + csvCell(name);
    return line + "\n";
}

/// @param run  "r00003,", what each row begins with; empty for one run alone
bool writeCsvRows(const Solution& solution, const std::vector<ExportBlock>& blocks, Walk& walk,
                  const std::string& run, FileWriter& out) {
    std::string line;
    return eachRow(
        solution, blocks, walk,
        [&](State state, const std::vector<int>& variables, const std::vector<double>& numbers) {
            line = run + std::to_string(state.step) + "," + std::to_string(state.config);
            for (const int value : variables) line += "," + std::to_string(value);
            for (const double value : numbers)
                line += "," + (std::isnan(value) ? std::string() : formatDouble(value));
            out.write(line + "\n");
        });
}

std::string jsonText(double value) {
    if (std::isfinite(value)) return formatDouble(value);
    return std::isnan(value) ? "null" : "\"" + formatDouble(value) + "\"";
}

/// @param run  "r00003"; empty for one run alone
bool writeJson(const Solution& solution, const std::vector<ExportBlock>& blocks, Walk& walk,
               const std::string& run, FileWriter& out) {
    const nlohmann::json names(columnNames(solution.world(), blocks));
    const nlohmann::json world(solution.world().name());
    const auto handler = nlohmann::json::error_handler_t::replace;
    out.write("{" + (run.empty() ? std::string() : "\"run\": \"" + run + "\", ") +
              "\"world\": " + world.dump(-1, ' ', false, handler) +
              ",\n \"columns\": " + names.dump(-1, ' ', false, handler) + ",\n \"rows\": [");
    const char* separator = "\n";
    const bool isWhole = eachRow(
        solution, blocks, walk,
        [&](State state, const std::vector<int>& variables, const std::vector<double>& numbers) {
            std::string line =
                separator + ("[" + std::to_string(state.step)) + "," + std::to_string(state.config);
            for (const int value : variables) line += "," + std::to_string(value);
            for (const double value : numbers) line += "," + jsonText(value);
            out.write(line + "]");
            separator = ",\n";
        });
    out.write("\n]}");
    return isWhole;
}

/// One pass over the states for the step, configuration and variables, and one for each block.
int npzPasses(const World& world, const std::vector<ExportBlock>& blocks) {
    return static_cast<int>(2 + world.variables().size() + blocks.size());
}

/// @param run  "r00003/", what the arrays' names begin with; empty for one run alone
bool writeArrays(const Solution& solution, const std::vector<ExportBlock>& blocks, Walk& walk,
                 const std::string& run, NpzWriter& npz) {
    const World& world = solution.world();
    const auto integers = [&](const std::string& name,
                              const std::function<std::int64_t(State)>& of) {
        return npz.array(run + name, NpzWriter::Type::Int64, {walk.states()},
                         [&](NpzWriter::Array& array) {
                             return walk.each([&](State state) {
                                 const std::int64_t value = of(state);
                                 array.add(std::span(&value, 1));
                             });
                         });
    };
    bool isWhole = integers("step", [](State state) { return std::int64_t{state.step}; }) &&
                   integers("config", [](State state) { return std::int64_t{state.config}; });
    std::vector<int> variables(world.variables().size());
    for (std::size_t v = 0; isWhole && v < variables.size(); ++v)
        isWhole = integers("state." + world.variables()[v].name, [&](State state) {
            world.valuate(solution.graph().configuration(state.config), variables);
            return std::int64_t{variables[v]};
        });
    for (const ExportBlock& block : blocks) {
        if (!isWhole) break;
        std::vector<std::int64_t> shape{walk.states()};
        if (block.columns.size() != 1 || block.columns[0] != block.name)
            shape.push_back(std::ssize(block.columns));
        isWhole = npz.array(run + block.name, NpzWriter::Type::Double, shape,
                            [&](NpzWriter::Array& array) {
                                std::vector<double> row;
                                return walk.each([&](State state) {
                                    row.clear();
                                    block.append(solution.values(state), row);
                                    array.add(row);
                                });
                            });
    }
    return isWhole;
}

/// Writes the runs of a file one after the other.
class RunsWriter {
public:
    RunsWriter(ExportFormat format, FileWriter& out) : m_format(format), m_out(out), m_npz(out) {}

    bool add(const std::string& run, const Solution& solution, ExportContent content,
             const std::stop_token& stop, const ProgressSink& progress) {
        const std::vector<ExportBlock> blocks = blocksOf(solution, content);
        Walk walk(solution.graph(),
                  m_format == ExportFormat::Npz ? npzPasses(solution.world(), blocks) : 1, stop,
                  progress);
        if (m_format == ExportFormat::Npz)
            return writeArrays(solution, blocks, walk, run + "/", m_npz);
        if (m_format == ExportFormat::Json) {
            m_out.write(std::exchange(m_isFirst, false) ? "[\n" : ",\n");
            return writeJson(solution, blocks, walk, run, m_out);
        }
        std::vector<std::string> names = columnNames(solution.world(), blocks);
        names.insert(names.begin(), "run");
        if (std::exchange(m_isFirst, false)) {
            m_out.write(csvHeader(names));
            m_names = std::move(names);
        } else if (names != m_names) {
            throw Error("The runs have different columns, as " + run +
                            " solved another world or kept other values. Export them as JSON or "
                            "npz, or each to a CSV of its own.",
                        Error::Kind::BadInput);
        }
        return writeCsvRows(solution, blocks, walk, run + ",", m_out);
    }
    void finish() {
        if (m_format == ExportFormat::Npz) m_npz.finish();
        if (m_format == ExportFormat::Json) m_out.write(m_isFirst ? "[]\n" : "\n]\n");
    }

private:
    const ExportFormat m_format;
    FileWriter& m_out;
    NpzWriter m_npz;
    bool m_isFirst = true;
    std::vector<std::string> m_names;  ///< columns of a CSV
};

/// The curves of a run, written as rows or arrays.
class MetricsWriter {
public:
    MetricsWriter(ExportFormat format, bool hasRuns, FileWriter& out)
        : m_format(format), m_hasRuns(hasRuns), m_out(out), m_npz(out) {
        if (format == ExportFormat::Csv)
            out.write(std::string(hasRuns ? "run," : "") + "key,seq,step,value\n");
        if (format == ExportFormat::Json) out.write("[");
    }

    void add(const std::string& run, const std::string& key, const std::vector<MetricRow>& rows) {
        if (m_format == ExportFormat::Npz) return addArrays(run, key, rows);
        const nlohmann::json name(key);
        for (const MetricRow& row : rows) {
            if (m_format == ExportFormat::Csv) {
                m_out.write((m_hasRuns ? run + "," : "") + csvCell(key) + "," +
                            std::to_string(row.seq) + "," + std::to_string(row.step) + "," +
                            formatDouble(row.value) + "\n");
                continue;
            }
            m_out.write(m_separator + (m_hasRuns ? "{\"run\": \"" + run + "\", " : "{") +
                        "\"key\": " + name.dump() + ", \"seq\": " + std::to_string(row.seq) +
                        ", \"step\": " + std::to_string(row.step) +
                        ", \"value\": " + jsonText(row.value) + "}");
            m_separator = ",\n";
        }
    }
    void finish() {
        if (m_format == ExportFormat::Npz) m_npz.finish();
        if (m_format == ExportFormat::Json) m_out.write("\n]\n");
    }

private:
    void addArrays(const std::string& run, const std::string& key,
                   const std::vector<MetricRow>& rows) {
        std::vector<std::int64_t> seqs, steps;
        std::vector<double> values;
        for (const MetricRow& row : rows) {
            seqs.push_back(row.seq);
            steps.push_back(row.step);
            values.push_back(row.value);
        }
        const std::string name = (m_hasRuns ? run + "/" : "") + key;
        m_npz.array(name + ".seq", seqs);
        m_npz.array(name + ".step", steps);
        m_npz.array(name + ".value", values);
    }

    const ExportFormat m_format;
    const bool m_hasRuns;
    FileWriter& m_out;
    NpzWriter m_npz;
    std::string m_separator = "\n";
};

}  // namespace

const std::map<std::string, ExportFormat>& exportFormats() {
    static const std::map<std::string, ExportFormat> kFormats{
        {"csv", ExportFormat::Csv}, {"json", ExportFormat::Json}, {"npz", ExportFormat::Npz}};
    return kFormats;
}

bool exportSolution(const Solution& solution, ExportContent content, ExportFormat format,
                    const std::filesystem::path& file, std::stop_token stop,
                    const ProgressSink& progress) {
    const std::vector<ExportBlock> blocks = blocksOf(solution, content);
    const int passes = format == ExportFormat::Npz ? npzPasses(solution.world(), blocks) : 1;
    Walk walk(solution.graph(), passes, stop, progress);
    return writeOutput(
        file,
        [&](FileWriter& out) {
            if (format == ExportFormat::Csv) {
                out.write(csvHeader(columnNames(solution.world(), blocks)));
                return writeCsvRows(solution, blocks, walk, {}, out);
            }
            if (format == ExportFormat::Json) {
                const bool isWhole = writeJson(solution, blocks, walk, {}, out);
                out.write("\n");
                return isWhole;
            }
            NpzWriter npz(out);
            if (!writeArrays(solution, blocks, walk, {}, npz)) return false;
            npz.finish();
            return true;
        },
        stop);
}

bool exportSolutions(const std::vector<std::string>& runIds, const SolutionOfRun& solutionOf,
                     ExportContent content, ExportFormat format, const std::filesystem::path& file,
                     const std::stop_token& stop, const ProgressSink& progress) {
    return writeOutput(
        file,
        [&](FileWriter& out) {
            RunsWriter writer(format, out);
            for (std::size_t k = 0; k < runIds.size(); ++k) {
                const auto solution = solutionOf(runIds[k]);
                const auto tell = [&](Progress now) {
                    now.phase = "write run " + std::to_string(k + 1) + " of " +
                                std::to_string(runIds.size());
                    progress(now);
                };
                if (!solution || !writer.add(runIds[k], *solution, content, stop,
                                             progress ? ProgressSink(tell) : ProgressSink()))
                    return false;
            }
            writer.finish();
            return true;
        },
        stop);
}

bool exportMetrics(const HistoryReader& reader, const std::vector<std::string>& runIds,
                   ExportFormat format, const std::filesystem::path& file,
                   const std::stop_token& stop) {
    return writeOutput(
        file,
        [&](FileWriter& out) {
            MetricsWriter writer(format, runIds.size() > 1, out);
            for (const std::string& run : runIds)
                for (const std::string& key : reader.metricKeys(run)) {
                    if (stop.stop_requested()) return false;
                    writer.add(run, key, reader.metrics(run, key));
                }
            writer.finish();
            return true;
        },
        stop);
}

}  // namespace orrery
