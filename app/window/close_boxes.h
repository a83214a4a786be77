#pragma once

#include <cstdint>

#include "widgets/part/window_part.h"

class QWidget;

namespace orrery {

class JobList;

enum class CloseAnswer : std::uint8_t {
    Stay,
    EndNow,
    FinishFirst  ///< the work goes on, and the window closes once it is done
};

/// Asks what is to become of work that would end with the window.
CloseAnswer askToEnd(const CloseQuestion& question, QWidget* window);

/// Asks whether exports and imports that are at work may be lost. True without a question where
/// nothing is.
bool mayDropJobs(const JobList& jobs, QWidget* window);

}  // namespace orrery
