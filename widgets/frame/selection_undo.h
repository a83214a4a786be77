#pragma once

#include <QObject>
#include <QUndoStack>

#include "widgets/common/selection.h"

namespace orrery {

/// Puts what a person selects on the undo stack. Selections that follow each other without another
/// change between are one step: undoing brings back what was selected before them; Alt+Left walks
/// through them one by one.
class SelectionUndo : public QObject {
    Q_OBJECT

public:
    SelectionUndo(Selection* selection, QUndoStack* stack, QObject* parent = nullptr);

    /// Undoes or redoes on the stack; what is selected meanwhile is no step of its own.
    void undo();
    void redo();
    /// Takes the present selection as the beginning: another world was opened.
    void startAnew();

private:
    friend class SelectCommand;
    void note();
    void bringBack(const Selection::Picked& picked);

    Selection* m_selection;
    QUndoStack* m_stack;
    Selection::Picked m_noted;
    bool m_isBringingBack = false;
};

}  // namespace orrery
