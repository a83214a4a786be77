#include <QTest>
#include <algorithm>
#include <set>
#include <string>

#include "core/grid/grid_spec.h"
#include "core/world/world.h"
#include "test_files.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using orrery::GridWorldSpec;
using orrery::WorldFile;

namespace {

const std::string kFolder = orrery::sourcePath("resources/worlds");

std::vector<WorldFile> examples() {
    std::vector<WorldFile> files;
    for (const std::string& path : worldsIn(kFolder)) files.push_back(orrery::readWorldFile(path));
    return files;
}

const orrery::WorldMetadata& metadataOf(const WorldFile& file) {
    return file.spec->metadata;
}

}  // namespace

class ExampleWorldsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyExampleIsFaultless_data() {
        QTest::addColumn<std::string>("path");
        for (const std::string& path : worldsIn(kFolder))
            QTest::newRow(path.substr(path.rfind('/') + 1).c_str()) << path;
    }
    void everyExampleIsFaultless() {
        QFETCH(std::string, path);
        const WorldFile file = orrery::readWorldFile(path);
        QCOMPARE(linesOf(file), std::string());
        const std::string& description = metadataOf(file).description;
        QVERIFY(description.starts_with("Teaches "));
        QCOMPARE(std::ranges::count(description, '.'), 1);
        QVERIFY(!metadataOf(file).name.empty());
        const auto world = orrery::makeWorld(file.spec);
        QVERIFY(!world->humans().empty());
        QVERIFY(!world->robots().empty());
        const std::string readme = contentOf(kFolder + "/README.md");
        QVERIFY(readme.find(path.substr(path.rfind('/') + 1)) != std::string::npos);
    }

    /// So that no human ever has X_h = 0: some goal holds in whatever cell it is.
    void someGoalCoversEveryCell() {
        for (const WorldFile& file : examples()) {
            const auto world = orrery::makeWorld(file.spec);
            const bool hasBorder = file.spec.is<GridWorldSpec>();
            const int border = hasBorder ? 1 : 0;
            for (const orrery::HumanGoals& human : world->goals())
                QVERIFY2(std::ranges::any_of(human.goals,
                                             [&](const orrery::Goal& goal) {
                                                 return goal.x1 <= border && goal.y1 <= border &&
                                                        goal.x2 >= world->width() - 1 - border &&
                                                        goal.y2 >= world->height() - 1 - border;
                                             }),
                         metadataOf(file).name.c_str());
        }
    }

    void everyObjectAndActionSetIsShown() {
        std::set<std::string> cells;
        std::set<std::string> actionNames;
        for (const WorldFile& file : examples()) {
            const auto world = orrery::makeWorld(file.spec);
            for (const orrery::AgentInfo& agent : world->agents()) {
                std::string names;
                for (const std::string& action : agent.actions) names += action + " ";
                actionNames.insert(names);
            }
            if (const auto* grid = file.spec.as<GridWorldSpec>())
                for (const std::string& row : grid->map)
                    for (std::size_t i = 0; i < row.size(); i += 2) cells.insert(row.substr(i, 2));
        }
        for (const char* fixed : {"..", "Bl", "Ro", "Bu", "La", "Sw", "Un", "Mn", "Ms", "Mw", "Me",
                                  "Ma", "Ki", "Ps", "dK", "dP", "dC", "CB"})
            QVERIFY2(cells.contains(fixed), fixed);
        for (const char kind : {'W', 'L', 'C', 'O', 'K', 'B', 'X', 'G', 'A'})
            QVERIFY2(std::ranges::any_of(cells,
                                         [kind](const std::string& cell) {
                                             return cell[0] == kind && cell != "Bl" &&
                                                    cell != "Bu" && cell != "CB";
                                         }),
                     std::string(1, kind).c_str());
        for (const char* set :
             {"still left right forward ", "still left right forward pickup drop toggle ",
              "still left right forward pickup drop toggle done ",
              "still left right forward build ", "forward left ", "north west south east pass "})
            QVERIFY2(actionNames.contains(set), set);
    }

    void thereIsOneOfEachKindAskedFor() {
        int tiny = 0, freeing = 0, bush = 0, large = 0, own = 0, durations = 0;
        const std::vector<WorldFile> files = examples();
        QVERIFY(files.size() >= 16);
        for (const WorldFile& file : files) {
            const auto world = orrery::makeWorld(file.spec);
            tiny += world->width() * world->height() <= 20 && world->numAgents() == 2;
            large += world->width() >= 20 && world->height() >= 15 && world->numAgents() == 3;
            const auto* grid = file.spec.as<GridWorldSpec>();
            bush += grid == nullptr;
            if (grid == nullptr) continue;
            freeing += metadataOf(file).category == "freeing" && world->humans().size() == 2;
            own += grid->ownGoals.size() == 2;
            durations += grid->durationPerNonzeroAction > 0;
        }
        QVERIFY(tiny > 0 && freeing > 0 && bush > 0 && large > 0 && own > 0 && durations > 0);
    }
};

ORRERY_TEST(ExampleWorldsTest)
#include "example_worlds_test.moc"
