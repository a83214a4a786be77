#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/source_text.h"
#include "core/files/value_reader.h"

namespace orrery {

/// Cells that a map of two-character codes and one of words may have.
inline constexpr std::uint64_t kMaxMapCells = 100'000'000;
inline constexpr std::uint64_t kMaxWordCells = 1'000'000;

/// The rows of a world's map and the way from a cell back to its place in the file.
/// A map is a block of text with a row in each line, or a list of rows; a row is text or a list of
/// cells. Empty rows do not count. Keeps views of the node's texts and of the file.
class MapReader {
public:
    MapReader(ValueReader& reader, const LineIndex& lines) : m_reader(reader), m_lines(lines) {}

    /// Finds the rows. @return false after an error
    bool findRows(const YamlNode& map);
    /// Takes the file's lines in the range as the rows of `map`. @return false after an error
    bool takeRows(const YamlNode& map, ByteRange lines);

    /// Rows of two-character cells without blanks. @return nothing after an error
    std::optional<std::vector<std::string>> codeRows();
    /// Rows of cells divided by blanks. @return nothing after an error
    std::optional<std::vector<std::vector<std::string>>> wordRows();

    /// The place of a cell; column -1: of the row's first one. Out of range: the map's own place.
    Diagnostics::Place place(int row, int column) const;

private:
    /// A row given as a list of cells.
    struct JoinedRow {
        std::string text;                  ///< the cells with a blank between two
        std::vector<std::size_t> offsets;  ///< [cells] in the file
    };
    struct Row {
        std::string_view text;
        std::size_t offset = 0;             ///< of the text in the file
        bool isExact = false;               ///< the file has exactly this text at the offset
        const JoinedRow* joined = nullptr;  ///< of a row given as a list of cells
    };

    void addRow(const Row& row);
    void addBlock(const YamlNode& node);
    void addQuoted(const YamlNode& node);
    void addLine(const YamlNode& node, std::size_t offset);
    bool addCells(const YamlNode& node);
    bool addElement(const YamlNode& node);
    bool checkSize();
    std::optional<std::string> codeRow(int row);
    void refuseCharacter(int row, std::size_t at);
    void refuseHalfCell(int row);
    Diagnostics::Place placeIn(const Row& row, std::size_t at) const;

    ValueReader& m_reader;
    const LineIndex& m_lines;
    const YamlNode* m_map = nullptr;
    std::vector<Row> m_rows;
    std::deque<JoinedRow> m_joined;
    bool m_isCodes = true;  ///< cells have two characters, blanks mean nothing
};

}  // namespace orrery
