#include "app/selfcheck/oracle_node.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/text.h"

namespace orrery {
namespace {

constexpr std::uint64_t kMaxBytes = 256ULL << 20;
constexpr int kMaxDepth = 64;

/// "line:column" of a byte.
std::string position(const std::string& text, std::size_t byte) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
    const auto line = 1 + std::count(text.begin(), end, '\n');
    const auto lineBegin = std::find(std::make_reverse_iterator(end), text.rend(), '\n');
    const auto column = std::max<std::ptrdiff_t>(1, end - lineBegin.base());
    return std::to_string(line) + ":" + std::to_string(column);
}

/// Refuses what nlohmann accepts silently: deep nesting and repeated keys.
class DocumentGuard {
public:
    bool operator()(int depth, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
        using Event = nlohmann::json::parse_event_t;
        if (depth > kMaxDepth) throw badInput("1:1: nested more than 64 levels deep");
        if (event == Event::object_start) m_keys.emplace_back();
        if (event == Event::object_end && !m_keys.empty()) m_keys.pop_back();
        if (event == Event::key && !m_keys.empty() &&
            !m_keys.back().insert(parsed.get<std::string>()).second)
            throw badInput("1:1: the key " + parsed.dump() + " occurs twice in one object");
        return true;
    }

private:
    std::vector<std::set<std::string>> m_keys;  // of the objects that are open
};

}  // namespace

void OracleNode::wrongType(const char* expected) const {
    const std::string found = escaped(m_value->dump(), 60);
    throw badInput((m_path.empty() ? "the document" : m_path) + ": expected " + expected +
                   ", found " + found);
}

OracleNode OracleNode::part(const nlohmann::json& value, std::string path) const {
    return {std::shared_ptr<const nlohmann::json>(m_value, &value), std::move(path)};
}

bool OracleNode::isNull() const {
    return m_value->is_null();
}

bool OracleNode::isEmpty() const {
    return m_value->is_null() ||
           (m_value->is_string() && m_value->get_ref<const std::string&>().empty()) ||
           (m_value->is_structured() && m_value->empty());
}

std::vector<std::string> OracleNode::keys() const {
    if (!m_value->is_object()) wrongType("an object");
    std::vector<std::string> names;
    for (const auto& item : m_value->items()) names.push_back(item.key());
    return names;
}

bool OracleNode::has(const std::string& key) const {
    if (!m_value->is_object()) wrongType("an object");
    return m_value->contains(key);
}

OracleNode OracleNode::at(const std::string& key) const {
    if (!has(key)) throw badInput(m_path + (m_path.empty() ? "" : ".") + key + " is missing");
    return part((*m_value)[key], m_path.empty() ? key : m_path + "." + key);
}

std::size_t OracleNode::size() const {
    if (!m_value->is_array()) wrongType("an array");
    return m_value->size();
}

OracleNode OracleNode::at(std::size_t index) const {
    if (index >= size()) wrongType(("at least " + std::to_string(index + 1) + " elements").c_str());
    return part((*m_value)[index], m_path + "[" + std::to_string(index) + "]");
}

double OracleNode::number() const {
    if (m_value->is_number()) return m_value->get<double>();
    if (m_value->is_string()) {
        const auto& word = m_value->get_ref<const std::string&>();
        if (word == "inf") return std::numeric_limits<double>::infinity();
        if (word == "-inf") return -std::numeric_limits<double>::infinity();
    }
    wrongType("a number or \"inf\"");
}

int OracleNode::integer() const {
    const double value = number();
    if (value != std::floor(value) || std::abs(value) > std::numeric_limits<int>::max())
        wrongType("an integer");
    return static_cast<int>(value);
}

bool OracleNode::truth() const {
    if (!m_value->is_boolean()) wrongType("true or false");
    return m_value->get<bool>();
}

std::string OracleNode::text() const {
    if (!m_value->is_string()) wrongType("a text");
    return m_value->get<std::string>();
}

std::vector<double> OracleNode::numbers() const {
    std::vector<double> values(size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = at(i).number();
    return values;
}

std::vector<int> OracleNode::integers() const {
    std::vector<int> values(size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = at(i).integer();
    return values;
}

std::vector<std::string> OracleNode::texts() const {
    std::vector<std::string> values(size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = at(i).text();
    return values;
}

std::string OracleNode::compact() const {
    return m_value->dump();
}

std::string compactText(const std::vector<int>& numbers) {
    return nlohmann::json(numbers).dump();
}

bool checkKeys(const OracleNode& object, const OracleKeys& keys, Tally& tally) {
    bool complete = true;
    const std::string prefix = object.path().empty() ? "" : object.path() + ".";
    for (const std::string& key : keys.required) {
        const bool missing = !object.has(key);
        if (!missing && !object.at(key).isEmpty()) continue;
        tally.fail(prefix + key, missing ? "missing" : "empty");
        complete = false;
    }
    for (const std::string& key : keys.nullable) {
        if (object.has(key)) continue;
        tally.fail(prefix + key, "missing");
        complete = false;
    }
    for (const std::string& key : keys.optional)
        if (object.has(key) && object.at(key).isEmpty()) tally.fail(prefix + key, "empty");
    const auto knows = [&](const std::string& key) {
        const auto in = [&](const auto& list) {
            return std::ranges::find(list, key) != list.end();
        };
        return in(keys.required) || in(keys.nullable) || in(keys.optional);
    };
    for (const std::string& key : object.keys())
        if (!knows(key)) tally.fail(prefix + key, "unknown, so it cannot be checked");
    return complete;
}

OracleNode readOracleDocument(const std::filesystem::path& file) {
    const std::string text = readFile(file, kMaxBytes);
    try {
        DocumentGuard guard;
        const nlohmann::json::parser_callback_t callback = std::ref(guard);
        return {std::make_shared<const nlohmann::json>(nlohmann::json::parse(text, callback)), ""};
    } catch (const nlohmann::json::parse_error& e) {
        throw badInput(position(text, e.byte) +
                       ": this is no JSON document: " + escaped(e.what(), 160));
    } catch (const nlohmann::json::exception& e) {
        throw badInput("1:1: " + escaped(e.what(), 160));
    }
}

}  // namespace orrery
