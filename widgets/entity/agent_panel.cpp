#include "widgets/entity/agent_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "core/run/run_kind.h"
#include "widgets/bridge/archive.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/run_title.h"
#include "widgets/entity/entity_session.h"

namespace orrery {

namespace {

/// In which environment a stored run acts; empty: in none.
QString environmentOf(const RunRecord& run) {
    const RunKind* kind = kindOf(run);
    if (kind == nullptr || !kind->policy) return {};
    const QJsonObject spec =
        QJsonDocument::fromJson(QByteArray::fromStdString(run.configJson)).object();
    const QJsonObject own = spec.value(QString::fromStdString(kind->name)).toObject();
    const QJsonValue nested = own.value(u"env").toObject().value(u"id");
    return nested.isString() ? nested.toString() : own.value(u"env.id").toString();
}

}  // namespace

AgentPanel::AgentPanel(EntitySession* session, Archive* archive, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_archive(archive),
      m_runs(new QComboBox(this)),
      m_newest(new QPushButton(tr("Newest"), this)),
      m_remark(makeLabel({}, "hint", this)),
      m_trouble(makeLabel({}, "trouble", this)),
      m_greedy(new QCheckBox(tr("Likeliest choices"), this)),
      m_film(new QPushButton(tr("Film..."), this)) {
    setObjectName(QStringLiteral("entityAgent"));
    m_runs->setObjectName(QStringLiteral("agentRuns"));
    m_runs->setAccessibleName(tr("Agent"));
    m_runs->setToolTip(tr("The run whose policy says what it would do"));
    m_runs->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_runs->setMinimumContentsLength(8);
    m_newest->setObjectName(QStringLiteral("agentNewest"));
    m_newest->setToolTip(
        tr("Reads the newest checkpoint of the run, which may have learned since"));
    m_remark->setObjectName(QStringLiteral("agentRemark"));
    m_remark->setWordWrap(true);
    m_trouble->setObjectName(QStringLiteral("agentTrouble"));
    m_trouble->setWordWrap(true);
    m_greedy->setObjectName(QStringLiteral("agentGreedy"));
    m_greedy->setToolTip(
        tr("When the agent plays it takes what it finds the likeliest; else it "
           "draws by its probabilities, as in training"));
    m_film->setObjectName(QStringLiteral("entityFilm"));
    m_film->setToolTip(tr("Writes the episode so far as a GIF or a video"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 8, 16, 12);
    column->setSpacing(8);
    auto* row = new QHBoxLayout;
    row->addWidget(m_runs, 1);
    row->addWidget(m_newest);
    column->addLayout(row);
    column->addWidget(m_remark);
    column->addWidget(m_trouble);
    auto* below = new QHBoxLayout;
    below->addWidget(m_greedy, 1);
    below->addWidget(m_film);
    column->addLayout(below);
    column->addStretch(1);
    connect(m_runs, &QComboBox::activated, this, &AgentPanel::choose);
    connect(m_newest, &QPushButton::clicked, this, &AgentPanel::choose);
    connect(m_greedy, &QCheckBox::toggled, m_session, &EntitySession::setGreedy);
    connect(m_film, &QPushButton::clicked, this, &AgentPanel::filmRequested);
    for (const auto signal : {&Archive::runsChanged, &Archive::opened})
        connect(m_archive, signal, this, &AgentPanel::fillRuns);
    connect(m_session, &EntitySession::opened, this, &AgentPanel::fillRuns);
    connect(&m_session->agent(), &EntityAgent::changed, this, &AgentPanel::fillRuns);
    connect(&m_session->agent(), &EntityAgent::failed, this, &AgentPanel::refresh);
    connect(m_session, &EntitySession::changed, this, &AgentPanel::refresh);
    fillRuns();
}

/// Those of the environment that is shown, newest first.
void AgentPanel::fillRuns() {
    QStringList names{tr("No agent")}, ids{QString()};
    for (const RunRecord& run : m_archive->runs())
        if (run.trashedUtc.empty() && environmentOf(run) == m_session->id()) {
            names << runTitle(run.name, run.id);
            ids << QString::fromStdString(run.id);
        }
    const QSignalBlocker quiet(m_runs);
    bool isSame = m_runs->count() == ids.size();
    for (int i = 0; isSame && i < ids.size(); ++i)
        isSame = m_runs->itemData(i).toString() == ids[i] && m_runs->itemText(i) == names[i];
    if (!isSame) {
        m_runs->clear();
        for (int i = 0; i < ids.size(); ++i) m_runs->addItem(names[i], ids[i]);
    }
    m_runs->setCurrentIndex(std::max(0, m_runs->findData(m_session->agent().run())));
    refresh();
}

void AgentPanel::choose() {
    const QString run = m_runs->currentData().toString();
    if (run.isEmpty())
        m_session->agent().leave();
    else
        m_session->agent().load(m_archive->sharedWorkspace(), run);
}

void AgentPanel::refresh() {
    const EntityAgent& agent = m_session->agent();
    QString remark;
    if (agent.isLoading())
        remark = tr("Reading its newest checkpoint...");
    else if (agent.facts())
        remark = tr("Learned in %1 frames").arg(countText(agent.facts()->step));
    else if (m_runs->count() == 1)
        remark = tr("No run has learned here yet: Train makes one.");
    const bool fits =
        !agent.facts() || m_session->episode() == nullptr || agent.fits(m_session->spaces());
    m_remark->setText(remark);
    m_remark->setVisible(!remark.isEmpty());
    m_trouble->setText(!agent.trouble().isEmpty() ? agent.trouble()
                       : fits                     ? QString()
                                                  : tr("It learned with other options: %1")
                                    .arg(QString::fromStdString(agent.facts()->environment + ' ' +
                                                                agent.facts()->options)));
    m_trouble->setVisible(!m_trouble->text().isEmpty());
    m_newest->setEnabled(!agent.run().isEmpty() && !agent.isLoading());
    m_film->setEnabled(m_session->episode() != nullptr);
}

}  // namespace orrery
