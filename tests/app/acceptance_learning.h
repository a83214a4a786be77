#pragma once

#include <utility>
#include <vector>

#include "tests/app/acceptance.h"

namespace orrery {

/// What the steps share that train. A live training never lets the window settle, so they wait for
/// what they look for.
class LearningScript : public AcceptanceScript {
protected:
    using AcceptanceScript::AcceptanceScript;

    QJsonObject training() const { return ui.dump().value(u"training").toObject(); }
    bool isLive() const { return training().value(u"live").toBool(); }
    bool isPaused() const { return training().value(u"paused").toBool(); }
    qint64 step() const { return training().value(u"step").toInteger(); }
    QString trainingId() const { return training().value(u"id").toString(); }
    QString workspace() const { return ui.path(QStringLiteral("data/orrery/default.orrery")); }

    /// A line of a chart as the dump tells it: points, first, tail, smooth, widestGap.
    QJsonObject line(const char* chart, const QString& key) const {
        for (const QJsonValue line : ui.facts(QLatin1String(chart)).value(u"lines").toArray())
            if (line.toObject().value(u"key").toString() == key) return line.toObject();
        return {};
    }
    static qint64 pointsOf(const QJsonObject& line) { return line.value(u"points").toInteger(); }
    static double lastX(const QJsonObject& line) {
        return line.value(u"tail").toArray().last().toArray()[0].toDouble();
    }
    static double lastY(const QJsonObject& line) {
        return line.value(u"tail").toArray().last().toArray()[1].toDouble();
    }
    /// Texts of the marks of a kind on a chart.
    QStringList marks(const char* chart, const char* kind) const {
        QStringList texts;
        for (const QJsonValue event : ui.facts(QLatin1String(chart)).value(u"events").toArray())
            if (event.toObject().value(u"kind").toString() == QLatin1String(kind))
                texts << event.toObject().value(u"text").toString();
        return texts;
    }

    /// Turns the wheel over what scrolls until a part is in sight within it.
    bool scrollTo(const QString& area, const QString& name) {
        constexpr int kTurns = 40;
        const QRect place = ui.placeOf(ui.part(area));
        for (int turn = 0; turn < 2 * kTurns; ++turn) {
            ui.look();
            if (ui.has(name) && place.contains(ui.placeOf(ui.part(name)))) return true;
            ui.wheel({place.right() - 5, place.center().y()}, turn < kTurns ? -2 : 2);
        }
        return false;
    }

    /// Clicks the box of a check box, which may be wider than its text.
    bool check(const QString& name) {
        if (!ui.has(name)) return false;
        const QRect place = ui.placeOf(ui.part(name));
        ui.click(QPoint(place.left() + place.height() / 2, place.center().y()));
        return ui.waitUntil([&] { return ui.part(name).value(u"checked").toBool(); });
    }

    static constexpr int kBriefSteps = 2000;
    static constexpr bool kHasLearners =
#ifdef ORRERY_HAS_LEARNERS
        true;
#else
        false;
#endif

    /// A training of kBriefSteps is shown in Train, and has ended.
    bool hasTrainedBriefly() const {
        return !ui.has(QStringLiteral("trainForm")) && training().value(u"shown").toBool() &&
               !isLive() && step() == kBriefSteps;
    }
    /// Views of Train by title, and what has rows or spots in them once they have their content.
    static std::vector<std::pair<QString, QString>> trainViews() {
        return {{QStringLiteral("Training"), QStringLiteral("chart_train/loss")},
                {QStringLiteral("Replay buffer"), QStringLiteral("replayTable")},
                {QStringLiteral("Exact against learned"), QStringLiteral("worstStates")},
                {QStringLiteral("Profile"), QStringLiteral("profileCanvas")},
                {QStringLiteral("Tensors"), QStringLiteral("planeGrid")}};
    }
    bool showTrainView(const QString& title, const QString& part) {
        const auto isFull = [&] {
            return ui.part(part).value(u"rows").toInt() > 0 || !ui.spots(part).empty();
        };
        // The buffer of a training that has ended is read only when somebody asks for it.
        const auto asks = [&] {
            return ui.part(QStringLiteral("replayShow")).value(u"focus").toBool();
        };
        if (!ui.runCommand(QStringLiteral("Show ") + title)) return false;
        if (!ui.waitUntil([&] { return isFull() || asks(); })) return false;
        if (!isFull()) ui.key(QStringLiteral("space"));
        return ui.waitUntil(isFull) && ui.settle();
    }

    /// Opens the form of a training of the open world and turns it to tables.
    bool openForm() {
        ui.key(QStringLiteral("ctrl+t"));
        if (!ui.waitUntil([&] { return ui.has(QStringLiteral("trainForm")); })) return false;
        const QString tables = QStringLiteral("tables, one row a state");
        return ui.text(QStringLiteral("trainKind")) == tables ||
               ui.chooseInBox(QStringLiteral("trainKind"), tables);
    }
    bool fillField(const QString& field, const QString& value) {
        const QString part = QStringLiteral("train_") + field;
        return scrollTo(QStringLiteral("trainArea"), part) && ui.fill(part, value);
    }
    bool startForm() {
        if (!ui.click(QStringLiteral("trainStart"))) return false;
        return ui.waitUntil([&] { return isLive() && !ui.has(QStringLiteral("trainForm")); });
    }
};

}  // namespace orrery
