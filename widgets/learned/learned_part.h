#pragma once

#include <QString>
#include <cstdint>

#include "widgets/part/window_part.h"

namespace orrery {

class LearnedDesk;
struct LearnedErrors;
class LearnedView;
class PlanPart;
class ProfileView;
class TrainPart;
class WorldPart;

/// Exact against learned, and profiles of trainings: what stands beside the curves of Train.
class LearnedPart : public WindowPart {
    Q_OBJECT

public:
    LearnedPart(Workbench& bench, WorldPart* world, PlanPart* plan, const TrainPart* train);

    void addViews() override;

private:
    QWidget* makeLearned(QWidget* parent);
    QWidget* makeProfile(QWidget* parent);
    void followTraining();
    void showState(std::int64_t state);
    void select(const LearnedErrors& errors, std::int64_t state);
    void addToInspector(QWidget* inspector, PlanSession* session);

    WorldPart* m_world;
    const TrainPart* m_train;
    LearnedDesk* m_desk;
    LearnedView* m_learned = nullptr;  ///< once they are made
    ProfileView* m_profile = nullptr;
    QString m_run;             ///< the training that was shown by itself
    std::int64_t m_step = -1;  ///< and its checkpoint
};

}  // namespace orrery
