#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <string>
#include <vector>

#include "core/grid/grid_spec.h"
#include "core/world/world.h"
#include "test_files.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using orrery::Goal;
using orrery::GridWorldSpec;

namespace {

QJsonObject oracle(const std::string& path) {
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QJsonDocument::fromJson(file.readAll()).object();
}

std::vector<int> integers(const QJsonValue& list) {
    std::vector<int> values;
    for (const QJsonValue value : list.toArray()) values.push_back(value.toInt());
    return values;
}

std::vector<std::string> texts(const QJsonValue& list) {
    std::vector<std::string> values;
    for (const QJsonValue value : list.toArray()) values.push_back(value.toString().toStdString());
    return values;
}

}  // namespace

class OracleWorldsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFileGivesTheOraclesWorld_data() {
        QTest::addColumn<std::string>("yaml");
        QTest::addColumn<std::string>("json");
        const QDir folder(QString::fromStdString(orrery::sourcePath("tests/data/empo")));
        for (const QString& name : folder.entryList({"p*.json"}, QDir::Files, QDir::Name))
            QTest::newRow(qPrintable(name))
                << dataPath("oracle/" + name.left(3).toStdString() + ".yaml")
                << folder.filePath(name).toStdString();
    }
    void theFileGivesTheOraclesWorld() {
        QFETCH(std::string, yaml);
        QFETCH(std::string, json);
        const orrery::WorldFile file = orrery::readWorldFile(yaml);
        QVERIFY2(!file.hasErrors, linesOf(file).c_str());
        const auto& spec = *requireSpec(file).as<GridWorldSpec>();
        const auto world = orrery::makeWorld(spec);
        const QJsonObject expected = oracle(json)["world"].toObject();
        const QJsonObject goals = oracle(json)["goals"].toObject();

        std::vector<std::string> rows = texts(expected["map"]);
        for (std::string& row : rows) std::erase(row, ' ');
        QCOMPARE(spec.map, rows);
        QCOMPARE(spec.maxSteps, expected["max_steps"].toInt());
        QCOMPARE(world->width(), expected["width"].toInt());
        QCOMPARE(world->height(), expected["height"].toInt());
        QCOMPARE(spec.orientations, integers(expected["orientations"]));
        QCOMPARE(world->humans(), integers(expected["human_agents"]));
        QCOMPARE(world->robots(), integers(expected["robot_agents"]));
        for (int i = 0; i < world->numAgents(); ++i) {
            QCOMPARE(world->agents()[i].actions, texts(expected["action_names"]));
            QCOMPARE(QString(orrery::colorName(world->agents()[i].color)),
                     expected["agent_colors"].toArray()[i].toString());
            const bool enters =
                i < static_cast<int>(spec.canEnterMagicWalls.size()) && spec.canEnterMagicWalls[i];
            QCOMPARE(enters, expected["can_enter_magic_walls"].toArray()[i].toBool());
        }
        QCOMPARE(spec.canPushRocks, expected["can_push_rocks_colors"].toString().toStdString());
        QCOMPARE(spec.stumbleProbability, expected["stumble_probability"].toDouble());
        QCOMPARE(spec.magicEntryProbability, expected["magic_entry_probability"].toDouble());
        QCOMPARE(spec.solidifyProbability, expected["magic_solidify_probability"].toDouble());
        QCOMPARE(spec.enterBushSuccessProbability, expected["enter_bush_success_prob"].toDouble());
        QCOMPARE(spec.durationPerNonzeroAction,
                 expected["duration_per_nonzero_action"].toDouble(0));
        QVERIFY(!spec.fixMagicAll);

        for (const orrery::HumanGoals& human : world->goals()) {
            QCOMPARE(static_cast<qsizetype>(human.goals.size()), goals["specs"].toArray().size());
            for (qsizetype g = 0; g < goals["specs"].toArray().size(); ++g) {
                const std::vector<int> at = integers(goals["specs"].toArray()[g]);
                const Goal goal{at[0], at[1], at[at.size() - 2], at[at.size() - 1], at.size() == 4};
                QVERIFY(human.goals[g] == goal);
                QCOMPARE(human.weights[g], goals["weights"].toArray()[g].toDouble());
            }
        }
    }

    void allTwelveAreThere() {
        QCOMPARE(worldsIn(dataPath("oracle")).size(), std::size_t{12});
        QCOMPARE(QDir(QString::fromStdString(orrery::sourcePath("tests/data/empo")))
                     .entryList({"p*.json"})
                     .size(),
                 12);
    }
};

ORRERY_TEST(OracleWorldsTest)
#include "oracle_worlds_test.moc"
