#include "widgets/world/edit_panel.h"

#include <QComboBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <tuple>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/icons.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/row_list.h"
#include "widgets/common/tokens.h"
#include "widgets/world/palette.h"
#include "widgets/world/rules_form.h"
#include "widgets/world/spec_edit.h"
#include "widgets/world/spec_scene.h"
#include "widgets/world/world_editor.h"
#include "widgets/world/world_files.h"

namespace orrery {

namespace {

constexpr int kGoalRow = 28, kMostGoalRows = 5;

QString iconOf(WorldFinding::Kind kind) {
    switch (kind) {
        case WorldFinding::Kind::Ok:
            return QStringLiteral("emblem-ok");
        case WorldFinding::Kind::Info:
            return QStringLiteral("dialog-information");
        case WorldFinding::Kind::Warning:
            return QStringLiteral("dialog-warning");
        case WorldFinding::Kind::Error:
            return QStringLiteral("dialog-error");
    }
    return {};
}

QColor colorOf(WorldFinding::Kind kind, const Tokens& t) {
    return kind == WorldFinding::Kind::Ok        ? t.ok
           : kind == WorldFinding::Kind::Info    ? t.info
           : kind == WorldFinding::Kind::Warning ? t.warning
                                                 : t.error;
}

/// A long finding goes on in the row's second line.
std::pair<QString, QString> inTwoLines(const QString& text) {
    constexpr int kFirstLine = 25;
    if (text.size() <= kFirstLine) return {text, {}};
    const auto at = text.lastIndexOf(u' ', kFirstLine);
    return at < 0 ? std::pair(text, QString()) : std::pair(text.left(at), text.mid(at + 1));
}

}  // namespace

EditPanel::EditPanel(PlanSession* session, WorldEditor* editor, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_editor(editor),
      m_palette(new Palette(editor, this)),
      m_hint(makeLabel(tr("Painting needs Edit mode."), "hint", this)),
      m_edit(new QPushButton(tr("Edit this world"), this)),
      m_editing(new QWidget(this)),
      m_rules(new RulesForm(editor, m_editing)),
      m_findings(new RowList(QStringLiteral("findingList"), 54, 18, this)) {
    setObjectName(QStringLiteral("editPanel"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    addHeading(layout, tr("Object palette"));
    layout->addWidget(m_palette);
    layout->addWidget(m_hint);
    m_edit->setObjectName(QStringLiteral("editThisWorld"));
    m_edit->setToolTip(tr("Changes the world's map, goals and agents; every change can be undone"));
    connect(m_edit, &QPushButton::clicked, editor, [editor] { editor->setOn(true); });
    layout->addWidget(m_edit);
    layout->addWidget(makeLine(this));
    addHeading(layout, tr("Validation"));
    m_findings->setAccessibleName(tr("Validation"));
    m_findings->setFitsRows(true);
    layout->addWidget(m_findings);
    auto* editing = new QVBoxLayout(m_editing);
    editing->setContentsMargins(0, 0, 0, 0);
    editing->setSpacing(8);
    editing->addWidget(makeLine(m_editing));
    editing->addWidget(m_rules);
    editing->addWidget(makeLine(m_editing));
    editing->addWidget(makeMap());
    editing->addWidget(makeLine(m_editing));
    editing->addWidget(makeGoals());
    editing->addWidget(makeSaving());
    layout->addWidget(m_editing);
    connect(m_findings, &RowList::picked, this, [this](int row) {
        // The last row may only say that states are counted.
        if (row >= std::ssize(m_editor->findings())) return;
        const WorldFinding& finding = m_editor->findings()[static_cast<std::size_t>(row)];
        if (finding.cell)
            m_session->selection().setCurrent(CellItem{finding.cell->x(), finding.cell->y()});
    });
    connect(editor, &WorldEditor::modeChanged, this, &EditPanel::refreshMode);
    connect(editor, &WorldEditor::rulesAsked, m_rules, &RulesForm::focusName);
    connect(editor, &WorldEditor::specChanged, this, &EditPanel::refreshGoals);
    connect(editor, &WorldEditor::specChanged, this, &EditPanel::refreshSaving);
    connect(editor, &WorldEditor::specChanged, this, &EditPanel::refreshMap);
    connect(editor, &WorldEditor::toolChanged, this, &EditPanel::refreshMap);
    connect(editor, &WorldEditor::findingsChanged, this, &EditPanel::refreshFindings);
    refreshMode();
    refreshGoals();
    refreshSaving();
    refreshFindings();
    refreshMap();
}

/// The size with a pair of buttons for each side, and the mirrors.
QWidget* EditPanel::makeMap() {
    auto* box = new QWidget(m_editing);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    m_size = addHeading(layout, tr("Map"), QStringLiteral(" "));
    m_size->setObjectName(QStringLiteral("mapSize"));
    auto* sides = new QGridLayout;
    sides->setHorizontalSpacing(4);
    sides->setVerticalSpacing(4);
    const std::pair<const char*, QString> names[] = {
        {"Left", tr("Left")}, {"Top", tr("Top")}, {"Right", tr("Right")}, {"Bottom", tr("Bottom")}};
    for (int i = 0; i < 4; ++i) {
        const auto side = static_cast<MapSide>(i);
        const int row = i % 2, column = i / 2 * 4;
        sides->addWidget(makeLabel(names[i].second, "name", box), row, column);
        for (const bool inserts : {false, true}) {
            auto* button = new QToolButton(box);
            button->setObjectName(QLatin1String(inserts ? "insert" : "remove") +
                                  QLatin1String(names[i].first));
            button->setText(inserts ? QStringLiteral("+") : QStringLiteral("−"));
            button->setFixedSize(28, 24);
            connect(button, &QToolButton::clicked, this, [this, side, inserts] {
                if (inserts) return m_editor->insertLines(insertedAt(m_editor->spec(), side));
                if (const auto span = removedAt(m_editor->spec(), side))
                    m_editor->removeLines(*span);
            });
            sides->addWidget(button, row, column + 1 + (inserts ? 1 : 0));
            m_lines << button;
        }
    }
    sides->setColumnStretch(3, 1);
    layout->addLayout(sides);
    auto* mirrors = new QHBoxLayout;
    mirrors->setSpacing(8);
    const auto addMirror = [&](const char* name, const QString& text, const QString& tip,
                               bool MapSymmetry::*half) {
        auto* button = new QPushButton(text, box);
        button->setObjectName(QLatin1String(name));
        button->setCheckable(true);
        button->setToolTip(tip);
        connect(button, &QPushButton::clicked, this, [this, half](bool on) {
            MapSymmetry symmetry = m_editor->symmetry();
            symmetry.*half = on;
            m_editor->setSymmetry(symmetry);
        });
        mirrors->addWidget(button, 1);
        return button;
    };
    m_leftRight = addMirror("mirrorLeftRight", tr("Mirror ↔"),
                            tr("Paints the same in the other half, left and right (X)"),
                            &MapSymmetry::leftRight);
    m_upDown = addMirror("mirrorUpDown", tr("Mirror ↕"),
                         tr("Paints the same in the other half, above and below (Y)"),
                         &MapSymmetry::upDown);
    m_leftRight->setAccessibleName(tr("Mirror left and right"));
    m_upDown->setAccessibleName(tr("Mirror above and below"));
    layout->addLayout(mirrors);
    return box;
}

void EditPanel::refreshMap() {
    if (!m_editor->isOpen()) return;
    const WorldSpec& spec = m_editor->spec();
    const QSize size = sizeOf(spec);
    m_size->setText(tr("%1 x %2").arg(size.width()).arg(size.height()));
    m_leftRight->setChecked(m_editor->symmetry().leftRight);
    m_upDown->setChecked(m_editor->symmetry().upDown);
    const QString where[] = {tr("left"), tr("top"), tr("right"), tr("bottom")};
    for (int i = 0; i < 4; ++i) {
        const auto side = static_cast<MapSide>(i);
        const bool isRow = side == MapSide::Top || side == MapSide::Bottom;
        const auto removed = removedAt(spec, side);
        const QString lost = removed ? m_editor->lossText(*removed) : QString();
        QToolButton* remove = m_lines[qsizetype{2} * i];
        remove->setEnabled(removed.has_value());
        remove->setToolTip(
            (isRow ? tr("Removes a row at the %1") : tr("Removes a column at the %1"))
                .arg(where[i]) +
            (lost.isEmpty() ? QString() : tr("; that loses: %1").arg(lost)));
        QToolButton* insert = m_lines[2 * i + 1];
        insert->setToolTip(
            (isRow ? tr("Inserts a row at the %1") : tr("Inserts a column at the %1"))
                .arg(where[i]));
        remove->setAccessibleName(remove->toolTip());
        insert->setAccessibleName(insert->toolTip());
    }
}

QWidget* EditPanel::makeGoals() {
    auto* box = new QWidget(m_editing);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    addHeading(layout, tr("Goals to edit"), tr("G draws one"));
    m_owner = new QComboBox(box);
    m_owner->setObjectName(QStringLiteral("goalOwner"));
    m_owner->setAccessibleName(tr("Whose goals"));
    m_owner->setToolTip(
        tr("The list that goals are added to. A human's own list takes the place "
           "of the shared one."));
    connect(m_owner, &QComboBox::activated, this, [this] {
        m_editor->setGoalOwner(m_owner->currentData().toInt());
        refreshGoals();
    });
    layout->addWidget(m_owner);
    m_goals = new QTableWidget(0, 2, box);
    m_goals->setObjectName(QStringLiteral("goalTable"));
    m_goals->setAccessibleName(tr("Goals and weights"));
    m_goals->setHorizontalHeaderLabels({tr("Goal"), tr("Weight")});
    m_goals->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_goals->horizontalHeader()->setFixedHeight(24);
    m_goals->verticalHeader()->hide();
    m_goals->verticalHeader()->setDefaultSectionSize(kGoalRow);
    m_goals->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_goals->setTabKeyNavigation(false);
    m_goals->setSelectionMode(QAbstractItemView::SingleSelection);
    m_goals->setShowGrid(false);
    connect(m_goals, &QTableWidget::itemChanged, this, &EditPanel::takeWeight);
    connect(m_goals, &QTableWidget::currentCellChanged, this, &EditPanel::showGoal);
    layout->addWidget(m_goals);
    m_remove = new QPushButton(tr("Remove goal"), box);
    m_remove->setObjectName(QStringLiteral("removeGoal"));
    connect(m_remove, &QPushButton::clicked, this, &EditPanel::removeCurrentGoal);
    layout->addWidget(m_remove);
    return box;
}

QWidget* EditPanel::makeSaving() {
    auto* box = new QWidget(m_editing);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    m_saved = makeLabel({}, "hint", box);
    m_saved->setWordWrap(true);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    m_save = new QPushButton(tr("Save"), box);
    m_save->setObjectName(QStringLiteral("saveWorld"));
    m_save->setToolTip(tr("Writes the world's file. Comments in the file are not kept."));
    auto* saveAsButton = new QPushButton(tr("Save as..."), box);
    saveAsButton->setObjectName(QStringLiteral("saveWorldAs"));
    row->addWidget(m_save, 1);
    row->addWidget(saveAsButton, 1);
    connect(m_save, &QPushButton::clicked, this,
            [this] { saveWorld(*m_editor, *m_session, window()); });
    connect(saveAsButton, &QPushButton::clicked, this,
            [this] { saveWorldAs(*m_editor, *m_session, window()); });
    layout->addLayout(row);
    layout->addWidget(m_saved);
    return box;
}

void EditPanel::refreshMode() {
    const bool isOn = m_editor->isOn();
    m_hint->setVisible(!isOn);
    m_edit->setVisible(!isOn);
    m_edit->setEnabled(m_editor->isOpen());
    m_editing->setVisible(isOn);
}

void EditPanel::refreshGoals() {
    if (!m_editor->isOpen()) return;
    m_edit->setEnabled(true);
    const std::vector<GoalList> lists = goalListsOf(m_editor->spec());
    const std::vector<SpecAgent> agents = agentsOf(m_editor->spec());
    const std::vector<QString> letters = specLetters(m_editor->spec());
    const QSignalBlocker ownerBlocker(m_owner), tableBlocker(m_goals);
    m_owner->clear();
    m_owner->addItem(tr("shared by all humans"), -1);
    for (std::size_t i = 0; i < agents.size(); ++i)
        if (agents[i].isHuman) m_owner->addItem(tr("only %1").arg(letters[i]), static_cast<int>(i));
    m_owner->setCurrentIndex(std::max(0, m_owner->findData(m_editor->goalOwner())));
    const auto own = std::ranges::find(lists, m_editor->goalOwner(), &GoalList::agent);
    const GoalList none;
    const GoalList& list = own == lists.end() ? none : *own;
    const int current = m_goals->currentRow();
    m_goals->setRowCount(static_cast<int>(list.goals.size()));
    for (std::size_t g = 0; g < list.goals.size(); ++g) {
        const Goal& goal = list.goals[g];
        auto* where = new QTableWidgetItem((goal.isRectangle ? tr("area %1") : tr("cell %1"))
                                               .arg(QString::fromStdString(goalText(goal))));
        where->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        auto* weight = new QTableWidgetItem(QString::number(list.weights[g], 'g', 4));
        weight->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        m_goals->setItem(static_cast<int>(g), 0, where);
        m_goals->setItem(static_cast<int>(g), 1, weight);
    }
    m_goals->setCurrentCell(std::min(current, m_goals->rowCount() - 1), 0);
    m_goals->setFixedHeight(26 + kGoalRow * std::clamp(m_goals->rowCount(), 1, kMostGoalRows));
    m_remove->setEnabled(m_goals->rowCount() > 0);
}

void EditPanel::showGoal(int row) {
    if (row < 0 || !m_session->isOpen()) return;
    const auto humans = m_session->world().goals();
    for (int h = 0; h < std::ssize(humans); ++h) {
        const HumanGoals& human = humans[static_cast<std::size_t>(h)];
        const bool isMeant = m_editor->goalOwner() < 0 || human.agent == m_editor->goalOwner();
        if (isMeant && row < std::ssize(human.goals))
            return m_session->selection().setCurrent({HumanItem{h}, GoalItem{h, row}});
    }
}

void EditPanel::takeWeight(const QTableWidgetItem* item) {
    if (item->column() != 1) return;
    bool isNumber = false;
    const double weight = item->text().toDouble(&isNumber);
    // The table must not be rebuilt while it tells of its item.
    if (!isNumber || weight <= 0) {
        QMetaObject::invokeMethod(this, &EditPanel::refreshGoals, Qt::QueuedConnection);
        return;
    }
    WorldSpec spec = m_editor->spec();
    setGoalWeight(spec, m_editor->goalOwner(), static_cast<std::size_t>(item->row()), weight);
    QMetaObject::invokeMethod(
        this,
        [this, spec, text = item->text()] {
            m_editor->change(tr("Goal weight %1").arg(text), spec);
        },
        Qt::QueuedConnection);
}

void EditPanel::removeCurrentGoal() {
    const int row = std::max(0, m_goals->currentRow());
    WorldSpec spec = m_editor->spec();
    removeGoal(spec, m_editor->goalOwner(), static_cast<std::size_t>(row));
    m_editor->change(tr("Remove goal"), std::move(spec));
}

void EditPanel::refreshFindings() {
    std::vector<Row> rows;
    for (const WorldFinding& finding : m_editor->findings()) {
        Row row;
        std::tie(row.title, row.subtitle) = inTwoLines(finding.text);
        row.tip = finding.text;
        row.picture = [kind = finding.kind](QPainter& painter, const QRectF& box,
                                            const Tokens& tokens) {
            const QRectF square(box.center() - QPointF(8, 8), QSizeF(16, 16));
            coloredIcon(iconOf(kind), colorOf(kind, tokens))
                .paint(&painter, square.toAlignedRect());
        };
        rows.push_back(std::move(row));
    }
    if (m_editor->isEstimating()) {
        Row row;
        row.title = tr("Counting states...");
        rows.push_back(std::move(row));
    }
    m_findings->setRows(std::move(rows));
}

void EditPanel::refreshSaving() {
    if (!m_editor->isOpen()) return;
    const QString file = m_editor->file();
    m_saved->setText(
        (m_editor->isModified() ? tr("Changed, not saved. ") : QString()) +
        (file.isEmpty() ? tr("The world is in no file yet.") : QFileInfo(file).fileName()));
    m_saved->setToolTip(file);
    m_save->setEnabled(m_editor->isModified() || file.isEmpty());
}

}  // namespace orrery
