#pragma once

#include <QPointer>

#include "widgets/help/help_manual.h"
#include "widgets/help/tour.h"
#include "widgets/part/window_part.h"

namespace orrery {

class HelpWindow;
class TourGuide;

/// The manual in a window of its own, the tours, and the one hint after the first solve.
class HelpPart : public WindowPart {
    Q_OBJECT

public:
    /// @param parts  what the manual takes from the program
    HelpPart(Workbench& bench, HelpManual::Parts parts);
    ~HelpPart() override;

    void bindCommands() override;
    std::vector<LocatorSource> locatorSources() override;

    /// Shows a page of the manual: "world#play".
    void open(const QString& address);
    /// Empty, and the reason is said, if they cannot be read.
    std::vector<Tour> tours();
    /// Does nothing if there is no such tour.
    void startTour(const QString& id);

private:
    void noteDeeds();
    void showHint();
    std::vector<LocatorItem> items(const QString& typed);

    HelpManual m_manual;
    QPointer<HelpWindow> m_window;
    TourGuide* m_guide;
    StateItem m_hintedState;  ///< where the hint came
};

}  // namespace orrery
