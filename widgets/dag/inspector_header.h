#pragma once

#include <QWidget>
#include <vector>

class QLabel;
class QPushButton;
class QToolButton;

namespace orrery {

class InspectorState;
class NumberCard;

/// The top of an inspector: which state it is, the pinned state A, V_r and U_r. Before a solve it
/// says how to get there.
class InspectorHeader : public QWidget {
    Q_OBJECT

public:
    InspectorHeader(InspectorState* state, QWidget* parent);

    /// "orrery:run/…/t6/s1204" onto the clipboard.
    void copyLink() const;

    /// The content hash of the world of the solve that is at work; empty: none is.
    void setSolvedNow(const QString& worldHash);

Q_SIGNALS:
    void solveRequested();
    /// Everything that is shown, as a table.
    void copyRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeTitleRow();
    QWidget* makePinnedRow();
    QWidget* makeEmpty();
    QToolButton* makeButton(const QString& name, const QString& text, const QString& tip);
    void refresh();
    void refreshTitle();
    void refreshIcons();

    InspectorState* m_state;
    QLabel *m_title = nullptr, *m_subtitle = nullptr, *m_pinnedName = nullptr;
    QToolButton *m_pin = nullptr, *m_link = nullptr, *m_copy = nullptr, *m_unpin = nullptr;
    QWidget *m_pinnedRow = nullptr, *m_cards = nullptr, *m_empty = nullptr;
    QLabel* m_why = nullptr;  ///< there are no values
    QPushButton* m_solve = nullptr;
    QString m_solvedNow;
    std::vector<NumberCard*> m_numbers;
};

}  // namespace orrery
