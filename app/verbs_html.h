#pragma once

#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): as the library has it
class App;
}

namespace orrery {

/// Every verb of the command line with its options and examples, as HTML for the manual: from the
/// same texts as `--help`.
std::string verbsHtml();
std::string verbsHtml(const CLI::App& root);

}  // namespace orrery
