#pragma once

#include <QElapsedTimer>
#include <QImage>
#include <QWidget>
#include <array>
#include <cstdint>
#include <memory>

class QOpenGLFramebufferObject;
struct ImFont;
struct ImGuiContext;

namespace orrery {

class GlSurface;

/// The faces of a Dear ImGui panel, in the sizes of the design tokens.
struct GuiFonts {
    ImFont* body = nullptr;    ///< 12 px
    ImFont* strong = nullptr;  ///< 12 px, semi-bold
    ImFont* label = nullptr;   ///< 11 px
    ImFont* number = nullptr;  ///< 11 px, monospaced
};

/// A widget whose content a Dear ImGui context of its own draws: colours, faces and scale are those
/// of the window, input comes from Qt's events. OpenGL draws into a picture that the widget shows,
/// in a turn of the event loop of its own: where OpenGL is software, that costs as much as painting
/// all the rest of a large window. A frame is drawn only after input, after requestFrame(), and
/// while drawGui() asks for more; otherwise it costs nothing.
///
/// ImGui's pop-ups would end at the widget's border, so menus and tips are Qt's. Keys work only
/// with the keyboard focus. GUI thread only.
class ImGuiHost : public QWidget {
    Q_OBJECT

public:
    /// False, with the reason, where no OpenGL 3 context can be made; then no host may be made.
    static bool isAvailable(QString* reason = nullptr);

    explicit ImGuiHost(QWidget* parent);
    ~ImGuiHost() override;

    /// Draws again soon; any number of calls makes one frame.
    void requestFrame();
    /// No frame is wanted: the newest one shows all that happened.
    bool isSettled() const { return m_framesWanted == 0; }
    /// Frames drawn since the start.
    std::int64_t numFrames() const { return m_numFrames; }

protected:
    /// Draws one frame with ImGui's calls; the window fills the widget.
    virtual void drawGui() = 0;
    /// True for keys that the panel takes although commands of the window have them.
    virtual bool takesKey(int key) const;
    const GuiFonts& fonts() const { return m_fonts; }

    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    static constexpr int kNumButtons = 3, kNumKeys = 512;

    void wantFrames(int count);
    void drawSoon();
    QSize pixelSize() const;
    void makeReady();
    void drawFrame();
    void readPicture(const QSize& pixels);
    void handInput();
    void loadFonts();
    void applyTheme();

    std::shared_ptr<GlSurface> m_surface;
    std::unique_ptr<QOpenGLFramebufferObject> m_frame;
    QImage m_picture;  ///< the newest frame
    ImGuiContext* m_context;
    GuiFonts m_fonts;
    double m_fontRatio = 0;  ///< device pixels a pixel that the faces were made for
    bool m_isReady = false;  ///< the renderer has its objects and faces
    bool m_isThemeNew = true;
    int m_framesWanted = 0;  ///< hover and focus settle in the second frame
    bool m_isFrameDue = false;
    std::int64_t m_numFrames = 0;
    QElapsedTimer m_sinceFrame;
    std::array<bool, kNumButtons> m_buttons{}, m_pressed{};  ///< held; pressed since the last frame
    std::array<bool, kNumKeys> m_keys{}, m_keyPressed{};
    double m_wheel = 0, m_wheelSideways = 0;  ///< since the last frame, in notches
    QPointF m_pointer;
    bool m_hasPointer = false;
    Qt::KeyboardModifiers m_modifiers;
};

}  // namespace orrery
