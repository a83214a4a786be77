#include "core/files/map_reader.h"

#include <algorithm>

namespace orrery {

namespace {

bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool isLineEnd(char c) {
    return c == '\n' || c == '\r';
}

/// Bytes of the escape sequence of a double-quoted text that begins at `at`, and its character if
/// that is ASCII (else 0).
std::size_t escapeLength(std::string_view file, std::size_t at, char& character) {
    const char c = at + 1 < file.size() ? file[at + 1] : '\0';
    character = c == 'n' ? '\n' : c == 't' ? '\t' : c == '/' || c == '"' || c == '\\' ? c : '\0';
    return c == 'x' ? 4 : c == 'u' ? 6 : c == 'U' ? 10 : 2;
}

}  // namespace

bool MapReader::findRows(const YamlNode& map) {
    m_map = &map;
    if (map.kind == YamlNode::Kind::Sequence) {
        for (const YamlNode& element : map.elements)
            if (!addElement(element)) return false;
    } else if (map.kind == YamlNode::Kind::Scalar) {
        const char first = m_lines.text()[std::min(map.offset, m_lines.text().size() - 1)];
        if (map.isQuoted && first == '|')
            addBlock(map);
        else if (map.isQuoted && first == '"')
            addQuoted(map);
        else
            addLine(map, map.offset + (map.isQuoted ? 1 : 0));
    } else {
        m_reader.wrong(map, "map", "a block of text (map: |) or a list of rows");
        return false;
    }
    return checkSize();
}

bool MapReader::takeRows(const YamlNode& map, ByteRange lines) {
    m_map = &map;
    const std::string_view file = m_lines.text();
    for (std::size_t begin = lines.begin; begin < lines.end;) {
        const std::size_t end = std::min(file.find('\n', begin), lines.end);
        addRow({file.substr(begin, end - begin), begin, true});
        begin = end + 1;
    }
    return checkSize();
}

void MapReader::addRow(const Row& row) {
    if (!std::ranges::all_of(row.text, isBlank)) m_rows.push_back(row);
}

/// A block after '|': its lines are the file's lines from the next one on, without their indent.
void MapReader::addBlock(const YamlNode& node) {
    const std::string_view file = m_lines.text();
    const auto lineEnd = [file](std::size_t at) {
        while (at < file.size() && !isLineEnd(file[at])) ++at;
        return at;
    };
    const auto nextLine = [file](std::size_t end) {
        return end + (file.substr(end).starts_with("\r\n") ? 2 : 1);
    };
    std::size_t fileBegin = nextLine(lineEnd(node.offset));
    const std::string_view text = node.text;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = text.substr(begin, end - begin);
        Row row{line, node.offset, false};
        if (fileBegin < file.size()) {
            const std::size_t fileEnd = lineEnd(fileBegin);
            if (file.substr(fileBegin, fileEnd - fileBegin).ends_with(line))
                row = {line, fileEnd - line.size(), true};
            fileBegin = nextLine(fileEnd);
        }
        addRow(row);
        begin = end + 1;
    }
}

/// A double-quoted text, as JSON has it: rows end at "\n" escapes.
void MapReader::addQuoted(const YamlNode& node) {
    const std::string_view file = m_lines.text();
    const std::string_view text = node.text;
    std::size_t at = node.offset + 1;  // in the file
    bool inStep = true;                // the file was understood up to here
    std::size_t begin = 0;
    Row row{{}, at, true};
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i == text.size() || text[i] == '\n') {
            row.text = text.substr(begin, i - begin);
            row.isExact = inStep && file.substr(row.offset).starts_with(row.text);
            addRow(row);
            begin = i + 1;
        }
        if (i == text.size()) break;
        char character = at < file.size() ? file[at] : '\0';
        const std::size_t length = character == '\\' ? escapeLength(file, at, character) : 1;
        inStep = inStep && (character == text[i] || (length > 2 && character == '\0'));
        at += length;
        if (text[i] == '\n') row.offset = inStep ? at : node.offset;
    }
}

void MapReader::addLine(const YamlNode& node, std::size_t offset) {
    const bool isExact =
        offset <= m_lines.text().size() && m_lines.text().substr(offset).starts_with(node.text);
    addRow({node.text, isExact ? offset : node.offset, isExact});
}

bool MapReader::addCells(const YamlNode& node) {
    JoinedRow& joined = m_joined.emplace_back();
    for (const YamlNode& cell : node.elements) {
        if (!m_reader.expect(cell, "map", YamlNode::Kind::Scalar)) return false;
        if (std::ranges::any_of(cell.text, isBlank) || cell.text.empty()) {
            m_reader.wrong(cell, "map", "cells without blanks", "E118");
            return false;
        }
        joined.text += (joined.text.empty() ? "" : " ") + cell.text;
        joined.offsets.push_back(cell.offset + (cell.isQuoted ? 1 : 0));
    }
    addRow({joined.text, node.offset, false, &joined});
    return true;
}

bool MapReader::addElement(const YamlNode& node) {
    if (node.kind == YamlNode::Kind::Sequence) return addCells(node);
    if (!m_reader.expect(node, "map", YamlNode::Kind::Scalar)) return false;
    if (node.text.find('\n') != std::string::npos) {
        m_reader.wrong(node, "map", "one row in each element of the list", "E118");
        return false;
    }
    addLine(node, node.offset + (node.isQuoted ? 1 : 0));
    return true;
}

bool MapReader::checkSize() {
    if (m_rows.empty()) {
        m_reader.diagnostics().error(m_map->place(), "E118", "'map' has no rows",
                                     "write `map: |` and the rows below it, indented");
        return false;
    }
    std::uint64_t cells = 0;
    for (const Row& row : m_rows) {
        const auto blanks = std::ranges::count_if(row.text, isBlank);
        cells += m_isCodes ? (row.text.size() - static_cast<std::size_t>(blanks)) / 2
                           : static_cast<std::uint64_t>(blanks) + 1;
    }
    const std::uint64_t most = m_isCodes ? kMaxMapCells : kMaxWordCells;
    if (cells <= most) return true;
    m_reader.diagnostics().error(m_map->place(), "E118",
                                 "'map' has " + std::to_string(cells) + " cells; at most " +
                                     std::to_string(most) + " are possible",
                                 "make the map smaller");
    return false;
}

std::optional<std::vector<std::string>> MapReader::codeRows() {
    std::vector<std::string> rows;
    rows.reserve(m_rows.size());
    bool ok = true;
    for (int i = 0; i < static_cast<int>(m_rows.size()); ++i) {
        std::optional<std::string> row = codeRow(i);
        ok = ok && row;
        if (ok) rows.push_back(std::move(*row));
    }
    if (!ok) return std::nullopt;
    return rows;
}

std::optional<std::string> MapReader::codeRow(int row) {
    const std::string_view text = m_rows[row].text;
    std::string cells;
    cells.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (isBlank(text[i])) continue;
        if (text[i] < '!' || text[i] > '~') {
            refuseCharacter(row, i);
            return std::nullopt;
        }
        cells += text[i];
    }
    if (cells.size() % 2 != 0) {
        refuseHalfCell(row);
        return std::nullopt;
    }
    cells.shrink_to_fit();
    return cells;
}

void MapReader::refuseCharacter(int row, std::size_t at) {
    const std::string_view text = m_rows[row].text;
    std::size_t end = at + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
    m_reader.diagnostics().error(
        placeIn(m_rows[row], at), "E118",
        "no cell of a map has the character " + quotedValue(text.substr(at, end - at)),
        "use the two-character codes");
}

/// Points at the first word of the row that has half a cell.
void MapReader::refuseHalfCell(int row) {
    const std::string_view text = m_rows[row].text;
    std::size_t begin = 0;
    std::size_t end = 0;
    do {
        begin = std::min(text.find_first_not_of(" \t\r\n", end), text.size());
        end = std::min(text.find_first_of(" \t\r\n", begin), text.size());
    } while ((end - begin) % 2 == 0 && end < text.size());
    m_reader.diagnostics().error(placeIn(m_rows[row], begin), "E118",
                                 "map row " + std::to_string(row + 1) + ": " +
                                     quotedValue(text.substr(begin, end - begin)) +
                                     " is not made of two-character cells",
                                 "add or remove a character");
}

std::optional<std::vector<std::vector<std::string>>> MapReader::wordRows() {
    m_isCodes = false;
    if (!checkSize()) return std::nullopt;
    std::vector<std::vector<std::string>> rows;
    for (const Row& row : m_rows) {
        std::vector<std::string>& cells = rows.emplace_back();
        for (std::size_t end = 0; end < row.text.size();) {
            const std::size_t begin =
                std::min(row.text.find_first_not_of(" \t\r\n", end), row.text.size());
            end = std::min(row.text.find_first_of(" \t\r\n", begin), row.text.size());
            if (begin < end) cells.emplace_back(row.text.substr(begin, end - begin));
        }
    }
    return rows;
}

Diagnostics::Place MapReader::place(int row, int column) const {
    if (row < 0 || row >= static_cast<int>(m_rows.size())) return m_map->place();
    const Row& found = m_rows[row];
    const auto wanted = static_cast<std::size_t>(std::max(column, 0));
    std::size_t characters = 0;
    std::size_t words = 0;
    for (std::size_t i = 0; i < found.text.size(); ++i) {
        if (isBlank(found.text[i])) continue;
        const bool isWordBegin = i == 0 || isBlank(found.text[i - 1]);
        if (m_isCodes ? characters == 2 * wanted : isWordBegin && words == wanted)
            return placeIn(found, i);
        ++characters;
        if (isWordBegin) ++words;
    }
    return placeIn(found, 0);
}

Diagnostics::Place MapReader::placeIn(const Row& row, std::size_t at) const {
    if (row.isExact) return m_lines.at(row.offset + at);
    if (row.joined == nullptr) return m_lines.at(row.offset);
    const auto cell = std::ranges::count(row.text.substr(0, at), ' ');
    return m_lines.at(row.joined->offsets[static_cast<std::size_t>(cell)]);
}

}  // namespace orrery
