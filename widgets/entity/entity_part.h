#pragma once

#include <vector>

#include "widgets/part/window_part.h"

namespace orrery {

class EntitySession;
class TrainPart;

/// Environments of things: which there are, an episode that is played by hand, and the start of
/// trainings in them.
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
    std::optional<StepKeys> stepKeys() override;

private:
    void train();

    TrainPart* m_train;
    EntitySession* m_session;  ///< the frame's: views outlive the part
};

}  // namespace orrery
