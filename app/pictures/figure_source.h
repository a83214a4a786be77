#pragma once

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <filesystem>
#include <stop_token>

namespace orrery {

class CompareView;
class PlanSession;
class Selection;

/// The part Figure::source of what a session shows: its world or run, its state and the walk to it,
/// the joint action and what is selected. Paths are relative to `folder`, where the figure file
/// will stand; the default workspace is not named.
QJsonObject figureSource(const PlanSession& session, const std::filesystem::path& workspace,
                         const QString& folder);

/// The part of it that names the workspace; empty for the default one.
QJsonObject workspaceSource(const std::filesystem::path& workspace, const QString& folder);

/// The same for the views of compared runs: which runs, metrics and current run there are. They
/// need no world.
QJsonObject runsFigureSource(CompareView& view, const Selection& selection,
                             const std::filesystem::path& workspace, const QString& folder);

/// The same for runs of a sweep.
QJsonObject runsFigureSource(const QStringList& runIds, const std::filesystem::path& workspace,
                             const QString& folder);

/// The workspace folder that a source names, else the default one.
std::filesystem::path figureWorkspace(const QJsonObject& source, const QString& folder);

/// Opens the world or run of a source in a fresh session and brings state and selection back.
/// Waits for what is read or solved.
/// @param workspace  of the run
/// @return false if stopped
/// @throws Error if the world or run is not there, or has no such state
bool openFigureSource(PlanSession& session, const QJsonObject& source,
                      const std::filesystem::path& workspace, const QString& folder,
                      std::stop_token stop);

}  // namespace orrery
