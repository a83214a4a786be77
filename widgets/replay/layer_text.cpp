#include "widgets/replay/layer_text.h"

#include <QObject>
#include <algorithm>
#include <array>
#include <utility>

#include "widgets/common/number_text.h"

namespace orrery {

namespace {

constexpr std::array<std::pair<const char*, const char*>, 16> kLayers = {{
    {"state_encoder.conv1", QT_TRANSLATE_NOOP("Layer", "convolution 1, after its maximum")},
    {"state_encoder.conv2", QT_TRANSLATE_NOOP("Layer", "convolution 2")},
    {"state_encoder.grid", QT_TRANSLATE_NOOP("Layer", "grid and globals")},
    {"state_encoder.agents.0", QT_TRANSLATE_NOOP("Layer", "agents 1")},
    {"state_encoder.agents.1", QT_TRANSLATE_NOOP("Layer", "agents 2")},
    {"state_encoder.interactive", QT_TRANSLATE_NOOP("Layer", "interactive things")},
    {"state_encoder.joined", QT_TRANSLATE_NOOP("Layer", "joined")},
    {"goal_encoder.linear", QT_TRANSLATE_NOOP("Layer", "goal")},
    {"agent_encoder.embedding", QT_TRANSLATE_NOOP("Layer", "human: who")},
    {"agent_encoder.conv1", QT_TRANSLATE_NOOP("Layer", "human: where, convolution 1")},
    {"agent_encoder.conv2", QT_TRANSLATE_NOOP("Layer", "human: where, convolution 2")},
    {"agent_encoder.position", QT_TRANSLATE_NOOP("Layer", "human: where")},
    {"agent_encoder.numbers", QT_TRANSLATE_NOOP("Layer", "human: what")},
    {"head.0", QT_TRANSLATE_NOOP("Layer", "hidden 1")},
    {"head.1", QT_TRANSLATE_NOOP("Layer", "hidden 2")},
    {"head.2", QT_TRANSLATE_NOOP("Layer", "output")},
}};

QString symbolOfName(const QString& name) {
    if (name == QLatin1String("v_h_e")) return QStringLiteral("V_h^e");
    QString symbol = name;
    symbol[0] = symbol[0].toUpper();
    return symbol;
}

}  // namespace

QString layerTitle(const LayerNumbers& layer) {
    const QString name = QString::fromStdString(layer.name);
    const QString quantity = name.section(u'.', 0, 0);
    QString rest = name.section(u'.', 1);
    const bool isOwn = rest.startsWith(QLatin1String("own_"));
    if (isOwn) rest.remove(0, 4);
    const bool isHead = rest.startsWith(QLatin1String("head."));
    QString what = rest;
    for (const auto& [key, text] : kLayers)
        if (rest == QLatin1String(key)) what = QObject::tr(text);
    const QString whose = isHead  ? symbolOfName(quantity)
                          : isOwn ? QObject::tr("own encoder of %1").arg(symbolOfName(quantity))
                                  : QObject::tr("shared encoder");
    return whose + QStringLiteral(" · ") + what;
}

QString layerShapeText(const LayerNumbers& layer) {
    if (layer.shape.size() == 3)
        return QObject::tr("%1 maps of %2 × %3")
            .arg(layer.shape[0])
            .arg(layer.shape[2])
            .arg(layer.shape[1]);
    return layer.values.size() == 1 ? QObject::tr("1 unit")
                                    : QObject::tr("%1 units").arg(layer.values.size());
}

std::size_t unitSize(const LayerNumbers& layer) {
    return layer.shape.size() == 3
               ? static_cast<std::size_t>(layer.shape[1]) * static_cast<std::size_t>(layer.shape[2])
               : 1;
}

LayerCounts countsOf(const LayerNumbers& layer) {
    LayerCounts counts;
    if (layer.values.empty()) return counts;
    const std::size_t size = unitSize(layer);
    counts.units = static_cast<int>(layer.values.size() / size);
    double sum = 0;
    for (const float value : layer.values) sum += static_cast<double>(value);
    counts.mean = static_cast<float>(sum / static_cast<double>(layer.values.size()));
    const auto [least, greatest] = std::ranges::minmax(layer.values);
    counts.least = least;
    counts.greatest = greatest;
    if (!layer.isRectified) return counts;
    for (std::size_t first = 0; first < layer.values.size(); first += size) {
        bool isActive = false, isEver = false;
        for (std::size_t i = first; i < first + size; ++i) {
            isActive = isActive || layer.values[i] != 0;
            isEver = isEver || layer.active[i] > 0;
        }
        counts.inactive += isActive ? 0 : 1;
        counts.dead += isEver ? 0 : 1;
    }
    return counts;
}

QStringList layerHeadings() {
    return {QObject::tr("layer"), QObject::tr("numbers"),  QObject::tr("least"),
            QObject::tr("mean"),  QObject::tr("greatest"), QObject::tr("inactive"),
            QObject::tr("dead")};
}

std::vector<QStringList> layerRows(const NetActivations& net) {
    std::vector<QStringList> rows;
    for (const LayerNumbers& layer : net.layers) {
        const LayerCounts counts = countsOf(layer);
        const auto number = [](float value) { return valueText(static_cast<double>(value), 4); };
        const auto count = [&](int units) {
            return layer.isRectified ? QString::number(units) : QStringLiteral("–");
        };
        rows.push_back({layerTitle(layer), layerShapeText(layer), number(counts.least),
                        number(counts.mean), number(counts.greatest), count(counts.inactive),
                        count(counts.dead)});
    }
    return rows;
}

}  // namespace orrery
