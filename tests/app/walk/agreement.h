#pragma once

#include <QJsonObject>
#include <QStringList>

namespace orrery {

class UiDriver;

/// What the title, the breadcrumb, the status line, the inspector and the views say of run, world
/// and state where they should say the same; a sentence for each that does not. Nothing while the
/// window is not settled.
QStringList disagreements(const UiDriver& ui);

/// What frozen views hold and which state is pinned, from dump to dump.
class FrozenViews {
public:
    /// A sentence for each view that is frozen still and shows something else than in the last
    /// dump, and where another state is pinned.
    /// @param action  that came between; some let go and freeze anew
    QStringList see(const UiDriver& ui, const QJsonObject& action);
    /// The same after a start that brought the session back.
    QStringList seeRestored(const UiDriver& ui) const;

private:
    QJsonObject m_held;  ///< text by view or world
};

}  // namespace orrery
