#include "widgets/frame/selection_undo.h"

#include <QUndoCommand>
#include <utility>

namespace orrery {

/// What was selected before and after.
class SelectCommand : public QUndoCommand {
public:
    SelectCommand(SelectionUndo* owner, Selection::Picked before, Selection::Picked after)
        : QUndoCommand(SelectionUndo::tr("Select")),
          m_owner(owner),
          m_before(std::move(before)),
          m_after(std::move(after)) {}

    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand* next) override {
        const auto* other = dynamic_cast<const SelectCommand*>(next);
        if (!other) return false;
        m_after = other->m_after;
        return true;
    }
    void undo() override { m_owner->bringBack(m_before); }
    void redo() override {
        if (m_isDone) m_owner->bringBack(m_after);
        m_isDone = true;  // the person has done it already
    }

private:
    SelectionUndo* m_owner;
    Selection::Picked m_before, m_after;
    bool m_isDone = false;
};

SelectionUndo::SelectionUndo(Selection* selection, QUndoStack* stack, QObject* parent)
    : QObject(parent), m_selection(selection), m_stack(stack), m_noted(selection->picked()) {
    connect(selection, &Selection::historyChanged, this, &SelectionUndo::note);
    connect(selection, &Selection::setChanged, this, &SelectionUndo::note);
}

void SelectionUndo::startAnew() {
    m_noted = m_selection->picked();
}

void SelectionUndo::undo() {
    m_isBringingBack = true;
    m_stack->undo();
    m_isBringingBack = false;
    startAnew();
}

void SelectionUndo::redo() {
    m_isBringingBack = true;
    m_stack->redo();
    m_isBringingBack = false;
    startAnew();
}

void SelectionUndo::note() {
    if (m_isBringingBack) return;
    Selection::Picked now = m_selection->picked();
    if (now == m_noted) return;
    Selection::Picked before = std::exchange(m_noted, now);
    m_stack->push(new SelectCommand(this, std::move(before), std::move(now)));
}

void SelectionUndo::bringBack(const Selection::Picked& picked) {
    const bool wasBringingBack = std::exchange(m_isBringingBack, true);
    m_selection->setPicked(picked);
    m_noted = m_selection->picked();
    m_isBringingBack = wasBringingBack;
}

}  // namespace orrery
