#include "widgets/common/written_file.h"

#include <QCoreApplication>
#include <QDirIterator>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QUrl>

#include "core/base/output_file.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/open_outside.h"

namespace orrery {

QString homeExpanded(const QString& typed) {
    const bool isHome = typed == QLatin1String("~") || typed.startsWith(QLatin1String("~/"));
    return isHome ? QDir::homePath() + typed.mid(1) : typed;
}

namespace {

QString text(const char* source, int number = -1) {
    return QCoreApplication::translate("WrittenFile", source, nullptr, number);
}

/// True if the person says `yes`, which is not what Return presses.
bool ask(QWidget* parent, const QString& title, const QString& question, const QString& more,
         const QString& yes) {
    QMessageBox box(QMessageBox::Warning, title, question, QMessageBox::Cancel, parent);
    box.setObjectName(QStringLiteral("replaceBox"));
    box.setInformativeText(more);
    auto* replace = box.addButton(yes, QMessageBox::AcceptRole);
    replace->setObjectName(QStringLiteral("replaceFile"));
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    return box.clickedButton() == replace;
}

}  // namespace

bool mayReplace(QWidget* parent, const QStringList& targets) {
    QStringList names;
    for (const QString& target : targets)
        if (holdsSomething(target.toStdString())) names << QFileInfo(target).fileName();
    if (names.isEmpty()) return true;
    const QFileInfo there(targets.first());
    if (there.isDir())
        return ask(
            parent, text("The folder is not empty"),
            text("The folder %1 holds something already. Write into it?").arg(there.fileName()),
            text("Files in %1 that have the names of new ones are replaced.").arg(there.filePath()),
            text("&Write"));
    const bool isOne = names.size() == 1;
    return ask(parent,
               isOne ? text("The file is there already") : text("The files are there already"),
               (isOne ? text("Replace the file %1?") : text("Replace the files %1?"))
                   .arg(names.join(QStringLiteral(", "))),
               (isOne ? text("It lies in %1; what it holds now is lost.")
                      : text("They lie in %1; what they hold now is lost."))
                   .arg(there.path()),
               text("&Replace"));
}

bool mayReplaceFilm(QWidget* parent, const QString& folder) {
    if (!holdsSomething(folder.toStdString())) return true;
    const QFileInfo there(folder);
    const QString where = text("The folder is %1.").arg(there.filePath());
    if (const int frames = framesAlone(folder); frames > 0)
        return ask(parent, text("The folder holds a film"),
                   text("Replace the pictures of the film in %1?").arg(there.fileName()),
                   where + u' ' + text("All %n of them go.", frames), text("&Replace"));
    QMessageBox box(QMessageBox::Warning, text("The folder is not empty"),
                    text("%1 holds something that is no film. Name a new or an empty folder.")
                        .arg(there.fileName()),
                    QMessageBox::Ok, parent);
    box.setObjectName(QStringLiteral("noFilmBox"));
    box.setInformativeText(where);
    box.exec();
    return false;
}

int framesAlone(const QString& folder) {
    static const QRegularExpression kFrame(QStringLiteral("^[0-9]{5,}\\.png$"));
    int frames = 0;
    for (QDirIterator all(folder, QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
         all.hasNext(); ++frames) {
        all.next();
        if (!all.fileInfo().isFile() || !kFrame.match(all.fileName()).hasMatch()) return -1;
    }
    return frames;
}

QString askForFile(QWidget* parent, const FileQuestion& question) {
    QString file = question.start;
    do {
        // One question for the name that is written, with its suffix: ours.
        file = QFileDialog::getSaveFileName(parent, question.title, file, question.filter, nullptr,
                                            QFileDialog::DontConfirmOverwrite);
        if (file.isEmpty()) return {};
        if (QFileInfo(file).suffix().isEmpty()) file += u'.' + question.suffix;
    } while (!mayReplace(parent, {file}));
    return file;
}

void showWritten(MessageStrip* strip, const QString& said, const QString& file) {
    strip->show(MessageKind::Ok, said, text("Open folder"), [file] { openFolderOf(file); });
}

void openFolderOf(const QString& file) {
    const QFileInfo info(file);
    openOutside(QUrl::fromLocalFile(info.isDir() ? info.absoluteFilePath() : info.absolutePath()));
}

}  // namespace orrery
