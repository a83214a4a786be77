#pragma once

#include <string>

namespace orrery {

/// A name that files may use for what several fields say together: a flag.
struct SpecAlias {
    std::string name;
    std::string meaning;
};

}  // namespace orrery
