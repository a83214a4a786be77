#include "app/cli/verbs_html.h"

#include <sstream>

#include "app/cli/gui_options.h"

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

void writeHtmlOptions(std::ostream& out, const Verb& verb) {
    out << "<table class=\"list\">\n";
    for (const VerbOption& option : verb.options) {
        std::string name = option.names;
        if (const std::string value = valueText(option); !option.isPositional() && !value.empty())
            name += " " + value;
        std::string meaning = option.meaning;
        if (!option.byDefault.empty())
            meaning +=
                (meaning.ends_with('.') ? " Default: " : ". Default: ") + option.byDefault + ".";
        out << "<tr><td><code>" << escapedHtml(name) << "</code></td><td>" << escapedHtml(meaning)
            << "</td></tr>\n";
    }
    out << "</table>\n";
}

void writeHtmlVerb(std::ostream& out, const Verb& verb, const std::string& path) {
    const std::string name = path.empty() ? verb.name : path + " " + verb.name;
    std::string anchor = name;
    for (char& c : anchor)
        if (c == ' ') c = '_';
    out << "<h3><a name=\"" << anchor << "\"></a>orrery " << escapedHtml(name) << "</h3>\n<p>"
        << escapedHtml(verb.summary) << ".</p>\n";
    if (verb.verbs.empty()) writeHtmlOptions(out, verb);
    if (!verb.footer.empty()) out << "<pre>" << escapedHtml(verb.footer) << "</pre>\n";
    for (const Verb& inner : verb.verbs) writeHtmlVerb(out, inner, name);
}

}  // namespace

std::string verbsHtml(const Verb& program) {
    std::ostringstream out;
    for (const Verb& verb : program.verbs) writeHtmlVerb(out, verb, "");
    out << "<h2><a name=\"window\"></a>Options of the window</h2>\n<table class=\"list\">\n";
    for (const GuiOption& option : guiOptions())
        out << "<tr><td><code>--" << option.name << (*option.value != '\0' ? " " : "")
            << option.value << "</code></td><td>" << escapedHtml(option.meaning) << "</td></tr>\n";
    out << "</table>\n";
    return out.str();
}

}  // namespace orrery
