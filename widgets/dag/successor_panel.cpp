#include "widgets/dag/successor_panel.h"

#include <QLabel>
#include <QVBoxLayout>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/row_list.h"

namespace orrery {

namespace {

constexpr int kMostSuccessors = 8;  ///< rows; many humans have hundreds

}  // namespace

SuccessorPanel::SuccessorPanel(PlanSession* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_list(new RowList(QStringLiteral("successorList"), 44, 56, this)),
      m_empty(makeLabel(tr("Open a world to see what may follow."), "hint", this)) {
    m_list->setFitsRows(true, kMostSuccessors);
    m_list->setAccessibleName(tr("Successors"));
    m_empty->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    m_remark = addHeading(layout, tr("Successors"));
    layout->addWidget(m_list);
    layout->addWidget(m_empty);
    connect(m_list, &RowList::hovered, this, [this](int row) {
        const auto& rows = m_session->successors();
        m_session->selection().setHover(
            row >= 0 && row < std::ssize(rows)
                ? std::optional<SelectionItem>(rows[static_cast<std::size_t>(row)].state)
                : std::nullopt);
    });
    connect(m_list, &RowList::activated, this, [this](const QModelIndex& index) {
        if (index.row() < std::ssize(m_session->successors()))
            m_session->follow(static_cast<std::size_t>(index.row()));
    });
    connect(session, &PlanSession::stateChanged, this, &SuccessorPanel::refresh);
    connect(session, &PlanSession::jointActionChanged, this, &SuccessorPanel::refresh);
    connect(session, &PlanSession::solutionChanged, this, &SuccessorPanel::refresh);
    refresh();
}

void SuccessorPanel::refresh() {
    std::vector<Row> rows;
    double sum = 0;
    for (const SuccessorRow& successor : m_session->successors()) {
        Row row;
        row.title = successor.text;
        row.title.replace(0, 1, row.title.left(1).toUpper());
        row.subtitle = successor.state.index >= 0
                           ? stateText(successor.state.step, successor.state.index)
                           : tr("step %1").arg(successor.state.step);
        row.share = successor.probability;
        row.shareText = QString::number(successor.probability, 'f', 3);
        row.tip = row.title + QStringLiteral("\n") + tr("Double-click or Enter goes there");
        if (successor.v_r) {
            row.value = valueText(*successor.v_r);
            row.isExact = true;
        }
        sum += successor.probability;
        rows.push_back(std::move(row));
    }
    m_remark->setText(rows.empty() ? QString()
                                   : tr("%1 · sum %2").arg(rows.size()).arg(sum, 0, 'f', 3));
    m_empty->setText(m_session->isOpen() ? tr("The last step is reached: nothing follows.")
                                         : tr("Open a world to see what may follow."));
    m_empty->setVisible(rows.empty());
    m_list->setVisible(!rows.empty());
    m_list->setRows(std::move(rows));
}

}  // namespace orrery
