#include "widgets/common/run_title.h"

namespace orrery {

QString runTitle(const QString& name, const QString& id) {
    if (name.isEmpty() || id.isEmpty()) return name + id;
    return QStringLiteral("%1 · %2").arg(name, id);
}

QString runTitle(const std::string& name, const std::string& id) {
    return runTitle(QString::fromStdString(name), QString::fromStdString(id));
}

QString runName(const std::string& name, const std::string& id) {
    return QString::fromStdString(name.empty() ? id : name);
}

QString shortRunTitle(const QString& name, const QString& id, int most) {
    if (name.size() <= most) return runTitle(name, id);
    const qsizetype end = most / 3;
    const QString first = name.left(most - 1 - end).trimmed();
    return runTitle(first + QStringLiteral("…") + name.right(end).trimmed(), id);
}

}  // namespace orrery
