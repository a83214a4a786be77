#include "widgets/imgui/imgui_host.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QOpenGLFramebufferObject>
#include <QOpenGLFunctions>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <utility>

#include "widgets/common/tokens.h"
#include "widgets/imgui/gl_surface.h"
#include "widgets/imgui/gui_fonts.h"
#include "widgets/imgui/gui_keys.h"

namespace orrery {

namespace {

constexpr int kLeastMajor = 3;
constexpr double kNotch = 120;  ///< of QWheelEvent::angleDelta

ImVec4 colorOf(const QColor& color, double opacity = 1) {
    return {static_cast<float>(color.redF()), static_cast<float>(color.greenF()),
            static_cast<float>(color.blueF()), static_cast<float>(opacity)};
}

int buttonIndex(Qt::MouseButton button) {
    return button == Qt::LeftButton     ? 0
           : button == Qt::RightButton  ? 1
           : button == Qt::MiddleButton ? 2
                                        : -1;
}

}  // namespace

bool ImGuiHost::isAvailable(QString* reason) {
    const auto say = [&](const QString& text) {
        if (reason != nullptr) *reason = text;
        return false;
    };
    if (qEnvironmentVariableIsSet("ORRERY_NO_GL"))
        return say(tr("OpenGL is switched off by ORRERY_NO_GL."));
    const auto surface = GlSurface::shared();
    if (!surface->isValid()) return say(tr("This display offers no OpenGL."));
    if (surface->majorVersion() < kLeastMajor)
        return say(tr("OpenGL 3 is needed, and this display offers %1.%2.")
                       .arg(surface->majorVersion())
                       .arg(surface->minorVersion()));
    if (!surface->begin()) return say(tr("OpenGL does not start on this display."));
    surface->end();
    return true;
}

ImGuiHost::ImGuiHost(QWidget* parent)
    : QWidget(parent), m_surface(GlSurface::shared()), m_context(nullptr) {
    ImGuiContext* const before = ImGui::GetCurrentContext();
    m_context = ImGui::CreateContext();
    ImGui::SetCurrentContext(m_context);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;  // what is to be kept, the session keeps
    io.LogFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_NoMouseCursorChange;
    mapGuiKeys(io);
    ImGui::SetCurrentContext(before);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

ImGuiHost::~ImGuiHost() {
    if (m_surface->begin()) {
        ImGui::SetCurrentContext(m_context);
        if (m_isReady) ImGui_ImplOpenGL3_Shutdown();
        ImGui::SetCurrentContext(nullptr);
        m_frame.reset();
        m_surface->end();
    }
    ImGui::DestroyContext(m_context);
}

void ImGuiHost::requestFrame() {
    wantFrames(1);
}

void ImGuiHost::wantFrames(int count) {
    m_framesWanted = std::max(m_framesWanted, count);
    drawSoon();
}

/// What is not seen is drawn once it is.
void ImGuiHost::drawSoon() {
    if (!isVisible() || std::exchange(m_isFrameDue, true)) return;
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_isFrameDue = false;
            if (!isVisible()) return;
            if (m_isReady)
                drawFrame();
            else
                makeReady();
        },
        Qt::QueuedConnection);
}

bool ImGuiHost::takesKey(int) const {
    return false;
}

void ImGuiHost::loadFonts() {
    const double ratio = devicePixelRatioF();
    if (ratio == m_fontRatio) return;
    m_fontRatio = ratio;
    ImGuiIO& io = ImGui::GetIO();
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    io.Fonts->Clear();
    m_fonts = makeGuiFonts(*io.Fonts, ratio);
    io.FontDefault = m_fonts.body;
    io.FontGlobalScale = static_cast<float>(1 / ratio);
    ImGui_ImplOpenGL3_CreateFontsTexture();
}

void ImGuiHost::applyTheme() {
    if (!std::exchange(m_isThemeNew, false)) return;
    const Tokens& t = currentTokens();
    ImGuiStyle& style = ImGui::GetStyle();
    if (t.isDark)
        ImGui::StyleColorsDark(&style);
    else
        ImGui::StyleColorsLight(&style);
    const std::pair<ImGuiCol_, QColor> roles[] = {{ImGuiCol_Text, t.text},
                                                  {ImGuiCol_TextDisabled, t.text3},
                                                  {ImGuiCol_WindowBg, t.canvas},
                                                  {ImGuiCol_ChildBg, t.canvas},
                                                  {ImGuiCol_Border, t.border},
                                                  {ImGuiCol_FrameBg, t.input},
                                                  {ImGuiCol_Button, t.raised},
                                                  {ImGuiCol_ButtonHovered, t.border},
                                                  {ImGuiCol_ButtonActive, t.strongBorder},
                                                  {ImGuiCol_Header, t.currentRow},
                                                  {ImGuiCol_HeaderHovered, t.border},
                                                  {ImGuiCol_Separator, t.border},
                                                  {ImGuiCol_ScrollbarBg, t.panel},
                                                  {ImGuiCol_ScrollbarGrab, t.strongBorder},
                                                  {ImGuiCol_SliderGrab, t.accent},
                                                  {ImGuiCol_CheckMark, t.accent}};
    for (const auto& [role, color] : roles) style.Colors[role] = colorOf(color);
    style.WindowPadding = {0, 0};
    style.WindowBorderSize = 0;
    style.WindowRounding = 0;
    style.FrameRounding = 5;
    style.AntiAliasedLinesUseTex = false;
}

void ImGuiHost::handInput() {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(width()), static_cast<float>(height())};
    const auto ratio = static_cast<float>(devicePixelRatioF());
    io.DisplayFramebufferScale = {ratio, ratio};
    const double seconds =
        m_sinceFrame.isValid() ? static_cast<double>(m_sinceFrame.nsecsElapsed()) * 1e-9 : 0.016;
    m_sinceFrame.start();
    io.DeltaTime = static_cast<float>(std::clamp(seconds, 1e-4, 0.1));
    io.MousePos = m_hasPointer
                      ? ImVec2(static_cast<float>(m_pointer.x()), static_cast<float>(m_pointer.y()))
                      : ImVec2(-1e30F, -1e30F);
    io.MouseWheel = static_cast<float>(std::exchange(m_wheel, 0));
    io.MouseWheelH = static_cast<float>(std::exchange(m_wheelSideways, 0));
    // What was pressed and released between two frames is down for one of them.
    bool isReleasedNext = false;
    for (std::size_t i = 0; i < m_buttons.size(); ++i) {
        io.MouseDown[i] = m_buttons[i] || m_pressed[i];
        isReleasedNext = isReleasedNext || (io.MouseDown[i] && !m_buttons[i]);
    }
    for (std::size_t i = 0; i < m_keys.size(); ++i) {
        io.KeysDown[i] = m_keys[i] || m_keyPressed[i];
        isReleasedNext = isReleasedNext || (io.KeysDown[i] && !m_keys[i]);
    }
    m_pressed.fill(false);
    m_keyPressed.fill(false);
    io.KeyCtrl = m_modifiers.testFlag(Qt::ControlModifier);
    io.KeyShift = m_modifiers.testFlag(Qt::ShiftModifier);
    io.KeyAlt = m_modifiers.testFlag(Qt::AltModifier);
    if (isReleasedNext) wantFrames(2);
}

void ImGuiHost::paintEvent(QPaintEvent* /*event*/) {
    if (m_picture.size() != pixelSize()) m_framesWanted = std::max(m_framesWanted, 1);
    if (m_framesWanted > 0) drawSoon();
    QPainter painter(this);
    const QRect shown(QPoint(0, 0), m_picture.deviceIndependentSize().toSize());
    if (!shown.contains(rect())) painter.fillRect(rect(), currentTokens().canvas);
    if (!m_picture.isNull()) painter.drawImage(QPointF(0, 0), m_picture);
}

QSize ImGuiHost::pixelSize() const {
    return (QSizeF(size()) * devicePixelRatioF()).toSize();
}

/// Shaders and faces, in a turn before the first frame's.
void ImGuiHost::makeReady() {
    if (!m_surface->begin()) return;
    ImGui::SetCurrentContext(m_context);
    m_isReady = ImGui_ImplOpenGL3_Init("#version 130");
    if (m_isReady) {
        ImGui_ImplOpenGL3_CreateDeviceObjects();
        loadFonts();
        drawSoon();
    }
    ImGui::SetCurrentContext(nullptr);
    m_surface->end();
}

void ImGuiHost::drawFrame() {
    const QSize pixels = pixelSize();
    m_framesWanted = std::max(0, m_framesWanted - 1);
    if (pixels.isEmpty() || !m_surface->begin()) return;
    if (!m_frame || m_frame->size() != pixels)
        m_frame = std::make_unique<QOpenGLFramebufferObject>(pixels);
    m_frame->bind();
    ImGui::SetCurrentContext(m_context);
    loadFonts();
    applyTheme();
    handInput();
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("panel", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_NoNav);
    drawGui();
    ImGui::End();
    ImGui::Render();
    const QColor back = currentTokens().canvas;
    m_surface->gl().glClearColor(static_cast<float>(back.redF()), static_cast<float>(back.greenF()),
                                 static_cast<float>(back.blueF()), 1);
    m_surface->gl().glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    ImGui::SetCurrentContext(nullptr);
    readPicture(pixels);
    m_surface->end();
    ++m_numFrames;
    update();
}

/// Into the memory that the last frame had: a picture of a large screen takes longer to get than to
/// fill.
void ImGuiHost::readPicture(const QSize& pixels) {
    if (m_picture.size() != pixels) m_picture = QImage(pixels, QImage::Format_RGBX8888);
    m_picture.setDevicePixelRatio(devicePixelRatioF());
    m_surface->gl().glPixelStorei(GL_PACK_ALIGNMENT, 4);
    m_surface->gl().glReadPixels(0, 0, pixels.width(), pixels.height(), GL_RGBA, GL_UNSIGNED_BYTE,
                                 m_picture.bits());
    // OpenGL counts rows from below.
    for (int y = 0; y < pixels.height() / 2; ++y) {
        uchar* const row = m_picture.scanLine(y);
        std::swap_ranges(row, row + m_picture.bytesPerLine(),
                         m_picture.scanLine(pixels.height() - 1 - y));
    }
}

bool ImGuiHost::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (takesKey(key->key()) &&
            !(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void ImGuiHost::changeEvent(QEvent* event) {
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::PaletteChange) {
        m_isThemeNew = true;
        requestFrame();
    }
    QWidget::changeEvent(event);
}

void ImGuiHost::mousePressEvent(QMouseEvent* event) {
    const int button = buttonIndex(event->button());
    if (button < 0) return QWidget::mousePressEvent(event);
    m_buttons[static_cast<std::size_t>(button)] = true;
    m_pressed[static_cast<std::size_t>(button)] = true;
    mouseMoveEvent(event);
}

void ImGuiHost::mouseDoubleClickEvent(QMouseEvent* event) {
    mousePressEvent(event);
}

void ImGuiHost::mouseReleaseEvent(QMouseEvent* event) {
    const int button = buttonIndex(event->button());
    if (button < 0) return QWidget::mouseReleaseEvent(event);
    m_buttons[static_cast<std::size_t>(button)] = false;
    mouseMoveEvent(event);
}

void ImGuiHost::mouseMoveEvent(QMouseEvent* event) {
    m_pointer = event->position();
    m_hasPointer = true;
    m_modifiers = event->modifiers();
    wantFrames(2);
}

void ImGuiHost::leaveEvent(QEvent* event) {
    m_hasPointer = false;
    wantFrames(2);
    QWidget::leaveEvent(event);
}

void ImGuiHost::wheelEvent(QWheelEvent* event) {
    m_pointer = event->position();
    m_hasPointer = true;
    m_modifiers = event->modifiers();
    m_wheel += event->angleDelta().y() / kNotch;
    m_wheelSideways += event->angleDelta().x() / kNotch;
    wantFrames(2);
    event->accept();
}

void ImGuiHost::keyPressEvent(QKeyEvent* event) {
    const auto key = guiKeyOf(event->key());
    if (!key || !takesKey(event->key())) return QWidget::keyPressEvent(event);
    m_keys[static_cast<std::size_t>(*key)] = true;
    m_keyPressed[static_cast<std::size_t>(*key)] = true;
    m_modifiers = event->modifiers();
    wantFrames(2);
}

void ImGuiHost::keyReleaseEvent(QKeyEvent* event) {
    const auto key = guiKeyOf(event->key());
    if (!key || event->isAutoRepeat()) return QWidget::keyReleaseEvent(event);
    m_keys[static_cast<std::size_t>(*key)] = false;
    m_modifiers = event->modifiers();
    requestFrame();
}

void ImGuiHost::focusOutEvent(QFocusEvent* event) {
    // Who releases a key elsewhere does not tell us.
    m_keys.fill(false);
    m_modifiers = {};
    requestFrame();
    QWidget::focusOutEvent(event);
}

}  // namespace orrery
