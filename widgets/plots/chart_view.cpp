#include "widgets/plots/chart_view.h"

#include <QJsonArray>
#include <array>
#include <cmath>

namespace orrery {

namespace {

constexpr std::array kBandNames = {"none", "deviation", "quartiles", "interval"};

QJsonObject axisJson(const AxisView& axis) {
    return {{QStringLiteral("scale"), nameOf(axis.scale.kind)},
            {QStringLiteral("threshold"), axis.scale.threshold},
            {QStringLiteral("fitted"), axis.isFitted},
            {QStringLiteral("low"), axis.low},
            {QStringLiteral("high"), axis.high}};
}

AxisView axisOf(const QJsonObject& json) {
    AxisView axis;
    axis.scale.kind =
        scaleKindOf(json.value(QStringLiteral("scale")).toString()).value_or(ScaleKind::Linear);
    const double threshold = json.value(QStringLiteral("threshold")).toDouble(1);
    if (threshold > 0 && std::isfinite(threshold)) axis.scale.threshold = threshold;
    const double low = json.value(QStringLiteral("low")).toDouble();
    const double high = json.value(QStringLiteral("high")).toDouble();
    const bool isSound = axis.scale.place(low) < axis.scale.place(high);
    axis.isFitted = json.value(QStringLiteral("fitted")).toBool(true) || !isSound;
    if (isSound) {
        axis.low = low;
        axis.high = high;
    }
    return axis;
}

QJsonArray namesJson(const QSet<QString>& names) {
    QStringList sorted(names.begin(), names.end());
    sorted.sort();
    return QJsonArray::fromStringList(sorted);
}

QSet<QString> namesOf(const QJsonArray& json) {
    QSet<QString> names;
    for (const auto& name : json) names.insert(name.toString());
    return names;
}

std::optional<double> numberOf(const QJsonValue& json) {
    return json.isDouble() ? std::optional(json.toDouble()) : std::nullopt;
}

}  // namespace

QString nameOf(BandKind kind) {
    return QLatin1String(kBandNames[static_cast<std::size_t>(kind)]);
}

std::optional<BandKind> bandKindOf(const QString& name) {
    for (std::size_t i = 0; i < kBandNames.size(); ++i)
        if (name == QLatin1String(kBandNames[i])) return static_cast<BandKind>(i);
    return std::nullopt;
}

QString textOf(BandKind kind) {
    switch (kind) {
        case BandKind::None:
            return QStringLiteral("every run by itself");
        case BandKind::Deviation:
            return QStringLiteral("mean ± 1 sd over seeds");
        case BandKind::Quartiles:
            return QStringLiteral("median and quartiles over seeds");
        case BandKind::Interval:
            return QStringLiteral("mean and 95 % bootstrap interval over seeds");
    }
    return {};
}

QString shortTextOf(BandKind kind) {
    switch (kind) {
        case BandKind::None:
            break;
        case BandKind::Deviation:
            return QStringLiteral("mean, sd");
        case BandKind::Quartiles:
            return QStringLiteral("median, quartiles");
        case BandKind::Interval:
            return QStringLiteral("mean, 95 % interval");
    }
    return {};
}

QJsonObject ChartView::toJson() const {
    QJsonObject json{{QStringLiteral("x"), axisJson(x)},
                     {QStringLiteral("y"), axisJson(y)},
                     {QStringLiteral("smoothing"), nameOf(smoothing.kind)},
                     {QStringLiteral("window"), smoothing.window},
                     {QStringLiteral("bands"), nameOf(bands)},
                     {QStringLiteral("members"), showsMembers},
                     {QStringLiteral("hiddenSeries"), namesJson(hiddenSeries)},
                     {QStringLiteral("hiddenEvents"), namesJson(hiddenEvents)},
                     {QStringLiteral("table"), isTable}};
    if (cursorA) json.insert(QStringLiteral("cursorA"), *cursorA);
    if (cursorB) json.insert(QStringLiteral("cursorB"), *cursorB);
    return json;
}

ChartView ChartView::fromJson(const QJsonObject& json) {
    ChartView view;
    view.x = axisOf(json.value(QStringLiteral("x")).toObject());
    view.y = axisOf(json.value(QStringLiteral("y")).toObject());
    view.smoothing.kind = smoothingKindOf(json.value(QStringLiteral("smoothing")).toString())
                              .value_or(SmoothingKind::None);
    const double window = json.value(QStringLiteral("window")).toDouble();
    if (window > 0 && std::isfinite(window)) view.smoothing.window = window;
    view.bands =
        bandKindOf(json.value(QStringLiteral("bands")).toString()).value_or(BandKind::Deviation);
    view.showsMembers = json.value(QStringLiteral("members")).toBool();
    view.hiddenSeries = namesOf(json.value(QStringLiteral("hiddenSeries")).toArray());
    view.hiddenEvents = namesOf(json.value(QStringLiteral("hiddenEvents")).toArray());
    view.isTable = json.value(QStringLiteral("table")).toBool();
    view.cursorA = numberOf(json.value(QStringLiteral("cursorA")));
    view.cursorB = numberOf(json.value(QStringLiteral("cursorB")));
    return view;
}

}  // namespace orrery
