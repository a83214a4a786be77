#include "app/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/base/text.h"

namespace orrery {
namespace {

constexpr std::size_t kColumn = 34;

template <typename Value>
constexpr bool kIsNumber = std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>;

/// The help's text of an option's value is ours, so that the man page says the same.
void check(CLI::Option& option, CLI::Validator rule) {
    option.check(std::move(rule.description("")));
}

template <typename Value>
CLI::Range rangeOf(const NumberRange& range) {
    if (*range.name != '\0') return {range.least, range.most, range.name};
    return {static_cast<Value>(range.least), static_cast<Value>(range.most)};
}

template <typename Value>
CLI::Option* addOption(CLI::App& app, const VerbOption& option, Value& place) {
    CLI::Option* added = app.add_option(option.names, place, option.meaning);
    added->type_name(valueText(option));
    if constexpr (kIsNumber<Value>)
        if (option.rules.range) check(*added, rangeOf<Value>(*option.rules.range));
    if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
        if (!option.rules.isMarkedAsList)
            added->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
        else if (option.rules.isOnePerUse)
            added->allow_extra_args(false);
    }
    if (!option.rules.choices.empty()) check(*added, CLI::IsMember(option.rules.choices));
    if (!option.byDefault.empty()) added->default_str(option.byDefault);
    return added;
}

/// --help, which the library adds to every verb itself, and --version.
CLI::Option* addRequest(CLI::App& app, const VerbOption& option) {
    if (option.names == helpOption().names) return app.set_help_flag(option.names, option.meaning);
    return app.set_version_flag(option.names, std::string(), option.meaning);
}

CLI::Option* addAny(CLI::App& app, const VerbOption& option) {
    return std::visit(
        [&](const auto& place) -> CLI::Option* {
            using Place = std::decay_t<decltype(place)>;
            if constexpr (std::is_same_v<Place, std::monostate>)
                return addRequest(app, option);
            else if constexpr (std::is_same_v<Place, bool*>)
                return app.add_flag(option.names, *place, option.meaning);
            else
                return addOption(app, option, *place);
        },
        option.place);
}

/// A table of verbs as the library reads it.
class Reader {
public:
    explicit Reader(const Verb& program) : m_root(program.summary, program.name) {
        m_root.require_subcommand(1);
        m_root.get_formatter()->column_width(kColumn);
        m_root.get_formatter()->label("SUBCOMMAND", "VERB");
        fill(m_root, program);
    }

    CLI::App& root() { return m_root; }
    const Verb* chosen() const { return m_chosen; }
    /// Says in their places which options were used.
    void tellGiven() const {
        for (const auto& [option, isGiven] : m_given) *isGiven |= option->count() > 0;
    }

private:
    void fill(CLI::App& app, const Verb& verb) {
        app.footer(verb.footer);
        for (const VerbOption& option : verb.options) {
            CLI::Option* added = addAny(app, option);
            if (option.rules.isRequired) added->required();
            if (!option.rules.excludes.empty())
                added->excludes(app.get_option(option.rules.excludes));
            if (option.rules.isGiven != nullptr) m_given.emplace_back(added, option.rules.isGiven);
        }
        for (const Verb& inner : verb.verbs) {
            CLI::App& added = *app.add_subcommand(inner.name, inner.summary);
            added.group("Verbs");
            if (inner.run)
                added.final_callback([this, &inner] { m_chosen = &inner; });
            else
                added.require_subcommand(1);
            fill(added, inner);
        }
    }

    CLI::App m_root;
    const Verb* m_chosen = nullptr;
    std::vector<std::pair<const CLI::Option*, bool*>> m_given;
};

std::vector<std::string> verbNames(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(verb->get_name());
    return names;
}

/// The verb that was read last, however deep.
const CLI::App* deepestVerb(const CLI::App* app) {
    while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
    return app;
}

std::string pathOf(const CLI::App* verb) {
    std::string path = verb->get_name();
    for (const CLI::App* up = verb->get_parent(); up != nullptr; up = up->get_parent())
        path.insert(0, up->get_name() + " ");
    return path;
}

/// " Did you mean 'solve'?" or nothing.
std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
    const auto nearest = closestName(word, known);
    return nearest ? " Did you mean '" + *nearest + "'?" : "";
}

/// One line for a command line that cannot be read.
std::string usageError(const CLI::App& root, const CLI::ParseError& error) {
    const CLI::App* verb = deepestVerb(&root);
    const std::string advice = " See `" + pathOf(verb) + " --help`.";
    const std::vector<std::string> rest = root.remaining(true);
    if (rest.empty()) {
        if (!verbNames(*verb).empty()) return "Name a verb." + advice;
        std::string text = error.what();
        std::ranges::replace(text, '\n', ' ');
        return text + "." + advice;
    }
    const std::string& word = rest.front();
    std::vector<std::string> known;
    if (word.starts_with("-"))
        for (const CLI::Option* option : verb->get_options())
            for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    else
        known = verbNames(*verb);
    return "'" + word + "' was not expected." + suggestion(word, known) + advice;
}

}  // namespace

CommandLine readCommandLine(const Verb& program, int argc, const char* const* argv) {
    Reader reader(program);
    CommandLine line;
    try {
        reader.root().parse(argc, argv);
        reader.tellGiven();
        line.verb = reader.chosen();
    } catch (const CLI::CallForHelp&) {
        line.help = reader.root().help();
    } catch (const CLI::CallForVersion&) {
        line.wantsVersion = true;
    } catch (const CLI::ParseError& e) {
        line.problem = usageError(reader.root(), e);
    }
    return line;
}

std::string helpText(const Verb& program, const std::vector<std::string>& path) {
    Reader reader(program);
    const CLI::App* verb = &reader.root();
    for (const std::string& word : path) verb = verb->get_subcommand(word);
    return verb->get_formatter()->make_help(verb, pathOf(verb), CLI::AppFormatMode::Normal);
}

std::string commandLineLibrary() {
    return "CLI11 " CLI11_VERSION;
}

}  // namespace orrery
