#pragma once

#include <QAbstractButton>

#include "widgets/home/workspace_row.h"

namespace orrery {

/// One recent workspace as a card to click. One that is gone is grey and says why.
class WorkspaceCard : public QAbstractButton {
    Q_OBJECT

public:
    WorkspaceCard(const WorkspaceRow& workspace, QWidget* parent);

    const WorkspaceRow& workspace() const { return m_workspace; }
    bool isGone() const { return !m_workspace.problem.isEmpty(); }
    QSize sizeHint() const override { return QSize(240, 54); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    WorkspaceRow m_workspace;
};

}  // namespace orrery
