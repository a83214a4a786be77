#pragma once

#include <QString>
#include <string>

namespace orrery {

/// A run as people read it wherever it is named: "Two rooms · beta_r 5 · r00012"; its id alone
/// where it has no name, its name alone where it is not stored.
QString runTitle(const QString& name, const QString& id);
QString runTitle(const std::string& name, const std::string& id);

/// The same where the id stands beside it, as in a list: its name, or else its id.
QString runName(const std::string& name, const std::string& id);

/// The same where there is little room: of a long name its beginning and its end, which tells it
/// from others: "Two rooms · lear… · seed 3 · r00012".
/// @param most  letters of the name that stay; at least 8
QString shortRunTitle(const QString& name, const QString& id, int most = 28);

}  // namespace orrery
