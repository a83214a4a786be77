#include "core/files/yaml_tree.h"

#include <algorithm>
#include <streambuf>
#include <unordered_map>
#include <utility>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

namespace orrery {

namespace {

/// `text` with the bare bytes 0x85 and 0xA0 as U+0085 and U+00A0: yaml-cpp 0.7 puts them for the
/// escapes "\N" and "\_". Nothing else in `text` is broken UTF-8, for the file was checked.
std::string withWholeCharacters(const std::string& text) {
    std::string whole;
    whole.reserve(text.size());
    int missing = 0;  // bytes of the character begun
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool continues = (byte & 0xC0) == 0x80;
        if (continues && missing == 0) whole += '\xC2';
        missing = continues      ? std::max(missing - 1, 0)
                  : byte >= 0xF0 ? 3
                  : byte >= 0xE0 ? 2
                                 : byte >= 0xC0;
        whole += c;
    }
    return whole;
}

/// Thrown out of the parser by the event handler below and caught in readYaml.
struct Refusal {
    std::size_t offset;  ///< in the file
    std::string code;
    std::string message;
    std::string hint;
};

/// Lets the parser read a text without a copy.
class TextBuffer : public std::streambuf {
public:
    explicit TextBuffer(std::string& text) {
        setg(text.data(), text.data(), text.data() + text.size());
    }
};

/// Builds the tree from the parser's events and refuses what readYaml does not take.
class TreeBuilder final : public YAML::EventHandler {
public:
    TreeBuilder(const LineIndex& lines, const CleanText& clean) : m_lines(lines), m_clean(clean) {}

    std::optional<YamlNode> takeRoot() { return std::move(m_root); }

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (m_root)
            throw Refusal{offsetOf(mark), "E108", "a second document begins here",
                          "keep one document in a file"};
    }
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        refuseAnchor(mark, anchor);
        add(makeNode(YamlNode::Kind::Null, mark));
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
        throw Refusal{offsetOf(mark), "E106", "aliases are not accepted", "write the value again"};
    }

    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        refuseAnchor(mark, anchor);
        refuseTag(mark, tag);
        YamlNode node = makeNode(YamlNode::Kind::Scalar, mark);
        node.isQuoted = tag != "?";
        if (node.isQuoted) refuseOpenQuote(mark);
        node.text = node.isQuoted ? withWholeCharacters(value) : value;
        add(std::move(node));
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open(YamlNode::Kind::Sequence, mark, tag, anchor);
    }
    void OnSequenceEnd() override { close(); }

    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        open(YamlNode::Kind::Map, mark, tag, anchor);
    }
    void OnMapEnd() override { close(); }

private:
    /// A list or map that is not closed yet.
    struct Frame {
        YamlNode node;
        std::optional<YamlMember> pending;           ///< map: name read, value to come
        std::unordered_map<std::string, int> lines;  ///< map: line of each name
    };

    /// Where in the file a mark of the parser is.
    std::size_t offsetOf(const YAML::Mark& mark) const {
        return mark.pos < 0 ? 0 : m_clean.fileOffset(static_cast<std::size_t>(mark.pos));
    }

    void refuseAnchor(const YAML::Mark& mark, YAML::anchor_t anchor) const {
        if (anchor != 0)
            throw Refusal{offsetOf(mark), "E106", "anchors are not accepted",
                          "remove the name after '&'"};
    }

    void refuseTag(const YAML::Mark& mark, const std::string& tag) const {
        if (!tag.empty() && tag != "?" && tag != "!")
            throw Refusal{offsetOf(mark), "E109", "tags are not accepted", "remove '!...'"};
    }

    /// The parser takes the end of the file for the end of a quoted text.
    void refuseOpenQuote(const YAML::Mark& mark) const {
        const std::string& text = m_clean.text;
        auto at = static_cast<std::size_t>(mark.pos);
        if (at >= text.size() || (text[at] != '"' && text[at] != '\'')) return;
        const char quote = text[at++];
        while (at < text.size()) {
            const bool isPair = quote == '\'' ? text.compare(at, 2, "''") == 0 : text[at] == '\\';
            if (isPair)
                at += 2;
            else if (text[at++] == quote)
                return;
        }
        throw Refusal{offsetOf(mark), "E104", "not valid YAML: this quote is never closed",
                      "close it"};
    }

    YamlNode makeNode(YamlNode::Kind kind, const YAML::Mark& mark) {
        if (++m_numValues > kMaxYamlValues)
            throw Refusal{offsetOf(mark), "E102", "more than 200,000 values",
                          "write map rows as whole lines"};
        YamlNode node;
        node.kind = kind;
        node.offset = offsetOf(mark);
        const Diagnostics::Place place = m_lines.at(node.offset);
        node.line = place.line;
        node.column = place.column;
        return node;
    }

    void open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag,
              YAML::anchor_t anchor) {
        refuseAnchor(mark, anchor);
        refuseTag(mark, tag);
        if (std::ssize(m_frames) >= kMaxYamlDepth)
            throw Refusal{offsetOf(mark), "E105", "nested deeper than 64", "flatten the file"};
        if (isKeyNext()) refuseKey(offsetOf(mark), "a list or map");
        m_frames.push_back({makeNode(kind, mark), std::nullopt, {}});
    }

    void close() {
        YamlNode node = std::move(m_frames.back().node);
        m_frames.pop_back();
        add(std::move(node));
    }

    bool isKeyNext() const {
        return !m_frames.empty() && m_frames.back().node.kind == YamlNode::Kind::Map &&
               !m_frames.back().pending;
    }

    [[noreturn]] static void refuseKey(std::size_t offset, const std::string& what) {
        throw Refusal{offset, "E110", what + " cannot be a key", "write a name before ':'"};
    }

    void add(YamlNode node) {
        if (m_frames.empty()) {
            m_root = std::move(node);
        } else if (isKeyNext()) {
            takeKey(node);
        } else if (Frame& frame = m_frames.back(); frame.pending) {
            frame.pending->value = std::move(node);
            frame.node.members.push_back(std::move(*frame.pending));
            frame.pending.reset();
        } else {
            frame.node.elements.push_back(std::move(node));
        }
    }

    void takeKey(YamlNode& node) {
        Frame& frame = m_frames.back();
        if (node.kind != YamlNode::Kind::Scalar) refuseKey(node.offset, "an empty name");
        const auto [entry, isNew] = frame.lines.emplace(node.text, node.line);
        if (!isNew)
            throw Refusal{node.offset, "E107",
                          "key " + quotedValue(node.text) + " is here twice, first in line " +
                              std::to_string(entry->second),
                          "keep one"};
        frame.pending = YamlMember{std::move(node.text), node.line, node.column, {}};
    }

    const LineIndex& m_lines;
    const CleanText& m_clean;
    std::vector<Frame> m_frames;
    std::optional<YamlNode> m_root;
    std::size_t m_numValues = 0;
};

/// Runs the parser over the clean text.
/// @throws Refusal, YAML::Exception
std::optional<YamlNode> parse(const LineIndex& lines, CleanText& clean) {
    TextBuffer buffer(clean.text);
    std::istream stream(&buffer);
    YAML::Parser parser(stream);
    TreeBuilder builder(lines, clean);
    if (!parser.HandleNextDocument(builder)) return std::nullopt;
    parser.HandleNextDocument(builder);
    return builder.takeRoot();
}

}  // namespace

const YamlMember* YamlNode::find(std::string_view name) const {
    const auto found = std::ranges::find(members, name, &YamlMember::name);
    return found == members.end() ? nullptr : &*found;
}

const char* kindName(YamlNode::Kind kind) {
    switch (kind) {
        case YamlNode::Kind::Null:
            return "nothing";
        case YamlNode::Kind::Scalar:
            return "a single value";
        case YamlNode::Kind::Sequence:
            return "a list";
        case YamlNode::Kind::Map:
            return "a map";
    }
    return "";
}

std::optional<YamlNode> readYaml(const LineIndex& lines, Diagnostics& out, ByteRange leaveOut) {
    const std::string_view file = lines.text();
    if (file.size() - (leaveOut.end - leaveOut.begin) > kMaxYamlBytes) {
        out.error({}, "E102", "larger than 16 MiB", "split the file");
        return std::nullopt;
    }
    CleanText clean;
    TextFault fault;
    if (!cleanText(file, leaveOut, clean, fault)) {
        out.error(lines.at(fault.offset), fault.code, fault.message, fault.hint);
        return std::nullopt;
    }
    try {
        std::optional<YamlNode> root = parse(lines, clean);
        if (!root) out.error({}, "E101", "the file is empty", "write at least one key");
        return root;
    } catch (const Refusal& refusal) {
        out.error(lines.at(refusal.offset), refusal.code, refusal.message, refusal.hint);
    } catch (const YAML::Exception& e) {
        const std::size_t offset = e.mark.is_null() ? 0 : static_cast<std::size_t>(e.mark.pos);
        out.error(lines.at(clean.fileOffset(offset)), "E104", "not valid YAML: " + e.msg);
    }
    return std::nullopt;
}

}  // namespace orrery
