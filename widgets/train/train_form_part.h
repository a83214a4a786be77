#pragma once

#include <QJsonObject>
#include <functional>
#include <optional>

#include "core/run/run_spec.h"
#include "widgets/part/window_part.h"

namespace orrery {

class TrainForm;
class TrainPart;
class WorldPart;
struct ForkParent;

/// The form that trainings are started and forked by: what it is filled with, what it asks for,
/// what stands in the way of its start.
class TrainFormPart : public WindowPart {
    Q_OBJECT

public:
    TrainFormPart(Workbench& bench, WorldPart* world, TrainPart* train);

    bool isSettled() const override;
    void bindCommands() override;
    void refreshCommands() override;
    std::vector<LocatorSource> locatorSources() override;
    void saveSession(QJsonObject& session) const override;
    void restoreSession(const QJsonObject& session, bool hasOtherWorld) override;

    /// For the open world; says what is missing.
    /// @param field  what gets the focus; empty: the first
    void open(const QString& field = {});
    /// For a child of the training that is shown, while that one trains, too.
    void fork(const QString& field);
    /// Filled with a spec that came from elsewhere; a person starts it.
    void openSpec(const RunSpec& spec);

private:
    TrainForm& form();
    void show(const QString& field);
    void startOf();
    void copyShown(const QString& field);
    bool forksHalted() const;
    QString whyNotStart() const;
    QString whyNotOpen() const;
    void readForkParent(const QString& id, std::function<void(ForkParent)> then);
    void refreshCheckpoints();
    void readRate(const QString& kind);
    void estimateMemory(const RunSpec& spec);
    QJsonObject formState() const;
    std::vector<LocatorItem> fieldItems();

    WorldPart* m_world;
    TrainPart* m_train;
    TrainForm* m_form = nullptr;    ///< made when it is opened first
    std::optional<RunSpec> m_kept;  ///< of the last session, until it is made
};

}  // namespace orrery
