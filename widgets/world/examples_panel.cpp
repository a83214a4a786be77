#include "widgets/world/examples_panel.h"

#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/parts.h"
#include "widgets/common/row_list.h"
#include "widgets/common/tokens.h"
#include "widgets/world/world_painter.h"

namespace orrery {

namespace {

Row rowOf(const LoadedWorld& example, bool isCurrent) {
    Row row;
    row.title = example.title;
    row.subtitle = example.sentence;
    static const QString kOpening = QStringLiteral("Teaches ");  // the same word in every row
    if (row.subtitle.startsWith(kOpening)) row.subtitle.remove(0, kOpening.size());
    row.subtitle.replace(0, 1, row.subtitle.left(1).toUpper());
    row.tip = example.sentence;
    row.isCurrent = isCurrent;
    WorldScene scene = sceneOf(*example.world, example.world->initialConfiguration());
    scene.isThumbnail = true;
    scene.showCoordinates = false;
    scene.showGoals = false;
    row.picture = [scene = std::make_shared<const WorldScene>(std::move(scene))](
                      QPainter& painter, const QRectF& box, const Tokens& tokens) {
        paintWorld(painter, *scene, layoutWorld(box, *scene), tokens);
    };
    return row;
}

}  // namespace

ExamplesPanel::ExamplesPanel(PlanSession* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_list(new RowList(QStringLiteral("exampleList"), 60, 60, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 12, 8, 12);
    layout->setSpacing(8);
    m_count = addHeading(layout, tr("Examples"));
    layout->addWidget(m_list, 1);
    auto* file = new QPushButton(tr("Open a file..."), this);
    file->setObjectName(QStringLiteral("openFileButton"));
    layout->addWidget(file);
    connect(file, &QPushButton::clicked, this, &ExamplesPanel::fileRequested);
    const auto open = [this](int row) {
        if (row >= 0 && row < std::ssize(m_examples))
            Q_EMIT openRequested(
                QString::fromStdString(m_examples[static_cast<std::size_t>(row)].name));
    };
    connect(m_list, &RowList::picked, this, open);
    connect(m_list, &RowList::activated, this,
            [open](const QModelIndex& index) { open(index.row()); });
    connect(session, &PlanSession::worldChanged, this, &ExamplesPanel::refresh);
}

void ExamplesPanel::setExamples(std::vector<LoadedWorld> examples) {
    m_examples = std::move(examples);
    refresh();
}

void ExamplesPanel::setTrouble(const QString& text) {
    m_count->setText(text);
}

void ExamplesPanel::refresh() {
    std::vector<Row> rows;
    for (const LoadedWorld& example : m_examples)
        rows.push_back(
            rowOf(example, m_session->isOpen() && m_session->loaded().name == example.name));
    m_count->setText(QString::number(rows.size()));
    m_list->setRows(std::move(rows));
}

}  // namespace orrery
