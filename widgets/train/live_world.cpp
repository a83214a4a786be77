#include "widgets/train/live_world.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <array>
#include <span>

#include "core/encode/state_encoder.h"
#include "core/world/world.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"
#include "widgets/plots/cell_table.h"
#include "widgets/train/live_scene.h"
#include "widgets/train/pipeline_facts.h"
#include "widgets/train/train_session.h"
#include "widgets/train/view_clock.h"

namespace orrery {

namespace {

constexpr double kStepRateSeconds = 0.5;

QString facingText(const Piece& agent) {
    constexpr std::array kFacing{"east", "south", "west", "north"};
    return agent.direction < kFacing.size() ? QLatin1String(kFacing[agent.direction]) : QString();
}

QString carriedText(const Piece& agent) {
    constexpr std::array kThings{"", "key", "ball", "box"};
    if (agent.carried == Carried::Nothing) return {};
    return QStringLiteral("%1 %2").arg(
        QLatin1String(colorName(agent.carriedColor)),
        QLatin1String(kThings.at(static_cast<std::size_t>(agent.carried))));
}

/// The goal that an agent pursues now; empty if it is no human.
/// @param goals  [H] as CollectorNumbers::goals
QString pursuedGoal(const World& world, int agent, std::span<const std::uint8_t> goals) {
    const auto humans = world.goals();
    for (std::size_t h = 0; h < goals.size() && h < humans.size(); ++h)
        if (humans[h].agent == agent && goals[h] < humans[h].goals.size())
            return QString::fromStdString(goalText(humans[h].goals[goals[h]]));
    return {};
}

QString nameOf(const World& world, int agent) {
    return QString::fromStdString(world.agents()[static_cast<std::size_t>(agent)].name);
}

}  // namespace

class LiveWorld::Canvas : public QWidget, public NamesSpots {
public:
    explicit Canvas(QWidget* parent) : QWidget(parent) {
        setObjectName(QStringLiteral("liveWorldCanvas"));
        setAccessibleName(tr("World of the actor"));
        setToolTip(tr("The state that the actor is in now; pursued goals stand out"));
        setMinimumHeight(90);
    }
    void show(WorldScene scene) {
        m_scene = std::move(scene);
        update();
    }
    const WorldScene& scene() const { return m_scene; }

    std::vector<NamedSpot> namedSpots() const override {
        std::vector<NamedSpot> spots;
        const WorldLayout layout = layoutWorld(rect(), m_scene);
        for (const Piece& piece : m_scene.pieces)
            if (piece.kind == PieceKind::Agent)
                spots.push_back({QStringLiteral("agent %1").arg(piece.agent),
                                 layout.cellRect(piece.x, piece.y).toAlignedRect(),
                                 {{QStringLiteral("x"), piece.x}, {QStringLiteral("y"), piece.y}}});
        return spots;
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.fillRect(rect(), currentTokens().canvas);
        if (m_scene.width > 0)
            paintWorld(painter, m_scene, layoutWorld(rect(), m_scene), currentTokens());
    }

private:
    WorldScene m_scene;
};

LiveWorld::LiveWorld(TrainSession* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_actor(new QComboBox(this)),
      m_facts(makeLabel({}, "hint", this)),
      m_canvas(new Canvas(this)),
      m_goals(makeLabel({}, "hint", this)),
      m_table(new CellModel(this)) {
    setObjectName(QStringLiteral("liveWorld"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 0, 12, 8);
    column->setSpacing(4);
    auto* row = new QHBoxLayout;
    m_actor->setObjectName(QStringLiteral("liveActor"));
    m_actor->setAccessibleName(tr("Actor whose world is shown"));
    m_actor->setToolTip(tr("Actor whose world is shown"));
    row->addWidget(m_actor);
    m_facts->setObjectName(QStringLiteral("liveFacts"));
    m_facts->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row->addWidget(m_facts, 1);
    column->addLayout(row);
    column->addWidget(m_canvas, 1);
    m_goals->setObjectName(QStringLiteral("liveGoals"));
    m_goals->setWordWrap(true);
    column->addWidget(m_goals);
    connect(session, &TrainSession::begun, this, &LiveWorld::refresh);
    connect(session, &TrainSession::ended, this, &LiveWorld::refresh);
    connect(&session->clock(), &ViewClock::due, this, &LiveWorld::refresh);
    connect(&session->clock(), &ViewClock::rateChanged, this, [this] {
        if (m_session->clock().isFrozen()) m_facts->setText(tr("frozen"));
    });
    session->clock().addView(this);
    connect(m_actor, &QComboBox::currentIndexChanged, this, &LiveWorld::refresh);
    refresh();
}

const WorldScene& LiveWorld::scene() const {
    return m_canvas->scene();
}

int LiveWorld::actor() const {
    return m_actor->currentIndex();
}

QAbstractItemModel* LiveWorld::tableModel() {
    return m_table;
}

void LiveWorld::fillTable(const World& world) {
    std::vector<CellModel::Row> rows;
    for (const Piece& piece : m_canvas->scene().pieces) {
        if (piece.kind != PieceKind::Agent) continue;
        const QString state = piece.terminated ? tr("dead")
                              : piece.paused   ? tr("paused")
                                               : QString();
        rows.push_back(
            {.cells = {CellModel::text(nameOf(world, piece.agent)), CellModel::count(piece.x),
                       CellModel::count(piece.y), CellModel::text(facingText(piece)),
                       CellModel::text(carriedText(piece)), CellModel::text(state),
                       CellModel::text(pursuedGoal(world, piece.agent, m_shown.goals))}});
    }
    m_table->setTable(
        {tr("Agent"), tr("x"), tr("y"), tr("Facing"), tr("Carries"), tr("State"), tr("Goes to")},
        std::move(rows));
}

/// Environment steps a second of training lately.
double LiveWorld::rateOf(int actor, std::int64_t environmentSteps, double seconds) {
    const double passed = seconds - m_rateSeconds;
    if (actor != m_rateActor || environmentSteps < m_rateSteps || passed >= kStepRateSeconds) {
        if (actor == m_rateActor && passed > 0)
            m_rate = static_cast<double>(environmentSteps - m_rateSteps) / passed;
        m_rateActor = actor;
        m_rateSteps = environmentSteps;
        m_rateSeconds = seconds;
    }
    return m_rate;
}

void LiveWorld::refresh() {
    const TrainSnapshot* all = m_session->training();
    const EmpoSnapshot* now = empoOf(m_session->numbers());
    const int count = now == nullptr ? 0 : static_cast<int>(now->collectors.size());
    if (m_actor->count() != count) {
        const QSignalBlocker blocker(m_actor);
        m_actor->clear();
        for (int i = 0; i < count; ++i) m_actor->addItem(tr("actor %1").arg(i));
    }
    m_actor->setVisible(count > 0);
    if (count == 0 || all->worlds.empty()) {
        m_facts->setText(tr("nobody acts yet"));
        m_goals->clear();
        m_table->setTable({}, {});
        return m_canvas->show({});
    }
    const CollectorNumbers& own =
        now->collectors[static_cast<std::size_t>(std::max(0, m_actor->currentIndex()))];
    const auto index =
        std::min(static_cast<std::size_t>(std::max(0, own.world)), all->worlds.size() - 1);
    const World& world = *all->worlds[index];
    const bool isDrawn = m_shownWorld == &world && m_shown.encoded == own.encoded &&
                         m_shown.goals == own.goals && m_canvas->scene().width > 0;
    if (isVisible() && !isDrawn) {
        m_canvas->show(sceneOfEncoded(world, shapeCovering(all->worlds), own.encoded, own.goals));
        m_shown = own;
        m_shownWorld = &world;
        fillTable(world);
    }
    const double rate = rateOf(m_actor->currentIndex(), own.environmentSteps, now->seconds);
    if (m_session->isPaused())
        m_facts->setText(tr("paused · t %1").arg(own.episodeStep));
    else if (isLive(m_session->snapshot()->state))
        m_facts->setText(
            tr("%1 · %2/s · t %3")
                .arg(actorStateText(own.state), countText(static_cast<std::int64_t>(rate)))
                .arg(own.episodeStep));
    else
        m_facts->setText(tr("ended · t %1").arg(own.episodeStep));
    QStringList goals;
    for (const HumanGoals& human : world.goals())
        if (const QString goal = pursuedGoal(world, human.agent, own.goals); !goal.isEmpty())
            goals << tr("%1 goes to %2").arg(nameOf(world, human.agent), goal);
    m_goals->setText(own.trouble.empty() ? goals.join(QStringLiteral("; "))
                                         : QString::fromStdString(own.trouble));
}

}  // namespace orrery
