#include "widgets/part/window_part.h"
#include "widgets/part/perspective_ids.h"

namespace orrery {

WindowPart::WindowPart(Workbench& bench) : m_bench(bench) {}

WindowPart::~WindowPart() = default;

void WindowPart::leaveHome(const QString& perspective) const {
    if (frame().perspective() == kHomePerspective) frame().showPerspective(perspective);
}

std::function<void(const QString&)> WindowPart::sayError() const {
    return [frame = &frame()](const QString& text) { frame->say(MessageKind::Error, text); };
}

}  // namespace orrery
