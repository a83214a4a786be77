#pragma once

#include "widgets/part/window_part.h"

namespace orrery {

class SolverTimeline;

/// What each thread of a solve did when: of the one at work, else of the run that is selected.
class SolverTimelinePart : public WindowPart {
    Q_OBJECT

public:
    using WindowPart::WindowPart;

    void addViews() override;

private:
    QWidget* make(QWidget* parent);
    void showTimeline();
    void readStored(const QString& run);

    SolverTimeline* m_view = nullptr;  ///< once it is made
};

}  // namespace orrery
