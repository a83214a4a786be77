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

void saveWorld(WorldEditor& editor, const PlanSession& session, QWidget* window) {
    const QString file = editor.file();
    if (file.isEmpty()) return saveWorldAs(editor, session, window);
    if (const int comments = editor.numCommentsLost(); comments > 0) {
        QMessageBox box(QMessageBox::Warning, text("The file has comments"),
                        text("Saving drops %n comment line(s) of %1.", comments)
                            .arg(QFileInfo(file).fileName()),
                        QMessageBox::Cancel, window);
        box.setObjectName(QStringLiteral("commentsBox"));
        auto* drop = box.addButton(text("Save without comments"), QMessageBox::AcceptRole);
        auto* other = box.addButton(text("Save as..."), QMessageBox::ActionRole);
        box.exec();
        if (box.clickedButton() == other) return saveWorldAs(editor, session, window);
        if (box.clickedButton() != drop) return;
    }
    editor.saveTo(file);
}

void askForNewWorld(WorldEditor& editor, QWidget* window, const std::function<void()>& show) {
    auto* dialog = new NewWorldDialog(window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QDialog::accepted, &editor, [dialog, &editor, show] {
        show();
        editor.openNew(dialog->spec(), dialog->name());
    });
    dialog->open();
}

}  // namespace orrery
