#include "core/base/run_event.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

namespace orrery {

namespace {

constexpr std::array<std::pair<RunState, std::string_view>, 9> kStateNames{{
    {RunState::Queued, "queued"},
    {RunState::Running, "running"},
    {RunState::Paused, "paused"},
    {RunState::Blocked, "blocked"},
    {RunState::Finished, "finished"},
    {RunState::Stopped, "stopped"},
    {RunState::Failed, "failed"},
    {RunState::Diverged, "diverged"},
    {RunState::Interrupted, "interrupted"},
}};

/// Appends fields to a byte string.
class Encoder {
public:
    explicit Encoder(std::string& bytes) : m_bytes(bytes) {}

    template <typename T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
    void operator()(const T& value) {
        m_bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void operator()(const std::string& text) {
        (*this)(static_cast<std::uint64_t>(text.size()));
        m_bytes += text;
    }
    template <typename T>
    void operator()(const std::optional<T>& value) {
        (*this)(value.has_value());
        (*this)(value.value_or(T{}));
    }

private:
    std::string& m_bytes;
};

/// Takes the same fields off again; `ok` turns false where bytes are missing.
class Decoder {
public:
    explicit Decoder(std::string_view bytes) : m_bytes(bytes) {}

    template <typename T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
    void operator()(T& value) {
        if (m_bytes.size() < sizeof value) {
            m_ok = false;
            return;
        }
        std::memcpy(&value, m_bytes.data(), sizeof value);
        m_bytes.remove_prefix(sizeof value);
    }
    void operator()(std::string& text) {
        std::uint64_t size = 0;
        (*this)(size);
        if (!m_ok || size > m_bytes.size()) {
            m_ok = false;
            return;
        }
        text.assign(m_bytes.substr(0, size));
        m_bytes.remove_prefix(size);
    }
    template <typename T>
    void operator()(std::optional<T>& value) {
        std::uint8_t known = 0;
        T number{};
        (*this)(known);
        (*this)(number);
        if (known != 0) value = number;
    }

    bool whole() const { return m_ok && m_bytes.empty(); }

private:
    std::string_view m_bytes;
    bool m_ok = true;
};

/// Calls `field` on every member, for encoding and decoding alike.
template <typename Body, typename Field>
void eachField(Body& body, Field& field) {
    using Plain = std::remove_const_t<Body>;
    const auto all = [&field](auto&... members) { (field(members), ...); };
    if constexpr (std::is_same_v<Plain, RunEvent::Metric>)
        all(body.step, body.key, body.value);
    else if constexpr (std::is_same_v<Plain, RunEvent::Message>)
        all(body.level, body.code, body.text, body.step, body.data);
    else if constexpr (std::is_same_v<Plain, RunEvent::State>)
        all(body.newState);
    else if constexpr (std::is_same_v<Plain, RunEvent::Artefact>)
        all(body.kind, body.file, body.sha256, body.bytes);
    else if constexpr (std::is_same_v<Plain, RunEvent::Failed>)
        all(body.text, body.exitStatus);
    else
        all(body.endState, body.summary);
}

template <std::size_t index = 0>
void makeAlternative(std::size_t wanted, RunEvent::Body& body) {
    if constexpr (index < std::variant_size_v<RunEvent::Body>) {
        if (index == wanted)
            body.emplace<index>();
        else
            makeAlternative<index + 1>(wanted, body);
    }
}

}  // namespace

std::string_view nameOf(RunState state) {
    return std::ranges::find(kStateNames, state, [](const auto& entry) { return entry.first; })
        ->second;
}

std::optional<RunState> runStateOf(std::string_view name) {
    for (const auto& [state, itsName] : kStateNames)
        if (itsName == name) return state;
    return std::nullopt;
}

bool isLive(RunState state) {
    return state <= RunState::Blocked;
}

std::string_view nameOf(MessageLevel level) {
    constexpr std::array<std::string_view, 4> kNames{"debug", "info", "warning", "error"};
    return kNames.at(static_cast<std::size_t>(level));
}

std::string encodeEvent(const RunEvent& event) {
    std::string bytes;
    Encoder encoder(bytes);
    encoder(event.seq);
    encoder(static_cast<std::uint8_t>(event.body.index()));
    std::visit([&encoder](const auto& body) { eachField(body, encoder); }, event.body);
    return bytes;
}

std::optional<RunEvent> decodeEvent(std::string_view bytes) {
    RunEvent event;
    Decoder decoder(bytes);
    std::uint8_t index = UINT8_MAX;
    decoder(event.seq);
    decoder(index);
    if (index >= std::variant_size_v<RunEvent::Body>) return std::nullopt;
    makeAlternative(index, event.body);
    std::visit([&decoder](auto& body) { eachField(body, decoder); }, event.body);
    if (!decoder.whole()) return std::nullopt;
    return event;
}

}  // namespace orrery
