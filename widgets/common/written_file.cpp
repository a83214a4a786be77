#include "widgets/common/written_file.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QUrl>

#include "core/base/output_file.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/open_outside.h"

namespace orrery {

namespace {

QString text(const char* source) {
    return QCoreApplication::translate("WrittenFile", source);
}

}  // namespace

bool mayReplace(QWidget* parent, const QString& target) {
    if (!holdsSomething(target.toStdString())) return true;
    const QFileInfo there(target);
    const bool isFolder = there.isDir();
    QMessageBox box(QMessageBox::Warning,
                    isFolder ? text("The folder is not empty") : text("The file is there already"),
                    (isFolder ? text("The folder %1 holds something already. Write into it?")
                              : text("Replace the file %1?"))
                        .arg(there.fileName()),
                    QMessageBox::Cancel, parent);
    box.setObjectName(QStringLiteral("replaceBox"));
    box.setInformativeText((isFolder
                                ? text("Files in %1 that have the names of new ones are replaced.")
                                : text("It lies in %1; what it holds now is lost."))
                               .arg(isFolder ? there.filePath() : there.path()));
    auto* replace =
        box.addButton(isFolder ? text("&Write") : text("&Replace"), QMessageBox::AcceptRole);
    replace->setObjectName(QStringLiteral("replaceFile"));
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    return box.clickedButton() == replace;
}

QString askForFile(QWidget* parent, const FileQuestion& question) {
    QString file = question.start;
    do {
        // One question for the name that is written, with its suffix: ours.
        file = QFileDialog::getSaveFileName(parent, question.title, file, question.filter, nullptr,
                                            QFileDialog::DontConfirmOverwrite);
        if (file.isEmpty()) return {};
        if (QFileInfo(file).suffix().isEmpty()) file += u'.' + question.suffix;
    } while (!mayReplace(parent, file));
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
