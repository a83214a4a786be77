#include "widgets/part/command_text.h"

#include <QRegularExpression>
#include <algorithm>

#include "core/run/jobs/solve_job.h"
#include "core/run/run_fields.h"
#include "core/run/run_kind.h"
#include "core/run/sweep.h"

namespace orrery {

namespace {

QString optionOf(const RunField& field) {
    QString name = QString::fromStdString(field.name);
    return name.replace(u'_', u'-');
}

/// One argument as a shell reads it back.
QString quoted(const QString& argument) {
    static const QRegularExpression kPlain(QStringLiteral("^[A-Za-z0-9_@%+=:,./~-]+$"));
    if (kPlain.match(argument).hasMatch() && !argument.startsWith(u'~')) return argument;
    QString text = argument;
    return u'\'' + text.replace(u'\'', QLatin1String("'\\''")) + u'\'';
}

/// The options of all fields that differ from their default, but for the left-out ones. Nothing if
/// one of them has no option.
std::optional<QStringList> optionsOf(const RunSpec& spec, const std::vector<std::string>& leftOut) {
    QStringList arguments;
    for (const auto fields : {runFields(), spec.job.kind().fields})
        for (const RunField& field : fields) {
            if (field.name == "world" || field.name == "world_text" ||
                std::ranges::count(leftOut, field.name) > 0)
                continue;
            const FieldValue value = field.get(spec);
            if (value == fieldDefault(field)) continue;
            if (field.type == FieldType::Rules) return std::nullopt;
            const QString name = optionOf(field);
            if (field.type == FieldType::Flag)
                arguments << (std::get<bool>(value) ? QLatin1String("--")
                                                    : QLatin1String("--no-")) +
                                 name;
            else if (!std::holds_alternative<std::monostate>(value))
                arguments << QLatin1String("--") + name << QString::fromStdString(fieldText(value));
        }
    return arguments;
}

/// The same as FIELD=VALUE.
std::optional<QStringList> assignmentsOf(const RunSpec& spec) {
    QStringList arguments;
    for (const auto fields : {runFields(), spec.job.kind().fields})
        for (const RunField& field : fields) {
            const FieldValue value = field.get(spec);
            if (value == fieldDefault(field)) continue;
            if (field.type == FieldType::Rules) return std::nullopt;
            arguments << QString::fromStdString(field.name + "=" + fieldText(value));
        }
    return arguments;
}

QStringList withWorkspace(QStringList arguments, const QString& workspace) {
    if (!workspace.isEmpty()) arguments << QStringLiteral("--workspace") << workspace;
    return arguments;
}

QStringList solveOf(const RunSpec& spec, const std::vector<std::string>& leftOut) {
    const auto* job = spec.job.find<SolveJob>();
    const auto options = optionsOf(spec, leftOut);
    if (job == nullptr || !options) return {};
    return QStringList{QStringLiteral("orrery"), QStringLiteral("solve"),
                       QString::fromStdString(job->world.name)} +
           *options;
}

}  // namespace

QString shellLine(const QStringList& arguments) {
    QStringList parts;
    for (const QString& argument : arguments) parts << quoted(argument);
    return parts.join(u' ');
}

QStringList solveArguments(const RunSpec& spec, const QString& workspace) {
    const QStringList arguments = solveOf(spec, {});
    return arguments.isEmpty() ? arguments : withWorkspace(arguments, workspace);
}

QStringList trainArguments(const RunSpec& spec, const QString& workspace) {
    const RunKind& kind = spec.job.kind();
    const TrainSettings* settings = trainSettings(spec.job);
    const auto fields = kind.isUsual ? optionsOf(spec, {}) : assignmentsOf(spec);
    if (settings == nullptr || !fields || !settings->changes.empty()) return {};
    QStringList arguments{QStringLiteral("orrery"), QStringLiteral("train")};
    if (!kind.isUsual) arguments << QStringLiteral("--method") << QString::fromStdString(kind.name);
    for (const WorldRef& world : kind.worlds(spec.job))
        arguments << QString::fromStdString(world.name);
    return withWorkspace(arguments + *fields, workspace);
}

QStringList sweepArguments(const std::vector<RunSpec>& runs, const QString& workspace) {
    if (runs.empty()) return {};
    std::vector<std::string> leftOut{"name"};
    QStringList axes;
    const std::string& kind = runs.front().job.kind().name;
    for (const std::string& name : sweepFields(kind)) {
        const RunField* field = findField(kind, name);
        if (field == nullptr) continue;
        QStringList values;
        for (const RunSpec& run : runs)
            if (const QString text = QString::fromStdString(fieldText(field->get(run)));
                !values.contains(text))
                values << text;
        if (values.size() < 2) continue;
        leftOut.push_back(name);
        axes << QStringLiteral("--sweep")
             << QString::fromStdString(name) + u'=' + values.join(u',');
    }
    const QStringList arguments = solveOf(runs.front(), leftOut);
    return arguments.isEmpty() ? arguments : withWorkspace(arguments + axes, workspace);
}

QStringList findArguments(const QString& world, const QString& predicate) {
    static const QRegularExpression kValue(QStringLiteral("\\b(V_r|U_r|Q_r|X_h|V_h|V_h_e|pi_r)"));
    if (kValue.match(predicate).hasMatch()) return {};
    return {QStringLiteral("orrery"), QStringLiteral("graph"), QStringLiteral("find"), world,
            predicate};
}

}  // namespace orrery
