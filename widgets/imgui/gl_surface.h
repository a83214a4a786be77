#pragma once

#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <memory>

namespace orrery {

/// Draws with OpenGL beside the screen. A window with a QOpenGLWidget in it would be made anew for
/// it, and put together by OpenGL as a whole whenever anything in it changes; where OpenGL is
/// software, that costs more than all views. GUI thread only.
class GlSurface {
public:
    /// The program's: made for the first who asks, gone with the last who holds it.
    static std::shared_ptr<GlSurface> shared();

    GlSurface();

    /// Makes its context current; false: OpenGL does not start.
    bool begin() { return m_context.makeCurrent(&m_surface); }
    void end() { m_context.doneCurrent(); }
    QOpenGLFunctions& gl() { return *m_context.functions(); }
    int majorVersion() const { return m_context.format().majorVersion(); }
    int minorVersion() const { return m_context.format().minorVersion(); }
    bool isValid() const { return m_context.isValid(); }

private:
    QOpenGLContext m_context;
    QOffscreenSurface m_surface;
};

}  // namespace orrery
