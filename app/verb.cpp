#include "app/verb.h"

#include <algorithm>

namespace orrery {
namespace {

constexpr std::size_t kHelpWidth = 79;

std::string footerOf(const VerbText& text) {
    std::string footer = text.description.empty() ? "" : wrapped(text.description) + "\n";
    if (text.examples.empty()) return footer;
    footer += footer.empty() ? "Examples:\n" : "\nExamples:\n";
    for (const VerbText::Example& example : text.examples)
        footer += "  " + example.command + "\n      " + example.meaning + "\n";
    footer.pop_back();
    return footer;
}

}  // namespace

std::string wrapped(const std::string& text) {
    std::string out;
    std::size_t column = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
        const std::size_t length = end - begin;
        if (column > 0 && column + 1 + length > kHelpWidth) {
            out += '\n';
            column = 0;
        } else if (column > 0) {
            out += ' ';
            ++column;
        }
        out += text.substr(begin, length);
        column += length;
        if (end < text.size() && text[end] == '\n') {
            out += '\n';
            column = 0;
        }
        begin = end + 1;
    }
    return out;
}

CLI::App* VerbTable::add(const VerbText& text, VerbRun run, CLI::App* parent) {
    CLI::App* verb =
        (parent == nullptr ? &m_root : parent)->add_subcommand(text.name, text.summary);
    verb->footer(footerOf(text));
    verb->group("Verbs");
    verb->final_callback([this, run = std::move(run)] { m_chosen = run; });
    return verb;
}

CLI::App* VerbTable::addGroup(const VerbText& text) {
    CLI::App* verb = m_root.add_subcommand(text.name, text.summary);
    verb->footer(footerOf(text));
    verb->group("Verbs");
    verb->require_subcommand(1);
    return verb;
}

CLI::Option* addJsonOption(CLI::App& verb, bool& json) {
    return verb.add_flag("--json", json, "Print the result as JSON");
}

}  // namespace orrery
