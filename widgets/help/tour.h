#pragma once

#include <QByteArray>
#include <QString>
#include <vector>

namespace orrery {

/// One step of a tour: it points at a control and waits for a deed.
struct TourStep {
    QString target;       ///< object name of the control; empty: the middle of the window
    QString perspective;  ///< where the control is; empty: anywhere
    QString text;         ///< HTML of two or three sentences
    /// What ends the step: "solved", "state", "click", "command:world.step", "perspective:plan".
    /// Empty: only Next.
    QString done;
};

struct Tour {
    QString id;  ///< "read"
    QString title;
    int minutes = 0;
    std::vector<TourStep> steps;
};

/// Reads tours from JSON. @throws Error naming the tour and what is wrong
std::vector<Tour> toursFromJson(const QByteArray& json);

/// Those of the program, from resources/help/tours.json.
std::vector<Tour> builtinTours();

}  // namespace orrery
