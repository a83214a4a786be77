#pragma once

#include <QJsonObject>

#include "widgets/part/window_part.h"

namespace orrery {

class EpisodeValues;
class HitModel;
class LevelBands;
class PathList;
class PathSampler;
class PredicateBar;
class ScopePart;
class StateView;
class WorldPart;

/// The state graph of the open world, once it is solved: its levels, what is around a state, paths,
/// walks and simulations, and what is asked of it.
class GraphPart : public WindowPart {
    Q_OBJECT

public:
    GraphPart(Workbench& bench, ScopePart* scopes, WorldPart* world);

    void addViews() override;
    void bindCommands() override;
    void refreshCommands() override;
    void saveSession(QJsonObject& session) const override;
    void restoreSession(const QJsonObject& session, bool hasOtherWorld) override;
    bool isSettled() const override;
    bool isSearching() const override;

    /// Asks for the states that fit a predicate.
    void ask(const QString& predicate);
    /// Gives the views what the last session kept of them, as far as they are made and their values
    /// are there.
    void restoreViews();

private:
    // graph_part_views.cpp
    void addGraphViews();
    void addStateViews();
    QWidget* makeStateGraph(ViewScope& scope, int number, QWidget* parent);
    QWidget* makeStates(ViewScope& scope, int number, QWidget* parent);
    QWidget* makePaths(ViewScope& scope, int number, QWidget* parent);
    // graph_part.cpp
    void showInPlan(const QString& view);
    void showHits();
    void findStatesHere();
    void noteSearch();
    QJsonObject viewsState() const;

    ScopePart* m_scopes;
    WorldPart* m_world;
    HitModel* m_hits;
    // Of the first view of each kind, once it is made.
    PredicateBar* m_search = nullptr;
    LevelBands* m_bands = nullptr;
    StateView* m_states = nullptr;
    PathList* m_paths = nullptr;
    EpisodeValues* m_episode = nullptr;
    PathSampler* m_sampler = nullptr;
    QJsonObject m_keptViews;  ///< of the last session, until the views are there
};

}  // namespace orrery
