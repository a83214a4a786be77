#pragma once

#include <QObject>
#include <QTimer>
#include <filesystem>
#include <memory>

namespace orrery {

class BackgroundWorker;

/// Notices what is written into a workspace, by this process or by another one: looks at the
/// database's files a few times a second, on a thread of its own, and reads the list of runs only
/// where something was written, once a second at most. GUI thread; nothing here waits but the
/// destructor, for one look.
class StoreWatch : public QObject {
    Q_OBJECT

public:
    explicit StoreWatch(QObject* parent = nullptr);
    ~StoreWatch() override;

    /// Tells what is written from now on; whoever lists the runs after this misses nothing.
    /// @param databaseFile  of the workspace
    void start(const std::filesystem::path& databaseFile);

Q_SIGNALS:
    void rowsWritten();  ///< something, as metrics of a run at work
    void listChanged();  ///< a run is new, or its state, name, note, tags or place are others

private:
    struct Eye;
    void look();

    BackgroundWorker* m_worker;
    std::shared_ptr<Eye> m_eye;  ///< used by one job at a time
    QTimer m_timer;
    bool m_isLooking = false;
};

}  // namespace orrery
