#include "core/files/msgpack.h"

#ifndef MSGPACK_NO_BOOST
#define MSGPACK_NO_BOOST
#endif
#include <limits>
#include <msgpack.hpp>

#include "core/base/error.h"

namespace orrery {

const MsgpackValue* MsgpackValue::find(std::string_view name) const {
    if (kind != Kind::Map) return nullptr;
    for (std::size_t i = 0; i < members(); ++i) {
        const MsgpackValue& own = key(i);
        if ((own.kind == Kind::Text || own.kind == Kind::Binary) && own.bytes == name)
            return &value(i);
    }
    return nullptr;
}

namespace {

using Kind = MsgpackValue::Kind;

/// Makes the tree while the parser goes through the bytes; false ends that.
class MsgpackTree : public msgpack::null_visitor {
public:
    explicit MsgpackTree(const MsgpackLimits& limits) : m_limits(limits) {}

    bool visit_nil() { return add(Kind::Nil) != nullptr; }
    bool visit_boolean(bool value) {
        MsgpackValue* made = add(Kind::Truth);
        if (made != nullptr) made->truth = value;
        return made != nullptr;
    }
    bool visit_positive_integer(std::uint64_t value) {
        if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return refuse("a whole number is too large");
        return visit_negative_integer(static_cast<std::int64_t>(value));
    }
    bool visit_negative_integer(std::int64_t value) {
        MsgpackValue* made = add(Kind::Integer);
        if (made == nullptr) return false;
        made->integer = value;
        made->number = static_cast<double>(value);
        return true;
    }
    bool visit_float32(float value) { return visit_float64(static_cast<double>(value)); }
    bool visit_float64(double value) {
        MsgpackValue* made = add(Kind::Number);
        if (made != nullptr) made->number = value;
        return made != nullptr;
    }
    bool visit_str(const char* begin, std::uint32_t size) {
        return string(Kind::Text, begin, size);
    }
    bool visit_bin(const char* begin, std::uint32_t size) {
        return string(Kind::Binary, begin, size);
    }
    bool visit_ext(const char* /*begin*/, std::uint32_t /*size*/) {
        return refuse("an extension stands there");
    }
    bool start_array(std::uint32_t /*elements*/) { return open(Kind::Array); }
    bool start_map(std::uint32_t /*members*/) { return open(Kind::Map); }
    bool end_array() { return close(); }
    bool end_map() { return close(); }
    void parse_error(std::size_t /*parsed*/, std::size_t /*place*/) {
        refuse("no value begins like this");
    }
    void insufficient_bytes(std::size_t /*parsed*/, std::size_t /*place*/) {
        refuse("the bytes end within a value");
    }

    const std::string& problem() const { return m_problem; }
    MsgpackValue take() { return std::move(m_root); }

private:
    bool refuse(const char* why) {
        if (m_problem.empty()) m_problem = why;
        return false;
    }
    /// Where the parser is. @return null if there are too many
    MsgpackValue* add(Kind kind) {
        if (++m_values > m_limits.values) {
            refuse("there are too many values");
            return nullptr;
        }
        MsgpackValue* made = &m_root;
        if (!m_open.empty()) made = &m_open.back()->elements.emplace_back();
        made->kind = kind;
        return made;
    }
    bool string(Kind kind, const char* begin, std::uint32_t size) {
        MsgpackValue* made = add(kind);
        if (made != nullptr) made->bytes = {begin, size};
        return made != nullptr;
    }
    bool open(Kind kind) {
        if (std::ssize(m_open) >= m_limits.depth) return refuse("values lie too deep");
        MsgpackValue* made = add(kind);
        // Stays where it is: its parent gets no further element before it is closed.
        if (made != nullptr) m_open.push_back(made);
        return made != nullptr;
    }
    bool close() {
        m_open.pop_back();
        return true;
    }

    const MsgpackLimits m_limits;
    MsgpackValue m_root;
    std::vector<MsgpackValue*> m_open;
    std::size_t m_values = 0;
    std::string m_problem;
};

/// Where packers put their bytes.
struct TextSink {
    std::string& out;
    void write(const char* bytes, std::size_t size) { out.append(bytes, size); }
};

msgpack::packer<TextSink> packerInto(TextSink& sink) {
    return msgpack::packer<TextSink>(sink);
}

std::uint32_t lengthOf(std::size_t size) {
    if (size > std::numeric_limits<std::uint32_t>::max())
        throw badInput("More than 4 GiB do not fit into one value of MessagePack.");
    return static_cast<std::uint32_t>(size);
}

}  // namespace

MsgpackValue readMsgpack(std::string_view bytes, const MsgpackLimits& limits) {
    MsgpackTree tree(limits);
    std::size_t place = 0;
    const bool isRead = !bytes.empty() && msgpack::parse(bytes.data(), bytes.size(), place, tree);
    std::string problem = tree.problem();
    if (problem.empty() && !isRead) problem = "no value stands there";
    if (problem.empty() && place < bytes.size()) problem = "something follows behind the value";
    if (!problem.empty()) throw badInput("byte " + std::to_string(place) + ": " + problem);
    return tree.take();
}

void MsgpackWriter::nil() {
    TextSink sink{m_bytes};
    packerInto(sink).pack_nil();
}

void MsgpackWriter::truth(bool value) {
    TextSink sink{m_bytes};
    value ? packerInto(sink).pack_true() : packerInto(sink).pack_false();
}

void MsgpackWriter::integer(std::int64_t value) {
    TextSink sink{m_bytes};
    packerInto(sink).pack_int64(value);
}

void MsgpackWriter::number(double value) {
    TextSink sink{m_bytes};
    packerInto(sink).pack_double(value);
}

void MsgpackWriter::text(std::string_view value) {
    TextSink sink{m_bytes};
    const std::uint32_t size = lengthOf(value.size());
    packerInto(sink).pack_str(size).pack_str_body(value.data(), size);
}

void MsgpackWriter::binary(std::string_view value) {
    TextSink sink{m_bytes};
    const std::uint32_t size = lengthOf(value.size());
    packerInto(sink).pack_bin(size).pack_bin_body(value.data(), size);
}

void MsgpackWriter::array(std::size_t elements) {
    TextSink sink{m_bytes};
    packerInto(sink).pack_array(lengthOf(elements));
}

void MsgpackWriter::map(std::size_t members) {
    TextSink sink{m_bytes};
    packerInto(sink).pack_map(lengthOf(members));
}

}  // namespace orrery
