#include "app/window/export_desk.h"
#include "app/window/export_formats.h"
#include "core/dag/export.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"

// The state graph for other tools.

namespace orrery {

void ExportDesk::addGraph() {
    const auto solution = m_parts.session->solution();
    if (!solution) return;
    const StateGraph& graph = solution->graph();
    std::int64_t states = 0;
    for (int step = 0; step < graph.numLevels(); ++step) states += graph.levelSize(step);
    std::vector<ExportFormatSpec> formats{
        {.id = QStringLiteral("prism"),
         .title = tr("PRISM explicit files (.tra, .sta, .lab)"),
         .ending = QStringLiteral("tra"),
         .besides = {QStringLiteral("sta"), QStringLiteral("lab")}},
        formatSpec("csv", tr("CSV table of states"))};
    if (states <= kMaxDotStates) formats.push_back(formatSpec("dot", tr("DOT for Graphviz")));
    m_offers.push_back(
        {{.id = QStringLiteral("graph"),
          .title = tr("State graph"),
          .stem = m_parts.session->loaded().title + QStringLiteral(" graph"),
          .formats = std::move(formats),
          .remark = tr("%1 states with the values of their variables").arg(countText(states))},
         [graph = solution->graphPointer()](const ExportRequest& request) -> ExportWork {
             return [graph, request](const std::stop_token& stop, const ProgressSink& progress) {
                 std::filesystem::path file = request.target.toStdString();
                 if (request.format == QLatin1String("dot"))
                     return exportDot(*graph, file, stop, progress);
                 if (request.format == QLatin1String("csv"))
                     return exportStatesCsv(*graph, file, stop, progress);
                 if (file.extension() == ".tra") file.replace_extension();
                 return exportPrism(*graph, file, stop, progress);
             };
         }});
}

}  // namespace orrery
