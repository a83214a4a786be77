#pragma once

#include <QPixmap>
#include <QWidget>
#include <memory>
#include <vector>

#include "core/dag/state_graph.h"
#include "widgets/common/painted_view.h"
#include "widgets/common/selection.h"
#include "widgets/world/world_painter.h"

class QPainter;

namespace orrery {

class BackgroundWorker;
class PlanSession;

/// The walk through the states as a row of small pictures with who did what; a click goes to one.
/// After the newest moment stand, faded, the states that follow it most probably under the
/// policies. The current moment is always in view.
class EpisodeStrip : public PaintedWidget {
    Q_OBJECT

public:
    /// @param scene  what a state of the session's world looks like
    EpisodeStrip(PlanSession* session, StateScene scene, QWidget* parent = nullptr);
    ~EpisodeStrip() override;

    /// The rectangle of a moment's picture; null if it is out of view.
    QRectF momentRect(std::size_t index) const;
    /// Pictures of moments that were not played.
    std::size_t numPreviews() const;
    bool isWorking() const;
    QSize sizeHint() const override { return QSize(400, 92); }

    std::vector<NamedSpot> namedSpots() const override;
    QJsonObject spotFacts() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Thumbnail {
        StateItem state;
        QPixmap picture;
    };
    struct Preview {
        State from;
        std::vector<State> states;
        std::vector<QPixmap> pictures;  ///< as states, drawn when they are first seen
    };
    std::size_t firstShown() const;
    std::size_t numFitting() const;
    const QPixmap& pictureOf(std::size_t index);
    QPixmap drawn(std::span<const std::uint64_t> words) const;
    void refreshPreview();
    void paintMoment(QPainter& painter, std::size_t index);
    void paintPreview(QPainter& painter, std::size_t index);

    PlanSession* m_session;
    StateScene m_scene;
    BackgroundWorker* m_worker;
    std::vector<Thumbnail> m_thumbnails;  ///< drawn so far, by moment
    Preview m_preview;
};

}  // namespace orrery
