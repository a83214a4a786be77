#include "core/run/spec_reader.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/ron_tree.h"
#include "core/run/preset.h"
#include "core/run/run_kind.h"
#include "core/run/steering.h"
#include "core/spec/field_check.h"

namespace orrery {

namespace {

constexpr std::int64_t kFormat = 1;
constexpr const char* kPreset = "preset";

std::vector<std::string> namesOf(std::span<const RunField> fields) {
    std::vector<std::string> names;
    for (const RunField& field : fields) {
        names.push_back(field.name);
        names.insert(names.end(), field.aliases.begin(), field.aliases.end());
    }
    return names;
}

const RunField* fieldNamed(std::span<const RunField> fields, const std::string& name) {
    for (const RunField& field : fields)
        if (field.isNamed(name)) return &field;
    return nullptr;
}

/// What a kind's section, or one within it, may hold: the name that is closest to a wrong one is
/// told.
/// @param prefix  "optim." within that section, "" in the kind's own
std::vector<std::string> membersOf(const RunKind& kind, const std::string& prefix) {
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
        if (!name.starts_with(prefix)) return;
        std::string own = name.substr(prefix.size());
        own.resize(std::min(own.find('.'), own.size()));
        if (std::ranges::find(names, own) == names.end()) names.push_back(std::move(own));
    };
    for (const std::string& name : namesOf(kind.fields)) add(name);
    if (!prefix.empty()) return names;
    for (const SpecAlias& alias : kind.aliases) names.push_back(alias.name);
    if (!kind.presets.empty()) names.emplace_back(kPreset);
    return names;
}

bool isSection(const RunKind& kind, const std::string& name) {
    return std::ranges::any_of(
        kind.fields, [&](const RunField& field) { return field.name.starts_with(name + "."); });
}

/// A scalar as JSON would have it: what is in quotes is a text.
FieldValue treeOfScalar(const YamlNode& node) {
    if (node.isQuoted) return node.text;
    if (node.text == "true" || node.text == "false") return node.text == "true";
    if (const auto whole = parseInt(node.text)) return *whole;
    if (const auto number = parseDouble(node.text)) return *number;
    return node.text;
}

FieldValue treeOf(const YamlNode& node) {
    FieldList list;
    FieldMap map;
    switch (node.kind) {
        case YamlNode::Kind::Null:
            return {};
        case YamlNode::Kind::Scalar:
            return treeOfScalar(node);
        case YamlNode::Kind::Sequence:
            for (const YamlNode& element : node.elements) list.push_back(treeOf(element));
            return list;
        case YamlNode::Kind::Map:
            for (const YamlMember& member : node.members)
                map.emplace_back(member.name, treeOf(member.value));
            return map;
    }
    return {};
}

/// The names of the kinds' sections.
std::vector<std::string> kindNames() {
    std::vector<std::string> names;
    for (const RunKind* kind : runKinds()) names.push_back(kind->name);
    return names;
}

/// "'solve' or 'train'": what a file to be started may hold.
std::string startableNames() {
    std::vector<std::string> names;
    for (const RunKind* kind : runKinds())
        if (kind->canStart()) names.push_back("'" + kind->name + "'");
    return joined(names, " or ");
}

/// Fields whose values are texts as they stand in the file.
bool isText(const SpecField& field) {
    return field.type == FieldType::Text || field.type == FieldType::Choice ||
           field.type == FieldType::Texts;
}

}  // namespace

void refuseMember(const YamlMember& member, const std::string& place,
                  const std::vector<std::string>& known, Diagnostics& out) {
    const auto nearest = closestName(member.name, known);
    out.error(member.place(), "E112",
              (place.empty() ? "" : "in '" + place + "': ") + "no field is called " +
                  quotedValue(member.name),
              nearest ? "did you mean '" + *nearest + "'?" : "write one of " + commaList(known));
}

void SpecReader::readRun(const YamlNode& root, RunSpec& spec) {
    if (!m_values.expect(root, "spec", YamlNode::Kind::Map)) return;
    std::vector<std::string> known = namesOf(runFields());
    const std::vector<std::string> kinds = kindNames();
    known.insert(known.end(), kinds.begin(), kinds.end());
    known.emplace_back("format");
    int sections = 0;
    for (const YamlMember& member : root.members) {
        if (member.name == "format") {
            readFormat(member.value);
        } else if (const RunField* field = fieldNamed(runFields(), member.name)) {
            readField(member, *field, spec);
        } else if (findKind(member.name) != nullptr) {
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
                    "add a section " + startableNames() + " with a 'world'");
    spec.job.kind().takeSeed(spec.job, spec.seed);
}

void SpecReader::readRules(const YamlNode& root, Job& job) {
    if (!m_values.expect(root, "rules", YamlNode::Kind::Map)) return;
    std::vector<std::string> known;
    for (const RunField& field : job.kind().fields)
        if (field.type == FieldType::Rules) known.push_back(field.name);
    for (const YamlMember& member : root.members) {
        if (std::ranges::find(known, member.name) != known.end())
            readRuleList(member, job);
        else
            refuseMember(member, "", known, m_out);
    }
    for (const SpecProblem& problem : job.kind().problems(job))
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
    const RunKind& kind = *findKind(section.name);
    spec.job = kind.fresh();
    readPreset(section.value, spec);
    m_given.clear();
    readMembers(section.value, section.name, "", spec);
    readAliases(section.value, spec);
    if (kind.isTraining())
        for (TrainChange& change : kind.training(spec.job)->changes)
            change.key = steeredName(kind, change.key);
    for (const RunField& field : kind.fields)
        if (field.name < field.twin) refuseBoth(section.value, field.name, field.twin);
}

/// @param place   what is told of where a wrong member stands
/// @param prefix  of the fields' names: "optim." within that section
void SpecReader::readMembers(const YamlNode& map, const std::string& place,
                             const std::string& prefix, RunSpec& spec) {
    const RunKind& kind = spec.job.kind();
    for (const YamlMember& member : map.members) {
        const std::string name = prefix + member.name;
        const RunField* field = fieldNamed(kind.fields, name);
        if (member.value.kind == YamlNode::Kind::Map && isSection(kind, name)) {
            m_places[name] = member.value.place();
            if (field != nullptr) field->set(spec, true);
            readMembers(member.value, place + "." + member.name, name + ".", spec);
        } else if (field != nullptr) {
            const auto [before, isNew] = m_given.emplace(field->name, name);
            if (isNew)
                readField(member, *field, spec);
            else
                refuseSecond(member.place(), before->second, name);
        } else if (!prefix.empty() || (member.name != kPreset && !isAlias(member, kind))) {
            refuseMember(member, place, membersOf(kind, prefix), m_out);
        }
    }
}

/// Before all else of the section: what the file says about single fields goes above it.
void SpecReader::readPreset(const YamlNode& section, RunSpec& spec) {
    const YamlMember* member = section.find(kPreset);
    if (member == nullptr) return;
    if (!m_values.expect(member->value, kPreset, YamlNode::Kind::Scalar)) return;
    try {
        applyPreset(spec, requirePreset(spec.job.kind(), member->value.text));
    } catch (const Error& e) {
        m_out.error(member->value.place(), "E113", e.what());
    }
}

bool SpecReader::isAlias(const YamlMember& member, const RunKind& kind) {
    return std::ranges::find(kind.aliases, member.name, &SpecAlias::name) != kind.aliases.end();
}

void SpecReader::readAliases(const YamlNode& section, RunSpec& spec) {
    const RunKind& kind = spec.job.kind();
    std::map<std::string, bool, std::less<>> given;
    for (const YamlMember& member : section.members) {
        if (!isAlias(member, kind)) continue;
        m_places[member.name] = member.value.place();
        if (const auto value = m_values.truth(member.value, member.name))
            given[member.name] = *value;
    }
    if (!given.empty()) kind.applyAliases(spec.job, given);
}

void SpecReader::readField(const YamlMember& member, const RunField& field, RunSpec& spec) {
    m_places[field.name] = member.value.place();
    if (field.type == FieldType::Rules) return readRuleList(member, spec.job);
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
    if (field.type == FieldType::List || field.type == FieldType::Json)
        return valueOfTree(field, treeOf(node));
    if (field.type == FieldType::Section && node.kind == YamlNode::Kind::Null)
        return FieldValue(false);
    if (node.kind != YamlNode::Kind::Scalar) return std::nullopt;
    if (field.type == FieldType::Texts) return valueOfTexts({node.text});
    if (isText(field)) return FieldValue(node.text);
    auto value = parseFieldText(field, node.text);
    // Quotes make a text of a number, but "inf" has no other form in JSON.
    const bool isWord = node.text.find_first_of("0123456789") == std::string::npos;
    const bool mayBeQuoted = (field.type == FieldType::Number && isWord) ||
                             field.type == FieldType::Schedule || field.unit == "bytes";
    if (node.isQuoted && !mayBeQuoted) return std::nullopt;
    return value;
}

void SpecReader::readRuleList(const YamlMember& member, Job& job) {
    m_places[member.name] = member.value.place();
    const std::size_t before = m_out.sorted().size() + static_cast<std::size_t>(m_out.omitted());
    job.kind().readRules(job, member, m_values, m_places);
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
    refuseSecond(second->place(), gamma, rho);
}

void SpecReader::refuseSecond(const Diagnostics::Place& place, const std::string& first,
                              const std::string& second) {
    m_bad.insert({first, second});
    m_out.error(place, "E118", "'" + second + "' and '" + first + "' say the same",
                "leave one of them out");
}

void SpecReader::checkWhole(const RunSpec& spec) {
    for (const SpecProblem& problem : validate(spec)) report(problem.field, problem.text);
}

void SpecReader::report(const std::string& field, const std::string& text) {
    if (isBad(field)) return;
    m_out.error(placeOf(m_places, field).value_or(m_section), "E113", "'" + field + "' " + text);
}

/// It, or what it is a part of: "habits[2].when" of "habits".
bool SpecReader::isBad(std::string field) const {
    for (;;) {
        if (m_bad.contains(field)) return true;
        const std::size_t end = field.find_last_of("[.");
        if (end == std::string::npos) return false;
        field.resize(end);
    }
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

namespace {

/// A configuration of a kind's original, as a spec.
std::optional<YamlNode> readRonSpec(const LineIndex& lines, Diagnostics& out) {
    const auto root = readRon(lines, out);
    if (!root) return std::nullopt;
    const auto kinds = runKinds();
    const auto kind = std::ranges::find_if(
        kinds, [](const RunKind* each) { return static_cast<bool>(each->fromRon); });
    if (kind == kinds.end() || root->kind != YamlNode::Kind::Map) {
        out.error(root->place(), "E117", "this is no configuration of a training");
        return std::nullopt;
    }
    return (*kind)->fromRon(*root, out);
}

/// "kind: NAME" beside the fields of that kind's section, as a section.
YamlNode withSection(const YamlNode& root) {
    const YamlMember* kind = root.find("kind");
    if (root.kind != YamlNode::Kind::Map || kind == nullptr ||
        findKind(kind->value.text) == nullptr)
        return root;
    YamlNode whole = root;
    whole.members.clear();
    YamlMember section{kind->value.text, kind->line, kind->column, kind->value};
    section.value.kind = YamlNode::Kind::Map;
    section.value.text.clear();
    for (const YamlMember& member : root.members) {
        if (member.name == "kind") continue;
        const bool isOfRun = member.name == "format" || findKind(member.name) != nullptr ||
                             fieldNamed(runFields(), member.name) != nullptr;
        (isOfRun ? whole : section.value).members.push_back(member);
    }
    whole.members.push_back(std::move(section));
    return whole;
}

}  // namespace

RunSpecReading readRunSpec(std::string_view text, const std::string& file) {
    RunSpecReading reading;
    Diagnostics out(file);
    const LineIndex lines(text);
    RunSpec spec;
    const bool isRon = file.ends_with(".ron");
    if (const auto root = isRon ? readRonSpec(lines, out) : readYaml(lines, out)) {
        SpecReader reader(out);
        reader.readRun(withSection(*root), spec);
        reader.checkWhole(spec);
        reading.places = reader.places();
    }
    if (!out.hasErrors()) reading.spec = std::move(spec);
    reading.diagnostics = out.sorted();
    return reading;
}

std::vector<Diagnostic> readRules(std::string_view text, const std::string& file, Job& job,
                                  SpecPlaces* places) {
    Diagnostics out(file);
    const LineIndex lines(text);
    Job read = job;
    if (const auto root = readYaml(lines, out)) {
        SpecReader reader(out);
        reader.readRules(*root, read);
        if (places != nullptr) *places = reader.places();
    }
    if (!out.hasErrors()) job = std::move(read);
    return out.sorted();
}

}  // namespace orrery
