#include "widgets/world/world_files.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/written_file.h"
#include "widgets/world/new_world_dialog.h"
#include "widgets/world/world_editor.h"

namespace orrery {

namespace {

QString text(const char* source, int number = -1) {
    return QCoreApplication::translate("WorldFiles", source, nullptr, number);
}

}  // namespace

void saveWorldAs(WorldEditor& editor, const PlanSession& session, QWidget* window) {
    QString start = editor.file();
    if (start.isEmpty()) {
        start = session.loaded().title.toLower();
        start = start.replace(u' ', u'_') + QStringLiteral(".yaml");
    }
    const QString file =
        askForFile(window, {.title = text("Save the world"),
                            .start = start,
                            .filter = text("World files (*.yaml *.yml *.json);;All files (*)"),
                            .suffix = QStringLiteral("yaml")});
    if (!file.isEmpty()) editor.saveTo(file);
}

namespace {

struct LossQuestion {
    const char* name;  ///< of the box
    QString title, text, replace;
};

/// Asks before what stands in the world's file is lost. False: it is not to be written.
bool mayLose(WorldEditor& editor, const PlanSession& session, QWidget* window,
             const LossQuestion& question) {
    QMessageBox box(QMessageBox::Warning, question.title, question.text, QMessageBox::Cancel,
                    window);
    box.setObjectName(QLatin1String(question.name));
    auto* replace = box.addButton(question.replace, QMessageBox::AcceptRole);
    auto* other = box.addButton(text("Save as..."), QMessageBox::ActionRole);
    box.exec();
    if (box.clickedButton() == other) saveWorldAs(editor, session, window);
    return box.clickedButton() == replace;
}

}  // namespace

void saveWorld(WorldEditor& editor, const PlanSession& session, QWidget* window) {
    const QString file = editor.file();
    if (file.isEmpty()) return saveWorldAs(editor, session, window);
    const QString name = QFileInfo(file).fileName();
    if (editor.isFileChanged() &&
        !mayLose(editor, session, window,
                 {.name = "changedBox",
                  .title = text("The file was changed"),
                  .text = text("%1 is not as it was when it was opened or saved here. Saving "
                               "replaces what was written there since.")
                              .arg(name),
                  .replace = text("Replace it")}))
        return;
    if (const int comments = editor.numCommentsLost();
        comments > 0 &&
        !mayLose(editor, session, window,
                 {.name = "commentsBox",
                  .title = text("The file has comments"),
                  .text = text("Saving drops %n comment line(s) of %1.", comments).arg(name),
                  .replace = text("Save without comments")}))
        return;
    editor.saveTo(file);
}

void askForNewWorld(WorldEditor& editor, QWidget* window, const std::function<void()>& show) {
    auto* dialog = new NewWorldDialog(window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QDialog::accepted, &editor, [dialog, &editor, show] {
        show();
        editor.openNew(dialog->spec(), dialog->name(), dialog->name());
    });
    dialog->open();
}

}  // namespace orrery
