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
#include <map>

#include "core/base/error.h"
#include "core/run/jobs/environments.h"
#include "widgets/common/parts.h"
#include "widgets/common/row_list.h"
#include "widgets/entity/entity_session.h"
#include "widgets/world/picture_painter.h"

namespace orrery {

namespace {

constexpr int kEnvironmentRow = 46;
constexpr int kMostSeed = 1'000'000'000, kPictureWidth = 56;

/// What an environment looks like at the begin of an episode; of one that another program serves
/// nothing, as that would have to be started.
Picture firstPicture(const EnvironmentEntry& entry) {
    if (entry.isOwn()) return {};
    try {
        const auto environment = entry.make("{}");
        Observation seen;
        environment->reset(1, seen);
        return environment->picture({});
    } catch (const Error&) {
        return {};
    }
}

/// Made once of each environment. GUI thread only.
const Picture& firstPictureOf(const EnvironmentEntry& entry) {
    static std::map<std::string, Picture> pictures;
    const auto found = pictures.find(entry.id);
    return found != pictures.end() ? found->second : pictures[entry.id] = firstPicture(entry);
}

}  // namespace

GalleryPanel::GalleryPanel(EntitySession* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_list(new RowList(QStringLiteral("environments"), kEnvironmentRow, kPictureWidth, this)),
      m_options(new QLineEdit(this)),
      m_seed(new QSpinBox(this)),
      m_count(new QSpinBox(this)),
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
    m_count->setObjectName(QStringLiteral("environmentCount"));
    m_count->setRange(1, EntitySession::kMostEpisodes);
    m_count->setToolTip(tr("How many are played side by side, with one seed after the other"));
    form->addRow(tr("Side by side"), m_count);
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
        openAnother(QString::fromStdString(all[static_cast<std::size_t>(row)].id));
    });
    connect(m_options, &QLineEdit::editingFinished, this, &GalleryPanel::openTyped);
    for (QSpinBox* box : {m_seed, m_count})
        connect(box, &QSpinBox::valueChanged, this, &GalleryPanel::openTyped);
    connect(m_play, &QPushButton::clicked, m_session, &EntitySession::again);
    connect(m_train, &QPushButton::clicked, this, &GalleryPanel::trainRequested);
    connect(m_session, &EntitySession::opened, this, &GalleryPanel::refresh);
    refresh();
}

void GalleryPanel::openAnother(const QString& id) {
    if (id != m_session->id())
        m_session->open(id, QStringLiteral("{}"), static_cast<std::uint64_t>(m_seed->value()));
}

void GalleryPanel::openTyped() {
    const QString options = m_options->text().trimmed();
    const auto seed = static_cast<std::uint64_t>(m_seed->value());
    if (options == m_session->options() && seed == m_session->seed() &&
        m_count->value() == m_session->count())
        return;
    m_session->open(m_session->id(), options.isEmpty() ? QStringLiteral("{}") : options, seed,
                    m_count->value());
}

void GalleryPanel::fillList() {
    std::vector<Row> rows;
    for (const EnvironmentEntry& entry : knownEnvironments())
        rows.push_back({.title = QString::fromStdString(entry.title),
                        .subtitle = QString::fromStdString(entry.summary),
                        .value = {},
                        .isCurrent = QString::fromStdString(entry.id) == m_session->id(),
                        .tip = QString::fromStdString(entry.summary),
                        .picture = [&picture = firstPictureOf(entry)](
                                       QPainter& painter, const QRectF& box, const Tokens& tokens) {
                            paintPicture(painter, picture, layoutPicture(box, picture), tokens);
                        }});
    m_list->setRows(std::move(rows));
}

void GalleryPanel::refresh() {
    fillList();
    {
        const QSignalBlocker options(m_options), seed(m_seed), count(m_count);
        if (m_options->text() != m_session->options()) m_options->setText(m_session->options());
        m_seed->setValue(static_cast<int>(m_session->seed()));
        m_count->setValue(m_session->count());
    }
    const EnvironmentEntry* entry =
        findEnvironment(knownEnvironments(), m_session->id().toStdString());
    QStringList lines;
    if (entry != nullptr)
        for (const std::string& line : entry->options) lines << QString::fromStdString(line);
    m_help->setText(lines.join(u'\n'));
    m_trouble->setText(m_session->trouble());
    m_trouble->setVisible(!m_session->trouble().isEmpty());
    m_play->setEnabled(m_session->episode() != nullptr);
    m_train->setEnabled(m_session->canTrain());
}

}  // namespace orrery
