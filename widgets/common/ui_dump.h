#pragma once

#include <QByteArray>
#include <QJsonObject>

class QWidget;

namespace orrery {

class Selection;

/// A window and everything that floats above it as JSON for checks by programs.
///
/// "windows" are all visible windows, menus and pop-ups. "widgets" are the visible parts of all of
/// them that have a name, take input, show text or are painted views: "id", "name", "kind"
/// (class), "rect" [x, y, width, height] in its window and "global" on the screen, both in
/// device-independent pixels, "enabled", "input", "focus", texts ("cut": there is too little room)
/// and values by what it is; item views list the visible "cells" and "headers" with text and global
/// rectangle, drawn views their "spots" and "facts". "actions" are the commands with keys and state
/// and where they can be pressed now. `facts` come in as they are, beside "selection" (address and
/// counts) and "size".
QByteArray uiDump(const QWidget* window, const Selection& selection, const QJsonObject& facts = {});

}  // namespace orrery
