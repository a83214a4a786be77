#include "core/files/diagnostic.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "core/base/text.h"

namespace orrery {

namespace {

constexpr std::size_t kMaxLineBytes = 300;
constexpr std::size_t kMaxFileBytes = 120;
constexpr std::size_t kMaxValueBytes = 40;

const char* severityName(Severity severity) {
    return severity == Severity::Error ? "error" : "warning";
}

/// The file name made safe; a long one loses its beginning.
std::string shownFile(const std::string& file) {
    const std::string all = escaped(file, 16 * file.size() + 1);
    if (all.size() <= kMaxFileBytes) return all;
    std::size_t begin = all.size() - kMaxFileBytes + 3;
    while (begin < all.size() && (static_cast<unsigned char>(all[begin]) & 0xC0) == 0x80) ++begin;
    return "..." + all.substr(begin);
}

}  // namespace

std::string quotedValue(std::string_view text) {
    return "'" + escaped(text, kMaxValueBytes) + "'";
}

std::string diagnosticLine(const Diagnostic& diagnostic) {
    std::string line = shownFile(diagnostic.file) + ":" + std::to_string(diagnostic.line) + ":" +
                       std::to_string(diagnostic.column) + ": " +
                       severityName(diagnostic.severity) + " " + diagnostic.code + ": ";
    std::string text = diagnostic.message;
    if (!diagnostic.hint.empty()) text += "; " + diagnostic.hint;
    line += escaped(text, kMaxLineBytes - line.size());
    return line;
}

std::string diagnosticJson(const Diagnostic& diagnostic) {
    nlohmann::ordered_json object;
    object["file"] = diagnostic.file;
    object["line"] = diagnostic.line;
    object["column"] = diagnostic.column;
    object["severity"] = severityName(diagnostic.severity);
    object["code"] = diagnostic.code;
    object["message"] = diagnostic.message;
    object["hint"] = diagnostic.hint;
    return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void Diagnostics::error(Place place, std::string code, std::string message, std::string hint) {
    ++m_numErrors;
    add({m_file, place.line, place.column, Severity::Error, std::move(code), std::move(message),
         std::move(hint)});
}

void Diagnostics::warning(Place place, std::string code, std::string message, std::string hint) {
    add({m_file, place.line, place.column, Severity::Warning, std::move(code), std::move(message),
         std::move(hint)});
}

void Diagnostics::add(Diagnostic diagnostic) {
    if (m_list.size() < kMost) {
        m_list.push_back(std::move(diagnostic));
        return;
    }
    ++m_omitted;
    if (diagnostic.severity != Severity::Error) return;
    const auto warning = std::find_if(m_list.rbegin(), m_list.rend(), [](const Diagnostic& d) {
        return d.severity == Severity::Warning;
    });
    if (warning != m_list.rend()) *warning = std::move(diagnostic);
}

std::vector<Diagnostic> Diagnostics::sorted() const {
    std::vector<Diagnostic> result = m_list;
    std::ranges::stable_sort(result, [](const Diagnostic& a, const Diagnostic& b) {
        return std::tie(a.severity, a.line, a.column) < std::tie(b.severity, b.line, b.column);
    });
    return result;
}

}  // namespace orrery
