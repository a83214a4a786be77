#include "core/entity/files/enn_checkpoint.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <system_error>
#include <vector>

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/text.h"
#include "core/entity/entity_game.h"
#include "core/entity/entity_layout.h"
#include "core/entity/files/numpy_array.h"
#include "core/files/msgpack.h"
#include "core/files/ron_tree.h"

namespace orrery {

namespace {

namespace fs = std::filesystem;

constexpr const char *kConfig = "config.ron", *kState = "state.ron",
                     *kAgent = "state.agent.msgpack", *kValues = "state.value_function.msgpack";
constexpr std::uint64_t kMostConfig = 16U << 20, kMostTensors = std::uint64_t{4} << 30;
constexpr std::string_view kBlob = "<blob:msgpack>", kValuePrefix = "value/",
                           kUnused = "relpos_encoding.distance_values.weight";

[[noreturn]] void refuseFile(const fs::path& file, const std::string& why) {
    throw badInput(escaped(file.string(), 160) + ": " + why);
}

/// A tree of state.ron with what is asked of it.
class StateReader {
public:
    explicit StateReader(const fs::path& file)
        : m_file(file), m_text(readFile(file, kMostConfig)), m_lines(m_text) {
        Diagnostics out(file.string());
        auto root = readRon(m_lines, out);
        if (!root) throw badInput(diagnosticLine(out.sorted().front()));
        m_root = std::move(*root);
    }

    const YamlNode& root() const { return m_root; }
    const YamlNode& in(const YamlNode& map, std::string_view name, YamlNode::Kind kind) const {
        const YamlMember* member = map.find(name);
        if (member == nullptr || member->value.kind != kind)
            refuse(map, "'" + std::string(name) + "' is missing or wrong");
        return member->value;
    }
    std::vector<std::string> texts(const YamlNode& map, std::string_view name) const {
        std::vector<std::string> texts;
        for (const YamlNode& element : in(map, name, YamlNode::Kind::Sequence).elements) {
            if (element.kind != YamlNode::Kind::Scalar)
                refuse(element, "'" + std::string(name) + "' should be a list of texts");
            texts.push_back(element.text);
        }
        return texts;
    }
    [[noreturn]] void refuse(const YamlNode& place, const std::string& why) const {
        refuseFile(m_file.string() + ':' + std::to_string(place.line), why);
    }
    /// Whether a network is there; of a pickle says what to do.
    bool isThere(std::string_view name) const {
        const YamlMember* member = m_root.find(name);
        if (member == nullptr || member->value.kind == YamlNode::Kind::Null) return false;
        if (member->value.text == "<blob:pickle>" || member->value.text == "<BLOB>")
            throw ennPickleRefusal(m_file.parent_path());
        if (member->value.text != kBlob)
            refuse(member->value, "'" + std::string(name) + "' should be \"<blob:msgpack>\"");
        return true;
    }
    EnvironmentSpaces spaces() const;

private:
    ActionSpace action(const YamlMember& member) const;

    fs::path m_file;
    std::string m_text;
    LineIndex m_lines;
    YamlNode m_root;
};

ActionSpace StateReader::action(const YamlMember& member) const {
    const std::string& kind = member.value.text;  // the struct's name
    if (kind == "SelectEntityActionSpace") return selectionOf(member.name);
    if (member.value.kind != YamlNode::Kind::Map)
        refuse(member.value, "'" + escaped(member.name, 60) + "' is no action");
    std::vector<std::string> labels = texts(member.value, "index_to_label");
    return kind == "GlobalCategoricalActionSpace" ? globalChoiceOf(member.name, std::move(labels))
                                                  : choiceOf(member.name, std::move(labels));
}

EnvironmentSpaces StateReader::spaces() const {
    using enum YamlNode::Kind;
    EnvironmentSpaces spaces;
    const YamlNode& seen = in(m_root, "obs_space", Map);
    for (const YamlMember& type : in(seen, "entities", Map).members)
        spaces.observations.push_back(thingsOf(type.name, texts(type.value, "features")));
    if (seen.find("global_features") != nullptr)
        if (std::vector<std::string> globals = texts(seen, "global_features"); !globals.empty())
            spaces.observations.push_back(globalsOf(std::move(globals)));
    for (const YamlMember& each : in(m_root, "action_space", Map).members)
        spaces.actions.push_back(action(each));
    const std::vector<std::string> problems = problemsOf(spaces);
    if (!problems.empty()) refuse(seen, problems.front());
    return spaces;
}

/// One tensor: {b"__tensor__": "torch", b"dtype": "<f4", b"shape": [..], b"data": b".."}.
void addTensor(const std::string& name, const MsgpackValue& value, const fs::path& file,
               TensorMap& out) {
    using Kind = MsgpackValue::Kind;
    const auto refuse = [&](const char* why) {
        refuseFile(file, "'" + escaped(name, 120) + "' " + why);
    };
    const MsgpackValue *mark = value.find("__tensor__"), *type = value.find("dtype"),
                       *shape = value.find("shape"), *data = value.find("data");
    if (mark == nullptr || mark->bytes != "torch" || type == nullptr || shape == nullptr ||
        shape->kind != Kind::Array || data == nullptr || data->kind != Kind::Binary)
        refuse("is no tensor: it needs __tensor__, dtype, shape and data");
    const bool isWhole = type->bytes == kNumpyType<std::int64_t>;
    if (!isWhole && type->bytes != kNumpyType<float>)
        refuse("has numbers that are neither <f4 nor <i8");
    std::vector<std::int64_t> sizes;
    std::int64_t numbers = 1;
    const std::int64_t there = std::ssize(data->bytes) / (isWhole ? 8 : 4);
    for (const MsgpackValue& size : shape->elements) {
        const bool isRight = size.kind == Kind::Integer && size.integer >= 0 &&
                             (size.integer == 0 || numbers <= there / size.integer);
        if (!isRight || sizes.size() == 8) refuse("has a shape that does not fit its bytes");
        sizes.push_back(size.integer);
        numbers *= size.integer;
    }
    if (numbers * (isWhole ? 8 : 4) != std::ssize(data->bytes))
        refuse("has a shape that does not fit its bytes");
    std::vector<float> floats(static_cast<std::size_t>(numbers));
    if (isWhole)
        for (std::size_t i = 0; i < floats.size(); ++i) {
            std::int64_t number = 0;
            std::memcpy(&number, data->bytes.data() + 8 * i, 8);
            floats[i] = static_cast<float>(number);
        }
    else if (!floats.empty())
        std::memcpy(floats.data(), data->bytes.data(), data->bytes.size());
    if (!std::ranges::all_of(floats, [](float x) { return std::isfinite(x); }))
        refuse("has a number that is not finite");
    if (!isTensorName(name)) refuse("is no name of a tensor");
    if (out.has(name)) refuse("is there twice");
    out.copyNumbers<float>(name, std::span<const float>(floats), std::move(sizes));
}

void addNetwork(const fs::path& file, std::string_view prefix, TensorMap& out) {
    const std::string bytes = readFile(file, kMostTensors);
    MsgpackValue root;
    try {
        root = readMsgpack(bytes);
    } catch (const Error& error) {
        refuseFile(file, error.what());
    }
    if (root.kind != MsgpackValue::Kind::Map) refuseFile(file, "it is no map of tensors");
    for (std::size_t i = 0; i < root.members(); ++i) {
        const std::string name(root.key(i).bytes);
        if (!name.ends_with(kUnused))
            addTensor(std::string(prefix) + name, root.value(i), file, out);
    }
}

void packTensor(MsgpackWriter& out, const TensorView& tensor) {
    out.map(4);
    out.binary("__tensor__");
    out.text("torch");
    out.binary("dtype");
    out.text(kNumpyType<float>);
    out.binary("shape");
    out.array(tensor.shape.size());
    for (const std::int64_t size : tensor.shape) out.integer(size);
    out.binary("data");
    out.binary({reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size()});
}

/// With the table that the original has of distances and never uses, where it expects one.
std::string networkBytes(const TensorMap& model, std::int64_t types) {
    const std::string keys = "backbone.relpos_encoding.keys.weight";
    const bool hasPositions = model.has(keys);
    MsgpackWriter out;
    out.map(model.size() + (hasPositions ? 1 : 0));
    for (const std::string& name : model.names()) {
        out.text(name);
        packTensor(out, model.at(name));
    }
    if (!hasPositions) return out.take();
    const std::vector<float> zeros(static_cast<std::size_t>(types * model.at(keys).shape.at(1)));
    out.text("backbone." + std::string(kUnused));
    packTensor(out, {.type = TensorType::F32,
                     .shape = {types, model.at(keys).shape.at(1)},
                     .bytes = std::as_bytes(std::span(zeros))});
    return out.take();
}

std::string ronTexts(const std::vector<std::string>& texts) {
    std::string list;
    for (const std::string& text : texts) {
        if (!list.empty()) list += ", ";
        list += ronQuoted(text);
    }
    return '[' + list + ']';
}

std::string stateText(const EnnCheckpoint& checkpoint, const EntityLayout& layout, bool hasValues) {
    const std::string values = hasValues ? ronQuoted(kBlob) : "None";
    std::string text =
        "State(\n    step: " + std::to_string(checkpoint.step) +
        ",\n    restart: 0,\n    next_eval_step: None,\n    agent: " + ronQuoted(kBlob) +
        ",\n    value_function: " + values +
        ",\n    optimizer: \"<blob:msgpack>\",\n    vf_optimizer: None,\n"
        "    obs_space: ObsSpace(\n        global_features: ";
    text += ronTexts(layout.hasGlobal ? layout.types.back().features : std::vector<std::string>());
    text += ",\n        entities: {\n";
    for (std::size_t i = 0; i < layout.numTypes(); ++i)
        text.append("            ")
            .append(ronQuoted(layout.types[i].name))
            .append(": Entity(features: ")
            .append(ronTexts(layout.types[i].features))
            .append("),\n");
    text += "        },\n    ),\n    action_space: {\n";
    for (const ActionSpace& action : layout.actions) {
        text.append("        ").append(ronQuoted(action.name)).append(": ");
        if (action.kind == ActionSpace::Kind::Select)
            text += "SelectEntityActionSpace(";
        else
            text.append(action.isOfActors ? "CategoricalActionSpace(index_to_label: "
                                          : "GlobalCategoricalActionSpace(index_to_label: ")
                .append(ronTexts(action.choices));
        text += "),\n";
    }
    return text + "    },\n)\n";
}

}  // namespace

Error ennPickleRefusal(const fs::path& file) {
    return badInput(escaped(file.string(), 160) +
                    ": its networks are a pickle, which could run any program when it is read, so "
                    "it never is; write them as state.agent.msgpack with your own Python: "
                    "resources/python/enn_msgpack.py does it");
}

std::string ronQuoted(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        if (c == '\n')
            quoted += "\\n";
        else
            quoted += c;
    }
    return quoted + '"';
}

bool isEnnCheckpoint(const fs::path& folder) {
    std::error_code error;
    return fs::exists(folder / kState, error) || fs::exists(folder / kAgent, error) ||
           fs::exists(folder / "state.agent.pickle", error);
}

EnnCheckpoint readEnnCheckpoint(const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(folder / kAgent, error) && fs::exists(folder / "state.agent.pickle", error))
        throw ennPickleRefusal(folder);
    const StateReader state(folder / kState);
    if (!state.isThere("agent")) state.refuse(state.root(), "'agent' is missing");
    EnnCheckpoint checkpoint{
        .config = readFile(folder / kConfig, kMostConfig), .spaces = state.spaces(), .model = {}};
    const auto step = parseInt(state.in(state.root(), "step", YamlNode::Kind::Scalar).text);
    if (!step || *step < 0) state.refuse(state.root(), "'step' must be a whole number >= 0");
    checkpoint.step = *step;
    addNetwork(folder / kAgent, "", checkpoint.model);
    if (state.isThere("value_function"))
        addNetwork(folder / kValues, kValuePrefix, checkpoint.model);
    return checkpoint;
}

void writeEnnCheckpoint(const fs::path& folder, const EnnCheckpoint& checkpoint) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throwFileError("make", folder, error.value());
    const EntityLayout layout = entityLayoutOf(checkpoint.spaces);
    const auto types =
        static_cast<std::int64_t>(layout.numTypes()) + (layout.hasGlobalAction ? 1 : 0);
    TensorMap policy;
    for (const std::string& name : checkpoint.model.names())
        if (!name.starts_with(kValuePrefix)) policy.copy(name, checkpoint.model.at(name));
    const TensorMap values = checkpoint.model.below(kValuePrefix);
    constexpr mode_t kOfPeople = 0666;
    atomicWrite(folder / kAgent, networkBytes(policy, types), kOfPeople);
    if (values.size() > 0) atomicWrite(folder / kValues, networkBytes(values, types), kOfPeople);
    atomicWrite(folder / kConfig, checkpoint.config, kOfPeople);
    // Last: what has one is whole.
    atomicWrite(folder / kState, stateText(checkpoint, layout, values.size() > 0), kOfPeople);
}

}  // namespace orrery
