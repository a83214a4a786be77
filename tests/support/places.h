#pragma once

#include <string>
#include <string_view>

namespace orrery {

// Where tests find what they read and start. Functions, not macros of the build, so that a test is
// compiled together with the others of its folder.

/// A file or folder of the sources: sourcePath("tests/data/empo").
std::string sourcePath(std::string_view name);
/// What the build made: builtPath("tests/fake_learner.so").
std::string builtPath(std::string_view name);

}  // namespace orrery
