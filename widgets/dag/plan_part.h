#pragma once

#include <QJsonObject>
#include <memory>

#include "core/run/archive/reopen.h"
#include "core/run/run_spec.h"
#include "widgets/part/window_part.h"

namespace orrery {

class GraphPart;
class LivePart;
class LiveRun;
class ScopePart;
class SolvePanel;
class WorldPart;
struct RunSnapshot;
struct SolveSnapshot;
struct SolveSpec;

/// The exact solution of the open world: the solver's form, a solve from its start to its end or
/// opened again, the inspector of its states.
class PlanPart : public WindowPart {
    Q_OBJECT

public:
    /// @param graph  its views
    PlanPart(Workbench& bench, ScopePart* scopes, WorldPart* world, LivePart* live,
             GraphPart* graph);
    ~PlanPart() override;

    void addViews() override;
    std::vector<PerspectiveSpec> perspectives() override;
    void bindCommands() override;
    void refreshCommands() override;
    void applyPreference(const QString& key) override;
    std::vector<LocatorSource> locatorSources() override;
    void saveSession(QJsonObject& session) const override;
    void restoreSession(const QJsonObject& session, bool hasOtherWorld) override;
    bool isRestored() const override { return m_keptRun.isEmpty(); }
    std::optional<StatusText> status() const override;
    bool opensRun(const RunRecord& run) override;
    bool continuesRun(const RunRecord& run) override;
    std::optional<RunKeys> runKeys() override;
    std::optional<CloseQuestion> closeQuestion() const override;

    bool isSolving() const { return m_solving != nullptr; }
    /// Of the solve that the window began last; null before the first one told of itself.
    const std::shared_ptr<const RunSnapshot>& lastSolve() const { return m_lastSolve; }
    /// Solves the open world with the form's parameters; says why it cannot.
    void solve();
    /// The same with others, which the form shows from then on.
    void solveWith(const SolveSpec& solve, bool isUnrolled);
    /// The form's parameters and the open world.
    RunSpec formSpec() const;
    /// Whether they can be solved now.
    bool canSolve() const;
    void setForm(const RunSpec& spec);
    SolvePanel* form() const { return m_form; }
    /// Opens the world of a spec and fills the form; a person starts it.
    void openSpec(const RunSpec& spec);
    /// Opens a world and solves it.
    void openAndSolve(const WorldRef& world);

Q_SIGNALS:
    /// A stored run is open, with its values.
    void reopened();
    /// A solve has begun, of a world with this content hash, or ended: empty.
    void solvedNowChanged(const QString& worldHash);
    /// A solve has ended, however.
    void solved();
    /// An inspector was made: others may add to it.
    void inspectorMade(QWidget* inspector, orrery::PlanSession* session);

private:
    // plan_part_views.cpp
    QWidget* makeInspector(ViewScope& scope, QWidget* parent);
    // plan_part_session.cpp
    void restoreDocument();
    void reopenKept();
    // plan_part.cpp
    void takeResources();
    std::vector<LocatorItem> fieldItems();
    void noteSolve(const RunSpec& spec);
    void setSolvedNow(const QString& worldHash);
    void finish(const LiveRun* run);
    void attach(const SolveSnapshot& solve, const QString& id);
    void takeReopened(const ReopenedSolve& run);
    void showForm();

    ScopePart* m_scopes;
    WorldPart* m_world;
    LivePart* m_live;
    GraphPart* m_graph;
    LiveRun* m_solving = nullptr;
    QString m_solvedNow;  ///< content hash of its world
    std::shared_ptr<const RunSnapshot> m_lastSolve;
    std::unique_ptr<BackgroundWorker> m_inspectorWorker;
    SolvePanel* m_form;
    // Of the last session.
    QJsonObject m_keptForm;              ///< until the world is there
    QString m_keptRun, m_keptWorkspace;  ///< until the runs are listed
};

}  // namespace orrery
