#include "widgets/help/tour.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "core/base/error.h"
#include "widgets/help/help_manual.h"

namespace orrery {

namespace {

TourStep stepFrom(const QJsonObject& object, const QString& tour) {
    TourStep step{object.value(QLatin1String("target")).toString(),
                  object.value(QLatin1String("perspective")).toString(),
                  object.value(QLatin1String("text")).toString(),
                  object.value(QLatin1String("done")).toString()};
    if (step.text.isEmpty())
        throw Error("Tour '" + tour.toStdString() + "' has a step without \"text\".",
                    Error::Kind::BadInput);
    return step;
}

}  // namespace

std::vector<Tour> toursFromJson(const QByteArray& json) {
    QJsonParseError problem;
    const QJsonDocument document = QJsonDocument::fromJson(json, &problem);
    if (problem.error != QJsonParseError::NoError || !document.isArray())
        throw Error("The tours must be a JSON list: " + problem.errorString().toStdString() + ".",
                    Error::Kind::BadInput);
    std::vector<Tour> tours;
    for (const QJsonValue value : document.array()) {
        const QJsonObject object = value.toObject();
        Tour tour{object.value(QLatin1String("id")).toString(),
                  object.value(QLatin1String("title")).toString(),
                  object.value(QLatin1String("minutes")).toInt(),
                  {}};
        for (const QJsonValue step : object.value(QLatin1String("steps")).toArray())
            tour.steps.push_back(stepFrom(step.toObject(), tour.id));
        if (tour.id.isEmpty() || tour.title.isEmpty() || tour.steps.empty())
            throw Error("Tour '" + tour.id.toStdString() +
                            "' needs \"id\", \"title\" and at least one step.",
                        Error::Kind::BadInput);
        tours.push_back(std::move(tour));
    }
    return tours;
}

std::vector<Tour> builtinTours() {
    loadHelpFiles();
    QFile file(QStringLiteral(":/help/tours.json"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return toursFromJson(file.readAll());
}

}  // namespace orrery
