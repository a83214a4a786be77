#pragma once

#include <QWidget>
#include <cstdint>
#include <memory>

#include "core/empo/snapshot.h"
#include "widgets/common/names_spots.h"
#include "widgets/world/world_painter.h"

class QAbstractItemModel;
class QComboBox;
class QLabel;

namespace orrery {

class CellModel;
class TrainSession;

/// The world of one actor of a training as it acts, with the goals that the humans pursue and what
/// the actor is doing.
class LiveWorld : public QWidget {
    Q_OBJECT

public:
    explicit LiveWorld(TrainSession* session, QWidget* parent = nullptr);

    /// As drawn last; without cells while there is none.
    const WorldScene& scene() const;
    int actor() const;
    /// The agents of what is drawn: where they are, what they carry, where they go.
    QAbstractItemModel* tableModel();

private:
    class Canvas;
    void refresh();
    void fillTable(const World& world);
    double rateOf(int actor, std::int64_t environmentSteps, double seconds);

    TrainSession* m_session;
    int m_rateActor = -1;          ///< whose rate was taken
    std::int64_t m_rateSteps = 0;  ///< its environment steps then
    double m_rateSeconds = 0, m_rate = 0;
    CollectorNumbers m_shown;  ///< whose state is drawn
    const void* m_shownWorld = nullptr;
    QComboBox* m_actor;
    QLabel* m_facts;
    Canvas* m_canvas;
    QLabel* m_goals;
    CellModel* m_table;
};

}  // namespace orrery
