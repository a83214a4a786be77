#pragma once

#include <QHash>
#include <QJsonObject>
#include <QString>

#include "widgets/compare/compare_set.h"

namespace orrery {

/// Remembers the palette index of each setting, so that a curve keeps its colour, dashes and marker
/// whatever it is compared with, and lets a person choose another. GUI thread only.
class SettingColors {
public:
    /// Gives each setting of a set the index that it had; one that is new gets the lowest that no
    /// other of the set has. Where two had the same, the one that was chosen by hand keeps it, else
    /// the first.
    void apply(CompareSet& set);
    /// The setting of a row of the sheet has this index from now on.
    void choose(const RunSheet& sheet, int row, int color);

    /// Indices by setting.
    QJsonObject save() const;
    void restore(const QJsonObject& state);

private:
    struct Choice {
        int color = 0;
        bool isByHand = false;
    };
    QHash<QString, Choice> m_choices;
};

}  // namespace orrery
