#pragma once

#include <QPointer>
#include <cstdint>
#include <memory>
#include <vector>

#include "widgets/entity/rollout_view.h"
#include "widgets/part/window_part.h"

namespace orrery {

class EntitySession;
class ExportForm;
class TrainPart;
struct ExportRequest;

/// Environments of things: which there are, episodes that are played by hand or by an agent, what
/// the agent makes of them, and the start of trainings in them.
class EntityPart : public WindowPart {
    Q_OBJECT

public:
    EntityPart(Workbench& bench, TrainPart* train);

    void addViews() override;
    std::vector<PerspectiveSpec> perspectives() override;
    void bindCommands() override;
    void refreshCommands() override;
    std::vector<LocatorSource> locatorSources() override;
    void saveSession(QJsonObject& session) const override;
    void restoreSession(const QJsonObject& session, bool hasOtherWorld) override;
    std::optional<StatusText> status() const override;
    QStringList crumbs() const override;
    QString windowTitle() const override;
    std::optional<StepKeys> stepKeys() override;

    /// Shows the three states of the example on Home.
    void openExample();

private:
    void addPanels();
    QWidget* makeRollout(QWidget* parent);
    void followTraining();
    void openRow(const std::shared_ptr<const RolloutCopy>& rollout, std::uint32_t row);
    void train();
    void loadKeptAgent();
    void askForFilm();
    void writeFilmOf(const ExportRequest& request);
    QString title() const;

    TrainPart* m_train;
    EntitySession* m_session;         ///< the frame's: views outlive the part
    QPointer<RolloutView> m_rollout;  ///< once it is made
    ExportForm* m_film = nullptr;
    QString m_keptAgent;  ///< run of the last session, until the runs are listed
};

}  // namespace orrery
