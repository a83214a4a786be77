#pragma once

#include <QWidget>
#include <cstdint>

#include "core/env/picture.h"

class QAbstractItemModel;
class QComboBox;
class QLabel;

namespace orrery {

class CellModel;
class TrainSession;

/// What one actor of a training sees as it acts, and what it is doing.
class LiveWorld : public QWidget {
    Q_OBJECT

public:
    explicit LiveWorld(TrainSession* session, QWidget* parent = nullptr);

    /// As drawn last; nothing while nobody acts.
    const Picture& picture() const;
    int actor() const;
    /// What is in the picture.
    QAbstractItemModel* tableModel();

private:
    class Canvas;
    void refresh();
    void clear();
    void show(int actor, std::int64_t environmentSteps);
    double rateOf(int actor, std::int64_t environmentSteps, double seconds);

    TrainSession* m_session;
    int m_rateActor = -1;          ///< whose rate was taken
    std::int64_t m_rateSteps = 0;  ///< its environment steps then
    double m_rateSeconds = 0, m_rate = 0;
    int m_shownActor = -1;           ///< whose state is drawn
    std::int64_t m_shownSteps = -1;  ///< its environment steps then
    QComboBox* m_actor;
    QLabel* m_facts;
    Canvas* m_canvas;
    QLabel* m_goals;
    CellModel* m_table;
};

}  // namespace orrery
