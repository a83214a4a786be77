#pragma once

#include <string>

#include "app/cli/verb.h"

namespace orrery {

/// Every verb of the command line with its options and examples, as HTML for the manual: from the
/// same texts as `--help`.
std::string verbsHtml();
std::string verbsHtml(const Verb& program);

}  // namespace orrery
