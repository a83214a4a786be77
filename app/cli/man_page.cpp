#include "app/cli/man_page.h"

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

void writeManOptions(std::ostream& out, const Verb& verb) {
    for (const VerbOption& option : verb.options) {
        out << ".TP\n.B " << troff(option.names);
        const std::string value = option.isPositional() ? "" : valueText(option);
        if (!value.empty()) out << " " << troff(value);
        std::string meaning = option.meaning;
        if (!meaning.empty() && meaning.back() != '.') meaning += ".";
        if (!option.byDefault.empty()) meaning += " Default: " + option.byDefault + ".";
        out << "\n" << troff(meaning) << "\n";
    }
}

/// Description and examples as `--help` prints them below the options.
void writeManFooter(std::ostream& out, const Verb& verb) {
    if (verb.footer.empty()) return;
    std::istringstream lines(verb.footer);
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

void writeManVerb(std::ostream& out, const Verb& verb, const std::string& path) {
    const std::string name = path.empty() ? verb.name : path + " " + verb.name;
    out << ".SS orrery " << troff(name) << "\n" << troff(verb.summary) << ".\n";
    if (verb.verbs.empty()) writeManOptions(out, verb);
    writeManFooter(out, verb);
    for (const Verb& inner : verb.verbs) writeManVerb(out, inner, name);
}

}  // namespace

std::string manPage(const Verb& program, const std::string& version) {
    std::ostringstream out;
    out << ".TH ORRERY 1 \"\" \"orrery " << troff(version) << "\" \"User Commands\"\n"
        << ".SH NAME\norrery \\- " << troff(program.summary) << "\n"
        << ".SH SYNOPSIS\n.B orrery\n[\\fIWORLD\\fR]\n.br\n.B orrery\n\\fIVERB\\fR "
           "[\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...\n"
        << ".SH DESCRIPTION\n"
        << "Without a verb the window opens, on the world file or at the address (orrery:...) if "
           "one is named.\n"
        << ".SH VERBS\n";
    for (const Verb& verb : program.verbs) writeManVerb(out, verb, "");
    writeManFooter(out, program);
    return out.str();
}

}  // namespace orrery
