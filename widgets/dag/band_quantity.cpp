#include "widgets/dag/band_quantity.h"

#include "core/world/goal.h"
#include "widgets/common/number_text.h"

namespace orrery {

std::vector<BandQuantity> bandQuantities(const Solution* solution) {
    std::vector<BandQuantity> list;
    if (solution && !solution->spec().phase1Only)
        for (const ValueKind kind : kBandKinds)
            for (const ValueOf& each : valuesOfKind(solution->world(), kind))
                list.emplace_back(each);
    list.emplace_back();
    return list;
}

QString symbolOf(const BandQuantity& quantity) {
    return quantity ? QLatin1String(factsOf(quantity->kind).symbol) : QLatin1String();
}

QString nameOf(const BandQuantity& quantity, const World& world,
               const std::vector<QString>& letters) {
    if (!quantity) return QStringLiteral("Number of states");
    QString text = plainSymbol(symbolOf(quantity));
    if (quantity->human < 0) return text;
    const HumanGoals& human = world.goals()[static_cast<std::size_t>(quantity->human)];
    text += QStringLiteral(" of %1").arg(letters[static_cast<std::size_t>(human.agent)]);
    if (quantity->goal >= 0)
        text += QStringLiteral(", goal %1")
                    .arg(QString::fromStdString(
                        goalText(human.goals[static_cast<std::size_t>(quantity->goal)])));
    return text;
}

}  // namespace orrery
