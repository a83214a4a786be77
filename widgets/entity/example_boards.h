#pragma once

#include <string>
#include <vector>

#include "core/env/picture.h"

namespace orrery {

/// Three boards of three by three with different things, whose batch needs padding.
/// Source: seed 004, "Attention": the states that it packs.
struct ExampleBoards {
    std::string environment = {}, options = {};
    std::vector<std::string> states = {};
};
const ExampleBoards& exampleBoards();

/// What they look like.
const std::vector<Picture>& exampleBoardPictures();

}  // namespace orrery
