#include "core/run/sweep.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/run/run_kind.h"

namespace orrery {

namespace {

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const auto at = text.find(separator);
        parts.push_back(trimmed(text.substr(0, at)));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + 1);
    }
}

const RunField* sweptField(std::string_view kind, std::string_view name) {
    const auto fields = sweepFields(kind);
    if (std::ranges::find(fields, name) == fields.end()) return nullptr;
    return findField(kind, name);
}

/// A multiple of a decimal step without the noise of binary fractions: 1.3, not 1.3000000000000003.
double decimal(double value) {
    std::array<char, 40> text{};
    (void)std::snprintf(text.data(), text.size(), "%.12g", value);
    return parseDouble(text.data()).value_or(value);
}

/// Reads the values of one axis; problems are collected.
class AxisReader {
public:
    AxisReader(const RunField& field, SweepReading& reading) : m_field(field), m_reading(reading) {}

    SweepAxis read(std::string_view values) {
        m_axis.field = m_field.name;
        if (trimmed(values).empty()) {
            problem("has no values; give a list as in 1,2,5 or a range as in 1:3:0.5");
            return m_axis;
        }
        for (const std::string_view part : split(values, ',')) {
            if (part.find(':') == std::string_view::npos)
                add(std::string(part));
            else
                addRange(part);
        }
        return m_axis;
    }

private:
    void problem(const std::string& text) {
        m_reading.problems.push_back(m_field.name + " " + text);
    }

    void add(const std::string& text) {
        if (text.empty()) return problem("has an empty value between two commas");
        try {
            FieldValue value = fieldFromText(m_field, text);
            if (std::ranges::find(m_axis.values, value) != m_axis.values.end())
                return problem("has the value " + escaped(text) + " twice");
            m_axis.values.push_back(std::move(value));
        } catch (const Error& e) {
            m_reading.problems.emplace_back(e.what());
        }
    }

    void addRange(std::string_view text) {
        const std::string shown = "'" + escaped(text) + "'";
        const auto parts = split(text, ':');
        std::vector<double> numbers;
        for (const std::string_view part : parts)
            if (const auto number = parseDouble(part)) numbers.push_back(*number);
        const bool isNumeric =
            m_field.type == FieldType::Number || m_field.type == FieldType::Integer;
        if (!isNumeric) return problem("takes no range, got " + shown);
        if (parts.size() != 3 || numbers.size() != 3)
            return problem("needs a range FROM:TO:STEP of numbers, got " + shown);
        const auto [from, to, step] = std::array{numbers[0], numbers[1], numbers[2]};
        if (step == 0 || (to - from) / step < 0)
            return problem("has a range whose step does not lead from " + formatDouble(from) +
                           " to " + formatDouble(to) + ", got " + shown);
        const double count = std::floor((to - from) / step + 1e-9) + 1;
        if (count > static_cast<double>(kMaxSweepRuns))
            return problem("has a range of more than " + std::to_string(kMaxSweepRuns) +
                           " values, got " + shown);
        for (int k = 0; k < static_cast<int>(count); ++k)
            add(formatDouble(decimal(from + k * step)));
    }

    const RunField& m_field;
    SweepReading& m_reading;
    SweepAxis m_axis;
};

void readOne(std::string_view kind, std::string_view name, std::string_view values,
             SweepReading& reading) {
    const RunField* field = sweptField(kind, name);
    if (field == nullptr) {
        std::string text = "'" + escaped(name) + "' is no parameter that can be swept";
        const auto fields = sweepFields(kind);
        if (const auto near = closestName(name, fields)) text += "; did you mean " + *near + "?";
        reading.problems.push_back(text);
        return;
    }
    if (std::ranges::find(reading.axes, field->name, &SweepAxis::field) != reading.axes.end()) {
        reading.problems.push_back(field->name + " is given twice; put its values into one list");
        return;
    }
    for (const SweepAxis& other : reading.axes)
        if (!field->twin.empty() && other.field == field->twin)
            reading.problems.push_back(field->name + " and " + other.field +
                                       " say the same, sweep one of them");
    reading.axes.push_back(AxisReader(*field, reading).read(values));
}

void checkSize(std::size_t given, SweepReading& reading) {
    if (given > kMaxSweepAxes)
        reading.problems.push_back("a sweep has one or two parameters, got " +
                                   std::to_string(given));
    else if (numRuns(reading.axes) > kMaxSweepRuns)
        reading.problems.push_back("a sweep has at most " + std::to_string(kMaxSweepRuns) +
                                   " runs, this one " + std::to_string(numRuns(reading.axes)));
}

}  // namespace

SweepReading readSweep(std::string_view kind, std::span<const std::string> texts) {
    SweepReading reading;
    for (const std::string& text : texts) {
        const auto at = text.find('=');
        if (at == std::string::npos)
            reading.problems.push_back("a sweep reads NAME=VALUES, got '" + escaped(text) + "'");
        else
            readOne(kind, trimmed(std::string_view(text).substr(0, at)),
                    std::string_view(text).substr(at + 1), reading);
    }
    checkSize(texts.size(), reading);
    return reading;
}

void addSeeds(std::vector<SweepAxis>& axes, const RunSpec& base, std::int64_t count) {
    const RunField& seed = *findField(base.job.kind().name, "seed");
    if (std::ranges::find(axes, seed.name, &SweepAxis::field) != axes.end())
        throw Error("The seeds are swept already; give --seeds or --sweep seed=...",
                    Error::Kind::BadInput);
    const auto most =
        static_cast<std::int64_t>(kMaxSweepRuns / std::max<std::size_t>(1, numRuns(axes)));
    if (count < 1 || count > most)
        throw Error("--seeds must be from 1 to " + std::to_string(most) + ", got " +
                        std::to_string(count) + ": a sweep has at most " +
                        std::to_string(kMaxSweepRuns) + " runs.",
                    Error::Kind::BadInput);
    SweepAxis axis{.field = seed.name, .values = {}};
    const auto first = std::get<std::int64_t>(seed.get(base));
    for (std::int64_t k = 0; k < count; ++k) axis.values.emplace_back(first + k);
    axes.push_back(std::move(axis));
}

std::vector<std::string> sweepFields(std::string_view kind) {
    using enum FieldType;
    std::vector<std::string> names;
    for (const RunField& field : jobFields(kind))
        if (field.type != Text && field.type != Texts && field.type != Rules && !field.isQuiet)
            names.push_back(field.name);
    names.emplace_back("seed");
    return names;
}

std::size_t numRuns(std::span<const SweepAxis> axes) {
    if (axes.empty()) return 0;
    std::size_t count = 1;
    for (const SweepAxis& axis : axes) count *= axis.values.size();
    return count;
}

std::vector<RunSpec> sweepRuns(const RunSpec& base, std::span<const SweepAxis> axes) {
    std::vector<RunSpec> specs;
    if (axes.empty()) return specs;
    specs.push_back(base);
    for (const SweepAxis& axis : axes) {
        const RunField* field = sweptField(base.job.kind().name, axis.field);
        if (field == nullptr)
            throw Error("'" + escaped(axis.field) + "' is no parameter that can be swept.",
                        Error::Kind::BadInput);
        std::vector<RunSpec> more;
        for (const RunSpec& spec : specs)
            for (const FieldValue& value : axis.values) {
                more.push_back(spec);
                field->set(more.back(), value);
                more.back().name += (more.back().name.empty() ? "" : " · ") + field->name + " " +
                                    shortFieldText(value);
            }
        specs = std::move(more);
    }
    for (const RunSpec& spec : specs)
        for (const SpecProblem& problem : validate(spec))
            throw Error("The run '" + escaped(spec.name) +
                            "' of the sweep is wrong: " + problem.field + " " + problem.text + ".",
                        Error::Kind::BadInput);
    return specs;
}

std::string sweepTag(std::span<const SweepAxis> axes, std::string_view utc) {
    std::string tag = "sweep";
    for (const SweepAxis& axis : axes) tag += "-" + axis.field;
    std::string digits;
    for (const char c : utc.substr(0, 19))
        if (c >= '0' && c <= '9') digits += c;
    return tag + "-" + digits.substr(0, 8) + "-" +
           digits.substr(std::min<std::size_t>(8, digits.size()));
}

}  // namespace orrery
