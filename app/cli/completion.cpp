#include "app/cli/completion.h"

#include <algorithm>
#include <vector>

#include "core/base/text.h"

namespace orrery {
namespace {

struct Completions {
    std::string path;                            ///< "world show"; empty: the program
    std::vector<std::string> words, meanings;    ///< its sub-verbs
    std::vector<std::string> options, purposes;  ///< "--json" and so on
};

/// What may stand between the quotes of a shell's string, on one line.
std::string plain(std::string text) {
    text.resize(std::min(text.find('\n'), text.size()));
    std::erase_if(
        text, [](char c) { return c == '\'' || c == '"' || c == '`' || c == '$' || c == '\\'; });
    return text;
}

void collect(const Verb& verb, const std::string& path, std::vector<Completions>& verbs) {
    Completions found{.path = path, .words = {}, .meanings = {}, .options = {}, .purposes = {}};
    for (const VerbOption& option : verb.options)
        for (const std::string& name : longNames(option)) {
            found.options.push_back(name);
            found.purposes.push_back(plain(option.meaning));
        }
    for (const Verb& inner : verb.verbs) {
        found.words.push_back(inner.name);
        found.meanings.push_back(plain(inner.summary));
    }
    verbs.push_back(std::move(found));
    for (const Verb& inner : verb.verbs)
        collect(inner, path.empty() ? inner.name : path + " " + inner.name, verbs);
}

std::string bashScript(const std::vector<Completions>& verbs) {
    std::string text =
        "# bash completion of orrery(1)\n"
        "_orrery() {\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} path words\n"
        "    path=$verb\n"
        "    case \"$verb ${COMP_WORDS[2]}\" in\n";
    for (const Completions& verb : verbs)
        if (verb.path.find(' ') != std::string::npos)
            text += "        '" + verb.path + "') [ \"$COMP_CWORD\" -gt 2 ] && path='" + verb.path +
                    "' ;;\n";
    text +=
        "    esac\n"
        "    [ \"$COMP_CWORD\" -eq 1 ] && path=\n"
        "    case \"$path\" in\n";
    for (const Completions& verb : verbs)
        text += "        '" + verb.path + "') words='" + joined(verb.words, " ") +
                (verb.words.empty() ? "" : " ") + joined(verb.options, " ") + "' ;;\n";
    text +=
        "        *) words= ;;\n"
        "    esac\n"
        "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
        "    [ \"${#COMPREPLY[@]}\" -eq 0 ] && COMPREPLY=($(compgen -f -- \"$word\"))\n"
        "}\n"
        "complete -o filenames -F _orrery orrery\n";
    return text;
}

std::string zshScript(const std::vector<Completions>& verbs) {
    std::string text =
        "#compdef orrery\n"
        "_orrery() {\n"
        "    local path=\"$words[2]\"\n"
        "    local -a found\n"
        "    case \"$words[2] $words[3]\" in\n";
    for (const Completions& verb : verbs)
        if (verb.path.find(' ') != std::string::npos)
            text +=
                "        '" + verb.path + "') (( CURRENT > 3 )) && path='" + verb.path + "' ;;\n";
    text +=
        "    esac\n"
        "    (( CURRENT == 2 )) && path=''\n"
        "    case \"$path\" in\n";
    for (const Completions& verb : verbs) {
        text += "        '" + verb.path + "') found=(";
        const auto add = [&text](const auto& names, const auto& meanings) {
            for (std::size_t i = 0; i < names.size(); ++i) {
                std::string meaning = meanings[i];
                std::ranges::replace(meaning, ':', ';');
                text += "\n            '" + names[i] + ":" + meaning + "'";
            }
        };
        add(verb.words, verb.meanings);
        add(verb.options, verb.purposes);
        text += ") ;;\n";
    }
    text +=
        "    esac\n"
        "    _describe 'orrery' found || _files\n"
        "}\n"
        "_orrery \"$@\"\n";
    return text;
}

std::string fishScript(const std::vector<Completions>& verbs) {
    std::string text = "# fish completion of orrery(1)\n";
    for (const Completions& verb : verbs) {
        std::string where = "__fish_use_subcommand";
        if (!verb.path.empty()) {
            where.clear();
            std::size_t from = 0;
            while (from <= verb.path.size()) {
                const std::size_t space = std::min(verb.path.find(' ', from), verb.path.size());
                where += (where.empty() ? "" : "; and ") +
                         ("__fish_seen_subcommand_from " + verb.path.substr(from, space - from));
                from = space + 1;
            }
        }
        for (std::size_t i = 0; i < verb.words.size(); ++i)
            text += "complete -c orrery -n '" + where + "' -a '" + verb.words[i] + "' -d '" +
                    verb.meanings[i] + "'\n";
        for (std::size_t i = 0; i < verb.options.size(); ++i)
            text += "complete -c orrery -n '" + where + "' -l '" + verb.options[i].substr(2) +
                    "' -d '" + verb.purposes[i] + "'\n";
    }
    return text;
}

}  // namespace

std::string completionScript(const Verb& program, Shell shell) {
    std::vector<Completions> verbs;
    collect(program, "", verbs);
    switch (shell) {
        case Shell::Bash:
            return bashScript(verbs);
        case Shell::Zsh:
            return zshScript(verbs);
        case Shell::Fish:
            break;
    }
    return fishScript(verbs);
}

}  // namespace orrery
