#pragma once

#include <QTest>
#include <map>
#include <string>
#include <vector>

#include "tests/support/ui_driver.h"

// What the steps of the acceptance script share. Each program drives one window through its steps
// in order; a step that fails ends its program, for what comes after builds upon it.

/// Checks now; a failure tells what the window said.
#define SEE(condition) QVERIFY2(condition, ui.why())
/// Looks until it is so.
#define WAIT(condition) QVERIFY2(ui.waitUntil([&] { return (condition); }), ui.why())

namespace orrery {

/// A world file of one room, small enough to be solved at once.
inline constexpr const char* kMyRoom = R"(metadata: {name: My room}
map: |
  We We We We We
  We Ay .. Ae We
  We .. .. .. We
  We We We We We
max_steps: 10
orientations: [e, w]
possible_goals: ["1,1", "2,1", "3,1", "1,2", "2,2", "3,2", "1,1, 3,2"]
)";

/// The chart that every training has.
inline constexpr const char* kLossChart = "chart_train/loss";

/// A program of steps that drives one window; the steps build upon each other, so all fail after
/// one that failed. A failure leaves a picture, too: acceptance/failed-STEP.png.
class AcceptanceScript : public QObject {
    Q_OBJECT

public:
    explicit AcceptanceScript(double scale = 1) : ui(scale) {}

protected:
    UiDriver ui;  // NOLINT(readability-identifier-naming): it is in every line of the script

private Q_SLOTS:
    void init();
    void cleanup();

private:
    QByteArray m_failed;
};

/// Facts of the dump below "session": world, state, step, successors, ...
inline QJsonObject session(const UiDriver& ui) {
    return ui.dump().value(u"session").toObject();
}

/// What took the window's thread longer than 50 ms of its own processor time so far; what the dump
/// itself took is left out.
inline std::vector<QJsonObject> busyBlocks(const UiDriver& ui) {
    std::vector<QJsonObject> blocks;
    const QJsonObject watch = ui.dump().value(u"watch").toObject();
    for (const QJsonValue value : watch.value(u"blocks").toArray()) {
        const QJsonObject block = value.toObject();
        const QString what = block.value(u"what").toString();
        if (what.contains(u"DumpUi") || what.contains(u"QFileSystemWatcher") ||
            what.contains(u"QInotify") || what.contains(u"QSocketNotifier"))
            continue;
        if (block.value(u"cpuMs").toDouble() > 50) blocks.push_back(block);
    }
    return blocks;
}

inline QByteArray textOf(const std::vector<QJsonObject>& blocks) {
    QByteArray text;
    for (const QJsonObject& block : blocks)
        text += block.value(u"what").toString().toUtf8() + " " +
                QByteArray::number(block.value(u"cpuMs").toDouble(), 'f', 0) + " ms; ";
    return text;
}

/// A table that the command line wrote: rows by their "step,config".
class ValueRows {
public:
    explicit ValueRows(const QByteArray& csv);
    bool isEmpty() const { return m_rows.empty(); }
    std::size_t size() const { return m_rows.size(); }
    double at(qint64 step, qint64 config, const std::string& column) const;
    bool has(qint64 step, qint64 config) const { return m_rows.contains({step, config}); }
    std::vector<std::string> columnsBeginning(const std::string& text) const;

private:
    std::map<std::string, std::size_t> m_columns;
    std::map<std::pair<qint64, qint64>, std::vector<double>> m_rows;
};

}  // namespace orrery
