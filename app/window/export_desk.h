#pragma once

#include <QObject>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/window/export_queue.h"
#include "widgets/export/export_form.h"

class QWidget;

namespace orrery {

class Archive;
class Chart;
class Frame;
class PlanSession;
class WorldView;
struct FilmEpisode;
struct FilmSpec;

/// Offers what can be exported where the person is (the charts, tables and films of the current
/// view, the values of the solved world, the metrics of the chosen run) and has it written. GUI
/// thread only.
class ExportDesk : public QObject {
    Q_OBJECT

public:
    /// All outlive the desk.
    struct Parts {
        Frame* frame = nullptr;
        PlanSession* session = nullptr;
        Archive* archive = nullptr;
        std::function<WorldView*()> worldView = {};  ///< made if it was not
        std::function<QString()> training = {};      ///< id of the one that is shown, or empty
    };
    explicit ExportDesk(Parts parts);

    /// Shows the form with what the current view has.
    void open();
    /// Shows the form with the episode as a video.
    void openForVideo();
    bool isBusy() const { return m_queue->isBusy(); }

private:
    /// Makes the work of one export. Called in the GUI thread when the person has decided; throws
    /// Error if what was offered is not there any more.
    using Prepare = std::function<ExportWork(const ExportRequest& request)>;
    struct Offer {
        ExportItem item;
        Prepare prepare;
    };

    void show(const QString& item, const QString& format);
    /// @return the id of what the current view shows most prominently
    QString collect();
    QString addCharts(QWidget* view);
    QString addTables(QWidget* view, const QString& viewId);
    void addEpisode();
    void addEpisodeData();
    void addSolution();
    void addGraph();  // export_desk_graph.cpp
    void addMetrics(const QString& id, const QString& title, const QString& stem,
                    const QString& remark, std::vector<std::string> runs);
    /// What a stored run has. False if there is no such run.
    bool addRun(const std::string& id);
    void addCheckpoints(const std::string& run, const QString& name);
    void addCheckpoint(std::int64_t at, const std::string& run, const QString& title);
    void addRuns();
    FilmEpisode episode(bool hasOverlay) const;
    void start(const ExportRequest& request);
    void sayWritten(const QString& target);

    Parts m_parts;
    ExportQueue* m_queue;
    ExportForm* m_form = nullptr;
    std::vector<Offer> m_offers;
};

}  // namespace orrery
