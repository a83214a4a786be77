// What the session keeps of the open world, and how that comes back.
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QSignalBlocker>
#include <algorithm>
#include <utility>

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "widgets/common/address.h"
#include "widgets/common/selection_address.h"
#include "widgets/frame/session_file.h"
#include "widgets/world/world_editor.h"
#include "widgets/world/world_files.h"
#include "widgets/world/world_part.h"

namespace orrery {

namespace {

constexpr int kStepParts = 3;

QString wordsText(const std::vector<std::uint64_t>& words) {
    QStringList parts;
    for (const std::uint64_t word : words) parts << QString::number(word, 16);
    return parts.join(u'-');
}

std::vector<std::uint64_t> wordsOf(const QString& text) {
    std::vector<std::uint64_t> words;
    for (const QString& part : text.split(u'-')) words.push_back(part.toULongLong(nullptr, 16));
    return words;
}

QJsonObject jsonOf(const PlanSession& session) {
    QJsonArray steps;
    const std::vector<Moment>& walk = session.walk();
    for (std::size_t i = 1; i < walk.size(); ++i)
        steps.append(QJsonArray{static_cast<qint64>(walk[i].profile), static_cast<int>(walk[i].by),
                                wordsText(walk[i].state.words)});
    return {{QStringLiteral("step"), walk.front().state.step},
            {QStringLiteral("words"), wordsText(walk.front().state.words)},
            {QStringLiteral("steps"), steps},
            {QStringLiteral("at"), static_cast<qint64>(session.walkIndex())},
            {QStringLiteral("profile"), static_cast<qint64>(session.profile())}};
}

/// A free name for a draft below the folder of the session.
QString draftFile(const QString& title) {
    const QDir folder(QFileInfo(sessionFileName()).absolutePath() + QStringLiteral("/drafts"));
    QString stem = title.toLower();
    for (QChar& character : stem)
        if (!character.isLetterOrNumber()) character = u'_';
    for (int number = 1;; ++number) {
        QString file = folder.filePath(QStringLiteral("%1_%2.yaml").arg(stem).arg(number));
        if (!QFileInfo::exists(file)) return file;
    }
}

}  // namespace

QJsonObject WorldPart::draft() const {
    return {{QStringLiteral("title"), session().loaded().title},
            {QStringLiteral("isEdited"), m_editor->isOn()},
            {QStringLiteral("file"), QString::fromLatin1(m_editor->fileDigest().toHex())},
            {QStringLiteral("text"), QString::fromStdString(session().loaded().text)}};
}

void WorldPart::saveSession(QJsonObject& state) const {
    state.insert(QStringLiteral("recentWorlds"), QJsonArray::fromStringList(m_recent));
    if (!session().isOpen()) return;
    state.insert(QStringLiteral("world"), QString::fromStdString(session().loaded().name));
    state.insert(QStringLiteral("address"), selection().address());
    QJsonObject document{{QStringLiteral("title"), session().loaded().title},
                         {QStringLiteral("walk"), jsonOf(session())}};
    // The session has the draft, or what it was when it was right last.
    // A file that was saved with an error cannot be opened again.
    if (m_editor->isModified() || !m_editor->isValid())
        document.insert(QStringLiteral("draft"), draft());
    state.insert(QStringLiteral("document"), document);
}

void WorldPart::restoreSession(const QJsonObject& state, bool hasOtherWorld) {
    for (const QJsonValue name : state.value(u"recentWorlds").toArray())
        m_recent << name.toString();
    const QJsonObject document = state.value(u"document").toObject();
    if (hasOtherWorld) return setDraftAside(document.value(u"draft").toObject());
    m_keptWorld = state.value(u"world").toString();
    m_keptAddress = state.value(u"address").toString();
    m_kept = document;
}

/// Makes the world that was opened from a draft one that is in no file.
void WorldPart::restoreDraft() {
    const QJsonObject draft = m_kept.take(QStringLiteral("draft")).toObject();
    if (draft.isEmpty()) return;
    QStringList problems;
    const auto spec = specOfText(draft.value(u"text").toString().toStdString(), problems);
    if (!spec) return say(MessageKind::Warning, problems.join(u'\n'));
    const LoadedWorld loaded = session().loaded();  // copied, it is opened again
    m_editor->openNew(*spec, QString::fromStdString(loaded.name), draft.value(u"title").toString());
    m_editor->setOn(draft.value(u"isEdited").toBool());
    m_editor->setFileDigest(QByteArray::fromHex(draft.value(u"file").toString().toLatin1()));
    say(MessageKind::Info,
        tr("Your changes of %1 are back; they are in no file yet. Ctrl+S saves them.")
            .arg(session().loaded().title),
        tr("Save..."), [this] { saveWorld(*m_editor, session(), &frame()); });
}

std::string WorldPart::restorePlace() {
    const QJsonObject kept = std::exchange(m_kept, {});
    auto place = parseAddress(std::exchange(m_keptAddress, {}));
    const bool hasWalk = restoreWalk(kept.value(u"walk").toObject());
    if (!place) return {};
    if (hasWalk) {  // the rest of what was selected
        place->step = -1;
        place->stateIndex = -1;
        place->words.clear();
    }
    return session().goTo(*place) ? place->where : std::string();
}

/// Plays the kept walk again. Each of its states must follow from the one before; what comes after
/// one that does not is left out.
bool WorldPart::restoreWalk(const QJsonObject& kept) {
    if (kept.isEmpty()) return false;
    const std::vector<std::uint64_t> first = wordsOf(kept.value(u"words").toString());
    const StateItem start{kept.value(u"step").toInt(-1), first};
    if (!(session().state() == start)) {
        session().restart();
        Address place;
        place.step = start.step;
        place.words = first;
        if (!(session().state() == start) && !session().goTo(place)) return false;
    }
    const QJsonArray steps = kept.value(u"steps").toArray();
    {
        // Views look at the last state only.
        const QSignalBlocker quiet(&session());
        for (const QJsonValue value : steps) {
            const QJsonArray step = value.toArray();
            const qint64 profile = step[0].toInteger(-1);
            if (step.size() != kStepParts || profile < 0 || session().isTerminal() ||
                static_cast<std::uint64_t>(profile) >= session().world().numProfiles())
                break;
            session().setActions(
                session().world().profileActions(static_cast<std::uint32_t>(profile)));
            const auto& rows = session().successors();
            const auto row = std::ranges::find(rows, wordsOf(step[2].toString()),
                                               [](const SuccessorRow& r) { return r.state.words; });
            if (row == rows.end()) break;
            session().followAs(static_cast<std::size_t>(row - rows.begin()),
                               static_cast<PlayedBy>(std::clamp(step[1].toInt(), 0, 2)));
        }
        session().showMoment(static_cast<std::size_t>(std::clamp<qint64>(
            kept.value(u"at").toInteger(), 0, static_cast<qint64>(session().walk().size()) - 1)));
        const qint64 profile = kept.value(u"profile").toInteger(-1);
        if (profile >= 0 && static_cast<std::uint64_t>(profile) < session().world().numProfiles())
            session().setActions(
                session().world().profileActions(static_cast<std::uint32_t>(profile)));
    }
    Q_EMIT session().stateChanged();
    Q_EMIT session().jointActionChanged();
    return true;
}

/// The session opens another world than the one that was edited: its draft becomes a file.
void WorldPart::setDraftAside(const QJsonObject& draft) {
    if (draft.isEmpty()) return;
    const QString title = draft.value(u"title").toString();
    const QString file = draftFile(title);
    try {
        QDir().mkpath(QFileInfo(file).absolutePath());
        atomicWrite(file.toStdString(), draft.value(u"text").toString().toStdString());
        say(MessageKind::Info,
            tr("The changes of %1 from the last session were saved as %2.").arg(title, file));
    } catch (const Error& error) {
        say(MessageKind::Error, QString::fromUtf8(error.what()));
    }
}

}  // namespace orrery
