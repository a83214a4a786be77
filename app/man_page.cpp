#include "app/man_page.h"

#include <sstream>

namespace orrery {
namespace {

/// A text as troff shows it unchanged: no escape, no request at the start of a line.
std::string troff(const std::string& text) {
    std::string out;
    bool lineStart = true;
    for (const char c : text) {
        if (lineStart && (c == '.' || c == '\'')) out += "\\&";
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
        lineStart = c == '\n';
    }
    return out;
}

/// What `--help` says of an option's value: "FLOAT", "{csv,json}".
std::string valueText(const CLI::Option& option) {
    if (option.get_type_size() == 0) return "";
    return option.get_type_name();
}

std::string defaultText(const CLI::Option& option) {
    const std::string value = option.get_default_str();
    return value.empty() ? "" : " Default: " + value + ".";
}

void writeOptions(std::ostream& out, const CLI::App& verb) {
    for (const CLI::Option* option : verb.get_options()) {
        const std::string name =
            option->get_positional() ? option->get_name(true) : option->get_name(false, true);
        out << ".TP\n.B " << troff(name);
        const std::string value = option->get_positional() ? "" : valueText(*option);
        if (!value.empty()) out << " " << troff(value);
        std::string meaning = option->get_description();
        if (!meaning.empty() && meaning.back() != '.') meaning += ".";
        out << "\n" << troff(meaning + defaultText(*option)) << "\n";
    }
}

/// Description and examples as `--help` prints them below the options.
void writeFooter(std::ostream& out, const CLI::App& verb) {
    const std::string footer = verb.get_footer();
    if (footer.empty()) return;
    std::istringstream lines(footer);
    std::string line;
    bool verbatim = false;
    out << ".PP\n";
    while (std::getline(lines, line)) {
        const bool indented = line.starts_with("  ");
        if (indented != verbatim) out << (indented ? ".nf\n" : ".fi\n");
        verbatim = indented;
        out << (line.empty() ? ".PP" : troff(line)) << "\n";
    }
    if (verbatim) out << ".fi\n";
}

std::vector<const CLI::App*> verbsOf(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

void writeVerb(std::ostream& out, const CLI::App& verb, const std::string& path) {
    const std::string name = path.empty() ? verb.get_name() : path + " " + verb.get_name();
    out << ".SS orrery " << troff(name) << "\n" << troff(verb.get_description()) << ".\n";
    const bool isGroup = !verbsOf(verb).empty();
    if (!isGroup) writeOptions(out, verb);
    writeFooter(out, verb);
    for (const CLI::App* inner : verbsOf(verb)) writeVerb(out, *inner, name);
}

}  // namespace

std::string manPage(const CLI::App& root, const std::string& version) {
    std::ostringstream out;
    out << ".TH ORRERY 1 \"\" \"orrery " << troff(version) << "\" \"User Commands\"\n"
        << ".SH NAME\norrery \\- " << troff(root.get_description()) << "\n"
        << ".SH SYNOPSIS\n.B orrery\n[\\fIWORLD\\fR]\n.br\n.B orrery\n\\fIVERB\\fR "
           "[\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...\n"
        << ".SH DESCRIPTION\n"
        << "Without a verb the window opens, on the world file or at the address (orrery:...) if "
           "one is named.\n"
        << ".SH VERBS\n";
    for (const CLI::App* verb : verbsOf(root)) writeVerb(out, *verb, "");
    writeFooter(out, root);
    return out.str();
}

}  // namespace orrery
