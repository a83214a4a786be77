#include "widgets/train/train_form_part.h"

#include <QJsonDocument>
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/run/run_kind.h"
#include "core/run/run_name.h"
#include "core/run/steering.h"
#include "core/run/training_memory.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/live_runs.h"
#include "widgets/common/commands.h"
#include "widgets/train/train_form.h"
#include "widgets/train/train_part.h"
#include "widgets/train/train_session.h"
#include "widgets/world/world_part.h"

namespace orrery {

TrainFormPart::TrainFormPart(Workbench& bench, WorldPart* world, TrainPart* train)
    : WindowPart(bench), m_world(world), m_train(train) {
    connect(m_train, &TrainPart::forkRequested, this, &TrainFormPart::fork);
    connect(&m_train->training(), &TrainSession::ended, this, &TrainFormPart::refreshCheckpoints);
}

void TrainFormPart::bindCommands() {
    commands().bind("run.train", [this] { open(); });
}

void TrainFormPart::refreshCommands() {
    const QString why = whyNotOpen();
    commands().setEnabled("run.train", why.isEmpty(), why);
    if (m_form != nullptr) m_form->setBlocked(whyNotStart());
}

std::vector<LocatorSource> TrainFormPart::locatorSources() {
    return {{QStringLiteral("c"), tr("solver fields"),
             [this](const QString&) { return fieldItems(); }, true, true}};
}

std::vector<LocatorItem> TrainFormPart::fieldItems() {
    const RunKind& kind = m_form != nullptr ? m_form->spec().job.kind() : *trainingKinds().front();
    std::vector<LocatorItem> items;
    for (const RunField& field : kind.fields) {
        const QString name = QString::fromStdString(field.name);
        items.push_back({QStringLiteral("train: ") + name,
                         QString::fromStdString(field.meaning),
                         {},
                         session().isOpen(),
                         [this, name] { open(name); }});
    }
    return items;
}

bool TrainFormPart::isSettled() const {
    return m_form == nullptr || m_form->isComplete();
}

TrainForm& TrainFormPart::form() {
    if (m_form == nullptr) {
        m_form = new TrainForm(&frame());
        if (m_kept) m_form->setSpec(*m_kept);
        connect(m_form, &TrainForm::startRequested, this, &TrainFormPart::startOf);
        connect(m_form, &TrainForm::methodTaken, this,
                [this] { m_form->setBlocked(whyNotStart()); });
        connect(m_form, &TrainForm::rateWanted, this, &TrainFormPart::readRate);
        connect(m_form, &TrainForm::memoryWanted, this, &TrainFormPart::estimateMemory);
    }
    return *m_form;
}

void TrainFormPart::startOf() {
    const std::vector<RunSpec> specs = m_form->namedRuns();
    RunSpec next = m_form->spec();
    next.name.clear();  // the next one is another run
    m_form->setSpec(next);
    m_form->forgetMany();
    const QString parent = QString::fromStdString(m_form->parentRun().id);
    const auto start = [this, specs, parent] { m_train->start(specs, parent); };
    forksHalted() ? m_train->end(start) : start();
}

void TrainFormPart::show(const QString& field) {
    m_form->setBlocked(whyNotStart());
    m_form->show();
    m_form->raise();
    m_form->activateWindow();
    m_form->showField(field);
}

void TrainFormPart::open(const QString& field) {
    if (const QString why = whyNotOpen(); !why.isEmpty()) return say(MessageKind::Info, why + u'.');
    RunSpec spec = form().spec();
    const RunKind& kind = spec.job.kind();
    kind.training(spec.job)->changes.clear();
    if (session().isOpen()) {
        WorldRef world = session().loaded().ref();
        world.lenient |= std::ranges::any_of(kind.worlds(spec.job), &WorldRef::lenient);
        kind.takeWorlds(spec.job, {world});
        m_form->setWorlds({std::move(world)});
        m_form->setWorld(session().loaded().title);
    }
    m_form->setSpec(spec);
    m_form->forgetParent();
    show(field);
}

void TrainFormPart::openSpec(const RunSpec& spec) {
    form().setSpec(spec);
    m_form->setWorld(QString::fromStdString(
        spec.name.empty() ? titleOfWorlds(worldNameOf(toJson(spec))) : spec.name));
    m_form->forgetParent();
    show({});
}

void TrainFormPart::fork(const QString& field) {
    if (!m_train->record().hasRun()) return open();
    const QString id = m_train->shownId();
    if (id.isEmpty() || archive().workspace() == nullptr) return copyShown(field);
    readForkParent(id, [this, field](ForkParent parent) {
        form().setWorld(QString::fromStdString(nameWithoutDescription(parent.spec)));
        m_form->fork(std::move(parent));
        show(field);
    });
}

/// The same training again where it is not stored, so that the other one begins at the start.
void TrainFormPart::copyShown(const QString& field) {
    RunSpec spec = m_train->record().spec();
    spec.job = m_train->record().job();
    form().setWorld(QString::fromStdString(nameWithoutDescription(spec)));
    spec.name.clear();
    m_form->setSpec(spec);
    m_form->forgetParent();
    show(field);
}

/// Whether the form is for another training in the place of the one that waits for an answer.
bool TrainFormPart::forksHalted() const {
    return m_form != nullptr && m_train->record().trouble() && !m_train->shownId().isEmpty() &&
           m_form->parentRun().id == m_train->shownId().toStdString();
}

QString TrainFormPart::whyNotStart() const {
    const Job& job = m_form->spec().job;
    const std::vector<WorldRef> worlds = job.kind().worlds(job);
    if (worlds.empty() && job.kind().placeTitle.empty())
        return tr("No world is open: pick one on Home.");
    // A spec that was dropped, or the parent of a fork, brings its worlds along.
    const bool isOfDraft =
        session().isOpen() && worlds.size() == 1 && worlds.front().text == session().loaded().text;
    return isOfDraft ? m_world->draftError() : QString();
}

/// Without a point; empty if it can be opened: methods without worlds need none.
QString TrainFormPart::whyNotOpen() const {
    const auto needsWorld = [](const RunKind* kind) { return kind->placeTitle.empty(); };
    if (session().isOpen() || !std::ranges::all_of(trainingKinds(), needsWorld)) return {};
    return tr("No world is open: pick one on Home");
}

void TrainFormPart::readForkParent(const QString& id, std::function<void(ForkParent)> then) {
    worker().append<ForkParent>([workspace = archive().sharedWorkspace(), id = id.toStdString()](
                                    std::stop_token) { return forkParentOf(*workspace, id); },
                                std::move(then), sayError());
}

/// A form that waits for the end of the run that it forks offers the checkpoints that are there.
void TrainFormPart::refreshCheckpoints() {
    if (m_form == nullptr || !m_form->isVisible()) return;
    const QString id = QString::fromStdString(m_form->parentRun().id);
    if (id.isEmpty() || id != m_train->shownId()) return;
    readForkParent(id, [this, id](const ForkParent& parent) {
        if (m_form->parentRun().id == id.toStdString()) m_form->setCheckpoints(parent.checkpoints);
    });
}

/// Tells the form how fast an earlier training of that kind was.
void TrainFormPart::readRate(const QString& kind) {
    using Rate = std::optional<MeasuredRate>;
    const auto workspace = archive().sharedWorkspace();
    if (!workspace) return;
    worker().append<Rate>(
        [workspace, kind](const std::stop_token& stop) {
            return measuredRate(*workspace, kind, stop);
        },
        [this, kind](const Rate& rate) { m_form->setRate(kind, rate); }, sayError());
}

/// Tells the form what a training would come to hold. Inputs that are wrong the start tells of.
void TrainFormPart::estimateMemory(const RunSpec& spec) {
    using Parts = std::vector<MemoryPart>;
    const std::int64_t limit = memoryLimit(trainSettings(spec.job)->memoryBudget);
    worker().append<Parts>(
        [spec](const std::stop_token& stop) { return trainingMemory(spec.job, stop); },
        [this, spec, limit](const Parts& parts) {
            const int room = std::max(1, live().most() - live().numAtWork());
            m_form->setMemory(spec, parts, limit, std::min(m_form->numRuns(), room));
        },
        [](const QString&) {});
}

void TrainFormPart::saveSession(QJsonObject& state) const {
    state.insert(QStringLiteral("trainForm"), formState());
}

QJsonObject TrainFormPart::formState() const {
    if (m_form == nullptr && !m_kept) return {};
    RunSpec spec = m_form != nullptr ? m_form->spec() : *m_kept;
    const RunKind& kind = spec.job.kind();
    std::vector<WorldRef> worlds = kind.worlds(spec.job);
    for (WorldRef& world : worlds) world.text.reset();
    if (worlds.empty()) worlds = {{.name = kTrainExampleWorld}};
    kind.takeWorlds(spec.job, worlds);
    TrainSettings& settings = *kind.training(spec.job);
    settings.fromRun.clear();
    settings.fromStep = 0;
    return QJsonDocument::fromJson(QByteArray::fromStdString(toJson(spec, -1))).object();
}

void TrainFormPart::restoreSession(const QJsonObject& state, bool /*hasOtherWorld*/) {
    const QJsonObject form = state.value(u"trainForm").toObject();
    if (form.isEmpty()) return;
    try {
        RunSpec spec = runSpecFromJson(
            QJsonDocument(form).toJson(QJsonDocument::Compact).toStdString(), "session");
        if (spec.job.kind().isTraining()) m_kept = std::move(spec);
    } catch (const Error&) {
        // Of another version: the form begins with its defaults.
    }
}

}  // namespace orrery
