#include <map>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/dag/export.h"
#include "core/dag/export_stream.h"

namespace orrery {

namespace {

constexpr std::size_t kNamedActions = 3;

/// `text` between quotes as DOT reads it; "\n" stays a line break.
std::string dotText(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '\n') {
            result += "\\n";
            continue;
        }
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + "\"";
}

/// Joint actions that may lead from one state to another.
struct Arrow {
    std::size_t numActions = 0;
    std::string label;  ///< the first ones, a line each
};

void addAction(Arrow& arrow, const std::string& name, double probability) {
    if (arrow.numActions++ >= kNamedActions) return;
    if (!arrow.label.empty()) arrow.label += '\n';
    arrow.label += name;
    if (probability != 1.0) arrow.label += " (" + formatDouble(probability) + ")";
}

void writeArrows(ExportStream& out, const StateGraph& graph, std::int64_t number,
                 ConfigIndex config, const StateNumbers& next) {
    std::map<std::int64_t, Arrow> arrows;  // by successor
    forEachOutcome(
        graph, config, [&](ActionProfileIndex profile, double probability, ConfigIndex successor) {
            addAction(arrows[next.of(successor)], graph.world().profileText(profile), probability);
        });
    for (auto& [successor, arrow] : arrows) {
        if (arrow.numActions > kNamedActions)
            arrow.label += "\n+ " + std::to_string(arrow.numActions - kNamedActions) + " more";
        out << "  s" << number << " -> s" << successor << " [label=" << dotText(arrow.label)
            << "];\n";
    }
}

void writeLevel(ExportStream& out, const StateGraph& graph, int step, std::int64_t number) {
    out << "  { rank=same;\n";
    for (ConfigIndex c = graph.levelBegin(step); c < graph.levelEnd(step); ++c) {
        if (!graph.inLevel(step, c)) continue;
        const std::string text =
            "step " + std::to_string(step) + "\n" + describe(graph.world(), graph.configuration(c));
        out << "    s" << number++ << " [label=" << dotText(text) << "];\n";
    }
    out << "  }\n";
}

}  // namespace

bool exportDot(const StateGraph& graph, const std::filesystem::path& file,
               const std::stop_token& stop, const ProgressSink& progress) {
    StateNumbers numbers(graph);
    if (numbers.total() > kMaxDotStates)
        throw Error("The graph has " + std::to_string(numbers.total()) +
                        " states, and nobody can read a DOT drawing of more than " +
                        std::to_string(kMaxDotStates) +
                        ". Lower max_steps, or export it for PRISM or as CSV.",
                    Error::Kind::BadInput);
    ExportProgress report(progress, numbers.total());
    const bool written = writeExport(file, stop, [&](ExportStream& out) {
        out << "digraph " << dotText(graph.world().name())
            << " {\n  rankdir=LR;\n  node [shape=box];\n";
        for (int step = 0; step < graph.numLevels(); ++step)
            writeLevel(out, graph, step, numbers.first(step));
        for (int step = 0; step < graph.numLevels() && !out.isStopped(); ++step) {
            const bool terminal = step + 1 == graph.numLevels();
            if (!terminal) numbers.select(step + 1);
            std::int64_t number = numbers.first(step);
            for (ConfigIndex c = graph.levelBegin(step); c < graph.levelEnd(step); ++c) {
                if (!graph.inLevel(step, c)) continue;
                if (!terminal) writeArrows(out, graph, number, c, numbers);
                ++number;
                report.advance(step);
            }
        }
        out << "}\n";
    });
    if (written) report.finish();
    return written;
}

}  // namespace orrery
