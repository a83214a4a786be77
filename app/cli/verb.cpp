#include "app/cli/verb.h"

#include <algorithm>
#include <system_error>

#include "core/base/error.h"
#include "core/base/output_file.h"
#include "core/base/text.h"

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

void Verb::option(std::string names, OptionPlace place, std::string meaning, OptionRules rules) {
    options.push_back(makeOption(std::move(names), place, std::move(meaning), std::move(rules)));
}

Verb& Verb::add(const VerbText& text, VerbRun doIt) {
    verbs.push_back({.name = text.name,
                     .summary = text.summary,
                     .footer = footerOf(text),
                     .run = std::move(doIt)});
    return verbs.back();
}

Verb& Verb::addGroup(const VerbText& text) {
    return add(text, nullptr);
}

const Verb* Verb::find(const std::string& word) const {
    const auto found = std::ranges::find(verbs, word, &Verb::name);
    return found == verbs.end() ? nullptr : &*found;
}

void requireFree(const std::vector<std::filesystem::path>& targets, bool mayReplace) {
    if (mayReplace) return;
    for (const std::filesystem::path& target : targets) {
        if (!holdsSomething(target)) continue;
        std::error_code error;
        const bool isFolder = std::filesystem::is_directory(target, error);
        throw badInput("'" + escaped(target.native()) + "' " +
                       (isFolder ? "holds something already" : "is there already") +
                       ". Name another " + (isFolder ? "folder" : "file") +
                       ", or add --force to replace it.");
    }
}

void addForceOptions(Verb& program) {
    for (Verb& verb : program.verbs) addForceOptions(verb);
    if (std::ranges::any_of(program.options, [](const VerbOption& option) {
            return option.rules.writes != Writes::Nothing;
        }))
        program.option("--force", &program.mayReplace, "Replace what is there already");
}

std::vector<std::filesystem::path> targetsOf(const Verb& verb) {
    std::vector<std::filesystem::path> targets;
    for (const VerbOption& option : verb.options)
        if (option.rules.writes == Writes::Target)
            if (const std::string& name = *std::get<std::string*>(option.place); !name.empty())
                targets.emplace_back(name);
    return targets;
}

void addJsonOption(Verb& verb, bool& json, OptionRules rules) {
    verb.option("--json", &json, "Print the result as JSON", std::move(rules));
}

}  // namespace orrery
