#pragma once

#include <QApplication>
#include <functional>
#include <memory>
#include <stop_token>

namespace orrery {

/// A Qt application without a display, unless the process has one already. Made in the main thread
/// before anything that draws, and kept until the drawing is done.
class Offscreen {
public:
    Offscreen();

private:
    int m_argc = 1;
    char m_name[7] = "orrery";
    char* m_argv[2] = {m_name, nullptr};
    std::unique_ptr<QApplication> m_application;
};

/// Lets the event loop and the workers of views go on until nothing is being computed.
/// @return false if stopped
bool waitOffscreen(const std::function<bool()>& isReady, const std::stop_token& stop);

}  // namespace orrery
