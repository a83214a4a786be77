#include <array>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/text.h"
#include "core/entity/files/enn_checkpoint.h"
#include "core/run/jobs/enn_config.h"
#include "core/run/jobs/entity_job.h"

namespace orrery {

namespace {

/// Fields that the original does not have; a section with all that is in it.
constexpr std::array<std::string_view, 11> kOwnFields{"env.max_episode_steps",
                                                      "optim.original_warmup",
                                                      "optim.original_micro_batches",
                                                      "optim.adam_eps",
                                                      "ppo.bootstrap_truncated",
                                                      "eval.episodes",
                                                      "eval.greedy",
                                                      "cloning",
                                                      "rollout.threads",
                                                      "eval.env",
                                                      "eval.processes"};

bool isOwn(std::string_view name) {
    for (const std::string_view own : kOwnFields)
        if (name == own || (name.starts_with(own) && name[own.size()] == '.')) return true;
    return false;
}

std::string ronNumber(double value) {
    std::string text = formatDouble(value);
    // A whole number would be one of another type.
    if (text.find_first_of(".en") == std::string::npos) text += ".0";
    return text;
}

std::string ronOf(const SpecField& field, const FieldValue& value);

std::string ronList(const SpecField& field, const FieldList& list) {
    std::string text;
    SpecField element = field;
    element.type = field.element;
    for (const FieldValue& each : list) {
        if (!text.empty()) text += ", ";
        text += ronOf(element, each);
    }
    return '[' + text + ']';
}

/// A value as hyperstate reads it. Options stand as JSON in a text there.
std::string ronOf(const SpecField& field, const FieldValue& value) {
    if (field.type == FieldType::Json) return ronQuoted(fieldText(value));
    if (std::holds_alternative<std::monostate>(value)) return "None";
    if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
    if (const auto* number = std::get_if<double>(&value)) return ronNumber(*number);
    if (const auto* list = std::get_if<FieldList>(&value)) return ronList(field, *list);
    const auto* text = std::get_if<std::string>(&value);
    const bool isNone = text != nullptr && field.type == FieldType::Choice && *text == "none";
    return isNone ? "None" : ronQuoted(text != nullptr ? *text : fieldText(value));
}

/// Sections as they are opened and closed between fields in the order of the table.
class RonWriter {
public:
    std::string text = "TrainConfig(\n    version: 4,\n";

    void field(const SpecField& field, const FieldValue& value) {
        const std::size_t dot = field.name.rfind('.');
        enter(dot == std::string::npos ? "" : field.name.substr(0, dot));
        line(field.name.substr(dot + 1), ronOf(field, value));
    }
    void line(std::string_view name, const std::string& value) {
        text.append(4 * (m_depth + 1), ' ').append(name).append(": ").append(value).append(",\n");
    }
    std::string take() {
        enter("");
        return text + ")\n";
    }

private:
    /// Closes and opens until the section is this one: "net.relpos_encoding".
    void enter(const std::string& section) {
        while (!(section == m_section || section.starts_with(m_section + '.') || m_section.empty()))
            close();
        while (m_section != section) {
            const std::size_t begin = m_section.empty() ? 0 : m_section.size() + 1;
            const std::size_t end = std::min(section.size(), section.find('.', begin));
            text.append(4 * (m_depth + 1), ' ').append(section, begin, end - begin).append(": (\n");
            m_section = section.substr(0, end);
            ++m_depth;
        }
    }
    void close() {
        text.append(4 * m_depth, ' ').append("),\n");
        --m_depth;
        const std::size_t dot = m_section.rfind('.');
        m_section.resize(dot == std::string::npos ? 0 : dot);
    }

    std::string m_section;
    std::size_t m_depth = 0;
};

}  // namespace

std::string ennConfigText(const RunSpec& spec) {
    const EntityJob& job = spec.job.as<EntityJob>();
    RonWriter out;
    out.line("name", ronQuoted(spec.name));
    out.line("seed", std::to_string(spec.seed));
    for (const SpecRow<EntitySpec>& row : entityFields().rows()) {
        const FieldValue value = row.get(job.entity);
        const bool isAbsent = !row.section.empty() && std::holds_alternative<std::monostate>(value);
        const bool isOpenSection = row.type == FieldType::Section && value == FieldValue(true);
        if (isOwn(row.name) || isOpenSection || isAbsent) continue;
        if (row.type == FieldType::Section) {
            out.field({.name = row.name}, FieldValue());
            continue;
        }
        const bool isNoWarmup =
            row.name == "optim.lr_warmup_steps" && value == FieldValue(std::int64_t{0});
        out.field(row, isNoWarmup ? FieldValue() : value);
        if (row.name == "rollout.num_envs")
            out.line("processes", std::to_string(job.entity.rollout.threads));
    }
    if (job.entity.eval && (job.entity.eval->id || job.entity.eval->kwargs)) {
        const EntityPlaceSpec place = job.entity.evalPlace();
        SpecField id{.name = "eval.env.id"};
        SpecField kwargs{.name = "eval.env.kwargs", .type = FieldType::Json};
        out.field(id, place.id);
        out.field(kwargs, place.kwargs);
    }
    return out.take();
}

}  // namespace orrery
