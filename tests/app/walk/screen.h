#pragma once

#include <QImage>
#include <QProcess>
#include <QSize>
#include <QString>
#include <QTemporaryDir>

namespace orrery {

/// An X screen of its own (Xvfb), whose pixels are read from its memory. While it is the newest, it
/// is the DISPLAY of this process and of what it starts.
class WalkScreen {
public:
    /// @param size  in pixels
    /// @throws std::runtime_error if Xvfb does not start
    explicit WalkScreen(QSize size);
    ~WalkScreen();
    WalkScreen(const WalkScreen&) = delete;
    WalkScreen& operator=(const WalkScreen&) = delete;

    QSize size() const { return m_size; }
    /// What is on the screen now. Null if it cannot be read.
    QImage picture() const;

private:
    QSize m_size;
    QTemporaryDir m_memory;
    QProcess m_server;
};

}  // namespace orrery
