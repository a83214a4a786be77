#pragma once

#include <string>
#include <string_view>

namespace orrery {

/// Takes `--profile NAME` and `--portable` out of the arguments, wherever they stand, and points
/// the XDG folders of this process to places of their own, so that settings, session, caches and
/// the default workspace of a profile meet no others. A portable program keeps them beside itself.
/// Call it before anything reads those folders, while there is one thread.
///
/// @return what is wrong with them, in a sentence; empty if nothing is
std::string takeProfile(int& argc, char** argv);

/// True for letters, digits, dots, dashes and underscores, at most 60 and no dot in front.
bool isProfileName(std::string_view name);

}  // namespace orrery
