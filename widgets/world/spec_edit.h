#pragma once

#include <QPoint>
#include <QRect>
#include <QSize>
#include <string>
#include <vector>

#include "core/world/world_spec.h"

namespace orrery {

/// Changes of a world's spec as an editor makes them. Agents are numbered by their places in the
/// map, so what belongs to an agent (direction, action set, own goals, ...) follows it when things
/// are added, moved or removed. Cells outside the map are left out.

/// An agent as the spec has it.
struct SpecAgent {
    QPoint cell;
    bool isHuman = false, isRobot = false;
    int direction = -1;  ///< 0 E, 1 S, 2 W, 3 N; -1: the family has none
};

QSize sizeOf(const WorldSpec& spec);  ///< cells
/// The cell's code; empty outside the map.
std::string codeAt(const WorldSpec& spec, const QPoint& cell);
/// The code of a cell with nothing in it.
std::string emptyCode(const WorldSpec& spec);
std::vector<SpecAgent> agentsOf(const WorldSpec& spec);  ///< by agent index
int agentAt(const WorldSpec& spec, const QPoint& cell);  ///< -1: none

void setCells(WorldSpec& spec, const std::vector<QPoint>& cells, const std::string& code);
/// The cells that a fill from `start` reaches: connected by sides, of the same code.
std::vector<QPoint> filledFrom(const WorldSpec& spec, const QPoint& start);
std::vector<QPoint> cellsOf(const QRect& cells);
/// What is in `from` goes to `to`, and what was there is gone.
void moveThing(WorldSpec& spec, const QPoint& from, const QPoint& to);
/// Turns an agent by a quarter clockwise; other things as their family says: a magic wall shows its
/// next side. False if nothing in the cell can be turned.
bool turnThing(WorldSpec& spec, const QPoint& cell);

/// The goals of one human, or the shared list of all humans without one of their own.
struct GoalList {
    int agent = -1;  ///< -1: the shared list
    std::vector<Goal> goals;
    std::vector<double> weights;  ///< as goals, also where the spec leaves them out
};
/// The shared list first, then those of single humans.
std::vector<GoalList> goalListsOf(const WorldSpec& spec);
/// Adds a goal to the list of `agent` (-1: the shared one), which is made from the shared list if
/// the human had none. Weights that were given keep their proportions and their sum.
void addGoal(WorldSpec& spec, int agent, const Goal& goal);
void removeGoal(WorldSpec& spec, int agent, std::size_t index);
void setGoalWeight(WorldSpec& spec, int agent, std::size_t index, double weight);

}  // namespace orrery
