#pragma once

#include <QString>
#include <QStringList>

namespace orrery {

/// Starts a program that goes on by itself, in a session of its own and without in- and output.
/// Unlike QProcess it copies nothing of this process, which takes long where that holds a large
/// graph.
/// @param program    a name that is looked for in PATH, or a path
/// @return whether there is such a program; how it ends is not known
bool startApart(const QString& program, const QStringList& arguments);

}  // namespace orrery
