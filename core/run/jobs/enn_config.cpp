#include "core/run/jobs/enn_config.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"

namespace orrery {

namespace {

constexpr std::int64_t kNewest = 4;

/// What a section had where it was there and the file is of this version or an older one.
struct FormerDefault {
    std::int64_t version;
    std::string_view section;  // "" of the whole
    std::string_view key, value;
};
constexpr std::array<FormerDefault, 15> kFormer{{
    {0, "net.relpos_encoding", "per_entity_values", "true"},
    {0, "vf_net.relpos_encoding", "per_entity_values", "true"},
    {1, "net", "n_layer", "1"},
    {1, "net", "d_model", "64"},
    {1, "vf_net", "n_layer", "1"},
    {1, "vf_net", "d_model", "64"},
    {1, "optim", "lr", "2.5e-4"},
    {1, "optim", "bs", "128"},
    {1, "ppo", "ent_coef", "0.01"},
    {1, "ppo", "anneal_entropy", "false"},
    {1, "rollout", "steps", "128"},
    {1, "rollout", "num_envs", "4"},
    {2, "", "total_timesteps", "25000"},
    {3, "net.relpos_encoding", "enable_negative_distance_weight_bug", "true"},
    {3, "vf_net.relpos_encoding", "enable_negative_distance_weight_bug", "true"},
}};

/// Keys of the original that nothing here follows.
constexpr std::array<std::string_view, 15> kWithoutEffect{
    "torch_deterministic",
    "wandb_project_name",
    "wandb_entity",
    "trial",
    "cuda_empty_cache",
    "track",
    "data_dir",
    "cuda",
    "max_train_time",
    "eval.processes",
    "eval.capture_videos",
    "eval.env.validate",
    "eval.opponent_only",
    "net.relpos_encoding.exclude_entities",
    "vf_net.relpos_encoding.exclude_entities"};

YamlMember* find(YamlNode& map, std::string_view name) {
    const auto found = std::ranges::find(map.members, name, &YamlMember::name);
    return found == map.members.end() ? nullptr : &*found;
}

/// The node at "net.relpos_encoding"; null where it is not there.
YamlNode* nodeAt(YamlNode& root, std::string_view path) {
    YamlNode* node = &root;
    while (!path.empty()) {
        const std::string_view name = path.substr(0, path.find('.'));
        YamlMember* member = find(*node, name);
        if (member == nullptr) return nullptr;
        node = &member->value;
        path.remove_prefix(std::min(path.size(), name.size() + 1));
    }
    return node;
}

YamlNode scalarAt(const YamlNode& place, std::string_view text) {
    YamlNode node;
    node.kind = YamlNode::Kind::Scalar;
    node.text = text;
    node.offset = place.offset;
    node.line = place.line;
    node.column = place.column;
    return node;
}

void addMember(YamlNode& map, std::string_view name, YamlNode value) {
    YamlMember member;
    member.name = name;
    member.line = value.line;
    member.column = value.column;
    member.value = std::move(value);
    map.members.push_back(std::move(member));
}

/// Takes the version out. @return that of the file; 0 where it has none
std::int64_t takeVersion(YamlNode& config, Diagnostics& out) {
    const YamlMember* member = config.find("version");
    if (member == nullptr) return 0;
    const auto version = parseInt(member->value.text);
    if (!version || *version < 0)
        out.error(member->value.place(), "E114", "'version' must be a whole number >= 0");
    else if (*version > kNewest)
        out.error(member->value.place(), "E119",
                  "version " + std::to_string(*version) + " is newer than " +
                      std::to_string(kNewest) + ", the newest that is known here");
    std::erase_if(config.members, [](const YamlMember& each) { return each.name == "version"; });
    return version.value_or(kNewest);
}

void addFormerDefaults(YamlNode& config, std::int64_t version) {
    for (const FormerDefault& former : kFormer) {
        if (version > former.version) continue;
        YamlNode* section = nodeAt(config, former.section);
        if (section == nullptr || section->kind != YamlNode::Kind::Map) continue;
        if (section->find(former.key) == nullptr)
            addMember(*section, former.key, scalarAt(*section, former.value));
    }
}

/// Says once what was taken out.
void dropWithoutEffect(YamlNode& config, Diagnostics& out) {
    std::vector<std::string> dropped;
    for (const std::string_view path : kWithoutEffect) {
        const std::size_t dot = path.rfind('.');
        const std::string_view section = dot == std::string_view::npos ? "" : path.substr(0, dot);
        const std::string_view key = path.substr(dot == std::string_view::npos ? 0 : dot + 1);
        YamlNode* map = nodeAt(config, section);
        if (map == nullptr || map->find(key) == nullptr) continue;
        std::erase_if(map->members, [&](const YamlMember& each) { return each.name == key; });
        dropped.emplace_back(path);
    }
    if (!dropped.empty())
        out.warning(config.place(), "W140", commaList(dropped) + " have no effect here");
}

/// Options stand as JSON in a text there.
void readOptions(YamlNode& config, std::string_view path, Diagnostics& out) {
    YamlNode* options = nodeAt(config, path);
    if (options == nullptr || options->kind != YamlNode::Kind::Scalar) return;
    Diagnostics own("");
    const LineIndex lines(options->text);
    auto read = readYaml(lines, own);
    if (!read || read->kind != YamlNode::Kind::Map) {
        out.error(options->place(), "E114",
                  "'" + std::string(path) + "' must be a JSON object in a text, got " +
                      quotedValue(options->text));
        return;
    }
    const YamlNode place = *options;
    *options = std::move(*read);
    options->offset = place.offset;
    options->line = place.line;
    options->column = place.column;
}

/// Keys whose None is a choice here, and those that mean nothing with it.
constexpr std::array<std::string_view, 2> kNoneIsChoice{"pooling", "value_gate"};
constexpr std::array<std::string_view, 7> kNoneIsDefault{
    "lr_warmup_steps", "rotation_vec_features", "position_features", "num_envs", "processes", "env",
    "opponent"};

/// An evaluation that does not say has as many environments as a rollout.
void readEvaluation(YamlNode& config) {
    YamlNode* eval = nodeAt(config, "eval");
    if (eval == nullptr || eval->kind != YamlNode::Kind::Map || eval->find("num_envs") != nullptr)
        return;
    const YamlNode* rollout = nodeAt(config, "rollout.num_envs");
    addMember(*eval, "num_envs", scalarAt(*eval, rollout != nullptr ? rollout->text : "128"));
}

void readNone(YamlNode& map) {
    std::erase_if(map.members, [](const YamlMember& member) {
        return member.value.kind == YamlNode::Kind::Null &&
               std::ranges::find(kNoneIsDefault, member.name) != kNoneIsDefault.end();
    });
    for (YamlMember& member : map.members) {
        readNone(member.value);
        if (member.value.kind == YamlNode::Kind::Null &&
            std::ranges::find(kNoneIsChoice, member.name) != kNoneIsChoice.end())
            member.value = scalarAt(member.value, "none");
    }
}

/// A path there, a name in the run's folder here; an empty one is none.
void readCapture(YamlNode& config, std::string_view section, Diagnostics& out) {
    YamlNode* map = nodeAt(config, section);
    YamlMember* member = map == nullptr ? nullptr : find(*map, "capture_samples");
    if (member == nullptr || member->value.kind != YamlNode::Kind::Scalar) return;
    YamlNode& value = member->value;
    if (value.text.empty()) {
        std::erase_if(map->members,
                      [](const YamlMember& each) { return each.name == "capture_samples"; });
        return;
    }
    const std::size_t slash = value.text.rfind('/');
    if (slash == std::string::npos) return;
    const std::string path = value.text;
    value.text.erase(0, slash + 1);
    out.warning(value.place(), "W141",
                "samples are kept in the run's folder as " + quotedValue(value.text) + ", not as " +
                    quotedValue(path));
}

}  // namespace

YamlNode specOfEnnConfig(const YamlNode& given, Diagnostics& out) {
    YamlNode config = given;
    const std::int64_t version = takeVersion(config, out);
    readNone(config);
    addFormerDefaults(config, version);
    readEvaluation(config);
    dropWithoutEffect(config, out);
    readOptions(config, "env.kwargs", out);
    readOptions(config, "eval.env.kwargs", out);
    readCapture(config, "", out);
    readCapture(config, "eval", out);
    YamlNode spec = scalarAt(given, "");
    spec.kind = YamlNode::Kind::Map;
    for (const char* name : {"name", "seed"}) {
        YamlMember* member = find(config, name);
        if (member == nullptr) continue;
        if (member->value.kind != YamlNode::Kind::Null) spec.members.push_back(*member);
        std::erase_if(config.members, [&](const YamlMember& each) { return each.name == name; });
    }
    if (spec.find("seed") == nullptr) addMember(spec, "seed", scalarAt(given, "1"));
    addMember(spec, "entity", std::move(config));
    return spec;
}

}  // namespace orrery
