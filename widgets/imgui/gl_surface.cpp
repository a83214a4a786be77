#include "widgets/imgui/gl_surface.h"

#include "widgets/imgui/gl_loader.h"

namespace orrery {

std::shared_ptr<GlSurface> GlSurface::shared() {
    static std::weak_ptr<GlSurface> kShared;
    std::shared_ptr<GlSurface> surface = kShared.lock();
    if (!surface) {
        surface = std::make_shared<GlSurface>();
        kShared = surface;
    }
    return surface;
}

GlSurface::GlSurface() {
    finishLoadingGl();
    if (!m_context.create()) return;
    m_surface.setFormat(m_context.format());
    m_surface.create();
}

}  // namespace orrery
