#pragma once

#include <QObject>
#include <QPoint>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/world/world_spec.h"
#include "widgets/common/message_strip.h"
#include "widgets/world/draft_check.h"
#include "widgets/world/spec_shape.h"

class QUndoStack;

namespace orrery {

class BackgroundWorker;
class PlanSession;

enum class EditTool : std::uint8_t { Select, Paint, Rectangle, Fill, Erase, Goal, Turn, Mark };

/// The spec of the session's world while it is edited. Each change is one named step on the undo
/// stack; a change that leaves the world valid puts it into the session at once, where the solution
/// of the world before it becomes stale. An invalid draft stays here and the session keeps the last
/// valid world. GUI thread.
class WorldEditor : public QObject {
    Q_OBJECT

public:
    WorldEditor(PlanSession* session, QUndoStack* undo, QObject* parent = nullptr);
    ~WorldEditor() override;

    /// Whether the world is shown for editing. The map is that of the start, so turning it on goes
    /// there, and going to a later state turns it off.
    bool isOn() const { return m_isOn; }
    void setOn(bool on);
    /// False without a world, for one of more than 100 000 cells, and for one whose family is not
    /// edited.
    bool isOpen() const { return m_isOpen; }

    /// Another number for each world that was opened; edits of a world do not change it.
    int document() const { return m_document; }
    const WorldSpec& spec() const { return m_spec; }
    EditTool tool() const { return m_tool; }
    void setTool(EditTool tool);
    /// What Paint, Rectangle and Fill put into cells: a cell code.
    const std::string& brush() const { return m_brush; }
    void setBrush(const std::string& code);
    /// Whose goals the Goal tool adds: an agent, or -1 for the shared list.
    int goalOwner() const { return m_goalOwner; }
    void setGoalOwner(int agent);

    /// Which halves of the map painting repeats.
    const MapSymmetry& symmetry() const { return m_symmetry; }
    void setSymmetry(const MapSymmetry& symmetry);

    void insertLines(const MapSpan& span);
    /// What would be lost is named first, by asked(); confirm() then removes the lines.
    void removeLines(const MapSpan& span);
    void confirm();
    /// What removing the lines would lose, in words; empty: nothing but floor and walls.
    QString lossText(const MapSpan& span) const;
    /// What was copied here last, with all that belongs to its agents.
    const std::optional<MapPatch>& copied() const { return m_copied; }
    void setCopied(MapPatch patch) { m_copied = std::move(patch); }

    /// Makes one undoable change. Nothing happens if the spec stays the same.
    /// @param typing  of what is typed letter by letter: changes with one number that follow each
    ///                other are one step of undo; -1: a step of its own
    void change(const QString& text, WorldSpec spec, int typing = -1);
    /// "wall", "human", ...: what a cell code is called.
    QString nameOf(const std::string& code) const;

    /// Shows the world for editing, with the keyboard in its name.
    void askForRules();

    /// Opens a spec that is in no file as the session's world, shown by title where the spec bears
    /// no name. It must be valid.
    void openNew(const WorldSpec& spec, const QString& name, const QString& title);

    bool isValid() const { return m_isValid; }
    /// The first thing that makes the spec no world; empty: it is one.
    QString error() const;
    /// True if the spec was changed since it was opened or saved.
    bool isModified() const;
    /// Problems of the spec, and what the short exploration found.
    const std::vector<WorldFinding>& findings() const { return m_findings; }
    bool isEstimating() const;

    /// The file that save() writes; empty for examples and new worlds.
    QString file() const;
    /// What the file held when it was opened or saved last, as a digest; empty: there was none.
    const QByteArray& fileDigest() const { return m_fileDigest; }
    void setFileDigest(const QByteArray& digest) { m_fileDigest = digest; }
    /// True if somebody else has written the file since.
    bool isFileChanged() const;
    /// Comment lines of the file that writing it would drop.
    int numCommentsLost() const;
    /// Writes the world's file, and says so. False if it could not be written; the former file is
    /// then kept.
    bool saveTo(const QString& file);

Q_SIGNALS:
    void modeChanged();
    void rulesAsked();
    void toolChanged();
    void specChanged();
    void findingsChanged();
    void said(orrery::MessageKind kind, const QString& text);
    /// What would be lost, and the word for confirm(), which does it all the same.
    void asked(const QString& text, const QString& action);

private:
    friend class EditCommand;
    void takeSessionWorld();
    void applyWanted();
    void check();
    void showFindings(std::vector<WorldFinding> problems, std::vector<WorldFinding> explored);

    PlanSession* m_session;
    QUndoStack* m_undo;
    BackgroundWorker* m_worker;
    bool m_isOn = false, m_isOpen = false, m_isTooLarge = false, m_isValid = true,
         m_isApplying = false;
    int m_document = 0;  ///< changes of former documents are void
    WorldSpec m_spec;
    std::optional<WorldSpec> m_wanted;  ///< by the steps of the undo stack in hand
    std::string m_text;                 ///< of the spec
    std::string m_savedText;            ///< of the spec as it was opened or saved
    QByteArray m_fileDigest;
    QString m_namelessTitle;  ///< of the world as it was opened or saved, if it had no name
    EditTool m_tool = EditTool::Paint;
    std::string m_brush;
    int m_goalOwner = -1;
    MapSymmetry m_symmetry;
    std::optional<MapSpan> m_toRemove;  ///< asked about, until the spec changes
    std::optional<MapPatch> m_copied;
    std::vector<WorldFinding> m_findings;
};

}  // namespace orrery
