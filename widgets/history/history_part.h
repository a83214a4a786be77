#pragma once

#include <filesystem>

#include "widgets/part/window_part.h"

namespace orrery {

class RunsPanel;

/// The workspace of the window: which is open, the list of its runs, those opened lately.
class HistoryPart : public WindowPart {
    Q_OBJECT

public:
    explicit HistoryPart(Workbench& bench);

    void addViews() override;
    void bindCommands() override;
    std::vector<LocatorSource> locatorSources() override;

    /// Opens a folder, unless something is written to the present one; says so.
    void open(const QString& folder);
    /// What the window begins with.
    /// @param wanted  empty: the one that is preferred, else the default one
    void openFirst(const std::filesystem::path& wanted);
    /// Since the process began, until the first list of runs was there; 0 before.
    double listedSeconds() const { return m_listedSeconds; }

private:
    bool mayChange();
    void choose();
    void takeOpened();
    void takeRuns();
    std::vector<LocatorItem> items();

    RunsPanel* m_runs;
    double m_listedSeconds = 0;
};

}  // namespace orrery
