#pragma once

#include <string>
#include <vector>

#include "core/files/world_file.h"

/// "tests/data/worlds/" + name
std::string dataPath(const std::string& name);

/// Paths of the world files (.yaml) in a folder, sorted.
std::vector<std::string> worldsIn(const std::string& folder);

/// The whole file.
/// @throws orrery::Error if it cannot be read
std::string contentOf(const std::string& path);

/// All diagnostics, a line each, for messages of tests.
std::string linesOf(const orrery::WorldFile& file);

/// Names of the members in which two specs differ, divided by blanks; "" if they are equal.
std::string differences(const orrery::WorldSpec& a, const orrery::WorldSpec& b);

/// Processor time of this thread so far, in seconds: what a limit on work must use on a busy
