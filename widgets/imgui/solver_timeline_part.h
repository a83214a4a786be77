#pragma once

#include <memory>

#include "widgets/part/window_part.h"

namespace orrery {

class SolverTimeline;
struct RunSnapshot;

/// What each thread of a solve did when: of the one at work, else of the run that is selected.
class SolverTimelinePart : public WindowPart {
    Q_OBJECT

public:
    explicit SolverTimelinePart(Workbench& bench);

    void addViews() override;

private:
    QWidget* make(QWidget* parent);
    void showTimeline();
    void readStored(const QString& run);

    std::shared_ptr<const RunSnapshot> m_last;  ///< of the solve that the window began last
    bool m_isLive = false;
    SolverTimeline* m_view = nullptr;  ///< once it is made
};

}  // namespace orrery
