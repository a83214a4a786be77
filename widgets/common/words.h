#pragma once

#include <QString>
#include <QStringList>

namespace orrery {

/// What a person typed to find something, parted at spaces.
QStringList wordsOf(const QString& text);
/// Whether each of the words stands somewhere in the text, in small letters or capitals.
bool hasAll(const QString& text, const QStringList& words);

}  // namespace orrery
