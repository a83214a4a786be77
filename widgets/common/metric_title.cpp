#include "widgets/common/metric_title.h"

#include <QHash>
#include <QObject>
#include <array>

namespace orrery {

namespace {

/// Keys "PREFIX + quantity + SUFFIX" of trainings.
struct Family {
    const char* prefix;
    const char* suffix;
    const char* title;
    const char* unit;
};

constexpr std::array kFamilies = {
    Family{"Exact/worst_", "", QT_TRANSLATE_NOOP("QObject", "Error to exact of %1"),
           QT_TRANSLATE_NOOP("QObject", "of the worst 1 %")},
    Family{"Exact/", "", QT_TRANSLATE_NOOP("QObject", "Error to exact of %1"),
           QT_TRANSLATE_NOOP("QObject", "mean |learned − exact|")},
    Family{"Loss/", "", QT_TRANSLATE_NOOP("QObject", "Loss of %1"), ""},
    Family{"GradNorm/", "", QT_TRANSLATE_NOOP("QObject", "Gradient norm of %1"), ""},
    Family{"ParamNorm/", "", QT_TRANSLATE_NOOP("QObject", "Parameter norm of %1"), ""},
    Family{"Predictions/", "_mean", QT_TRANSLATE_NOOP("QObject", "%1, predicted"),
           QT_TRANSLATE_NOOP("QObject", "mean of a batch")},
    Family{"Predictions/", "_std", QT_TRANSLATE_NOOP("QObject", "%1, predicted"),
           QT_TRANSLATE_NOOP("QObject", "sd of a batch")},
    Family{"Targets/", "_mean", QT_TRANSLATE_NOOP("QObject", "%1, target"),
           QT_TRANSLATE_NOOP("QObject", "mean of a batch")},
    Family{"Targets/", "_std", QT_TRANSLATE_NOOP("QObject", "%1, target"),
           QT_TRANSLATE_NOOP("QObject", "sd of a batch")},
    Family{"LearningRate/", "", QT_TRANSLATE_NOOP("QObject", "Learning rate of %1"), ""},
    Family{"LookupTable/", "_size", QT_TRANSLATE_NOOP("QObject", "Table of %1"),
           QT_TRANSLATE_NOOP("QObject", "entries")},
};

/// "Q_r" for "q_r"; empty if it is no quantity.
QString quantitySymbol(const QString& name) {
    static const QHash<QString, QString> kSymbols = {
        {QStringLiteral("v_h_e"), QStringLiteral("V_h^e")},
        {QStringLiteral("x_h"), QStringLiteral("X_h")},
        {QStringLiteral("u_r"), QStringLiteral("U_r")},
        {QStringLiteral("q_r"), QStringLiteral("Q_r")},
        {QStringLiteral("v_r"), QStringLiteral("V_r")},
        {QStringLiteral("q_h"), QStringLiteral("Q_h")},
        {QStringLiteral("pi_r"), QStringLiteral("pi_r")},
        {QStringLiteral("pi_h"), QStringLiteral("pi_h")},
    };
    return kSymbols.value(name);
}

}  // namespace

MetricTitle titleOf(const QString& key) {
    static const QHash<QString, MetricTitle> kTitles = {
        {QStringLiteral("outcome/return"),
         {QObject::tr("Return"), QObject::tr("mean of an episode")}},
        {QStringLiteral("outcome/length"),
         {QObject::tr("Length"), QObject::tr("steps of an episode")}},
        {QStringLiteral("outcome/success"),
         {QObject::tr("Success"), QObject::tr("share of episodes")}},
        {QStringLiteral("solve/v_r_mean"), {QStringLiteral("V_r"), QObject::tr("mean of a level")}},
        {QStringLiteral("solve/v_r_min"), {QStringLiteral("V_r"), QObject::tr("least of a level")}},
        {QStringLiteral("solve/v_r_max"), {QStringLiteral("V_r"), QObject::tr("most of a level")}},
        {QStringLiteral("solve/seconds"), {QObject::tr("Time"), QObject::tr("s, each level")}},
        {QStringLiteral("solve/states"), {QObject::tr("States"), QObject::tr("each level")}},
        {QStringLiteral("explore/states"),
         {QObject::tr("States found"), QObject::tr("each level")}},
        {QStringLiteral("explore/configs"),
         {QObject::tr("Configurations"), QObject::tr("in all, each once")}},
        {QStringLiteral("explore/entries"), {QObject::tr("Outcomes"), QObject::tr("stored")}},
        {QStringLiteral("explore/bytes"), {QObject::tr("Size of the graph"), QObject::tr("bytes")}},
        {QStringLiteral("explore/seconds"),
         {QObject::tr("Time of exploring"), QObject::tr("s, in all")}},
        {QStringLiteral("solve/total_seconds"),
         {QObject::tr("Time of solving"), QObject::tr("s, in all")}},
        {QStringLiteral("solve/phase1_seconds"),
         {QObject::tr("Time of phase 1"), QObject::tr("s, in all")}},
        {QStringLiteral("solve/phase2_seconds"),
         {QObject::tr("Time of phase 2"), QObject::tr("s, in all")}},
        {QStringLiteral("solve/products"),
         {QObject::tr("Products"), QObject::tr("outcomes by humans and goals")}},
        {QStringLiteral("rollout/attained"),
         {QObject::tr("Goals attained"), QObject::tr("share of humans, each episode")}},
        {QStringLiteral("rollout/steps"),
         {QObject::tr("Steps to the goal"), QObject::tr("mean of the humans, each episode")}},
        {QStringLiteral("Exploration/epsilon_r"),
         {QObject::tr("Exploration, epsilon_r"), QObject::tr("share of actions")}},
        {QStringLiteral("Exploration/epsilon_h"),
         {QObject::tr("Exploration, epsilon_h"), QObject::tr("share of actions")}},
        {QStringLiteral("Exact/unvisited"),
         {QObject::tr("States never visited"), QObject::tr("of the exact solution's")}},
        {QStringLiteral("Exploration/unique_states_seen"), {QObject::tr("States seen"), {}}},
        {QStringLiteral("Warmup/effective_beta_r"), {QObject::tr("Effective beta_r"), {}}},
        {QStringLiteral("Rates/training_steps_per_second"),
         {QObject::tr("Training steps"), QObject::tr("per second")}},
        {QStringLiteral("Rates/environment_steps_per_second"),
         {QObject::tr("Environment steps"), QObject::tr("per second")}},
    };
    if (const auto known = kTitles.constFind(key); known != kTitles.constEnd()) return *known;
    for (const Family& family : kFamilies) {
        const QString prefix = QLatin1String(family.prefix), suffix = QLatin1String(family.suffix);
        if (!key.startsWith(prefix) || !key.endsWith(suffix)) continue;
        const QString symbol =
            quantitySymbol(key.mid(prefix.size(), key.size() - prefix.size() - suffix.size()));
        if (!symbol.isEmpty())
            return {QObject::tr(family.title).arg(symbol), QObject::tr(family.unit)};
    }
    return {key, {}};
}

}  // namespace orrery
