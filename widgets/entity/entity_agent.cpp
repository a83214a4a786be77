#include "widgets/entity/entity_agent.h"

#include <utility>

#include "core/base/error.h"
#include "core/run/archive/stored_spec.h"
#include "core/run/best_checkpoint.h"
#include "core/run/jobs/entity_job.h"
#include "core/run/run_kind.h"
#include "widgets/bridge/background_worker.h"

namespace orrery {

EntityAgent::EntityAgent(QObject* parent) : QObject(parent), m_worker(new BackgroundWorker(this)) {}

EntityAgent::~EntityAgent() {
    delete m_worker;  // before what its jobs call
}

EntityAgent::Loaded EntityAgent::read(const Workspace& workspace, const std::string& run) {
    const Checkpoint checkpoint = chosenCheckpoint(workspace, run, {});
    const std::int64_t step = checkpoint.manifest().step;
    const RunSpec spec = storedSpecAt(workspace, run, step);
    const auto* job = spec.job.find<EntityJob>();
    if (job == nullptr)
        throw Error("Run " + run + " acts in no environment of things.", Error::Kind::BadInput);
    const EntitySpec& entity = job->entity;
    return {.policy = spec.job.kind().policy(spec, checkpoint),
            .facts = {.run = QString::fromStdString(run),
                      .step = step,
                      .environment = entity.env.id,
                      .options = entity.env.optionsJson(),
                      .ppo = entity.ppo}};
}

void EntityAgent::load(const std::shared_ptr<Workspace>& workspace, const QString& run) {
    leave();
    if (!workspace) return;
    m_run = run;
    m_isLoading = true;
    const int serial = m_serial;
    m_worker->append<Loaded>(
        [workspace, id = run.toStdString()](std::stop_token) { return read(*workspace, id); },
        [this, serial](Loaded loaded) {
            if (serial != m_serial) return;
            m_isLoading = false;
            m_policy = std::move(loaded.policy);
            m_facts = std::move(loaded.facts);
            Q_EMIT changed();
        },
        [this, serial](const QString& text) {
            if (serial != m_serial) return;
            m_isLoading = false;
            m_trouble = text;
            Q_EMIT changed();
        });
    Q_EMIT changed();
}

void EntityAgent::leave() {
    ++m_serial;
    m_worker->stopAll();
    m_run.clear();
    m_trouble.clear();
    m_facts.reset();
    m_policy.reset();
    m_isLoading = false;
    Q_EMIT changed();
}

bool EntityAgent::fits(const EnvironmentSpaces& spaces) const {
    return m_policy && m_policy->spaces() == spaces;
}

void EntityAgent::ask(const Observation& seen, bool inside, std::function<void(Answer)> answered) {
    if (!m_policy) return;
    const int serial = m_serial;
    m_worker->append<Answer>(
        [policy = m_policy, seen, inside](std::stop_token) -> Answer {
            auto* explaining = inside ? dynamic_cast<ExplainingPolicy*>(policy.get()) : nullptr;
            if (explaining == nullptr) return {.advice = policy->advise(seen)};
            const auto insight = std::make_shared<const FrameInsight>(explaining->explain(seen));
            return {.advice = insight->advice, .insight = insight};
        },
        [this, serial, answered = std::move(answered)](Answer answer) {
            if (serial == m_serial) answered(std::move(answer));
        },
        [this, serial](const QString& text) {
            if (serial != m_serial) return;
            m_trouble = text;
            Q_EMIT failed();
        });
}

}  // namespace orrery
