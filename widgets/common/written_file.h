#pragma once

#include <QStringList>

class QWidget;

namespace orrery {

class MessageStrip;

/// A path as it is typed, with "~" at its beginning for the person's home, as shells take it.
QString homeExpanded(const QString& typed);

/// Whether files may be written, or a folder: true where nothing is there, else what the person
/// answers to a question that names what is. For all that a window writes where it is told to.
/// @param targets  one folder, or files of one folder; not empty
bool mayReplace(QWidget* parent, const QStringList& targets);

/// The same of a folder of a film's pictures, of which nothing stays. One that holds anything else
/// is refused with the reason.
bool mayReplaceFilm(QWidget* parent, const QString& folder);

/// The pictures of a film (00000.png, ...) in a folder that holds nothing else; -1: it does.
int framesAlone(const QString& folder);

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
