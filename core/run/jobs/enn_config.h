#pragma once

#include <string>

#include "core/files/yaml_tree.h"
#include "core/run/run_spec.h"

namespace orrery {

/// The tree of an enn-trainer configuration (RON, version 0 to 4) as that of a spec with a section
/// `entity`: what older versions had as defaults is written out, options that stand as JSON in a
/// text are read, keys that mean nothing here are taken out with one warning, the name and the seed
/// are those of the run.
/// @param out  is told errors and warnings, too
/// Source: spec entity, section 7.
YamlNode specOfEnnConfig(const YamlNode& config, Diagnostics& out);

/// The text of such a configuration, of version 4, with what the original has a key for.
/// @param spec  of kind entity
std::string ennConfigText(const RunSpec& spec);

}  // namespace orrery
