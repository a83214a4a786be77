#include "app/verbs_html.h"

#include <CLI/CLI.hpp>
#include <sstream>

#include "app/gui_options.h"

namespace orrery {
namespace {

std::string escapedHtml(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '&')
            out += "&amp;";
        else
            out += c;
    }
    return out;
}

void writeOptions(std::ostream& out, const CLI::App& verb) {
    out << "<table class=\"list\">\n";
    for (const CLI::Option* option : verb.get_options()) {
        const bool isPositional = option->get_positional();
        std::string name = isPositional ? option->get_name(true) : option->get_name(false, true);
        if (!isPositional && option->get_type_size() != 0) name += " " + option->get_type_name();
        std::string meaning = option->get_description();
        if (const std::string value = option->get_default_str(); !value.empty())
            meaning += (meaning.ends_with('.') ? " Default: " : ". Default: ") + value + ".";
        out << "<tr><td><code>" << escapedHtml(name) << "</code></td><td>" << escapedHtml(meaning)
            << "</td></tr>\n";
    }
    out << "</table>\n";
}

/// Further paragraphs and examples as `--help` prints them.
void writeFooter(std::ostream& out, const CLI::App& verb) {
    const std::string footer = verb.get_footer();
    if (!footer.empty()) out << "<pre>" << escapedHtml(footer) << "</pre>\n";
}

void writeVerb(std::ostream& out, const CLI::App& verb, const std::string& path) {
    const std::string name = path.empty() ? verb.get_name() : path + " " + verb.get_name();
    std::string anchor = name;
    for (char& c : anchor)
        if (c == ' ') c = '_';
    const auto inner = verb.get_subcommands([](const CLI::App*) { return true; });
    out << "<h3><a name=\"" << anchor << "\"></a>orrery " << escapedHtml(name) << "</h3>\n<p>"
        << escapedHtml(verb.get_description()) << ".</p>\n";
    if (inner.empty()) writeOptions(out, verb);
    writeFooter(out, verb);
    for (const CLI::App* each : inner) writeVerb(out, *each, name);
}

}  // namespace

std::string verbsHtml(const CLI::App& root) {
    std::ostringstream out;
    for (const CLI::App* verb : root.get_subcommands([](const CLI::App*) { return true; }))
        writeVerb(out, *verb, "");
    out << "<h2><a name=\"window\"></a>Options of the window</h2>\n<table class=\"list\">\n";
    for (const GuiOption& option : guiOptions())
        out << "<tr><td><code>--" << option.name << (*option.value != '\0' ? " " : "")
            << option.value << "</code></td><td>" << escapedHtml(option.meaning) << "</td></tr>\n";
    out << "</table>\n";
    return out.str();
}

}  // namespace orrery
