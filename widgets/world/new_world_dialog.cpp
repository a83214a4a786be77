#include "widgets/world/new_world_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFontMetrics>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPixmap>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QVBoxLayout>

#include "core/base/error.h"
#include "widgets/common/parts.h"
#include "widgets/common/style.h"
#include "widgets/common/text_edit.h"
#include "widgets/common/tokens.h"
#include "widgets/world/draft_check.h"
#include "widgets/world/spec_scene.h"
#include "widgets/world/spec_shape.h"
#include "widgets/world/world_picture.h"

namespace orrery {

namespace {

constexpr QSize kPreviewSize(320, 260);

}  // namespace

NewWorldDialog::NewWorldDialog(QWidget* parent)
    : QDialog(parent),
      m_name(new QLineEdit(tr("New world"), this)),
      m_tabs(new QTabWidget(this)),
      m_picture(new QLabel(this)),
      m_problem(makeLabel({}, "problem", this)) {
    setObjectName(QStringLiteral("newWorldDialog"));
    setWindowTitle(tr("New world"));
    m_name->setObjectName(QStringLiteral("newWorldName"));
    m_name->setAccessibleName(tr("Name"));
    m_tabs->setObjectName(QStringLiteral("newWorldTabs"));
    m_tabs->addTab(makeForm(), tr("Size and walls"));
    m_tabs->addTab(makePaste(), tr("Paste a text map"));
    m_picture->setFixedSize(kPreviewSize);
    m_picture->setAccessibleName(tr("How the world would look"));
    m_problem->setWordWrap(true);
    m_problem->setObjectName(QStringLiteral("newWorldProblem"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_create = buttons->addButton(tr("Create"), QDialogButtonBox::AcceptRole);
    m_create->setObjectName(QStringLiteral("createWorld"));
    m_create->setProperty("look", QStringLiteral("primary"));
    m_create->setDefault(true);
    for (QAbstractButton* button : buttons->buttons()) button->setIcon(QIcon());
    restyle(m_create);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* name = new QFormLayout;
    name->addRow(tr("Name"), m_name);
    auto* left = new QVBoxLayout;
    left->setSpacing(12);
    left->addLayout(name);
    left->addWidget(m_tabs, 1);
    auto* right = new QVBoxLayout;
    right->setSpacing(8);
    right->addWidget(m_picture);
    right->addWidget(m_problem);
    right->addStretch(1);
    auto* row = new QHBoxLayout;
    row->setSpacing(16);
    row->addLayout(left, 1);
    row->addLayout(right);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(16, 16, 16, 16);
    all->setSpacing(12);
    all->addLayout(row, 1);
    all->addWidget(buttons);
    connect(m_tabs, &QTabWidget::currentChanged, this, &NewWorldDialog::refresh);
    connect(m_name, &QLineEdit::textChanged, this, &NewWorldDialog::refresh);
    m_name->selectAll();
    refresh();
}

QWidget* NewWorldDialog::makeForm() {
    auto* page = new QWidget(this);
    auto* form = new QFormLayout(page);
    form->setContentsMargins(0, 12, 0, 0);
    form->setVerticalSpacing(8);
    const NewWorld plain;
    m_width = addNumberRow(form, "newWorldWidth", tr("Width, cells"), 5, 60, plain.width);
    m_height = addNumberRow(form, "newWorldHeight", tr("Height, cells"), 5, 60, plain.height);
    m_walls = new QComboBox(page);
    m_walls->setObjectName(QStringLiteral("newWorldWalls"));
    m_walls->setAccessibleName(tr("Walls"));
    m_walls->addItems({tr("Border only"), tr("Two rooms"), tr("Four rooms"), tr("Pillars")});
    connect(m_walls, &QComboBox::currentIndexChanged, this, &NewWorldDialog::refresh);
    form->addRow(tr("Walls"), m_walls);
    m_humans = addNumberRow(form, "newWorldHumans", tr("Humans"), 0, 8, plain.numHumans);
    m_robots = addNumberRow(form, "newWorldRobots", tr("Robots"), 0, 4, plain.numRobots);
    m_steps = addNumberRow(form, "newWorldSteps", tr("Steps"), 1, 1000, plain.maxSteps);
    for (const QSpinBox* box : {m_width, m_height, m_humans, m_robots, m_steps})
        connect(box, &QSpinBox::valueChanged, this, &NewWorldDialog::refresh);
    return page;
}

QWidget* NewWorldDialog::makePaste() {
    auto* page = new QWidget(this);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 12, 0, 0);
    m_text = new TextEdit(page);
    m_text->setObjectName(QStringLiteral("newWorldText"));
    m_text->setAccessibleName(tr("Text map"));
    m_text->setFont(numberFont(12));
    m_text->setTabChangesFocus(true);
    NewWorld example;
    example.width = 5;
    example.height = 4;
    m_text->setPlaceholderText(
        patchOf(specOfNewWorld(example), QRect(0, 0, example.width, example.height))
            .text()
            .trimmed());
    connect(m_text, &QPlainTextEdit::textChanged, this, &NewWorldDialog::refresh);
    auto* hint = makeLabel(tr("Rows of two-letter cells, or a whole world file."), "hint", page);
    layout->addWidget(m_text, 1);
    layout->addWidget(hint);
    return page;
}

QString NewWorldDialog::name() const {
    return m_name->text().trimmed();
}

void NewWorldDialog::refresh() {
    if (!m_create) return;
    QString problem;
    const bool isPasted = m_tabs->currentIndex() == 1;
    try {
        if (isPasted) {
            m_spec = specOfPastedText(m_text->toPlainText().toStdString());
        } else {
            NewWorld wishes;
            wishes.width = m_width->value();
            wishes.height = m_height->value();
            wishes.walls = static_cast<NewWorld::Walls>(m_walls->currentIndex());
            wishes.numHumans = m_humans->value();
            wishes.numRobots = m_robots->value();
            wishes.maxSteps = m_steps->value();
            m_spec = specOfNewWorld(wishes);
        }
        m_spec->metadata.name = name().toStdString();
        for (const WorldFinding& finding : findProblems(m_spec))
            if (finding.kind == WorldFinding::Kind::Error && problem.isEmpty())
                problem = finding.text;
    } catch (const Error& error) {
        problem = QString::fromUtf8(error.what());
    }
    if (isPasted && m_text->toPlainText().trimmed().isEmpty())
        problem = tr("Paste a map to see it here.");
    if (name().isEmpty()) problem = tr("Give the world a name.");
    m_problem->setText(problem);
    m_create->setEnabled(problem.isEmpty());
    if (!problem.isEmpty()) return m_picture->clear();
    m_picture->setPixmap(QPixmap::fromImage(
        worldImage(sceneOfSpec(m_spec), kPreviewSize, currentTokens(), devicePixelRatioF())));
}

}  // namespace orrery
