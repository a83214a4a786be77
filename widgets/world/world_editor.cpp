#include "widgets/world/world_editor.h"

#include <QCryptographicHash>
#include <QFile>
#include <QUndoCommand>
#include <QUndoStack>
#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/base/error.h"
#include "core/run/builtin_worlds.h"
#include "core/world/world_editing.h"
#include "core/world/world_family.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/world/spec_edit.h"
#include "widgets/world/spec_scene.h"

namespace orrery {

namespace {

constexpr int kMostCells = 100'000;

const std::string& nameIn(const WorldSpec& spec) {
    return spec->metadata.name;
}

/// What there is to edit while nothing is open: a map without cells.
WorldSpec specOfNothing() {
    return editingOfNew().specOfRows({});
}

/// Whether the worlds of its family are edited, which means that they are written, too.
bool canEdit(const WorldSpec& spec) {
    return spec.family().editing != nullptr && spec.family().format != nullptr;
}

QByteArray digestOf(QByteArrayView file) {
    return QCryptographicHash::hash(file, QCryptographicHash::Sha256);
}

}  // namespace

/// One change of the spec. It is void once another world was opened. It only says what is wanted:
/// of several steps at once the world is built as after the last.
class EditCommand : public QUndoCommand {
public:
    EditCommand(WorldEditor* editor, WorldSpec before, WorldSpec after, const QString& text,
                int typing)
        : QUndoCommand(text),
          m_editor(editor),
          m_document(editor->m_document),
          m_typing(typing),
          m_before(std::move(before)),
          m_after(std::move(after)) {}

    void undo() override { put(m_before); }
    void redo() override { put(m_after); }
    int id() const override { return m_typing; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = dynamic_cast<const EditCommand*>(other);
        if (next == nullptr || next->m_document != m_document) return false;
        m_after = next->m_after;
        setText(next->text());
        return true;
    }

private:
    void put(const WorldSpec& spec) {
        if (m_document == m_editor->m_document)
            m_editor->m_wanted = spec;
        else
            setObsolete(true);
    }

    WorldEditor* m_editor;
    int m_document, m_typing;
    WorldSpec m_before, m_after;
};

WorldEditor::WorldEditor(PlanSession* session, QUndoStack* undo, QObject* parent)
    : QObject(parent),
      m_session(session),
      m_undo(undo),
      m_worker(new BackgroundWorker(this)),
      m_spec(specOfNothing()) {
    connect(session, &PlanSession::worldChanged, this, [this] {
        if (!m_isApplying) takeSessionWorld();
    });
    connect(session, &PlanSession::stateChanged, this, [this] {
        if (m_isOn && !m_isApplying && m_session->state().step > 0) setOn(false);
    });
    connect(undo, &QUndoStack::indexChanged, this, &WorldEditor::applyWanted);
    if (session->isOpen()) takeSessionWorld();
}

WorldEditor::~WorldEditor() = default;

void WorldEditor::setOn(bool on) {
    if (on && m_isTooLarge)
        Q_EMIT said(MessageKind::Warning,
                    tr("Worlds up to %1 cells can be edited here. Edit this one's file instead.")
                        .arg(kMostCells));
    else if (on && !m_isOpen && m_session->isOpen())
        Q_EMIT said(MessageKind::Warning, tr("Worlds of this kind cannot be edited here."));
    on = on && m_isOpen;
    if (on == m_isOn) return;
    if (on) m_session->showStart();
    m_isOn = on;
    if (on) check();
    Q_EMIT modeChanged();
}

void WorldEditor::askForRules() {
    setOn(true);
    if (m_isOn) Q_EMIT rulesAsked();
}

void WorldEditor::takeSessionWorld() {
    ++m_document;
    const World& world = m_session->world();
    m_isTooLarge = std::int64_t{world.width()} * world.height() > kMostCells;
    m_spec = m_isTooLarge ? WorldSpec() : world.fileSpec();
    m_isOpen = canEdit(m_spec);
    m_isValid = true;
    m_fileDigest = file().isEmpty() ? QByteArray() : digestOf(m_session->loaded().text);
    if (!m_isOpen) {
        m_spec = specOfNothing();
        m_text.clear();
        m_savedText.clear();
        showFindings({}, {});
        Q_EMIT specChanged();
        return setOn(false);
    }
    m_namelessTitle = nameIn(m_spec).empty() ? m_session->loaded().title : QString();
    m_text = m_savedText = worldText(m_spec);
    m_goalOwner = -1;
    m_tool = EditTool::Select;  // a careless click must not paint
    m_brush = editingOf(m_spec).firstBrush(m_brush);
    check();
    setOn(false);  // what is opened is looked at first
    Q_EMIT specChanged();
    Q_EMIT toolChanged();
}

void WorldEditor::setTool(EditTool tool) {
    m_tool = tool;
    Q_EMIT toolChanged();
}

void WorldEditor::setBrush(const std::string& code) {
    m_brush = code;
    if (m_tool != EditTool::Paint && m_tool != EditTool::Rectangle && m_tool != EditTool::Fill)
        m_tool = EditTool::Paint;
    Q_EMIT toolChanged();
}

void WorldEditor::setGoalOwner(int agent) {
    m_goalOwner = agent;
    Q_EMIT toolChanged();
}

void WorldEditor::change(const QString& text, WorldSpec spec, int typing) {
    if (!m_isOpen || worldText(spec) == m_text) return;
    m_undo->push(new EditCommand(this, m_spec, std::move(spec), text, typing));
}

void WorldEditor::setSymmetry(const MapSymmetry& symmetry) {
    m_symmetry = symmetry;
    Q_EMIT toolChanged();
}

namespace {

/// "row 3", "columns 2 and following, 4 of them": counted from 0, as cells are named.
QString spanText(const MapSpan& span) {
    const bool isRow = span.lines == MapLines::Rows;
    if (span.count == 1)
        return (isRow ? WorldEditor::tr("row %1") : WorldEditor::tr("column %1")).arg(span.at);
    return (isRow ? WorldEditor::tr("rows %1 to %2") : WorldEditor::tr("columns %1 to %2"))
        .arg(span.at)
        .arg(span.at + span.count - 1);
}

}  // namespace

void WorldEditor::insertLines(const MapSpan& span) {
    WorldSpec spec = m_spec;
    if (!orrery::insertLines(spec, span) ||
        sizeOf(spec).width() * sizeOf(spec).height() > kMostCells)
        return Q_EMIT said(MessageKind::Info,
                           tr("This map is as large as it can be in this direction."));
    change(tr("Insert %1").arg(spanText(span)), std::move(spec));
}

QString WorldEditor::lossText(const MapSpan& span) const {
    const MapLoss loss = lossOf(m_spec, span);
    if (loss.isNothing()) return {};
    const std::vector<QString> letters = specLetters(m_spec);
    QStringList parts;
    for (const MapLoss::Thing& thing : loss.things) {
        QString name = nameOf(thing.code);
        if (thing.agent >= 0) name += u' ' + letters[static_cast<std::size_t>(thing.agent)];
        parts << tr("%1 at %2,%3").arg(name).arg(thing.cell.x()).arg(thing.cell.y());
    }
    for (const Goal& goal : loss.goals)
        parts << tr("goal %1").arg(QString::fromStdString(goalText(goal)));
    if (loss.numWalls > 0)
        parts << (loss.numWalls == 1 ? tr("1 wall") : tr("%1 walls").arg(loss.numWalls));
    constexpr int kNamed = 6;
    const auto numMore = parts.size() - kNamed;
    if (numMore > 0) parts = parts.mid(0, kNamed) << tr("%1 more").arg(numMore);
    return parts.join(tr(", "));
}

void WorldEditor::removeLines(const MapSpan& span) {
    WorldSpec spec = m_spec;
    if (!orrery::removeLines(spec, span))
        return Q_EMIT said(MessageKind::Info,
                           tr("This map is as small as it can be in this direction."));
    if (const QString lost = lossText(span); !lost.isEmpty()) {
        m_toRemove = span;
        return Q_EMIT asked(tr("Removing %1 loses: %2.").arg(spanText(span), lost), tr("Remove"));
    }
    change(tr("Remove %1").arg(spanText(span)), std::move(spec));
}

void WorldEditor::confirm() {
    const auto span = std::exchange(m_toRemove, std::nullopt);
    WorldSpec spec = m_spec;
    if (span && orrery::removeLines(spec, *span))
        change(tr("Remove %1").arg(spanText(*span)), std::move(spec));
}

void WorldEditor::applyWanted() {
    if (!m_wanted) return;
    const WorldSpec spec = *std::exchange(m_wanted, std::nullopt);
    m_toRemove.reset();
    m_spec = spec;
    m_text = worldText(spec);
    if (m_goalOwner >= std::ssize(agentsOf(spec))) m_goalOwner = -1;
    LoadedWorld loaded = worldOfSpec(m_session->loaded().name, spec);
    m_isValid = loaded.world != nullptr;
    if (m_isValid) {
        if (nameIn(spec).empty() && !m_namelessTitle.isEmpty()) loaded.title = m_namelessTitle;
        m_isApplying = true;
        m_session->replaceWorld(loaded);
        if (m_isOn) m_session->showStart();
        m_isApplying = false;
    }
    check();
    Q_EMIT specChanged();
}

QString WorldEditor::nameOf(const std::string& code) const {
    const Piece piece = editingOf(m_spec).pieceOf(code);
    if (piece.kind == PieceKind::Number) return tr("density %1").arg(piece.number);
    if (piece.kind == PieceKind::Agent)
        return piece.isHuman ? tr("human") : piece.isRobot ? tr("robot") : tr("agent");
    if (piece.kind == PieceKind::Floor) return tr("floor");
    QString name = QString::fromLatin1(pieceName(piece.kind));
    if (piece.kind == PieceKind::Door)
        name = (piece.door == DoorState::Open     ? tr("open %1 door")
                : piece.door == DoorState::Closed ? tr("closed %1 door")
                                                  : tr("locked %1 door"))
                   .arg(QLatin1String(colorName(piece.color)));
    else if (piece.kind == PieceKind::Key || piece.kind == PieceKind::Ball ||
             piece.kind == PieceKind::Box)
        name = QLatin1String(colorName(piece.color)) + u' ' + name;
    return name;
}

void WorldEditor::openNew(const WorldSpec& spec, const QString& name, const QString& title) {
    LoadedWorld loaded = worldOfSpec(name.toStdString(), spec);
    if (!loaded.world) return Q_EMIT said(MessageKind::Error, loaded.problems.join(u'\n'));
    if (nameIn(spec).empty() && !title.isEmpty()) loaded.title = title;
    m_session->open(loaded);
    m_savedText.clear();  // it is in no file yet
    setOn(true);
    Q_EMIT specChanged();
}

bool WorldEditor::isModified() const {
    return m_isOpen && m_text != m_savedText;
}

bool WorldEditor::isEstimating() const {
    return m_worker->numOpenJobs() > 0;
}

void WorldEditor::check() {
    std::vector<WorldFinding> problems = findProblems(m_spec);
    m_worker->stopAll();
    showFindings(problems, {});
    const bool hasErrors = std::ranges::any_of(
        problems, [](const WorldFinding& f) { return f.kind == WorldFinding::Kind::Error; });
    if (hasErrors || !m_isOn) return;
    using Estimate = std::shared_ptr<const StateEstimate>;
    m_worker->replace<Estimate>(
        [spec = m_spec](std::stop_token stop) { return estimateStates(makeWorld(spec), stop); },
        [this, problems](const Estimate& estimate) {
            if (!estimate) return;
            std::vector<WorldFinding> explored = estimate->findings;
            explored.push_back({!estimate->whyNot.isEmpty() ? WorldFinding::Kind::Warning
                                : estimate->isExact         ? WorldFinding::Kind::Ok
                                                            : WorldFinding::Kind::Info,
                                estimateText(*estimate, m_spec->maxSteps)});
            showFindings(problems, std::move(explored));
        },
        [this, problems](const QString& text) {
            showFindings(problems, {{WorldFinding::Kind::Warning, text}});
        });
}

void WorldEditor::showFindings(std::vector<WorldFinding> problems,
                               std::vector<WorldFinding> explored) {
    // A goal behind walls is never attained: one line says it.
    std::erase_if(explored, [&](const WorldFinding& found) {
        return found.cell &&
               std::ranges::find(problems, found.cell, &WorldFinding::cell) != problems.end();
    });
    const bool isClean =
        problems.empty() && std::ranges::none_of(explored, [](const WorldFinding& f) {
            return f.kind == WorldFinding::Kind::Warning;
        });
    m_findings = std::move(problems);
    if (isClean)
        m_findings.push_back({WorldFinding::Kind::Ok, tr("Valid, every goal can be reached")});
    m_findings.insert(m_findings.end(), explored.begin(), explored.end());
    Q_EMIT findingsChanged();
}

QString WorldEditor::error() const {
    const auto wrong =
        std::ranges::find(m_findings, WorldFinding::Kind::Error, &WorldFinding::kind);
    return m_isValid || wrong == m_findings.end() ? QString() : wrong->text;
}

QString WorldEditor::file() const {
    if (!m_session->isOpen()) return {};
    const std::string& name = m_session->loaded().name;
    std::error_code error;
    const bool isFile = !isBuiltinWorld(name) && std::filesystem::is_regular_file(name, error);
    return isFile ? QString::fromStdString(name) : QString();
}

bool WorldEditor::isFileChanged() const {
    QFile now(file());
    return !m_fileDigest.isEmpty() && now.open(QIODevice::ReadOnly) &&
           digestOf(now.readAll()) != m_fileDigest;
}

int WorldEditor::numCommentsLost() const {
    return file().isEmpty() ? 0 : numCommentLinesIn(file().toStdString());
}

bool WorldEditor::saveTo(const QString& file) {
    try {
        const std::string text = saveWorldFile(file.toStdString(), m_spec);
        // What the session shows and solves is the last world that was right; it is called as it
        // will be when it is opened again.
        QStringList problems;
        const WorldSpec shown =
            m_isValid ? m_spec : specOfText(m_session->loaded().text, problems).value_or(m_spec);
        m_session->rename(file.toStdString(), m_isValid ? text : m_session->loaded().text,
                          titleOfSpec(file.toStdString(), shown));
        m_namelessTitle =
            nameIn(m_spec).empty() ? titleOfSpec(file.toStdString(), m_spec) : QString();
        m_savedText = m_text;
        m_fileDigest = digestOf(text);
        if (const QString wrong = error(); wrong.isEmpty())
            Q_EMIT said(MessageKind::Ok, tr("The world was saved as %1.").arg(file));
        else
            Q_EMIT said(MessageKind::Warning,
                        tr("The world was saved as %1, with an error: it cannot be opened again "
                           "until that is mended. %2")
                            .arg(file, wrong));
        Q_EMIT specChanged();
        return true;
    } catch (const Error& error) {
        Q_EMIT said(MessageKind::Error, QString::fromUtf8(error.what()));
        return false;
    }
}

}  // namespace orrery
