#pragma once

#include <QCache>
#include <QImage>
#include <QObject>
#include <QSize>
#include <cstdint>
#include <memory>
#include <vector>

#include "widgets/replay/replay_source.h"

namespace orrery {

class BackgroundWorker;

/// Small pictures of the states of a replay buffer, drawn by a worker when they are first asked for
/// and kept for a while. GUI thread only.
class StateThumbs : public QObject {
    Q_OBJECT

public:
    explicit StateThumbs(const QSize& size, QObject* parent = nullptr);
    ~StateThumbs() override;

    /// Pictures of another buffer, scale or theme: forgets all.
    void restart(std::shared_ptr<const ReplaySource> source, double pixelRatio);
    /// The picture of a state of a world, or null if it is not drawn yet; the worker will do it.
    const QImage* picture(StateStore::Index state, std::uint16_t layout);
    QSize size() const { return m_size; }
    bool isWorking() const { return m_isWorking; }

Q_SIGNALS:
    void ready();

private:
    using Key = std::uint64_t;  ///< state and layout
    void work();

    QSize m_size;
    double m_pixelRatio = 1;
    std::shared_ptr<const ReplaySource> m_source;
    BackgroundWorker* m_worker;
    QCache<Key, QImage> m_pictures{2000};
    std::vector<Key> m_wanted;
    bool m_isWorking = false;
};

}  // namespace orrery
