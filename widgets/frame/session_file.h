#pragma once

#include <QJsonObject>
#include <QString>

namespace orrery {

/// Where the window keeps what it needs to open as it was closed:
/// XDG_STATE_HOME/orrery/session.json.
QString sessionFileName();

/// What the file holds; empty if there is none. A file that cannot be read as a session is set
/// aside as NAME.broken, and `trouble` says so.
QJsonObject readSession(const QString& fileName, QString& trouble);

/// Notes that a session is being brought back, in a file beside it.
/// @return how many starts in a row did not get through that
int beginRestoring(const QString& fileName);
/// It was brought back, or the window was closed.
void endRestoring(const QString& fileName);
/// Renames the file to NAME.broken. The new name.
QString setSessionAside(const QString& fileName);

/// Replaces the file by way of a temporary one. False, with the reason, if it could not be written.
bool writeSession(const QString& fileName, const QJsonObject& session, QString& trouble);

}  // namespace orrery
