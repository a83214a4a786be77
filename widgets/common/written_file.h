#pragma once

#include <QString>

class QWidget;

namespace orrery {

class MessageStrip;

/// Whether `target` may be written: true where nothing is there, else what the person answers to a
/// question that names it. For every file and folder that a window writes where it is told to.
bool mayReplace(QWidget* parent, const QString& target);

/// What a file dialog asks for.
struct FileQuestion {
    QString title;
    QString start;   ///< folder and name that are proposed
    QString filter;  ///< as QFileDialog takes it
    QString suffix;  ///< of a name that is typed without one: "html"
};

/// Asks for a file to write until one is named that may be written. Empty: none is wanted.
QString askForFile(QWidget* parent, const FileQuestion& question);

/// Says on a strip that something was written, with a button that opens the folder of `file`.
void showWritten(MessageStrip* strip, const QString& text, const QString& file);

/// Shows the folder of a file, or a folder, in the desktop's file manager.
void openFolderOf(const QString& file);

}  // namespace orrery
