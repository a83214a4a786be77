#include "core/run/spec_reader.h"

#include <algorithm>

#include "core/run/rule_reader.h"
#include "core/run/train_fields.h"
#include "core/spec/field_check.h"

namespace orrery {

namespace {

constexpr std::int64_t kFormat = 1;

std::vector<std::string> namesOf(std::span<const RunField> fields) {
    std::vector<std::string> names;
    for (const RunField& field : fields) names.push_back(field.name);
    return names;
}

const RunField* fieldNamed(std::span<const RunField> fields, const std::string& name) {
    for (const RunField& field : fields)
        if (field.name == name) return &field;
    return nullptr;
}

Job jobOfKind(const std::string& kind) {
    if (kind == jobKinds()[1]) return TrainJob{};
    return SolveJob{};
}

/// Fields whose values are texts as they stand in the file.
bool isText(const SpecField& field) {
    return field.type == FieldType::Text || field.type == FieldType::Choice ||
           field.type == FieldType::Texts;
}

}  // namespace

void SpecReader::readRun(const YamlNode& root, RunSpec& spec) {
    if (!m_values.expect(root, "spec", YamlNode::Kind::Map)) return;
    std::vector<std::string> known = namesOf(runFields());
    known.insert(known.end(), jobKinds().begin(), jobKinds().end());
    known.emplace_back("format");
    int sections = 0;
    for (const YamlMember& member : root.members) {
        if (member.name == "format") {
            readFormat(member.value);
        } else if (const RunField* field = fieldNamed(runFields(), member.name)) {
            readField(member, *field, spec);
        } else if (std::ranges::count(jobKinds(), member.name) > 0) {
            if (++sections == 1)
                readSection(member, spec);
            else
                m_out.error(member.place(), "E118", "a run has one job, this is a second one");
        } else {
            refuseMember(member, "", known, m_out);
        }
    }
    if (sections == 0)
        m_out.error(root.place(), "E117", "the spec names no job",
                    "add a section 'solve' or 'train' with a 'world'");
    if (auto* job = std::get_if<SolveJob>(&spec.job)) job->solve.seed = spec.seed;
    if (auto* job = std::get_if<TrainJob>(&spec.job)) job->empo.seed = spec.seed;
}

void SpecReader::readRules(const YamlNode& root, SolveSpec& solve) {
    if (!m_values.expect(root, "rules", YamlNode::Kind::Map)) return;
    for (const YamlMember& member : root.members) {
        if (member.name == "believed_others" || member.name == "habits")
            readRuleList(member, solve);
        else
            refuseMember(member, "", {"believed_others", "habits"}, m_out);
    }
    for (const SpecProblem& problem : validate(solve))
        if (placeOf(m_places, problem.field)) report(problem.field, problem.text);
}

void SpecReader::readFormat(const YamlNode& node) {
    const auto format = m_values.integer(node, "format", 1, 1'000'000);
    if (format && *format > kFormat)
        m_out.error(node.place(), "E119",
                    "format " + std::to_string(*format) + " is newer than this program's 1",
                    "use a newer Orrery");
}

void SpecReader::readSection(const YamlMember& section, RunSpec& spec) {
    m_section = section.place();
    if (!m_values.expect(section.value, section.name, YamlNode::Kind::Map)) return;
    spec.job = jobOfKind(section.name);
    const auto fields = jobFields(section.name);
    for (const YamlMember& member : section.value.members) {
        if (const RunField* field = fieldNamed(fields, member.name))
            readField(member, *field, spec);
        else if (!isAlias(member, spec))
            refuseMember(member, section.name, namesOf(fields), m_out);
    }
    readAliases(section.value, spec);
    for (const RunField& field : fields)
        if (field.name < field.twin) refuseBoth(section.value, field.name, field.twin);
}

bool SpecReader::isAlias(const YamlMember& member, const RunSpec& spec) const {
    return std::holds_alternative<TrainJob>(spec.job) &&
           std::ranges::find(trainAliases(), member.name, &TrainAlias::name) !=
               trainAliases().end();
}

void SpecReader::readAliases(const YamlNode& section, RunSpec& spec) {
    std::map<std::string, bool, std::less<>> given;
    for (const YamlMember& member : section.members) {
        if (!isAlias(member, spec)) continue;
        m_places[member.name] = member.value.place();
        if (const auto value = m_values.truth(member.value, member.name))
            given[member.name] = *value;
    }
    if (!given.empty()) applyAliases(given, std::get<TrainJob>(spec.job).empo);
}

void SpecReader::readField(const YamlMember& member, const RunField& field, RunSpec& spec) {
    m_places[field.name] = member.value.place();
    if (field.type == FieldType::Rules) {
        readRuleList(member, std::get<SolveJob>(spec.job).solve);
        return;
    }
    const auto value = valueOf(member.value, field);
    if (!value) {
        m_bad.insert(field.name);
        m_values.wrong(member.value, field.name, field.range, "E114");
    } else if (const auto problem = checkField(field, *value, fieldText(*value))) {
        m_bad.insert(field.name);
        m_out.error(member.value.place(), "E113", "'" + field.name + "' " + *problem);
    } else {
        field.set(spec, *value);
    }
}

std::optional<FieldValue> SpecReader::valueOf(const YamlNode& node, const SpecField& field) {
    if (node.kind == YamlNode::Kind::Null && field.isOptional) return FieldValue{};
    if (field.type == FieldType::Texts && node.kind == YamlNode::Kind::Sequence) {
        std::vector<std::string> texts;
        for (const YamlNode& element : node.elements) {
            if (element.kind != YamlNode::Kind::Scalar) return std::nullopt;
            texts.push_back(element.text);
        }
        return valueOfTexts(texts);
    }
    if (node.kind != YamlNode::Kind::Scalar) return std::nullopt;
    if (field.type == FieldType::Texts) return valueOfTexts({node.text});
    if (isText(field)) return FieldValue(node.text);
    auto value = parseFieldText(field, node.text);
    // Quotes make a text of a number, but "inf" has no other form in JSON.
    const bool isWord = node.text.find_first_of("0123456789") == std::string::npos;
    if (node.isQuoted && !(field.type == FieldType::Number && isWord) && field.unit != "bytes")
        return std::nullopt;
    return value;
}

void SpecReader::readRuleList(const YamlMember& member, SolveSpec& solve) {
    m_places[member.name] = member.value.place();
    RuleReader reader(m_values, m_places);
    const std::size_t before = m_out.sorted().size() + static_cast<std::size_t>(m_out.omitted());
    if (member.name == "habits")
        solve.habits = reader.habits(member.value);
    else
        solve.believedOthers = reader.believedOthers(member.value);
    const std::size_t after = m_out.sorted().size() + static_cast<std::size_t>(m_out.omitted());
    if (after > before) m_bad.insert(member.name);
}

void SpecReader::refuseBoth(const YamlNode& section, const std::string& gamma,
                            const std::string& rho) {
    const YamlMember* first = section.find(gamma);
    const YamlMember* second = section.find(rho);
    const auto isGiven = [](const YamlMember* member) {
        return member != nullptr && member->value.kind != YamlNode::Kind::Null &&
               member->value.text != "none";
    };
    if (!isGiven(first) || !isGiven(second)) return;
    m_bad.insert({gamma, rho});
    m_out.error(second->place(), "E118", "'" + rho + "' and '" + gamma + "' say the same",
                "leave one of them out");
}

void SpecReader::checkWhole(const RunSpec& spec) {
    for (const SpecProblem& problem : validate(spec)) report(problem.field, problem.text);
}

void SpecReader::report(const std::string& field, const std::string& text) {
    if (m_bad.contains(field.substr(0, field.find_first_of("[.")))) return;
    m_out.error(placeOf(m_places, field).value_or(m_section), "E113", "'" + field + "' " + text);
}

std::optional<Diagnostics::Place> placeOf(const SpecPlaces& places, const std::string& field) {
    std::string name = field;
    for (;;) {
        if (const auto place = places.find(name); place != places.end()) return place->second;
        const std::size_t end = name.find_last_of("[.");
        if (end == std::string::npos) return std::nullopt;
        name.resize(end);
    }
}

RunSpecReading readRunSpec(std::string_view text, const std::string& file) {
    RunSpecReading reading;
    Diagnostics out(file);
    const LineIndex lines(text);
    RunSpec spec;
    if (const auto root = readYaml(lines, out)) {
        SpecReader reader(out);
        reader.readRun(*root, spec);
        reader.checkWhole(spec);
        reading.places = reader.places();
    }
    if (!out.hasErrors()) reading.spec = std::move(spec);
    reading.diagnostics = out.sorted();
    return reading;
}

std::vector<Diagnostic> readRules(std::string_view text, const std::string& file, SolveJob& job,
                                  SpecPlaces* places) {
    Diagnostics out(file);
    const LineIndex lines(text);
    SolveSpec solve = job.solve;
    if (const auto root = readYaml(lines, out)) {
        SpecReader reader(out);
        reader.readRules(*root, solve);
        if (places != nullptr) *places = reader.places();
    }
    if (!out.hasErrors()) job.solve = std::move(solve);
    return out.sorted();
}

}  // namespace orrery
