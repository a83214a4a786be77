#include "widgets/frame/session_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <algorithm>

#include "core/base/atomic_write.h"
#include "core/base/error.h"

namespace orrery {

namespace {

constexpr qint64 kMaxBytes = 4 << 20;
constexpr int kSessionFormat = 1;

QString marker(const QString& fileName) {
    return fileName + QStringLiteral(".starting");
}

}  // namespace

QString sessionFileName() {
    QString folder = qEnvironmentVariable("XDG_STATE_HOME");
    if (folder.isEmpty() || !QDir::isAbsolutePath(folder))
        folder = QDir::homePath() + QStringLiteral("/.local/state");
    return folder + QStringLiteral("/orrery/session.json");
}

QJsonObject readSession(const QString& fileName, QString& trouble) {
    QFile file(fileName);
    if (!file.exists()) return {};
    QString reason;
    if (!file.open(QIODevice::ReadOnly)) {
        trouble = QStringLiteral("%1 cannot be read (%2): the window opens as new.")
                      .arg(fileName, file.errorString());
        return {};
    }
    if (file.size() <= kMaxBytes) {
        QJsonParseError error;
        QJsonObject session = QJsonDocument::fromJson(file.readAll(), &error).object();
        if (error.error == QJsonParseError::NoError &&
            session.value(QLatin1String("version")).toInt() == kSessionFormat)
            return session;
        reason = error.error == QJsonParseError::NoError
                     ? QStringLiteral("it is of another version")
                     : error.errorString();
    } else {
        reason = QStringLiteral("it is larger than 4 MiB");
    }
    file.close();
    const QString aside = setSessionAside(fileName);
    trouble = QStringLiteral("The last session could not be read (%1). It was set aside as %2.")
                  .arg(reason, aside);
    return {};
}

int beginRestoring(const QString& fileName) {
    QDir().mkpath(QFileInfo(fileName).absolutePath());
    QFile file(marker(fileName));
    int numFailed = 0;
    if (file.open(QIODevice::ReadOnly)) numFailed = std::max(0, file.readAll().trimmed().toInt());
    file.close();
    if (file.open(QIODevice::WriteOnly)) file.write(QByteArray::number(numFailed + 1));
    return numFailed;
}

void endRestoring(const QString& fileName) {
    QFile::remove(marker(fileName));
}

QString setSessionAside(const QString& fileName) {
    QString aside = fileName + QStringLiteral(".broken");
    QFile::remove(aside);
    QFile::rename(fileName, aside);
    return aside;
}

bool writeSession(const QString& fileName, const QJsonObject& session, QString& trouble) {
    QJsonObject whole = session;
    whole.insert(QStringLiteral("version"), kSessionFormat);
    try {
        QDir().mkpath(QFileInfo(fileName).absolutePath());
        const QByteArray bytes = QJsonDocument(whole).toJson();
        atomicWrite(fileName.toStdString(),
                    std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
        return true;
    } catch (const Error& error) {
        trouble = QString::fromUtf8(error.what());
        return false;
    }
}

}  // namespace orrery
