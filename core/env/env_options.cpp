#include "core/env/env_options.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/text.h"

namespace orrery {

EnvOptions::EnvOptions(std::string_view json, std::string what)
    : m_what(std::move(what)),
      m_values(std::make_unique<nlohmann::json>(nlohmann::json::parse(json, nullptr, false))) {
    if (!m_values->is_object())
        throw badInput("The options of " + m_what + " must be a JSON object.");
}

EnvOptions::~EnvOptions() = default;

const nlohmann::json* EnvOptions::find(const char* name) {
    m_names.emplace_back(name);
    const auto found = m_values->find(name);
    return found == m_values->end() ? nullptr : &*found;
}

void EnvOptions::addLine(const char* name, const std::string& range, const char* meaning,
                         const std::string& usual) {
    m_lines.push_back(std::string(name) + ": " + range + ' ' + meaning + ", " + usual);
}

void EnvOptions::addProblem(const char* name, const std::string& due) {
    m_problems.push_back(m_what + ": " + name + " must be " + due + '.');
}

int EnvOptions::whole(const char* name, int usual, int least, int most, const char* meaning) {
    const std::string range = '[' + std::to_string(least) + ", " + std::to_string(most) + ']';
    addLine(name, range, meaning, std::to_string(usual));
    const nlohmann::json* const value = find(name);
    if (value == nullptr) return usual;
    // 10.0 is 10: some programs write all numbers so.
    if (value->is_number() && *value >= least && *value <= most &&
        value->get<double>() == value->get<int>())
        return value->get<int>();
    addProblem(name, "a whole number in " + range);
    return usual;
}

double EnvOptions::number(const char* name, double usual, double least, double most,
                          const char* meaning) {
    const std::string range = '[' + formatDouble(least) + ", " + formatDouble(most) + ']';
    addLine(name, range, meaning, formatDouble(usual));
    const nlohmann::json* const value = find(name);
    if (value == nullptr) return usual;
    if (value->is_number() && *value >= least && *value <= most) return value->get<double>();
    addProblem(name, "a number in " + range);
    return usual;
}

bool EnvOptions::truth(const char* name, bool usual, const char* meaning) {
    addLine(name, "true or false,", meaning, usual ? "true" : "false");
    const nlohmann::json* const value = find(name);
    if (value == nullptr) return usual;
    if (value->is_boolean()) return value->get<bool>();
    addProblem(name, "true or false");
    return usual;
}

bool EnvOptions::knows(std::string_view name) const {
    return std::ranges::find(m_names, name) != m_names.end();
}

void EnvOptions::check() const {
    std::vector<std::string> problems = m_problems;
    for (const auto& [name, value] : m_values->items()) {
        if (knows(name)) continue;
        std::string text = m_what + " has no option \"" + escaped(name) + "\".";
        if (const auto closest = closestName(name, m_names))
            text += " Did you mean \"" + *closest + "\"?";
        else if (!m_names.empty())
            text += " It has " + commaList(m_names) + '.';
        problems.push_back(std::move(text));
    }
    if (!problems.empty()) throw badInput(joined(problems, "\n"));
}

}  // namespace orrery
