#pragma once

#include <string>

#include "core/world/world_spec.h"

namespace orrery {

/// The spec as a YAML file that parseWorld reads back to an equal spec: map as a block of text,
/// values that are not the default, goals with their weights. Ends with a line end. Text in
/// metadata that is not UTF-8 loses the wrong bytes.
std::string writeWorldYaml(const WorldSpec& spec);

/// The same content as JSON. Files of more than 16 MiB (about five million cells) can be read back
/// only if they are YAML.
std::string writeWorldJson(const WorldSpec& spec);

}  // namespace orrery
