#include "widgets/replay/replay_feed.h"

#include <utility>

#include "core/run/jobs/train_job.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/common/run_title.h"

namespace orrery {

ReplayFeed::ReplayFeed(QObject* parent)
    : QObject(parent),
      m_worker(new BackgroundWorker(this)),
      m_valueWorker(new BackgroundWorker(this)),
      m_insideWorker(new BackgroundWorker(this)) {}

ReplayFeed::~ReplayFeed() {
    delete m_worker;  // before what their jobs touch
    delete m_valueWorker;
    delete m_insideWorker;
}

void ReplayFeed::setLive(const LiveTraining& training) {
    if (!training.desk && !m_isLive) return;
    const bool isOther = !m_isLive || training.desk != m_live.desk;
    m_live = training;
    m_isLive = true;
    m_openedRun.clear();
    m_name = training.run;
    if (isOther) {
        m_stored = nullptr;
        m_source = nullptr;
        m_lastBuffer = nullptr;
        m_lastAnswer = m_lastInside = nullptr;
        m_isAwaitingBuffer = m_isWorking = false;
        m_problem.clear();
        m_worker->stopAll();
        Q_EMIT sourceChanged();
    }
    if (m_live.desk) {
        if (const auto shown = m_live.desk->buffer();
            shown && shown != m_lastBuffer && (m_isAwaitingBuffer || !m_live.isLive)) {
            m_isAwaitingBuffer = false;
            takeBuffer(shown);
        }
        if (const auto answer = m_live.desk->answer(); answer && answer != m_lastAnswer) {
            m_lastAnswer = answer;
            Q_EMIT answered(answer);
        }
        if (const auto answer = m_live.desk->insideAnswer(); answer && answer != m_lastInside) {
            m_lastInside = answer;
            Q_EMIT insideAnswered(answer);
        }
    }
    Q_EMIT stateChanged();
}

void ReplayFeed::takeBuffer(const std::shared_ptr<const ShownBuffer>& shown) {
    m_lastBuffer = shown;
    m_isWorking = true;
    m_worker->replace<Source>(
        [shown, spec = m_live.spec, worlds = m_live.worlds, exact = m_live.exact](std::stop_token) {
            return makeReplaySource(*shown, spec, worlds, exact);
        },
        [this](const Source& source) {
            m_isWorking = false;
            m_source = source;
            Q_EMIT sourceChanged();
            Q_EMIT stateChanged();
        },
        [this](const QString& text) { fail(text); });
}

void ReplayFeed::openStored(std::shared_ptr<Workspace> workspace, const QString& runId) {
    if (m_isLive && m_live.isLive) return;
    m_isLive = false;
    m_live = {};
    m_stored = nullptr;
    m_source = nullptr;
    m_name = m_openedRun = runId;
    m_problem.clear();
    m_isWorking = true;
    Q_EMIT sourceChanged();
    Q_EMIT stateChanged();
    struct Opened {
        std::shared_ptr<const StoredReplay> stored;
        Source source;
    };
    m_worker->replace<Opened>(
        [workspace = std::move(workspace), id = runId.toStdString()](std::stop_token) {
            auto stored = std::make_shared<StoredReplay>(openStoredReplay(*workspace, id));
            Source source = makeReplaySource(stored->shown, stored->spec.job.as<TrainJob>().empo,
                                             stored->worlds, {});
            return Opened{std::move(stored), std::move(source)};
        },
        [this](const Opened& opened) {
            m_isWorking = false;
            m_stored = opened.stored;
            m_source = opened.source;
            m_name = runTitle(m_stored->spec.name, m_stored->run);
            Q_EMIT sourceChanged();
            Q_EMIT stateChanged();
        },
        [this](const QString& text) { fail(text); });
}

void ReplayFeed::refresh() {
    m_problem.clear();
    if (!m_isLive || !m_live.desk) return;
    if (m_live.isLive) {
        m_isAwaitingBuffer = true;
        m_live.desk->askForBuffer();
    } else if (const auto shown = m_live.desk->buffer(); shown && shown != m_lastBuffer) {
        takeBuffer(shown);
    } else if (const auto workspace = m_live.workspace.lock(); workspace && !m_live.runId.empty()) {
        const std::string ended = m_live.runId;  // openStored forgets it
        return openStored(workspace, QString::fromStdString(ended));
    }
    Q_EMIT stateChanged();
}

QString ReplayFeed::obstacle() const {
    if (!m_problem.isEmpty()) return m_problem;
    if (m_isLive && !m_live.isLive && !m_source && !m_isWorking)
        return tr(
            "The training has ended. Its buffer is in its newest checkpoint: show it here, or "
            "pick the run in the list of runs.");
    if (m_isLive && !m_live.isLive && (m_live.workspace.expired() || m_live.runId.empty()))
        return tr("The training has ended and was not stored, so its values are gone.");
    return {};
}

std::int64_t ReplayFeed::ask(int layout, std::vector<std::byte> states) {
    send({.number = ++m_numQuestions, .layout = layout, .states = std::move(states)});
    return m_numQuestions;
}

std::int64_t ReplayFeed::askInside(int layout, std::vector<std::byte> states,
                                   const ActivationWish& wish) {
    send({.number = ++m_numQuestions,
          .layout = layout,
          .states = std::move(states),
          .activations = wish});
    return m_numQuestions;
}

void ReplayFeed::send(ValueQuestion question) {
    if (m_isLive && m_live.isLive) {
        if (m_live.desk)
            m_live.desk->ask(std::make_shared<const ValueQuestion>(std::move(question)));
        return;
    }
    const auto workspace = m_live.workspace.lock();
    const bool isKept = m_isLive && workspace && !m_live.runId.empty();
    if (!m_stored && !isKept) return;
    using Answer = std::shared_ptr<const ValueAnswer>;
    const bool isInside = question.activations.has_value();
    (isInside ? m_insideWorker : m_valueWorker)
        ->replace<Answer>(
            [stored = m_isLive ? nullptr : m_stored, live = m_live, workspace,
             question = std::move(question)](std::stop_token) {
                return std::make_shared<const ValueAnswer>(
                    stored
                        ? valuesOfStored(*stored, question)
                        : valuesOfNewest(*workspace, live.runId, live.spec, live.worlds, question));
            },
            [this, isInside](const Answer& answer) {
                if (isInside)
                    Q_EMIT insideAnswered(answer);
                else
                    Q_EMIT answered(answer);
            },
            [this](const QString& text) { fail(text); });
}

const std::vector<std::shared_ptr<const World>>& ReplayFeed::worlds() const {
    static const std::vector<std::shared_ptr<const World>> kNone;
    if (m_isLive) return m_live.worlds;
    return m_stored ? m_stored->worlds : kNone;
}

const EmpoSpec* ReplayFeed::spec() const {
    if (m_isLive) return &m_live.spec;
    return m_stored ? &m_stored->spec.job.as<TrainJob>().empo : nullptr;
}

void ReplayFeed::fail(const QString& text) {
    m_isWorking = false;
    m_problem = text;
    Q_EMIT failed(text);
    Q_EMIT stateChanged();
}

}  // namespace orrery
