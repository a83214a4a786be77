#include <memory>

#include "app/cli/verb.h"
#include "app/cli/workspace_option.h"
#include "app/pictures/figure_picture.h"
#include "core/base/text.h"

namespace orrery {
namespace {

struct FigureOptions {
    std::string file, out, workspace;
    std::vector<std::string> changes;
    bool json = false;
};

int runFigure(const FigureOptions& options, VerbContext& context) {
    const FigureOrder order{.file = options.file,
                            .picture = options.out,
                            .workspace = options.workspace,
                            .changes = options.changes};
    requireFree({pictureOf(order)}, context.mayReplace);
    const std::filesystem::path picture = drawFigure(order, context.stop);
    if (picture.empty()) return kStopped;
    context.console.wrote({picture.string()}, options.json);
    return 0;
}

}  // namespace

void addFigureVerb(Verb& program) {
    auto options = std::make_shared<FigureOptions>();
    Verb& verb = program.add(
        {.name = "figure",
         .summary = "Draw a saved figure again, as PNG, SVG or PDF",
         .description =
             "The window saves a figure with File > Export figure. The file names the world or "
             "run, the state and the view; what is drawn is what the window drew. --set changes a "
             "field of the page: width and height (mm), dpi, font (pt), theme (light, dark), "
             "palette (viridis, cividis), legend, footer and caption (true, false), title; preset "
             "(column, two_columns, ieee_column, ieee_two_columns) sets width and font; or world "
             "and run.",
         .examples = {{"orrery figure maze.orrery-figure.json --force",
                       "the picture beside the file once more"},
                      {"orrery figure maze.orrery-figure.json --out maze.pdf --set preset=column",
                       "for one column of a paper"}}},
        [options](VerbContext& context) { return runFigure(*options, context); });
    verb.option("FILE", &options->file, "Figure file, NAME.orrery-figure.json",
                {.isRequired = true});
    verb.option("-o,--out", &options->out,
                "Picture to write, .png, .svg or .pdf; without it, the one the file names",
                {.writes = Writes::Target});
    verb.option("--set", &options->changes, "NAME=VALUE, a field of the figure to change",
                {.isOnePerUse = true, .isMarkedAsList = false});
    addWorkspaceOption(verb, options->workspace);
    addJsonOption(verb, options->json);
}

}  // namespace orrery
