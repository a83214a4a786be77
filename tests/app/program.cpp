#include "tests/app/program.h"

#include <QFile>
#include <QProcessEnvironment>
#include <nlohmann/json.hpp>

#include "tests/support/places.h"

namespace orrery {

namespace {

QString shippedProgram() {
    return QString::fromStdString(builtPath("bin/orrery"));
}

}  // namespace

nlohmann::json jsonOf(const QByteArray& text) {
    return nlohmann::json::parse(text.begin(), text.end());
}

nlohmann::json Ended::json() const {
    return jsonOf(out);
}

QString Ended::jsonText(const char* pointer) const {
    return QString::fromStdString(
        json().value(nlohmann::json::json_pointer(pointer), std::string()));
}

Program::Program() {
    Q_ASSERT(m_folder.isValid());
}

void Program::prepare(QProcess& process) const {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("HOME", m_folder.path());
    environment.insert("XDG_DATA_HOME", m_folder.filePath("data"));
    environment.insert("XDG_RUNTIME_DIR", m_folder.path());
    environment.insert("ORRERY_DATA", sourcePath("resources").c_str());
    environment.remove("XDG_CONFIG_HOME");
    environment.remove("NO_COLOR");
    environment.remove("ORRERY_FAULT");
    process.setProcessEnvironment(environment);
    process.setProgram(qEnvironmentVariable("ORRERY_TESTED_PROGRAM", shippedProgram()));
}

Ended Program::run(const QStringList& arguments, int seconds) const {
    QProcess process;
    prepare(process);
    process.setArguments(arguments);
    process.start(QIODevice::ReadOnly);
    if (!process.waitForFinished(seconds * 1000)) {
        process.kill();
        process.waitForFinished();
        return {-1, process.readAllStandardOutput(), process.readAllStandardError()};
    }
    const bool isNormal = process.exitStatus() == QProcess::NormalExit;
    return {isNormal ? process.exitCode() : -1, process.readAllStandardOutput(),
            process.readAllStandardError()};
}

Ended Program::runWith(const QString& variable, const QString& value,
                       const QStringList& arguments) const {
    QProcess process;
    prepare(process);
    QProcessEnvironment environment = process.processEnvironment();
    if (!variable.isEmpty()) environment.insert(variable, value);
    environment.insert("TERM", "xterm");
    process.setProcessEnvironment(environment);
    // `script` gives the program a terminal.
    QStringList quoted{shippedProgram()};
    for (const QString& argument : arguments) quoted << "'" + argument + "'";
    process.start("script", {"-qec", quoted.join(' '), "/dev/null"}, QIODevice::ReadOnly);
    process.waitForFinished(120'000);
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

QString Program::write(const QString& name, const QByteArray& content) const {
    QFile file(path(name));
    const bool isOpen = file.open(QIODevice::WriteOnly | QIODevice::Truncate);
    Q_ASSERT(isOpen);
    file.write(content);
    return file.fileName();
}

QByteArray Program::read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray rockWorld() {
    return "map: |\n"
           "  We We We We We We\n"
           "  We Ae Ro .. .. We\n"
           "  We We Ay We We We\n"
           "  We We We We We We\n"
           "max_steps: 6\n"
           "orientations: [0, 3]\n"
           "possible_goals: [[2, 1], [1, 1], [3, 1], [2, 2], [4, 1], [1, 1, 4, 2]]\n";
}

QByteArray hugeWorld() {
    return "map: |\n"
           "  We We We We We We We We We We\n"
           "  We Ay .. .. Bl .. .. .. Ay We\n"
           "  We .. .. Bl .. .. Bl .. .. We\n"
           "  We .. .. .. .. .. .. .. .. We\n"
           "  We .. Bl .. .. Bl .. .. .. We\n"
           "  We Ae .. .. .. .. .. .. Ae We\n"
           "  We We We We We We We We We We\n"
           "max_steps: 60\n"
           "possible_goals: [[1, 1], [8, 1], [1, 1, 8, 5]]\n";
}

}  // namespace orrery
