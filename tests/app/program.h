#pragma once

#include <QByteArray>
#include <QFloat16>  // QTest only declares it, and asks whether a JSON document is one
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <nlohmann/json_fwd.hpp>

namespace orrery {

/// How a run of the program ended.
struct Ended {
    int status = -1;  ///< -1: it did not end by itself within the time
    QByteArray out, err;

    /// What `out` holds, as jsonOf.
    nlohmann::json json() const;
    /// The text at a JSON pointer of `out`, such as "/state"; empty if there is none.
    QString jsonText(const char* pointer) const;
};

/// The document in a text; who looks into it includes <nlohmann/json.hpp>.
/// @throws nlohmann::json::exception if it is none
nlohmann::json jsonOf(const QByteArray& text);

/// Runs the real program with a home of its own, so that nothing of the user's is touched.
class Program {
public:
    Program();

    Ended run(const QStringList& arguments, int seconds = 120) const;
    /// As run, with the two given; an empty variable name adds none.
    Ended runWith(const QString& variable, const QString& value,
                  const QStringList& arguments) const;
    /// Started and not waited for; the environment is set.
    void prepare(QProcess& process) const;

    QString path(const QString& name) const { return m_folder.filePath(name); }
    /// Writes a file into the temporary folder and returns its path.
    QString write(const QString& name, const QByteArray& content) const;
    static QByteArray read(const QString& path);

private:
    QTemporaryDir m_folder;  // on the disk: kills are to meet its syncs
};

/// A YAML file of the oracle world p01_rock.
QByteArray rockWorld();
/// A world whose graph takes far longer than a test may.
QByteArray hugeWorld();

}  // namespace orrery
