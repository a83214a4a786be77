#include "widgets/part/window_part.h"

namespace orrery {

WindowPart::WindowPart(Workbench& bench) : m_bench(bench) {}

WindowPart::~WindowPart() = default;

}  // namespace orrery
