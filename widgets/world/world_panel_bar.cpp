#include <QAbstractItemView>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QWidgetAction>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/icons.h"
#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"
#include "widgets/world/play_mode.h"
#include "widgets/world/world_editor.h"
#include "widgets/world/world_panel.h"
#include "widgets/world/world_view.h"

namespace orrery {

namespace {

constexpr int kShowsLabelsFrom = 900, kShowsChipFrom = 790, kShowsDraftFrom = 720,
              kShowsModesFrom = 560;

}  // namespace

QWidget* WorldPanel::makeBar() {
    auto* bar = new QFrame(this);
    bar->setProperty("look", QStringLiteral("bar"));
    bar->setFixedHeight(44);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 0, 12, 0);
    row->setSpacing(8);
    addModes(row);
    m_bars->addWidget(makeOverlayBar());
    m_bars->addWidget(makeToolBar());
    m_bars->setFixedHeight(40);
    sizeByShownPage(m_bars);
    row->addWidget(m_bars, 1);
    m_chip = makeLabel({}, "chip", bar);
    m_chip->setObjectName(QStringLiteral("stateChip"));
    row->addWidget(m_chip, 0, Qt::AlignVCenter);
    return bar;
}

QPushButton* WorldPanel::makeToggle(QWidget* parent, const char* name, const QString& text,
                                    const QString& tip) {
    auto* button = new QPushButton(text, parent);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(tip);
    button->setAccessibleDescription(tip);
    button->setCheckable(true);
    return button;
}

QComboBox* WorldPanel::makeBox(QWidget* parent, const char* name, const QString& tip) {
    auto* box = new QComboBox(parent);
    box->setObjectName(QLatin1String(name));
    box->setToolTip(tip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(6);
    box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    box->setMaximumWidth(220);
    box->view()->setTextElideMode(Qt::ElideNone);
    return box;
}

void WorldPanel::addModes(QHBoxLayout* row) {
    m_play =
        makeToggle(this, "playToggle", tr("Play"), tr("Drives agents by keys (P); Esc leaves"));
    m_play->setAccessibleName(tr("Play"));
    connect(m_play, &QPushButton::toggled, this, [this](bool on) {
        if (on && m_editor) m_editor->setOn(false);
        play()->setOn(on && m_session->isOpen());
        refreshMode();
        m_view->setFocus();
    });
    row->addWidget(m_play);
    m_options = new QToolButton(this);
    m_options->setObjectName(QStringLiteral("playOptions"));
    m_options->setToolTip(tr("Which agents the keys drive, and how keys become steps"));
    m_options->setPopupMode(QToolButton::InstantPopup);
    m_optionsMenu = new QMenu(m_options);
    m_optionsMenu->setToolTipsVisible(true);
    m_options->setMenu(m_optionsMenu);
    connect(m_optionsMenu, &QMenu::aboutToShow, this, &WorldPanel::fillOptions);
    m_options->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
    m_edit =
        makeToggle(this, "editToggle", tr("Edit"), tr("Changes the world's map, agents and goals"));
    m_edit->setAccessibleName(tr("Edit"));
    m_edit->setVisible(m_editor != nullptr);
    if (m_editor)
        connect(m_edit, &QPushButton::toggled, this, [this](bool on) {
            m_editor->setOn(on);
            refreshMode();
        });
    row->addWidget(m_edit);
    auto* line = new QFrame(this);
    line->setProperty("look", QStringLiteral("edge"));
    line->setFixedSize(1, 24);
    row->addWidget(line);
}

QWidget* WorldPanel::makeOverlayBar() {
    auto* bar = new QWidget(m_bars);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_heatLabel = makeLabel(tr("Heat"), "label", bar);
    row->addWidget(m_heatLabel);
    m_heat = makeBox(bar, "heatBox",
                     tr("Heat: the value that colours the cells, that of the state in which the "
                        "agent stood there instead ([ and ] step through)"));
    m_heat->setAccessibleName(tr("Heat over the cells"));
    connect(m_heat, &QComboBox::activated, this, [this](int index) {
        m_view->showHeat(heatChoiceOf(m_heat->itemData(index).toJsonObject()));
    });
    row->addWidget(m_heat, 100);
    m_arrowsLabel = makeLabel(tr("Arrows"), "label", bar);
    row->addWidget(m_arrowsLabel);
    m_arrows = makeBox(bar, "arrowsBox",
                       tr("Arrows: whose policy; an arrow's area is the probability of going on "
                          "that way from the cell"));
    m_arrows->setAccessibleName(tr("Policy arrows"));
    m_arrows->setMaximumWidth(150);
    connect(m_arrows, &QComboBox::activated, this, [this](int index) {
        m_view->setArrows(arrowChoiceOf(m_arrows->itemData(index).toJsonObject()));
    });
    row->addWidget(m_arrows, 60);
    m_goals = makeToggle(bar, "goalsToggle", tr("Goals"),
                         tr("Dashed frames with a flag around the goals"));
    m_visits = makeToggle(bar, "visitsToggle", tr("Visits"),
                          tr("How often the current agent was in each cell of the walk"));
    m_ghosts = makeToggle(bar, "ghostsToggle", tr("Ghosts"),
                          tr("What the joint action may lead to, with probabilities"));
    connect(m_goals, &QPushButton::toggled, m_view, &WorldView::setShowsGoals);
    connect(m_visits, &QPushButton::toggled, m_view, &WorldView::setShowsVisits);
    connect(m_ghosts, &QPushButton::toggled, m_view, &WorldView::setShowsGhosts);
    m_goals->setChecked(true);
    m_ghosts->setChecked(true);
    for (QPushButton* toggle : {m_goals, m_visits, m_ghosts}) row->addWidget(toggle);
    m_toggles = new QToolButton(bar);
    m_toggles->setObjectName(QStringLiteral("overlayToggles"));
    m_toggles->setText(tr("Show ▾"));
    m_toggles->setToolTip(tr("Goals, visits and ghosts over the world"));
    m_toggles->setAccessibleName(m_toggles->toolTip());
    m_toggles->setPopupMode(QToolButton::InstantPopup);
    m_toggles->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
    auto* menu = new QMenu(m_toggles);
    menu->setToolTipsVisible(true);
    m_toggles->setMenu(menu);
    for (QPushButton* toggle : {m_goals, m_visits, m_ghosts}) {
        QAction* action = menu->addAction(toggle->text());
        action->setCheckable(true);
        action->setToolTip(toggle->toolTip());
        connect(action, &QAction::triggered, toggle, &QPushButton::setChecked);
        connect(menu, &QMenu::aboutToShow, action,
                [action, toggle] { action->setChecked(toggle->isChecked()); });
    }
    row->addWidget(m_toggles);
    row->addStretch(1);
    return bar;
}

QWidget* WorldPanel::makeToolBar() {
    auto* bar = new QWidget(m_bars);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    const struct {
        EditTool tool;
        const char* name;
        const char* icon;
        QString text, tip;
    } tools[] = {
        {EditTool::Select, "toolSelect", "tool-move", tr("Move"),
         tr("Picks a cell; dragging moves what is in "
            "it (S)")},
        {EditTool::Mark, "toolMark", "tool-mark", tr("Mark"),
         tr("Marks cells to copy, cut or erase "
            "(M; Ctrl+C, Ctrl+X, Ctrl+V)")},
        {EditTool::Paint, "toolPaint", "brush", tr("Paint"),
         tr("Puts the object of the palette into cells "
            "(P)")},
        {EditTool::Rectangle, "toolRectangle", "tool-rectangle", tr("Rectangle"),
         tr("Fills a dragged rectangle "
            "(D)")},
        {EditTool::Fill, "toolFill", "flood", tr("Fill"),
         tr("Replaces all connected cells of one kind "
            "(F)")},
        {EditTool::Erase, "toolErase", "tool-erase", tr("Erase"), tr("Empties cells (E, Delete)")},
        {EditTool::Turn, "toolTurn", "tool-turn", tr("Turn"),
         tr("Turns an agent or a magic wall (T)")},
        {EditTool::Goal, "toolGoal", "goal", tr("Goal"),
         tr("A click adds a goal cell, dragging a goal "
            "area (G)")},
    };
    for (const auto& tool : tools) {
        QPushButton* button = makeToggle(bar, tool.name, tool.text, tool.tip);
        button->setProperty("tool", static_cast<int>(tool.tool));
        button->setProperty("name", tool.text);
        button->setProperty("icon", QLatin1String(tool.icon));
        button->setAccessibleName(tool.text);
        button->setProperty("look", QStringLiteral("action"));
        connect(button, &QPushButton::clicked, this, [this, kind = tool.tool] {
            if (m_editor) m_editor->setTool(kind);
        });
        m_tools << button;
        row->addWidget(button);
    }
    row->addStretch(1);
    return bar;
}

void WorldPanel::fillOptions() {
    m_optionsMenu->clear();
    if (!m_session->isOpen()) return;
    const auto add = [this](const QString& text, bool isOn, auto toggle) {
        QAction* action = m_optionsMenu->addAction(text);
        action->setCheckable(true);
        action->setChecked(isOn);
        connect(action, &QAction::triggered, this, toggle);
    };
    const auto& letters = m_session->letters();
    connect(m_optionsMenu->addAction(tr("Drive all agents")), &QAction::triggered, this,
            [this] { play()->driveAll(); });
    for (int agent = 0; agent < m_session->world().numAgents(); ++agent)
        connect(m_optionsMenu->addAction(
                    tr("Drive only %1").arg(letters[static_cast<std::size_t>(agent)])),
                &QAction::triggered, this, [this, agent] { play()->driveAlone(agent); });
    m_optionsMenu->addSeparator();
    for (int agent = 0; agent < m_session->world().numAgents(); ++agent)
        add(tr("Keys drive %1").arg(letters[static_cast<std::size_t>(agent)]),
            play()->isDriven(agent), [this, agent](bool on) { play()->setDriven(agent, on); });
    m_optionsMenu->addSeparator();
    add(tr("Each key is a step"), play()->stepsOnKey(),
        [this](bool on) { play()->setStepsOnKey(on); });
    add(tr("The others follow their policies"), play()->followsPolicies(),
        [this](bool on) { play()->setFollowsPolicies(on); });
    add(tr("Choose what chance does"), play()->choosesChance(),
        [this](bool on) { play()->setChoosesChance(on); });
}

void WorldPanel::makeRangeButton() {
    m_range = new QToolButton(m_view);
    m_view->installEventFilter(this);  // the button follows the colour bar
    m_range->setObjectName(QStringLiteral("rangeButton"));
    m_range->setProperty("look", QStringLiteral("plain"));
    m_range->setToolTip(tr("Range of the colours: auto, fixed or locked"));
    m_range->setAccessibleName(tr("Range of the colours"));
    m_range->setPopupMode(QToolButton::InstantPopup);
    m_range->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
    m_range->setFixedSize(26, 26);
    m_rangeMenu = new QMenu(m_range);
    m_range->setMenu(m_rangeMenu);
    m_range->hide();
    connect(m_rangeMenu, &QMenu::aboutToShow, this, &WorldPanel::fillRangeMenu);
}

void WorldPanel::fillRangeMenu() {
    m_rangeMenu->clear();
    const auto& heat = m_view->scene().heat;
    if (!heat) return;
    const auto add = [this](const QString& text, HeatRangeKind kind, auto apply) {
        QAction* action = m_rangeMenu->addAction(text);
        action->setCheckable(true);
        action->setChecked(m_view->heatRange().kind == kind);
        connect(action, &QAction::triggered, this, apply);
    };
    add(tr("Auto: the values shown now"), HeatRangeKind::Auto,
        [this] { m_view->setHeatRange({}); });
    add(tr("Lock the present range"), HeatRangeKind::Locked,
        [this] { m_view->lockHeatRange(true); });
    if (isProbability(heat->request.quantity))
        add(tr("Fixed, 0 to 1"), HeatRangeKind::Fixed, [this] {
            m_view->setHeatRange({HeatRangeKind::Fixed, 0, 1});
        });
    auto* fields = new QWidget(m_rangeMenu);
    auto* row = new QHBoxLayout(fields);
    row->setContentsMargins(12, 4, 12, 4);
    row->addWidget(makeLabel(tr("Fixed"), "label", fields));
    QDoubleSpinBox* ends[2] = {new QDoubleSpinBox(fields), new QDoubleSpinBox(fields)};
    const double values[2] = {heat->low, heat->high};
    const char* const names[2] = {"rangeLow", "rangeHigh"};
    for (int i = 0; i < 2; ++i) {
        ends[i]->setObjectName(QLatin1String(names[i]));
        ends[i]->setDecimals(3);
        ends[i]->setRange(-1e6, 1e6);
        ends[i]->setSingleStep(0.1);
        ends[i]->setValue(values[i]);
        row->addWidget(ends[i]);
    }
    for (QDoubleSpinBox* end : ends)
        connect(end, &QDoubleSpinBox::valueChanged, this, [this, low = ends[0], high = ends[1]] {
            if (low->value() < high->value())
                m_view->setHeatRange({HeatRangeKind::Fixed, low->value(), high->value()});
        });
    auto* action = new QWidgetAction(m_rangeMenu);
    action->setDefaultWidget(fields);
    m_rangeMenu->addAction(action);
}

void WorldPanel::placeRangeButton() {
    if (!m_range) return;
    const bool isShown = m_view->scene().heat != nullptr;
    m_range->setVisible(isShown);
    if (!isShown) return;
    const QRectF bar = m_view->worldLayout().colorBar;
    m_range->move(static_cast<int>(bar.left()) + 60, static_cast<int>(bar.bottom()) + 5);
}

/// One menu stands for the three toggles where there is no room for them.
void WorldPanel::foldToggles(int room) {
    const auto fold = [this](bool folds) {
        for (QPushButton* toggle : {m_goals, m_visits, m_ghosts}) toggle->setVisible(!folds);
        m_toggles->setVisible(folds);
    };
    fold(false);
    QLayout* row = m_goals->parentWidget()->layout();
    row->invalidate();
    if (row->minimumSize().width() > room) fold(true);
}

/// Icons stand for the tools' names where there is no room for names.
void WorldPanel::shortenTools(int room) {
    if (m_tools.isEmpty()) return;
    for (QPushButton* tool : std::as_const(m_tools)) {
        tool->setText(tool->property("name").toString());
        tool->setIcon({});
    }
    QLayout* row = m_tools.first()->parentWidget()->layout();
    row->invalidate();
    if (row->minimumSize().width() <= room) return;
    for (QPushButton* tool : std::as_const(m_tools)) {
        tool->setText({});
        tool->setIcon(themedIcon(tool->property("icon").toString(), currentTokens()));
    }
}

/// What the bar has no room for is left out, least needed first.
void WorldPanel::fitBar() {
    if (!m_chip) return;
    // A narrow bar names the modes by icons, so that the toggles keep their words.
    const bool namesModes = width() >= kShowsModesFrom;
    m_play->setText(namesModes ? tr("Play") : QString());
    m_edit->setText(namesModes ? tr("Edit") : QString());
    for (QLayout* row : {m_chip->parentWidget()->layout(), m_goals->parentWidget()->layout()})
        row->setSpacing(namesModes ? 8 : 4);
    const int side = namesModes ? 12 : 4;
    m_chip->parentWidget()->layout()->setContentsMargins(side, 0, side, 0);
    for (QPushButton* toggle : {m_goals, m_visits, m_ghosts})
        toggle->setMinimumWidth(toggle->sizeHint().width());
    for (QLabel* label : {m_heatLabel, m_arrowsLabel})
        label->setVisible(width() >= kShowsLabelsFrom);
    const int spacing = m_goals->parentWidget()->layout()->spacing();
    int taken = 2 * side + 1 + spacing;  // by the margins, the line and the modes
    for (const QPushButton* mode : {m_play, m_edit})
        if (!mode->isHidden()) taken += mode->sizeHint().width() + spacing;
    foldToggles(width() - taken);
    shortenTools(width() - taken);
    const bool edits = m_editor && m_editor->isOn();
    m_chip->setVisible(m_session->isOpen() &&
                       width() >= (edits ? kShowsDraftFrom : kShowsChipFrom));
}

}  // namespace orrery
