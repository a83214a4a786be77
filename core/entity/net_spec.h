#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/env/spaces.h"
#include "core/spec/problem.h"
#include "core/spec/spec_table.h"

namespace orrery {

/// Attention that knows where things are to each other. All types of things must have the features.
struct RelposSpec {
    enum class Gate : std::uint8_t { Relu, Gelu, Sigmoid, Linear, None };

    /// extent: cells each way; angles; distances; angles, distances
    std::vector<std::int64_t> extent = {};
    std::vector<std::string> positionFeatures = {};        ///< position_features
    double scale = 1;                                      ///< scale: > 0, of positions to a cell
    bool perEntityValues = false;                          ///< per_entity_values
    bool keyProjection = false;                            ///< key_relpos_projection
    bool valueProjection = false;                          ///< value_relpos_projection
    bool perEntityProjections = false;                     ///< per_entity_projections
    bool radial = false;                                   ///< radial: by angle
    bool distance = false;                                 ///< distance: by distance
    std::vector<std::string> rotationVecFeatures = {};     ///< rotation_vec_features
    std::optional<std::string> rotationAngleFeature = {};  ///< rotation_angle_feature
    bool interpolate = false;                              ///< interpolate: between two neighbours
    Gate valueGate = Gate::Relu;                           ///< value_gate
    bool negativeDistanceWeights = false;                  ///< enable_negative_distance_weight_bug
    bool operator==(const RelposSpec&) const = default;

    /// Rows of a table: how many places a pair can be in.
    std::int64_t places() const;
    /// Rows that a pair takes: 1, 2 or 4.
    int rowsEach() const;
};

/// Things are seen from one of them.
struct TranslationSpec {
    std::string referenceEntity = {};                      ///< reference_entity: its type
    std::vector<std::string> positionFeatures = {};        ///< position_features
    std::vector<std::string> rotationVecFeatures = {};     ///< rotation_vec_features
    std::optional<std::string> rotationAngleFeature = {};  ///< rotation_angle_feature
    bool addDistFeature = false;                           ///< add_dist_feature
    bool operator==(const TranslationSpec&) const = default;
};

/// A transformer over things.
struct RogueNetSpec {
    enum class Pooling : std::uint8_t { None, Mean, Max, MeanMax };

    std::int64_t dModel = 32;                         ///< d_model: [1, 4096]
    std::int64_t nLayer = 2;                          ///< n_layer: [0, 64]
    std::int64_t nHead = 2;                           ///< n_head: [1, 64], divides d_model
    std::int64_t dQk = 16;                            ///< d_qk: [1, 4096]
    double embdPdrop = 0;                             ///< embd_pdrop: [0, 1)
    double residPdrop = 0;                            ///< resid_pdrop: [0, 1)
    double attnPdrop = 0;                             ///< attn_pdrop: [0, 1)
    Pooling pooling = Pooling::None;                  ///< pooling
    std::optional<RelposSpec> relpos = {};            ///< relpos_encoding
    std::optional<TranslationSpec> translation = {};  ///< translation
    bool operator==(const RogueNetSpec&) const = default;
};

const SpecTable<RogueNetSpec>& rogueNetFields();

/// What is wrong beyond the ranges of single fields. @param section  "net", "vf_net"
std::vector<SpecProblem> rogueNetProblems(const RogueNetSpec& spec, const std::string& section);

/// The same with an environment: features and types that it does not have.
std::vector<SpecProblem> rogueNetProblems(const RogueNetSpec& spec, const std::string& section,
                                          const EnvironmentSpaces& spaces);

}  // namespace orrery
