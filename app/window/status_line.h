#pragma once

#include <QObject>

#include "widgets/part/window_part.h"

class QLabel;

namespace orrery {

class EventWatch;
class Frame;
class Workspace;

/// The line at the foot of a window: what is at work, with its numbers, the workspace, and what was
/// said. GUI thread only.
class StatusLine : public QObject {
    Q_OBJECT

public:
    /// @param watch  tells in a tip what the window's thread has been doing; may be null
    StatusLine(Frame* frame, const EventWatch* watch);

    void show(const StatusText& status);
    void setWorkspace(const Workspace& workspace);

private:
    QLabel* m_dot;
    QLabel* m_text;
    QLabel* m_numbers;
    QLabel* m_place;
};

}  // namespace orrery
