#include "widgets/part/window_part.h"

namespace orrery {

WindowPart::WindowPart(Workbench& bench) : m_bench(bench) {}

WindowPart::~WindowPart() = default;

void WindowPart::leaveHome(const QString& perspective) const {
    if (frame().perspective() == QLatin1String("home")) frame().showPerspective(perspective);
}

std::function<void(const QString&)> WindowPart::sayError() const {
    return [frame = &frame()](const QString& text) { frame->say(MessageKind::Error, text); };
}

}  // namespace orrery
