#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QGuiApplication>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QPixmap>
#include <QScreen>
#include <QTest>
#include <algorithm>

#include "tests/support/ui_driver.h"

namespace orrery {

namespace {

constexpr int kPollMs = 30;

QRect rectOf(const QJsonArray& numbers) {
    return {numbers[0].toInt(), numbers[1].toInt(), numbers[2].toInt(), numbers[3].toInt()};
}

QString nameOf(const QJsonObject& entry) {
    return entry.value(QLatin1String("name")).toString();
}

}  // namespace

// ---- the dump

QString UiDriver::dumpFile() const {
    return path(QStringLiteral("ui.json"));
}

QString UiDriver::requestFile() const {
    return dumpFile() + QStringLiteral(".request");
}

/// Asks for a dump and waits for it; see app/window/dump_ui.h.
QJsonObject UiDriver::freshDump(bool isSettled, int milliseconds) {
    const QString token = QStringLiteral("look%1").arg(++m_numLooks);
    const auto ask = [&] {
        // Renamed, so that the program never sees half of it.
        QFile file(requestFile() + QStringLiteral(".new"));
        if (!file.open(QIODevice::WriteOnly)) return false;
        file.write(token.toUtf8());
        if (isSettled) file.write(" settled " + QByteArray::number(m_quietMs));
        file.write("\n");
        file.close();
        QFile::remove(requestFile());
        return file.rename(requestFile());
    };
    QFile::remove(dumpFile());  // waiting is not spent on reading the last one again
    if (!ask()) return {};
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < milliseconds && isRunning()) {
        QJsonObject dump = QJsonDocument::fromJson(Program::read(dumpFile())).object();
        if (dump.value(u"request").toString() == token) return dump;
        // The program was just answering one that was given up, and took this one for it.
        if (!dump.isEmpty() && !QFile::exists(requestFile())) {
            QFile::remove(dumpFile());
            ask();
        }
        QTest::qSleep(3);  // polls: the file is another process's
        m_process.waitForReadyRead(1);
    }
    return {};
}

const QJsonObject& UiDriver::look() {
    return m_dump = freshDump(false, kPatience);
}

bool UiDriver::waitUntil(const std::function<bool()>& condition, int milliseconds) {
    QElapsedTimer clock;
    clock.start();
    do {
        m_console += m_process.readAll();
        if (!isRunning()) return false;
        if (!look().isEmpty() && condition()) return true;
        QTest::qSleep(kPollMs);  // polls: a look costs the program time
    } while (clock.elapsed() < milliseconds);
    return false;
}

bool UiDriver::settle(int milliseconds) {
    m_dump = freshDump(true, milliseconds);
    return !m_dump.isEmpty();
}

bool UiDriver::settleOrLook(int milliseconds) {
    return settle(milliseconds) || !look().isEmpty();
}

QJsonObject UiDriver::part(const QString& name) const {
    for (const QJsonValue value : m_dump.value(u"widgets").toArray()) {
        QJsonObject entry = value.toObject();
        // What draws is there even where its own parts cover it.
        if (nameOf(entry) == name && (!entry.value(u"hidden").toBool() || entry.contains(u"spots")))
            return entry;
    }
    return {};
}

std::vector<QJsonObject> UiDriver::partsOfKind(const QString& kindEnd) const {
    std::vector<QJsonObject> found;
    for (const QJsonValue value : m_dump.value(u"widgets").toArray())
        if (value.toObject().value(u"kind").toString().endsWith(kindEnd))
            found.push_back(value.toObject());
    return found;
}

std::vector<QJsonObject> UiDriver::partsBeginning(const QString& name) const {
    std::vector<QJsonObject> found;
    for (const QJsonValue value : m_dump.value(u"widgets").toArray())
        if (nameOf(value.toObject()).startsWith(name)) found.push_back(value.toObject());
    return found;
}

QString UiDriver::text(const QString& name) const {
    return part(name).value(u"text").toString();
}

QString UiDriver::allTexts() const {
    QStringList texts;
    for (const QJsonValue value : m_dump.value(u"widgets").toArray()) {
        const QJsonObject entry = value.toObject();
        texts << entry.value(u"text").toString();
        for (const char* list : {"spots", "cells"})
            for (const QJsonValue item : entry.value(QLatin1String(list)).toArray())
                texts << item.toObject().value(u"text").toString();
    }
    texts.removeAll(QString());
    return texts.join(u'\n');
}

QJsonObject UiDriver::facts(const QString& name) const {
    return part(name).value(u"facts").toObject();
}

std::vector<QJsonObject> UiDriver::spots(const QString& name, const QString& beginning) const {
    std::vector<QJsonObject> found;
    for (const QJsonValue value : part(name).value(u"spots").toArray())
        if (nameOf(value.toObject()).startsWith(beginning)) found.push_back(value.toObject());
    return found;
}

QJsonObject UiDriver::spot(const QString& name, const QString& spotName) const {
    for (const QJsonValue value : part(name).value(u"spots").toArray())
        if (nameOf(value.toObject()) == spotName) return value.toObject();
    return {};
}

std::vector<QStringList> UiDriver::cells(const QString& name) const {
    std::vector<QStringList> rows;
    int row = -1;
    for (const QJsonValue value : part(name).value(u"cells").toArray()) {
        const QJsonObject cell = value.toObject();
        if (rows.empty() || cell.value(u"row").toInt() != row) rows.emplace_back();
        row = cell.value(u"row").toInt();
        rows.back() << cell.value(u"text").toString();
    }
    return rows;
}

std::optional<QPoint> UiDriver::cellPlace(const QString& name, int row, int column) const {
    for (const QJsonValue value : part(name).value(u"cells").toArray()) {
        const QJsonObject cell = value.toObject();
        if (cell.value(u"row").toInt() == row && cell.value(u"column").toInt() == column)
            return placeOf(cell).center();
    }
    return std::nullopt;
}

QJsonObject UiDriver::action(const QString& name) const {
    for (const QJsonValue value : m_dump.value(u"actions").toArray())
        if (nameOf(value.toObject()) == name) return value.toObject();
    return {};
}

QString UiDriver::selection() const {
    return m_dump.value(u"selection").toString();
}

int UiDriver::numWindows() const {
    return static_cast<int>(m_dump.value(u"windows").toArray().size());
}

QRect UiDriver::placeOf(const QJsonObject& entry) const {
    const QRect rect = rectOf(entry.value(u"global").toArray());
    const double ratio = m_dump.value(u"ratio").toDouble(1);
    return {(QPointF(rect.topLeft()) * ratio).toPoint(), (QSizeF(rect.size()) * ratio).toSize()};
}

QJsonObject UiDriver::menuEntry(const QString& name, const QString& text) const {
    QJsonObject found;
    for (const QJsonObject& menu : partsOfKind(QStringLiteral("QMenu")))
        for (const QJsonValue value : menu.value(u"entries").toArray()) {
            const QJsonObject entry = value.toObject();
            const QString shown = entry.value(u"text").toString().remove(u'&').section(u'\t', 0, 0);
            if (text.isEmpty() ? nameOf(entry) == name : shown == text) found = entry;
        }
    return found;
}

// ---- pixels

QImage UiDriver::screen() const {
    return QGuiApplication::primaryScreen()->grabWindow(0).toImage();
}

bool UiDriver::shot(const QString& name) const {
    // Packed quickly, which takes a third of the time.
    constexpr int kQuality = 80;
    // Beside the test programs: what a build's tests left can be looked at.
    const QDir folder(QCoreApplication::applicationDirPath() + QStringLiteral("/acceptance"));
    return folder.mkpath(QStringLiteral(".")) &&
           screen().save(folder.filePath(name + QStringLiteral(".png")), "PNG", kQuality);
}

double UiDriver::inkIn(const QImage& picture, const QRect& place) {
    const QRect area = place.intersected(picture.rect());
    QHash<QRgb, int> counts;
    for (int y = area.top(); y <= area.bottom(); ++y)
        for (int x = area.left(); x <= area.right(); ++x) ++counts[picture.pixel(x, y)];
    int most = 0;
    for (const int count : counts) most = std::max(most, count);
    const int all = area.width() * area.height();
    return all > 0 ? 1.0 - static_cast<double>(most) / all : 0;
}

QByteArray UiDriver::why() {
    QByteArray text = "selection " + selection().toUtf8() + "; status " +
                      this->text(QStringLiteral("statusText")).toUtf8() + "; message " +
                      this->text(QStringLiteral("messageText")).toUtf8();
    if (!isRunning())
        text += "; the program has ended with " + QByteArray::number(m_process.exitCode()) + ": " +
                console();
    return text;
}

}  // namespace orrery
