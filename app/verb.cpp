#include "app/verb.h"

namespace orrery {
namespace {

std::string footerOf(const VerbText& text) {
    std::string footer = text.description.empty() ? "" : text.description + "\n";
    if (text.examples.empty()) return footer;
    footer += footer.empty() ? "Examples:\n" : "\nExamples:\n";
    for (const VerbText::Example& example : text.examples)
        footer += "  " + example.command + "\n      " + example.meaning + "\n";
    footer.pop_back();
    return footer;
}

}  // namespace

CLI::App* VerbTable::add(const VerbText& text, VerbRun run, CLI::App* parent) {
    CLI::App* verb =
        (parent == nullptr ? &m_root : parent)->add_subcommand(text.name, text.summary);
    verb->footer(footerOf(text));
    verb->final_callback([this, run = std::move(run)] { m_chosen = run; });
    return verb;
}

CLI::App* VerbTable::addGroup(const VerbText& text) {
    CLI::App* verb = m_root.add_subcommand(text.name, text.summary);
    verb->footer(footerOf(text));
    verb->require_subcommand(1);
    return verb;
}

void addJsonOption(CLI::App& verb, bool& json) {
    verb.add_flag("--json", json, "Print the result as JSON");
}

}  // namespace orrery
