#include "widgets/frame/command_bar.h"

#include <QToolButton>

#include "widgets/common/parts.h"

namespace orrery {

CommandBar::CommandBar(const QString& title, QWidget* parent) : QToolBar(title, parent) {
    setMovable(false);
    setFloatable(false);
    setContextMenuPolicy(Qt::PreventContextMenu);
    setIconSize(QSize(16, 16));
}

QToolButton* CommandBar::addCommand(QAction* action, const Placing& placing) {
    // A widget of its own: hidden here, the command stays in its menu and keeps its keys.
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("tool_") + action->objectName());
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::NoFocus);
    button->setIconSize(iconSize());
    button->setDefaultAction(action);
    button->setAccessibleName(action->toolTip());
    if (placing.isPlain) button->setProperty("look", QStringLiteral("plain"));
    m_parts.push_back({placing, addWidget(button), button});
    return button;
}

void CommandBar::addGap(const Placing& placing) {
    m_parts.push_back({placing, addSeparator(), nullptr});
}

void CommandBar::arrange(const QString& perspective, Room room) {
    for (const Part& part : m_parts) {
        const Placing& placing = part.placing;
        part.place->setVisible((placing.only.isEmpty() || placing.only == perspective) &&
                               (placing.except.isEmpty() || placing.except != perspective) &&
                               (!placing.isSpare || room != Room::NoSpare));
        if (part.button == nullptr) continue;
        // Shown again, Qt enables it without asking the command.
        part.button->setEnabled(part.button->defaultAction()->isEnabled());
        const bool isPlain =
            placing.isPlain && (placing.words.isEmpty() || placing.words != perspective);
        const bool hasWord = placing.isAlways || (!isPlain && room == Room::All);
        part.button->setToolButtonStyle(hasWord ? Qt::ToolButtonTextBesideIcon
                                                : Qt::ToolButtonIconOnly);
        if (!placing.isPlain) continue;
        const QVariant look = isPlain ? QVariant(QStringLiteral("plain")) : QVariant();
        if (part.button->property("look") == look) continue;
        part.button->setProperty("look", look);
        restyle(part.button);
    }
}

}  // namespace orrery
