#include "app/window/tools_part.h"

#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QProcess>
#include <QPushButton>
#include <QTextBrowser>
#include <QUndoView>
#include <QVBoxLayout>

#include "widgets/common/commands.h"
#include "widgets/common/style.h"

namespace orrery {

namespace {

/// A dialog beside the window that goes when it is closed.
QDialog* makeSheet(QWidget* parent, const char* name, const QString& title, QWidget* content) {
    auto* dialog = new QDialog(parent);
    dialog->setObjectName(QLatin1String(name));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto* column = new QVBoxLayout(dialog);
    content->setParent(dialog);
    column->addWidget(content);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    column->addWidget(buttons);
    return dialog;
}

}  // namespace

void ToolsPart::bindCommands() {
    Commands& c = commands();
    c.bind("edit.undoHistory", [this] { showUndoHistory(); });
    c.bind("window.floatPanel", [this] { changePanel(true); });
    c.bind("window.movePanel", [this] { changePanel(false); });
    c.bind("tools.doctor", [this] { showDoctor(); });
    c.bind("help.shortcuts", [this] { showShortcuts(); });
    c.bind("help.about", [this] { showAbout(); });
}

void ToolsPart::showUndoHistory() {
    auto* list = new QUndoView(&undoStack());
    list->setObjectName(QStringLiteral("undoHistory"));
    list->setAccessibleName(tr("Changes"));
    list->setEmptyLabel(tr("As it was opened"));
    list->setToolTip(tr("A click goes back or forward to the state after that change"));
    QDialog* sheet = makeSheet(&frame(), "undoHistorySheet", tr("Undo history"), list);
    sheet->resize(380, 420);
    sheet->show();
}

/// What `orrery doctor` says, asked of the same program.
void ToolsPart::showDoctor() {
    auto* text = new QTextBrowser;
    text->setObjectName(QStringLiteral("doctorText"));
    text->setAccessibleName(tr("Findings"));
    text->setLineWrapMode(QTextEdit::NoWrap);
    // Its columns are padded with blanks; a font that is set would give way to the style sheet's.
    text->setStyleSheet(
        QStringLiteral("QTextBrowser { font-family: \"%1\"; }").arg(numberFont(12).family()));
    text->setPlainText(tr("Looking..."));
    QDialog* sheet = makeSheet(&frame(), "doctorSheet", tr("Doctor"), text);
    sheet->resize(860, 420);
    QStringList arguments{QStringLiteral("doctor")};
    if (!bench().workspaceText().isEmpty())
        arguments << QStringLiteral("--workspace") << bench().workspaceText();
    bench().note(tr("Doctor"), QStringList{QStringLiteral("orrery")} + arguments);
    auto* process = new QProcess(this);
    process->setProcessChannelMode(QProcess::MergedChannels);
    connect(process, &QProcess::finished, text,
            [process, text] { text->setPlainText(QString::fromUtf8(process->readAll())); });
    connect(process, &QProcess::errorOccurred, text,
            [process, text] { text->setPlainText(process->errorString()); });
    // It outlives the sheet until it has ended.
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
    connect(sheet, &QObject::destroyed, process, &QProcess::kill);
    process->start(QApplication::applicationFilePath(), arguments, QIODevice::ReadOnly);
    sheet->show();
}

/// What dragging a panel's title does, for keys; the layout's undo hears of it from the panel.
/// @param floats  float or dock it; else move it to the next side
void ToolsPart::changePanel(bool floats) {
    auto* panel = qobject_cast<QDockWidget*>(frame().focusWidget());
    for (QWidget* up = frame().focusWidget(); up != nullptr && panel == nullptr;
         up = up->parentWidget())
        panel = qobject_cast<QDockWidget*>(up);
    if (panel == nullptr)
        return say(MessageKind::Info,
                   tr("Give the focus to a panel first, by a click or by Ctrl+F6."));
    if (floats) return panel->setFloating(!panel->isFloating());
    const Qt::DockWidgetArea side = frame().dockWidgetArea(panel);
    panel->setFloating(false);
    frame().addDockWidget(side == Qt::LeftDockWidgetArea    ? Qt::RightDockWidgetArea
                          : side == Qt::RightDockWidgetArea ? Qt::BottomDockWidgetArea
                                                            : Qt::LeftDockWidgetArea,
                          panel);
}

void ToolsPart::showAbout() {
    say(MessageKind::Info,
        tr("Orrery %1: exact planning and learning in worlds with humans and robots that share "
           "power. GPL-3.0-or-later. Qt %2.")
            .arg(QApplication::applicationVersion(), QLatin1String(qVersion())));
}

void ToolsPart::showShortcuts() {
    auto* text = new QTextBrowser;
    text->setHtml(commands().sheetHtml());
    QDialog* sheet = makeSheet(&frame(), "shortcutSheet", tr("Commands and shortcuts"), text);
    sheet->resize(680, 560);
    sheet->show();
}

}  // namespace orrery
