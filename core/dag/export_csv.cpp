#include "core/base/text.h"
#include "core/dag/export.h"
#include "core/dag/export_stream.h"

namespace orrery {

bool exportStatesCsv(const StateGraph& graph, const std::filesystem::path& file,
                     const std::stop_token& stop, const ProgressSink& progress) {
    const World& world = graph.world();
    ExportProgress report(progress, StateNumbers(graph).total());
    const bool written = writeExport(file, stop, [&](ExportStream& out) {
        out << "step,index";
        for (const Variable& variable : world.variables()) out << ',' << csvCell(variable.name);
        out << '\n';
        std::vector<int> values(world.variables().size());
        for (int step = 0; step < graph.numLevels(); ++step) {
            for (ConfigIndex c = graph.levelBegin(step);
                 c < graph.levelEnd(step) && !out.isStopped(); ++c) {
                if (!graph.inLevel(step, c)) continue;
                world.valuate(graph.configuration(c), values);
                out << step << ',' << std::int64_t{c};
                for (const int value : values) out << ',' << value;
                out << '\n';
                report.advance(step);
            }
        }
    });
    if (written) report.finish();
    return written;
}

}  // namespace orrery
