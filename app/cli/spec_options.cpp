#include "app/cli/spec_options.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "app/cli/console.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/run/preset.h"
#include "core/spec/field_parts.h"

namespace orrery {
namespace {

std::string optionName(std::string name) {
    std::ranges::replace(name, '_', '-');
    return name;
}

std::string helpOf(const RunField& field) {
    if (field.type == FieldType::Text || field.type == FieldType::Texts) return field.meaning;
    std::string text = field.meaning + " Must be " + field.range;
    const std::string byDefault = fieldText(fieldDefault(field));
    if (!byDefault.empty()) text += "; default " + byDefault;
    return text;
}

std::string ticked(const std::string& text) {
    return '`' + text + '`';
}

/// "`q_r_kind` or `v_r_kind` is table, or `adaptive_tables` is false"
std::string needText(const FieldNeed& need) {
    std::vector<std::string> tests;
    std::vector<FieldTest> rest = need.anyOf;
    while (!rest.empty()) {
        const FieldTest first = rest.front();
        std::vector<std::string> fields;
        std::erase_if(rest, [&](const FieldTest& test) {
            const bool saysTheSame = test.texts == first.texts && test.isNot == first.isNot;
            if (saysTheSame) fields.push_back(ticked(test.field));
            return saysTheSame;
        });
        tests.push_back(joined(fields, " or ") + (first.isNot ? " is not " : " is ") +
                        joined(first.texts, " or "));
    }
    return joined(tests, ", or ");
}

std::string defaultCell(const RunField& field) {
    const FieldValue value = fieldDefault(field);
    if (field.type == FieldType::Rules) return {};
    if (std::holds_alternative<std::monostate>(value)) return "none";
    return shortFieldText(value);
}

/// "`adaptive_tables`, also `lookup_use_adaptive_lr`"
std::string nameCell(const RunField& field) {
    std::string text = ticked(field.name);
    for (const std::string& alias : field.aliases) text += ", also " + ticked(alias);
    return text;
}

/// "`beta_h` inf, `beta_r` inf"
std::string valuesCell(const SpecPreset& preset) {
    std::vector<std::string> texts;
    for (const auto& [field, value] : preset.values)
        texts.push_back(ticked(field) + ' ' + shortFieldText(value));
    return joined(texts, ", ");
}

void printPresets(const RunKind& kind, Console& console) {
    if (kind.presets.empty()) return;
    console.line("");
    console.line("| preset | sets | meaning |");
    console.line("|---|---|---|");
    for (const SpecPreset& preset : kind.presets)
        console.line(
            "| " +
            joined(std::vector{ticked(preset.name), valuesCell(preset), preset.meaning}, " | ") +
            " |");
}

}  // namespace

void addPresetOption(Verb& verb, const RunKind& kind, std::string& preset) {
    std::string help = "Take the values of a preset, before all other options: ";
    for (std::size_t i = 0; i < kind.presets.size(); ++i)
        help += (i == 0 ? "" : ", ") + kind.presets[i].name;
    verb.option("--preset", &preset, help + ". What each sets stands in --options",
                {.takes = "NAME"});
}

void takePreset(RunSpec& spec, const std::string& preset) {
    if (!preset.empty()) applyPreset(spec, requirePreset(spec.job.kind(), preset));
}

void addFieldsOption(Verb& verb, bool& isWanted) {
    verb.option("--options", &isWanted,
                "List every field of a --spec file as a table in Markdown, and do nothing else");
}

void printFields(const RunKind& kind, Console& console) {
    console.line("| field | range | default | needs | meaning |");
    console.line("|---|---|---|---|---|");
    for (const RunField& field : kind.fields) {
        std::vector<std::string> needs;
        for (const FieldNeed& need : field.needs)
            if (std::string text = needText(need); std::ranges::find(needs, text) == needs.end())
                needs.push_back(std::move(text));
        console.line("| " +
                     joined(std::vector{nameCell(field), field.range, defaultCell(field),
                                        joined(needs, "; "), field.meaning},
                            " | ") +
                     " |");
    }
    printPresets(kind, console);
}

void FieldOptions::declare(Verb& verb, std::span<const RunField> fields,
                           const std::vector<std::string_view>& only) {
    for (const RunField& field : fields) {
        const bool wanted = only.empty() || std::ranges::find(only, field.name) != only.end();
        if (!wanted || field.type == FieldType::Rules) continue;
        m_entries.push_back(std::make_unique<Entry>());
        declareOne(verb, field, *m_entries.back());
        for (const std::string& alias : field.aliases) declareAlias(verb, alias, *m_entries.back());
    }
}

void FieldOptions::declareOne(Verb& verb, const RunField& field, Entry& entry) {
    entry.field = &field;
    const std::string name = optionName(field.name);
    if (field.type != FieldType::Flag) {
        verb.option(
            "--" + name, &entry.text, helpOf(field),
            {.takes = field.unit == "bytes" ? "BYTES" : "VALUE", .isGiven = &entry.isGiven});
        return;
    }
    const bool on = fieldText(fieldDefault(field)) == "true";
    const std::string meaning = field.meaning;
    verb.option("--" + name, &entry.isOn, on ? meaning + " The default" : meaning,
                {.isGiven = &entry.isGiven});
    if (on)
        verb.option("--no-" + name, &entry.isOff, "Not so: " + meaning,
                    {.isGiven = &entry.isNoGiven});
}

void FieldOptions::declareAlias(Verb& verb, const std::string& alias, Entry& entry) {
    const std::string name = "--" + optionName(alias);
    const std::string meaning = "The same as --" + optionName(entry.field->name);
    if (entry.field->type == FieldType::Flag)
        verb.option(name, &entry.isOn, meaning, {.isGiven = &entry.isAliasGiven});
    else
        verb.option(name, &entry.text, meaning, {.takes = "VALUE", .isGiven = &entry.isAliasGiven});
}

bool FieldOptions::hasAny() const {
    return std::ranges::any_of(m_entries, [](const auto& entry) {
        return entry->isNoGiven || entry->isGiven || entry->isAliasGiven;
    });
}

std::vector<std::string> FieldOptions::apply(RunSpec& spec) const {
    std::vector<std::string> problems;
    for (const auto& entry : m_entries) {
        const RunField& field = *entry->field;
        if (!entry->isNoGiven && !entry->isGiven && !entry->isAliasGiven) continue;
        if (entry->isGiven && entry->isAliasGiven)
            problems.push_back(field.aliases.front() + " and " + field.name +
                               " say the same, leave one of them out");
        const bool isFlag = field.type == FieldType::Flag;
        try {
            field.set(spec, fieldFromText(field, entry->isNoGiven ? "false"
                                                 : isFlag         ? "true"
                                                                  : std::string_view(entry->text)));
        } catch (const Error& e) {
            problems.emplace_back(e.what());
        }
    }
    refuseTwins(problems);
    return problems;
}

void FieldOptions::refuseTwins(std::vector<std::string>& problems) const {
    const auto isGiven = [this](const std::string& name) {
        return std::ranges::any_of(m_entries, [&](const auto& entry) {
            return entry->field->name == name && entry->isGiven && entry->text != "none";
        });
    };
    for (const auto& entry : m_entries) {
        const RunField& field = *entry->field;
        if (field.name < field.twin && isGiven(field.name) && isGiven(field.twin))
            problems.push_back(field.twin + " and " + field.name +
                               " say the same, leave one of them out");
    }
}

void FieldChange::apply(RunSpec& spec) const {
    if (member.empty()) return field->set(spec, value);
    FieldValue now = field->get(spec);
    if (!std::holds_alternative<FieldMap>(now)) now = FieldMap();
    auto& members = std::get<FieldMap>(now);
    const auto found = std::ranges::find(members, member, &FieldMap::value_type::first);
    if (found == members.end())
        members.emplace_back(member, value);
    else
        found->second = value;
    field->set(spec, now);
}

namespace {

/// "env.kwargs.width=8" of a field "env.kwargs" that holds an object; what is no JSON is a text.
std::optional<FieldChange> memberChange(const std::string& name, const std::string& text,
                                        const RunKind& kind) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos || dot + 1 == name.size()) return std::nullopt;
    const RunField* field = findField(kind.name, name.substr(0, dot));
    if (field == nullptr || field->type != FieldType::Json) return std::nullopt;
    return FieldChange{.field = field,
                       .value = parseFieldText(*field, text).value_or(FieldValue(text)),
                       .member = name.substr(dot + 1)};
}

}  // namespace

FieldChange fieldChange(const std::string& word, const RunKind& kind) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos)
        throw Error("A change is written FIELD=VALUE, got '" + escaped(word, 80) + "'.",
                    Error::Kind::BadInput);
    const std::string name = word.substr(0, equals);
    if (const RunField* field = findField(kind.name, name))
        return {field, fieldFromText(*field, word.substr(equals + 1))};
    if (auto change = memberChange(name, word.substr(equals + 1), kind)) return *change;
    std::vector<std::string> known;
    for (const auto& fields : {runFields(), kind.fields})
        for (const RunField& field : fields) known.push_back(field.name);
    for (const SpecAlias& alias : kind.aliases) known.push_back(alias.name);
    const auto nearest = closestName(name, known);
    throw Error("There is no field '" + escaped(name, 80) + "'." +
                    (nearest ? " Did you mean '" + *nearest + "'?" : ""),
                Error::Kind::BadInput);
}

std::vector<std::string> takeFields(const std::vector<std::string>& words, RunSpec& spec) {
    const RunKind& kind = spec.job.kind();
    std::vector<std::string> others;
    std::vector<FieldChange> changes;
    std::map<std::string, bool, std::less<>> given;
    std::string problems;
    for (const std::string& word : words) {
        const std::size_t equals = word.find('=');
        const std::string name = word.substr(0, equals);
        std::error_code error;
        if (equals == std::string::npos || std::filesystem::exists(word, error))
            others.push_back(word);
        else if (std::ranges::count(kind.aliases, name, &SpecAlias::name) > 0)
            given[name] = std::get<bool>(
                fieldFromText(flagField(name, "", true, ""), word.substr(equals + 1)));
        else
            try {
                changes.push_back(fieldChange(word, kind));
            } catch (const Error& problem) {
                problems += (problems.empty() ? "" : " ") + std::string(problem.what());
            }
    }
    if (!problems.empty()) throw Error(problems, Error::Kind::BadInput);
    if (!given.empty()) kind.applyAliases(spec.job, given);
    for (const FieldChange& change : changes) change.apply(spec);
    return others;
}

void applyAll(std::initializer_list<const FieldOptions*> options, RunSpec& spec) {
    std::string text;
    for (const FieldOptions* each : options)
        for (const std::string& problem : each->apply(spec))
            text += (text.empty() ? "" : "; ") + problem;
    if (!text.empty()) throw Error(text + ".", Error::Kind::BadInput);
}

}  // namespace orrery
