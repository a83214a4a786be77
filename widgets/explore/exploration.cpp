#include "widgets/explore/exploration.h"

#include <QMetaObject>
#include <algorithm>
#include <utility>

#include "core/solve/resolve.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"

namespace orrery {

namespace {

/// Worlds up to this many (entry, goal) products are solved ahead.
constexpr std::int64_t kWarmProducts = 20'000'000;
/// A solve as short as this is not cancelled: it is over before the next move of a slider.
constexpr double kShortSeconds = 0.04;
/// A solve as long as this is always cancelled: its values are too old when they come.
constexpr double kLongSeconds = 1;
constexpr double kStarvedSeconds = 0.15;

}  // namespace

Exploration::Exploration(PlanSession* session, QObject* parent)
    : QObject(parent), m_session(session), m_worker(new BackgroundWorker(this)) {
    connect(session, &PlanSession::solutionChanged, this, &Exploration::followSession);
    followSession();
}

Exploration::~Exploration() {
    delete m_worker;  // before what its jobs touch
}

bool Exploration::canExplore() const {
    return m_session->solution() != nullptr;
}

/// Another solution, or none, stands in the session: what was wished for is of the past.
void Exploration::followSession() {
    if (m_isShowing) return;
    m_worker->stopAll();
    setBusy(false);
    const auto run = m_session->runSolution();
    if (!run)
        m_resolver.reset();
    else if (!m_resolver || m_resolver->graph() != run->graphPointer())
        m_resolver = std::make_shared<Resolver>(run->graphPointer());
    m_run = run ? run->spec() : SolveSpec{};
    m_wanted = m_run;
    m_lastSeconds = 0;
    Q_EMIT wantedChanged();
    if (run) Q_EMIT wantedReplaced();
}

void Exploration::setWanted(const SolveSpec& spec) {
    if (!m_resolver || spec == m_wanted || !validate(spec).empty()) return;
    m_wanted = spec;
    m_sinceWish.start();
    if (m_wanted == m_run) {
        m_worker->stopAll();
        setBusy(false);
        m_isShowing = true;
        m_session->endVariant();
        m_isShowing = false;
        Q_EMIT wantedChanged();
        return;
    }
    Q_EMIT wantedChanged();
    if (!letsFinish()) start();
}

void Exploration::backToRun() {
    setWanted(m_run);
    Q_EMIT wantedReplaced();
}

/// True if the solve at work is worth waiting for before the newest wish is solved.
bool Exploration::letsFinish() const {
    if (!m_isBusy) return false;
    if (m_solveSeconds > kLongSeconds) return false;
    const double starved = std::max(kStarvedSeconds, 2 * m_solveSeconds);
    return m_isWarming || m_solveSeconds < kShortSeconds ||
           static_cast<double>(m_sincePicture.elapsed()) > 1000 * starved;
}

void Exploration::start() {
    if (!m_isBusy) m_sincePicture.start();
    m_begun = m_wanted;
    m_isWarming = false;
    setBusy(true);
    m_worker->replace<Result>(
        [this, resolver = m_resolver, spec = m_begun](std::stop_token stop) -> Result {
            QElapsedTimer clock;
            clock.start();
            SolveHooks hooks;
            hooks.progress = [this](const Progress& progress) { noteProgress(progress); };
            Result result;
            result.wasPhase2 = resolver->reusesPhase1(spec);
            result.solution = resolver->solve(spec, hooks, std::move(stop));
            result.seconds = static_cast<double>(clock.nsecsElapsed()) * 1e-9;
            return result;
        },
        [this](const Result& result) { take(result); },
        [this](const QString& text) {
            setBusy(false);
            if (m_begun != m_wanted) return start();
            Q_EMIT failed(text);
        });
}

void Exploration::take(const Result& result) {
    setBusy(false);
    if (!result.solution) return;
    m_solveSeconds = result.seconds;
    m_lastWasPhase2 = result.wasPhase2;
    m_isShowing = true;
    m_session->showVariant(result.solution);
    m_isShowing = false;
    m_sincePicture.start();
    if (m_begun != m_wanted) return start();
    m_lastSeconds = static_cast<double>(m_sinceWish.nsecsElapsed()) * 1e-9;
    Q_EMIT shown();
}

void Exploration::warmUp() {
    if (!m_resolver || m_isBusy || m_run.phase1Only || m_wanted != m_run) return;
    m_isWarming = true;
    setBusy(true);
    m_worker->replace<bool>(
        [resolver = m_resolver, spec = m_run](std::stop_token stop) {
            const StateGraph& graph = *resolver->graph();
            std::int64_t goals = 0;
            for (const HumanGoals& human : graph.world().goals()) goals += std::ssize(human.goals);
            if (!resolver->reusesPhase1(spec) &&
                graph.counts().transitionEntries * goals <= kWarmProducts)
                resolver->solve(spec, {}, std::move(stop));
            return true;
        },
        [this](bool) {
            setBusy(false);
            m_isWarming = false;
            if (m_wanted != m_run) start();
        },
        [this](const QString&) {
            setBusy(false);
            m_isWarming = false;
            if (m_wanted != m_run) start();
        });
}

void Exploration::cancel() {
    if (!m_isBusy) return;
    m_worker->stopAll();
    setBusy(false);
    m_wanted = m_session->solution() ? m_session->solution()->spec() : m_run;
    Q_EMIT wantedChanged();
    Q_EMIT wantedReplaced();
}

void Exploration::setBusy(bool isBusy) {
    if (m_isBusy == isBusy) return;
    m_isBusy = isBusy;
    Q_EMIT workingChanged();
}

/// On a thread of the solver: one queued call, however many reports come in between.
void Exploration::noteProgress(const Progress& progress) {
    m_progress.store(std::make_shared<const Progress>(progress));
    if (m_isProgressQueued.exchange(true)) return;
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_isProgressQueued.store(false);
            const std::shared_ptr<const Progress> newest = m_progress.load();
            if (m_isBusy) Q_EMIT progressed(*newest);
        },
        Qt::QueuedConnection);
}

}  // namespace orrery
