#pragma once

#include <QPointer>
#include <memory>

#include "widgets/part/window_part.h"
#include "widgets/replay/replay_browser.h"
#include "widgets/replay/tensors_view.h"

namespace orrery {

class ReplayFeed;
class TrainPart;

/// The replay buffer of a training, and what a learner is given of a state.
class ReplayPart : public WindowPart {
    Q_OBJECT

public:
    ReplayPart(Workbench& bench, const TrainPart* train);

    void addViews() override;

private:
    QWidget* makeBrowser(QWidget* parent);
    QWidget* makeTensors(QWidget* parent);
    void followTraining();
    void openWanted();

    const TrainPart* m_train;
    ReplayFeed* m_feed;
    QPointer<ReplayBrowser> m_browser;  ///< once they are made
    QPointer<TensorsView> m_tensors;
    std::shared_ptr<const ShownState> m_picked;  ///< in the buffer
};

}  // namespace orrery
