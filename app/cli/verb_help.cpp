#include <algorithm>
#include <string>
#include <vector>

#include "app/cli/command_line.h"
#include "app/cli/completion.h"
#include "app/cli/man_page.h"
#include "app/cli/verb.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/run/code_version.h"
#include "widgets/common/command_table.h"

namespace orrery {
namespace {

struct HelpOptions {
    std::vector<std::string> path;
    bool man = false;
    std::string completion;  ///< name of a shell
};

/// The commands of the window with their keys, menu by menu.
int runWindowHelp(VerbContext& context) {
    std::string menu;
    for (const CommandSpec& spec : commandTable()) {
        if (menu != spec.menu) {
            context.console.line((menu.empty() ? "" : "\n") + std::string(spec.menu));
            menu = spec.menu;
        }
        std::string name = spec.text, keys = spec.keys;
        std::erase(name, '&');
        std::ranges::replace(keys, '|', ' ');
        constexpr std::size_t kName = 28, kKeys = 34;
        name.resize(std::max(kName, name.size() + 1), ' ');
        keys.resize(std::max(kKeys, keys.size() + 1), ' ');
        context.console.line(std::string("  ").append(name).append(keys).append(spec.tip));
    }
    return 0;
}

int runHelp(const Verb& program, const HelpOptions& options, VerbContext& context) {
    if (options.man) {
        std::string page = manPage(program, codeVersion());
        page.pop_back();  // the console ends the line
        context.console.line(page);
        return 0;
    }
    if (!options.completion.empty()) {
        const Shell shell = options.completion == "bash"  ? Shell::Bash
                            : options.completion == "zsh" ? Shell::Zsh
                                                          : Shell::Fish;
        std::string script = completionScript(program, shell);
        script.pop_back();  // the console ends the line
        context.console.line(script);
        return 0;
    }
    if (options.path == std::vector<std::string>{"window"}) return runWindowHelp(context);
    const Verb* verb = &program;
    for (const std::string& word : options.path)
        if (verb = verb->find(word); verb == nullptr)
            throw Error("There is no verb '" + escaped(word, 60) + "'. `orrery help` lists all.",
                        Error::Kind::BadInput);
    context.console.line(helpText(program, options.path));
    return 0;
}

}  // namespace

void addHelpVerb(Verb& program) {
    auto options = std::make_shared<HelpOptions>();
    Verb& verb = program.add(
        {.name = "help",
         .summary = "Show the help of a verb, or the manual page",
         .description = "",
         .examples = {{"orrery help world show", "what `orrery world show` does and its options"},
                      {"orrery help window", "the commands of the window and their keys"},
                      {"orrery help --man | man -l -", "read the manual page"},
                      {". <(orrery help --completion bash)",
                       "complete verbs and options with Tab, in this shell"}}},
        [&program, options](VerbContext& context) { return runHelp(program, *options, context); });
    verb.option("VERB", &options->path, "The verb, with its sub-verb if it has one; or `window`");
    verb.option("--man", &options->man, "Print the manual page in troff");
    verb.option("--completion", &options->completion,
                "Print a script that completes verbs and options in this shell",
                {.choices = {"bash", "zsh", "fish"}});
}

}  // namespace orrery
