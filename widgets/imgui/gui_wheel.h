#pragma once

#include <imgui.h>

#include <QPointF>
#include <cmath>

namespace orrery::gui {

/// The wheel over a scene of time: it zooms about the pointer, with Shift or sideways it pans.
/// @param scene  has zoomAt(factor, x) and panBy(pixels)
template <typename Scene>
void followWheel(Scene& scene, const QPointF& pointer) {
    constexpr double kZoom = 1.2, kPan = 60;
    const ImGuiIO& io = ImGui::GetIO();
    const double down = io.MouseWheel;
    if (down != 0) {
        if (io.KeyShift)
            scene.panBy(-down * kPan);
        else
            scene.zoomAt(std::pow(kZoom, down), pointer.x());
    }
    if (io.MouseWheelH != 0) scene.panBy(-static_cast<double>(io.MouseWheelH) * kPan);
}

}  // namespace orrery::gui
