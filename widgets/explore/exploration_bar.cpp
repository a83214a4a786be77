#include "widgets/explore/exploration_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "widgets/common/parts.h"
#include "widgets/dag/parameter_scale.h"
#include "widgets/explore/exploration.h"

namespace orrery {

ExplorationBar::ExplorationBar(Exploration* exploration, bool isBrief, QWidget* parent)
    : QFrame(parent),
      m_exploration(exploration),
      m_text(makeLabel({}, "name", this)),
      m_isBrief(isBrief) {
    setObjectName(isBrief ? QStringLiteral("explorationMark") : QStringLiteral("explorationBar"));
    setAccessibleName(tr("Exploring other parameters"));
    setProperty("look", QStringLiteral("strip"));
    setProperty("kind", QStringLiteral("warning"));
    m_text->setTextFormat(Qt::RichText);
    m_text->setWordWrap(true);  // up to seven parameters, beside the buttons of a narrow window
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, isBrief ? 4 : 3, 12, isBrief ? 4 : 3);
    row->setSpacing(8);
    row->addWidget(m_text, 1);
    if (!isBrief) {
        auto* keep = new QPushButton(tr("Keep as run"), this);
        keep->setObjectName(QStringLiteral("keepRunButton"));
        keep->setToolTip(tr("Solves these parameters as a run of its own and stores it"));
        auto* back = new QPushButton(tr("Back to the run"), this);
        back->setObjectName(QStringLiteral("backToRunButton"));
        back->setToolTip(tr("Shows the run's own values again"));
        row->addWidget(keep);
        row->addWidget(back);
        connect(keep, &QPushButton::clicked, this, &ExplorationBar::keepRequested);
        connect(back, &QPushButton::clicked, exploration, &Exploration::backToRun);
    }
    connect(exploration, &Exploration::wantedChanged, this, &ExplorationBar::refresh);
    refresh();
}

QString ExplorationBar::text() const {
    return m_text->text();
}

void ExplorationBar::refresh() {
    const bool isExploring = m_exploration->isExploring();
    const QString what = explorationHtml(m_exploration->wanted(), m_exploration->runSpec());
    m_text->setText(tr("<b>Exploring:</b> %1").arg(what));
    setVisible(isExploring);
}

}  // namespace orrery
