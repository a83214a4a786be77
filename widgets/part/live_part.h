#pragma once

#include "widgets/frame/job_list.h"
#include "widgets/part/window_part.h"

namespace orrery {

/// What every run that is at work has in the window, whatever its kind: its entry in the list of
/// jobs, and a word when it waits for disk space.
class LivePart : public WindowPart {
    Q_OBJECT

public:
    using WindowPart::WindowPart;

    /// The run of the bridge has begun.
    /// @param title  in the list of jobs, once it has been at work for a while
    /// @param isLong  it is listed at once
    void begin(const QString& title, bool isLong = false);
    /// It is further, or waits: the part whose kind it is says when that shall be seen.
    void showProgress();
    /// It has ended.
    void end(JobList::State outcome, const QString& text);

    bool isSettled() const override;

Q_SIGNALS:
    void progressed();

private:
    void list(const QString& title);

    int m_job = 0;  ///< in the list of jobs
    bool m_saidBlocked = false;
};

}  // namespace orrery
