#pragma once

#include <functional>
#include <memory>
#include <vector>

namespace orrery {

class WindowPart;
class Workbench;

using MakePart = std::function<std::unique_ptr<WindowPart>(Workbench&)>;

/// Gives each window parts beyond its own, which stand after those; for main, before the first
/// window.
void useParts(std::vector<MakePart> more);
const std::vector<MakePart>& moreParts();

}  // namespace orrery
