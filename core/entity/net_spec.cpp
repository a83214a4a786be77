#include "core/entity/net_spec.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/spec/field_parts.h"

namespace orrery {

using enum NumberLimit;

std::int64_t RelposSpec::places() const {
    std::int64_t places = 1;
    for (const std::int64_t length : extent) places *= radial || distance ? length : 2 * length + 1;
    return places;
}

int RelposSpec::rowsEach() const {
    return interpolate ? (radial ? 2 : 1) * (distance ? 2 : 1) : 1;
}

namespace {

/// A name of a feature that may not be there.
SpecField featureField(std::string name, std::string label, std::string meaning) {
    return expert(textField(std::move(name), std::move(label), false, std::move(meaning)));
}

SpecField featuresField(std::string name, std::string label, int fewest, int most,
                        std::string meaning) {
    return listField(textField(std::move(name), std::move(label), false, std::move(meaning)),
                     fewest, most);
}

const SpecTable<RelposSpec>& relposFields() {
    static const SpecTable<RelposSpec> kTable = [] {
        SpecTable<RelposSpec> table;
        table.add(
            structural(listField(
                countField("extent", "Extent", "", 1, 10'000,
                           "How far positions are told apart: cells each way in each dimension; "
                           "of angles and distances, how many there are."),
                1, 3)),
            &RelposSpec::extent);
        table.add(structural(featuresField("position_features", "Features of positions", 1, 3,
                                           "Names of the features that say where a thing is.")),
                  &RelposSpec::positionFeatures);
        table.add(structural(expert(numberField("scale", "Scale", AboveZero,
                                                "Length of a cell, or of a step of distances."))),
                  &RelposSpec::scale);
        table.add(structural(flagField("per_entity_values", "Values by type", true,
                                       "Each type of things has values of its own.")),
                  &RelposSpec::perEntityValues);
        table.add(structural(flagField("key_relpos_projection", "Keys by distance", true,
                                       "Keys follow what lies between two things, too.")),
                  &RelposSpec::keyProjection);
        table.add(structural(flagField("value_relpos_projection", "Values by distance", true,
                                       "Values follow what lies between two things, too.")),
                  &RelposSpec::valueProjection);
        table.add(structural(flagField("per_entity_projections", "Projections by type", true,
                                       "Each type of things has projections of its own.")),
                  &RelposSpec::perEntityProjections);
        table.add(structural(flagField("radial", "By angle", true,
                                       "Positions are told apart by their angle.")),
                  &RelposSpec::radial);
        table.add(structural(flagField("distance", "By distance", true,
                                       "Positions are told apart by their distance.")),
                  &RelposSpec::distance);
        table.add(structural(featuresField("rotation_vec_features", "Features of directions", 0, 2,
                                           "Names of the features whose vector says where a thing "
                                           "is turned.")),
                  &RelposSpec::rotationVecFeatures);
        table.add(structural(featureField("rotation_angle_feature", "Feature of the angle",
                                          "Name of the feature that says by how much a thing is "
                                          "turned, in radians.")),
                  &RelposSpec::rotationAngleFeature);
        table.add(structural(flagField("interpolate", "Between neighbours", true,
                                       "Angles and distances between two places count for both.")),
                  &RelposSpec::interpolate);
        table.add(structural(choiceField("value_gate", "Gate of values",
                                         {"relu", "gelu", "sigmoid", "linear", "none"},
                                         "What a thing lets through of the values at its place.")),
                  &RelposSpec::valueGate);
        table.add(structural(flagField("enable_negative_distance_weight_bug",
                                       "Negative weights of distances", true,
                                       "Weights beyond the last distance fall below 0, as in old "
                                       "versions of the original.")),
                  &RelposSpec::negativeDistanceWeights);
        return table;
    }();
    return kTable;
}

const SpecTable<TranslationSpec>& translationFields() {
    static const SpecTable<TranslationSpec> kTable = [] {
        SpecTable<TranslationSpec> table;
        table.add(structural(textField("reference_entity", "Seen from", false,
                                       "The type of which each frame has exactly one thing.")),
                  &TranslationSpec::referenceEntity);
        table.add(structural(featuresField("position_features", "Features of positions", 2, 2,
                                           "Names of the features that say where a thing is.")),
                  &TranslationSpec::positionFeatures);
        table.add(structural(featuresField("rotation_vec_features", "Features of directions", 0, 2,
                                           "Names of the features whose vector says where the "
                                           "reference is turned.")),
                  &TranslationSpec::rotationVecFeatures);
        table.add(structural(featureField("rotation_angle_feature", "Feature of the angle",
                                          "Name of the feature that says by how much the reference "
                                          "is turned, in radians.")),
                  &TranslationSpec::rotationAngleFeature);
        table.add(structural(flagField("add_dist_feature", "Distance as a feature", true,
                                       "Things get their distance from the reference as one more "
                                       "feature.")),
                  &TranslationSpec::addDistFeature);
        return table;
    }();
    return kTable;
}

}  // namespace

const SpecTable<RogueNetSpec>& rogueNetFields() {
    static const SpecTable<RogueNetSpec> kTable = [] {
        SpecTable<RogueNetSpec> table;
        table.add(structural(plain(countField("d_model", "Width", "", 1, 4096,
                                              "Numbers by which the net knows a thing."))),
                  &RogueNetSpec::dModel);
        table.add(
            structural(plain(countField("n_layer", "Layers", "", 0, 64, "Layers of attention."))),
            &RogueNetSpec::nLayer);
        table.add(structural(countField("n_head", "Heads", "", 1, 64,
                                        "Heads of attention; they divide d_model.")),
                  &RogueNetSpec::nHead);
        table.add(structural(countField("d_qk", "Width of selections", "", 1, 4096,
                                        "Numbers by which actors and what they select meet.")),
                  &RogueNetSpec::dQk);
        table.add(expert(numberField("embd_pdrop", "Dropped of embeddings", UnitOpenAtOne,
                                     "Share of the numbers of things that training drops.")),
                  &RogueNetSpec::embdPdrop);
        table.add(expert(numberField("resid_pdrop", "Dropped of layers", UnitOpenAtOne,
                                     "Share of what layers add that training drops.")),
                  &RogueNetSpec::residPdrop);
        table.add(expert(numberField("attn_pdrop", "Dropped of attention", UnitOpenAtOne,
                                     "Share of attention that training drops.")),
                  &RogueNetSpec::attnPdrop);
        table.add(structural(choiceField("pooling", "Pooling", {"none", "mean", "max", "meanmax"},
                                         "Layers share the mean or the greatest numbers of a frame "
                                         "in place of attention.")),
                  &RogueNetSpec::pooling);
        table.includeOptional(structural({.name = "relpos_encoding",
                                          .label = "Relative positions",
                                          .isExpert = true,
                                          .meaning = "Attention knows where things are to each "
                                                     "other."}),
                              relposFields(), &RogueNetSpec::relpos);
        table.includeOptional(structural({.name = "translation",
                                          .label = "Seen from one thing",
                                          .isExpert = true,
                                          .meaning = "Positions are those seen from one thing."}),
                              translationFields(), &RogueNetSpec::translation);
        return table;
    }();
    return kTable;
}

namespace {

void addRelposProblems(const RelposSpec& relpos, const std::string& section,
                       std::vector<SpecProblem>& problems) {
    const auto add = [&](const char* field, std::string text) {
        problems.push_back({section + "." + field, std::move(text)});
    };
    const std::size_t dimensions = relpos.positionFeatures.size();
    const bool isPlane = relpos.radial || relpos.distance;
    const std::size_t lengths = relpos.radial && relpos.distance ? 2 : isPlane ? 1 : dimensions;
    if (relpos.extent.size() != lengths)
        add("extent", "must have " + std::to_string(lengths) + " numbers, got " +
                          std::to_string(relpos.extent.size()));
    if (dimensions == 0) add("position_features", "must name the features of positions");
    if ((relpos.radial || relpos.keyProjection || relpos.valueProjection) && dimensions != 2)
        add("position_features",
            "must be 2 for angles and projections, got " + std::to_string(dimensions));
    if (relpos.interpolate && !isPlane)
        add("interpolate", "needs radial or distance: cells are not interpolated");
    if (!relpos.rotationVecFeatures.empty() && relpos.rotationVecFeatures.size() != 2)
        add("rotation_vec_features", "must be 2 or none");
    if (!relpos.rotationVecFeatures.empty() && relpos.rotationAngleFeature)
        add("rotation_angle_feature", "must be none where rotation_vec_features are given");
}

/// The features of each type that a feature of positions must be among.
void addFeatureProblems(const std::vector<std::string>& features, const EnvironmentSpaces& spaces,
                        const std::string& field, bool ofAll, std::vector<SpecProblem>& problems) {
    std::vector<std::string> globals;
    for (const ObservedSpace& space : spaces.observations)
        if (space.kind == ObservedSpace::Kind::Array)
            globals.insert(globals.end(), space.features.begin(), space.features.end());
    for (const std::string& feature : features) {
        std::vector<std::string> all = globals, without;
        bool isThere = false;
        for (const ObservedSpace& space : spaces.observations) {
            if (space.kind != ObservedSpace::Kind::Entities) continue;
            const bool has = std::ranges::find(space.features, feature) != space.features.end() ||
                             std::ranges::find(globals, feature) != globals.end();
            isThere = isThere || has;
            if (!has) without.push_back(space.name);
            all.insert(all.end(), space.features.begin(), space.features.end());
        }
        std::string text;
        if (!isThere) {
            text = "names no feature of the environment: \"" + escaped(feature, 60) + '"';
            if (const auto closest = closestName(feature, all))
                text += "; did you mean \"" + *closest + "\"?";
        } else if (ofAll && !without.empty()) {
            text = "\"" + escaped(feature, 60) + "\" is a feature that " + commaList(without) +
                   " lack; all types must have it";
        }
        if (!text.empty()) problems.push_back({field, std::move(text)});
    }
}

}  // namespace

std::vector<SpecProblem> rogueNetProblems(const RogueNetSpec& spec, const std::string& section) {
    std::vector<SpecProblem> problems;
    if (spec.dModel % spec.nHead != 0)
        problems.push_back({section + ".n_head", "must divide d_model " +
                                                     std::to_string(spec.dModel) + ", got " +
                                                     std::to_string(spec.nHead)});
    if (spec.relpos) {
        addRelposProblems(*spec.relpos, section + ".relpos_encoding", problems);
        if (spec.pooling != RogueNetSpec::Pooling::None)
            problems.push_back(
                {section + ".pooling",
                 "must be none with relpos_encoding: pooled layers have no attention"});
    }
    if (spec.translation) {
        const std::string part = section + ".translation";
        if (spec.translation->referenceEntity.empty())
            problems.push_back({part + ".reference_entity", "must name a type of things"});
        if (spec.translation->positionFeatures.size() != 2)
            problems.push_back({part + ".position_features", "must be 2"});
    }
    return problems;
}

std::vector<SpecProblem> rogueNetProblems(const RogueNetSpec& spec, const std::string& section,
                                          const EnvironmentSpaces& spaces) {
    std::vector<SpecProblem> problems = rogueNetProblems(spec, section);
    if (spec.relpos)
        addFeatureProblems(spec.relpos->positionFeatures, spaces,
                           section + ".relpos_encoding.position_features", true, problems);
    if (!spec.translation) return problems;
    const std::string part = section + ".translation";
    addFeatureProblems(spec.translation->positionFeatures, spaces, part + ".position_features",
                       false, problems);
    std::vector<std::string> types;
    for (const ObservedSpace& space : spaces.observations)
        if (space.kind == ObservedSpace::Kind::Entities) types.push_back(space.name);
    const std::string& reference = spec.translation->referenceEntity;
    if (!reference.empty() && std::ranges::find(types, reference) == types.end()) {
        std::string text = "names no type of the environment: \"" + escaped(reference, 60) + '"';
        if (const auto closest = closestName(reference, types))
            text += "; did you mean \"" + *closest + "\"?";
        problems.push_back({part + ".reference_entity", std::move(text)});
    }
    return problems;
}

}  // namespace orrery
