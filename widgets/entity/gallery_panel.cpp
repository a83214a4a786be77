#include "widgets/entity/gallery_panel.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "core/run/jobs/environments.h"
#include "widgets/common/parts.h"
#include "widgets/common/row_list.h"
#include "widgets/entity/entity_session.h"

namespace orrery {

namespace {

constexpr int kEnvironmentRow = 46;
constexpr int kMostSeed = 1'000'000'000;

}  // namespace

GalleryPanel::GalleryPanel(EntitySession* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_list(new RowList(QStringLiteral("environments"), kEnvironmentRow, 0, this)),
      m_options(new QLineEdit(this)),
      m_seed(new QSpinBox(this)),
      m_help(makeLabel({}, "hint", this)),
      m_trouble(makeLabel({}, "trouble", this)),
      m_play(new QPushButton(tr("Play"), this)),
      m_train(new QPushButton(tr("Train"), this)) {
    setObjectName(QStringLiteral("entityGallery"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 12);
    column->setSpacing(8);
    m_list->setAccessibleName(tr("Environments"));
    column->addWidget(m_list, 1);
    auto* below = new QVBoxLayout;
    below->setContentsMargins(16, 0, 16, 0);
    below->setSpacing(8);
    auto* form = new QFormLayout;
    m_options->setObjectName(QStringLiteral("environmentOptions"));
    m_options->setToolTip(tr("Options of the environment as JSON, such as {\"width\": 8}"));
    form->addRow(tr("Options"), m_options);
    m_seed->setObjectName(QStringLiteral("environmentSeed"));
    m_seed->setRange(0, kMostSeed);
    m_seed->setToolTip(tr("Seed of the episode that is played"));
    form->addRow(tr("Seed"), m_seed);
    below->addLayout(form);
    m_help->setWordWrap(true);
    m_help->setObjectName(QStringLiteral("environmentHelp"));
    below->addWidget(m_help);
    m_trouble->setWordWrap(true);
    m_trouble->setObjectName(QStringLiteral("environmentTrouble"));
    below->addWidget(m_trouble);
    auto* buttons = new QHBoxLayout;
    m_play->setObjectName(QStringLiteral("playEnvironment"));
    m_play->setToolTip(tr("Begins an episode with these options and this seed"));
    m_train->setObjectName(QStringLiteral("trainEnvironment"));
    m_train->setToolTip(tr("Learns to act in this environment, by settings that suit it"));
    buttons->addWidget(m_play);
    buttons->addWidget(m_train);
    below->addLayout(buttons);
    column->addLayout(below);

    connect(m_list, &RowList::picked, this, [this](int row) {
        const EnvironmentCatalogue all = knownEnvironments();
        if (row < 0 || row >= std::ssize(all)) return;
        const QString id = QString::fromStdString(all[static_cast<std::size_t>(row)].id);
        if (id != m_session->id())
            m_session->open(id, QStringLiteral("{}"), static_cast<std::uint64_t>(m_seed->value()));
    });
    connect(m_options, &QLineEdit::editingFinished, this, &GalleryPanel::openTyped);
    connect(m_seed, &QSpinBox::valueChanged, this, &GalleryPanel::openTyped);
    connect(m_play, &QPushButton::clicked, m_session, &EntitySession::again);
    connect(m_train, &QPushButton::clicked, this, &GalleryPanel::trainRequested);
    connect(m_session, &EntitySession::opened, this, &GalleryPanel::refresh);
    refresh();
}

void GalleryPanel::openTyped() {
    const QString options = m_options->text().trimmed();
    const auto seed = static_cast<std::uint64_t>(m_seed->value());
    if (options == m_session->options() && seed == m_session->seed()) return;
    m_session->open(m_session->id(), options.isEmpty() ? QStringLiteral("{}") : options, seed);
}

void GalleryPanel::fillList() {
    std::vector<Row> rows;
    for (const EnvironmentEntry& entry : knownEnvironments())
        rows.push_back({.title = QString::fromStdString(entry.title),
                        .subtitle = QString::fromStdString(entry.summary),
                        .value = {},
                        .isCurrent = QString::fromStdString(entry.id) == m_session->id(),
                        .tip = QString::fromStdString(entry.summary)});
    m_list->setRows(std::move(rows));
}

void GalleryPanel::refresh() {
    fillList();
    {
        const QSignalBlocker options(m_options), seed(m_seed);
        if (m_options->text() != m_session->options()) m_options->setText(m_session->options());
        m_seed->setValue(static_cast<int>(m_session->seed()));
    }
    const EnvironmentEntry* entry =
        findEnvironment(knownEnvironments(), m_session->id().toStdString());
    QStringList lines;
    if (entry != nullptr)
        for (const std::string& line : entry->options) lines << QString::fromStdString(line);
    m_help->setText(lines.join(u'\n'));
    m_trouble->setText(m_session->trouble());
    m_trouble->setVisible(!m_session->trouble().isEmpty());
    m_play->setEnabled(m_session->play() != nullptr);
    m_train->setEnabled(m_session->play() != nullptr);
}

}  // namespace orrery
