#include "widgets/train/live_world.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <span>

#include "core/run/snapshot.h"
#include "core/run/training_display.h"
#include "widgets/common/number_text.h"
#include "widgets/common/painted_view.h"
#include "widgets/common/parts.h"
#include "widgets/common/steady_text.h"
#include "widgets/common/tokens.h"
#include "widgets/plots/cell_table.h"
#include "widgets/train/pipeline_facts.h"
#include "widgets/train/train_session.h"
#include "widgets/train/view_clock.h"
#include "widgets/world/picture_painter.h"

namespace orrery {

namespace {

constexpr double kStepRateSeconds = 0.5;

CellModel::Cell cellOf(const TrainingFact::Value& value) {
    if (const auto* text = std::get_if<std::string>(&value))
        return CellModel::word(QString::fromStdString(*text));
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return CellModel::count(static_cast<double>(*whole));
    return CellModel::value(std::get<double>(value));
}

void fillTable(CellModel& table, const ActorView& view) {
    QStringList headers;
    for (const std::string& column : view.columns) headers << QString::fromStdString(column);
    std::vector<CellModel::Row> rows;
    for (const auto& own : view.rows) {
        CellModel::Row& row = rows.emplace_back();
        for (const TrainingFact::Value& value : own) row.cells.push_back(cellOf(value));
    }
    table.setTable(headers, std::move(rows));
}

}  // namespace

class LiveWorld::Canvas : public PaintedWidget {
public:
    explicit Canvas(QWidget* parent) : PaintedWidget(parent) {
        setObjectName(QStringLiteral("liveWorldCanvas"));
        setAccessibleName(tr("What the actor sees"));
        setToolTip(tr("The state that the actor is in now; pursued goals stand out"));
        setMinimumHeight(90);
    }
    void show(Picture picture) {
        m_picture = std::move(picture);
        update();
    }
    const Picture& picture() const { return m_picture; }

    std::vector<NamedSpot> namedSpots() const override {
        return spotsOf(m_picture, layoutPicture(rect(), m_picture));
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.fillRect(rect(), currentTokens().canvas);
        paintPicture(painter, m_picture, layoutPicture(rect(), m_picture), currentTokens());
    }

private:
    Picture m_picture;
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
    connect(session, &TrainSession::begun, this, [this] {
        clear();
        refresh();
    });
    connect(session, &TrainSession::ended, this, &LiveWorld::refresh);
    connect(&session->clock(), &ViewClock::due, this, &LiveWorld::refresh);
    connect(&session->clock(), &ViewClock::rateChanged, this, [this] {
        if (m_session->clock().isFrozen()) setSteadyText(m_facts, tr("frozen"));
    });
    session->clock().addView(this);
    connect(m_actor, &QComboBox::currentIndexChanged, this, &LiveWorld::refresh);
    refresh();
}

const Picture& LiveWorld::picture() const {
    return m_canvas->picture();
}

int LiveWorld::actor() const {
    return m_actor->currentIndex();
}

QAbstractItemModel* LiveWorld::tableModel() {
    return m_table;
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

/// Draws the actor, if anything happened to it since it was drawn.
void LiveWorld::show(int actor, std::int64_t environmentSteps) {
    const bool isDrawn = m_shownActor == actor && m_shownSteps == environmentSteps;
    if (!isVisible() || isDrawn) return;
    const auto& view = m_session->record().display().actorView;
    ActorView seen =
        view ? view(*m_session->record().training(), static_cast<std::size_t>(actor), {})
             : ActorView{};
    setSteadyText(m_goals, QString::fromStdString(seen.remark));
    fillTable(*m_table, seen);
    m_canvas->show(std::move(seen.picture));
    m_shownActor = actor;
    m_shownSteps = environmentSteps;
}

void LiveWorld::clear() {
    setSteadyText(m_facts, tr("nobody acts yet"));
    setSteadyText(m_goals, {});
    m_table->setTable({}, {});
    m_canvas->show({});
    m_shownActor = -1;
}

void LiveWorld::refresh() {
    const TrainingSnapshot* now = m_session->record().numbers();
    const std::vector<TrainingFlow::Actor> actors =
        now == nullptr ? std::vector<TrainingFlow::Actor>() : m_session->record().flow().actors;
    if (m_actor->count() != std::ssize(actors)) {
        const QSignalBlocker blocker(m_actor);
        m_actor->clear();
        for (std::size_t i = 0; i < actors.size(); ++i) m_actor->addItem(tr("actor %1").arg(i));
    }
    m_actor->setVisible(!actors.empty());
    if (actors.empty()) return clear();
    const int actor = std::max(0, m_actor->currentIndex());
    const TrainingFlow::Actor& own = actors[static_cast<std::size_t>(actor)];
    show(actor, own.environmentSteps);
    const double rate = rateOf(actor, own.environmentSteps, now->seconds);
    if (m_session->record().isPaused())
        setSteadyText(m_facts, tr("paused · t %1").arg(own.episodeStep));
    else if (isLive(m_session->record().snapshot()->state))
        setSteadyText(
            m_facts, tr("%1 · %2/s · t %3")
                         .arg(actorStateText(own.state), countText(static_cast<std::int64_t>(rate)))
                         .arg(own.episodeStep));
    else
        setSteadyText(m_facts, tr("ended · t %1").arg(own.episodeStep));
}

}  // namespace orrery
