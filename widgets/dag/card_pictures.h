#pragma once

#include <QCache>
#include <QImage>
#include <QObject>
#include <QSize>
#include <memory>
#include <vector>

#include "core/dag/state_graph.h"
#include "widgets/world/world_painter.h"

class QPainter;

namespace orrery {

class BackgroundWorker;
struct Tokens;

/// Small pictures of configurations, drawn by a worker when they are first asked for and kept for a
/// while. GUI thread only.
class CardPictures : public QObject {
    Q_OBJECT

public:
    explicit CardPictures(const QSize& size, QObject* parent = nullptr);
    ~CardPictures() override;

    /// Pictures of another graph, scale or theme: forgets all.
    /// @param scenes  by configuration, also asked by the worker; empty: there are no pictures
    void restart(SceneSource scenes, double pixelRatio);
    /// The picture, or null if it is not drawn yet; the worker will do it.
    const QImage* picture(ConfigIndex config);
    /// A picture of any size, drawn at once: for tips.
    QImage drawn(ConfigIndex config, const QSize& size) const;
    /// Draws one into a rectangle as vectors: for paper.
    void paint(QPainter& painter, ConfigIndex config, const QRectF& box,
               const Tokens& tokens) const;
    /// Where a cell of the world is in a picture; null: it is cut off.
    QRectF cellRect(const QPoint& cell) const;
    QSize size() const { return m_size; }
    bool isWorking() const { return m_isWorking; }

Q_SIGNALS:
    void ready();

private:
    void work();

    QSize m_size;
    double m_pixelRatio = 1;
    SceneSource m_scenes;
    WorldScene m_first;  ///< of the first configuration: all are of one size
    BackgroundWorker* m_worker;
    QCache<ConfigIndex, QImage> m_pictures{1500};
    std::vector<ConfigIndex> m_wanted;
    bool m_isWorking = false;
};

}  // namespace orrery
