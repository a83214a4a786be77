#include "core/files/world_file.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/files/world_reader.h"

namespace orrery {

namespace {

/// Whether a line begins a block of text that is the map: "map: |", perhaps with a comment.
bool beginsMapBlock(std::string_view line) {
    if (!line.starts_with("map:")) return false;
    line.remove_prefix(4);
    const auto skipBlanks = [&line] {
        while (!line.empty() &&
               (line.front() == ' ' || line.front() == '\t' || line.front() == '\r'))
            line.remove_prefix(1);
    };
    skipBlanks();
    if (!line.starts_with('|')) return false;
    line.remove_prefix(1);
    skipBlanks();
    return line.empty() || line.front() == '#';
}

/// The lines of the map of a file that is too large for the YAML parser, so that it need not see
/// them; an empty range if there is no `map: |` at the beginning of a line.
ByteRange findMapLines(std::string_view text) {
    for (std::size_t begin = 0; begin < text.size();) {
        std::size_t end = std::min(text.find('\n', begin), text.size());
        if (beginsMapBlock(text.substr(begin, end - begin))) {
            const std::size_t first = std::min(end + 1, text.size());
            std::size_t last = first;
            while (last < text.size() &&
                   (text[last] == ' ' || text[last] == '\n' || text[last] == '\r'))
                last = std::min(text.find('\n', last), text.size() - 1) + 1;
            return {first, last};
        }
        begin = end + 1;
    }
    return {};
}

}  // namespace

WorldFile readWorldFile(const std::filesystem::path& path, const WorldReadOptions& options) {
    return parseWorld(readFile(path, kMaxWorldFileBytes), path.string(), options);
}

WorldFile parseWorld(std::string_view text, const std::string& fileName,
                     const WorldReadOptions& options) {
    Diagnostics out(fileName);
    WorldFile result;
    const LineIndex lines(text);
    const ByteRange mapLines = text.size() > kMaxYamlBytes ? findMapLines(text) : ByteRange{};
    if (const std::optional<YamlNode> root = readYaml(lines, out, mapLines))
        result.spec = WorldReader(*root, lines, mapLines, out, options).read();
    result.diagnostics = out.sorted();
    result.omitted = out.omitted();
    result.hasErrors = out.hasErrors();
    return result;
}

const WorldSpec& requireSpec(const WorldFile& file) {
    if (!file.hasErrors) return file.spec;
    std::string text;
    for (const Diagnostic& diagnostic : file.diagnostics)
        if (diagnostic.severity == Severity::Error)
            text += (text.empty() ? "" : "\n") + diagnosticLine(diagnostic);
    if (file.omitted > 0) text += "\nand " + std::to_string(file.omitted) + " more";
    throw Error(text, Error::Kind::BadInput);
}

}  // namespace orrery
