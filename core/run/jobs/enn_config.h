#pragma once

#include "core/files/yaml_tree.h"

namespace orrery {

/// The tree of an enn-trainer configuration (RON, version 0 to 4) as that of a spec with a section
/// `entity`: what older versions had as defaults is written out, options that stand as JSON in a
/// text are read, keys that mean nothing here are taken out with one warning, the name and the seed
/// are those of the run.
/// @param out  is told errors and warnings, too
/// Source: spec entity, section 7.
YamlNode specOfEnnConfig(const YamlNode& config, Diagnostics& out);

}  // namespace orrery
