#include "core/files/world_file.h"
#include "core/bush/bush_format.h"
#include "core/bush/bush_spec.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <locale>
#include <map>
#include <string>

#include "core/base/cpu.h"
#include "core/base/error.h"
#include "core/files/world_format.h"
#include "core/grid/grid_format.h"
#include "core/grid/grid_spec.h"
#include "test_files.h"
#include "tests/support/test_program.h"

using orrery::ActionSet;
using orrery::BushWorldSpec;
using orrery::Goal;
using orrery::GridWorldSpec;
using orrery::parseWorld;
using orrery::WorldFile;
using orrery::WorldFileKey;

namespace {

/// Numbers written as in Germany, for every stream that asks the global locale.
struct GermanNumbers : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

std::string plainMap() {
    return contentOf(dataPath("keys/map.yaml"));
}

GridWorldSpec gridOf(const std::string& name) {
    const WorldFile file = orrery::readWorldFile(dataPath("keys/" + name + ".yaml"));
    return *requireSpec(file).as<GridWorldSpec>();
}

BushWorldSpec bushOf(const std::string& name) {
    const WorldFile file = orrery::readWorldFile(dataPath("keys/" + name + ".yaml"));
    return *requireSpec(file).as<BushWorldSpec>();
}

Goal cell(int x, int y) {
    return {.x1 = x, .y1 = y, .x2 = x, .y2 = y};
}
Goal rectangle(int x1, int y1, int x2, int y2) {
    return {.x1 = x1, .y1 = y1, .x2 = x2, .y2 = y2, .isRectangle = true};
}

std::string numberText(double value) {
    return value == static_cast<double>(static_cast<long long>(value))
               ? std::to_string(static_cast<long long>(value))
               : std::to_string(value);
}

struct FamilyKey {
    WorldFileKey key;
    bool isGrid = true;  ///< else of bush worlds alone
};

/// The keys of both families, each once.
std::vector<FamilyKey> allKeys() {
    std::vector<FamilyKey> keys;
    for (const WorldFileKey& key : orrery::gridFormat().keys) keys.push_back({key});
    for (const WorldFileKey& key : orrery::bushFormat().keys)
        if (std::ranges::none_of(keys, [&](const FamilyKey& known) {
                return std::string_view(known.key.name) == key.name;
            }))
            keys.push_back({key, false});
    return keys;
}

}  // namespace

class WorldFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKeyChangesTheSpec_data() {
        QTest::addColumn<std::string>("changed");
        const std::map<std::string, std::string> changes = {
            {"metadata", "name description author version created category tags"},
            {"map", ""},
            {"width", ""},
            {"height", ""},
            {"grid_size", ""},
            {"family", "family"},
            {"B", "family"},
            {"fill_density", "family"},
            {"max_steps", "maxSteps"},
            {"orientations", "orientations"},
            {"action_class", "actionSet"},
            {"action_sets", "agentActionSets"},
            {"human_agents", "humanAgents robotAgents"},
            {"robot_agents", "robotAgents"},
            {"can_push_rocks", "canPushRocks"},
            {"can_enter_magic_walls", "canEnterMagicWalls"},
            {"stumble_probability", "stumbleProbability"},
            {"magic_entry_probability", "magicEntryProbability"},
            {"solidify_probability", "solidifyProbability"},
            {"enter_bush_success_prob", "enterBushSuccessProbability"},
            {"duration_per_nonzero_action", "durationPerNonzeroAction"},
            {"possible_goals", "possibleGoals"},
            {"goal_weights", "possibleGoals goalWeights"},
            {"human_goals", "ownGoals"},
            {"fix_magic_all", "fixMagicAll"},
            {"seed", "seed"},
            {"partial_obs", "partialObs"},
            {"agent_view_size", "agentViewSize"},
            {"see_through_walls", "seeThroughWalls"},
        };
        for (const auto& [key, isGrid] : allKeys())
            if (!key.isMember()) QTest::newRow(key.name) << changes.at(key.name);
    }
    void everyKeyChangesTheSpec() {
        QFETCH(std::string, changed);
        const std::string name = QTest::currentDataTag();
        const WorldFile file = orrery::readWorldFile(dataPath("keys/" + name + ".yaml"));
        QVERIFY2(!file.hasErrors, linesOf(file).c_str());
        const std::string text = "\n" + contentOf(dataPath("keys/" + name + ".yaml"));
        QVERIFY(text.find("\n" + name + ":") != std::string::npos);
        QCOMPARE(differences(file.spec, gridOf("map")), changed);
    }

    void valuesOfTheKeysAreRead() {
        QCOMPARE(gridOf("map").map, (std::vector<std::string>{"WeWeWeWeWe", "WeAy..AeWe",
                                                              "We......We", "WeWeWeWeWe"}));
        QCOMPARE(gridOf("max_steps").maxSteps, 13);
        QCOMPARE(gridOf("orientations").orientations, (std::vector<int>{3, 1}));
        QVERIFY(gridOf("action_class").actionSet == ActionSet::Mine);
        QVERIFY(gridOf("action_sets").agentActionSets ==
                (std::vector<std::optional<ActionSet>>{ActionSet::All, ActionSet::Minimal}));
        QVERIFY(gridOf("human_agents").humanAgents == std::vector<int>{1});
        QVERIFY(gridOf("human_agents").robotAgents == std::vector<int>{0});
        QVERIFY(gridOf("robot_agents").robotAgents == std::vector<int>{});
        QCOMPARE(gridOf("can_push_rocks").canPushRocks, std::string("ye"));
        QVERIFY(gridOf("can_enter_magic_walls").canEnterMagicWalls ==
                (std::vector<bool>{true, true}));
        QCOMPARE(gridOf("stumble_probability").stumbleProbability, 0.25);
        QCOMPARE(gridOf("magic_entry_probability").magicEntryProbability, 0.75);
        QCOMPARE(gridOf("solidify_probability").solidifyProbability, 0.001);
        QCOMPARE(gridOf("enter_bush_success_prob").enterBushSuccessProbability, 0.0);
        QCOMPARE(gridOf("duration_per_nonzero_action").durationPerNonzeroAction, 0.5);
        QVERIFY(gridOf("fix_magic_all").fixMagicAll);
        QCOMPARE(gridOf("seed").seed, 77);
        QVERIFY(gridOf("partial_obs").partialObs);
        QCOMPARE(gridOf("agent_view_size").agentViewSize, 5);
        QVERIFY(!gridOf("see_through_walls").seeThroughWalls);
        const orrery::WorldMetadata metadata = gridOf("metadata").metadata;
        QCOMPARE(metadata.description, std::string("Folded words on two lines\n"));
        QCOMPARE(metadata.version, std::string("1.0"));
        QCOMPARE(metadata.created, std::string("2026-01-01T00:00:00Z"));
        QCOMPARE(metadata.tags, (std::vector<std::string>{"one", "two words"}));
    }

    void goalsAreReadInEveryForm() {
        const Goal all = rectangle(1, 1, 3, 2);
        QVERIFY(gridOf("possible_goals").possibleGoals ==
                (std::vector<Goal>{cell(1, 1), cell(2, 1), all, all, cell(3, 2), all, all,
                                   cell(1, 2), rectangle(2, 2, 3, 2)}));
        QVERIFY(gridOf("possible_goals").goalWeights.empty());
        QVERIFY(gridOf("goal_weights").goalWeights == (std::vector<double>{0.25, 0.75}));
        const GridWorldSpec own = gridOf("human_goals");
        QCOMPARE(own.ownGoals.size(), std::size_t{1});
        QCOMPARE(own.ownGoals[0].agent, 0);
        QVERIFY(own.ownGoals[0].goals == (std::vector<Goal>{cell(3, 1), all}));
        QVERIFY(own.ownGoals[0].weights == (std::vector<double>{0.5, 2.0}));
        QVERIFY(own.possibleGoals.empty());
    }

    void bushWorldsAreRead() {
        const BushWorldSpec spec = bushOf("fill_density");
        QCOMPARE(spec.capacity, 5);
        QCOMPARE(spec.fillDensity, 3);
        QCOMPARE(spec.maxSteps, 100);
        QVERIFY(spec.map ==
                (std::vector<std::vector<std::string>>{{"Hu", "1", "Ro"}, {"2", "0", "3"}}));
        QCOMPARE(bushOf("family").capacity, 10);
        const WorldFile oneRow =
            parseWorld("map: Hu 1 Ro\nB: 1\nhuman_goals: {human0: [[2, 0], [0, 0]]}", "f");
        QVERIFY2(!oneRow.hasErrors, linesOf(oneRow).c_str());
        QCOMPARE(oneRow.spec.as<BushWorldSpec>()->ownGoals[0].agent, 1);  // robots come first
    }

    void theTableNamesTheDefaults() {
        const GridWorldSpec grid = gridOf("map");
        const BushWorldSpec bush =
            *parseWorld("map: Hu 1 Ro\nfamily: bush", "f").spec.as<BushWorldSpec>();
        int checked = 0;
        for (const auto& [key, isGrid] : allKeys()) {
            if (*key.defaultValue == '\0') continue;
            const std::string line = std::string(key.name) + ": " + key.defaultValue + "\n";
            const WorldFile file = isGrid ? parseWorld(plainMap() + line, "f")
                                          : parseWorld("family: bush\nmap: Hu 1 Ro\n" + line, "f");
            QVERIFY2(!file.hasErrors, linesOf(file).c_str());
            ++checked;
            const std::string name = key.name;
            if (name == "orientations")
                QCOMPARE(file.spec.as<GridWorldSpec>()->orientations, std::vector<int>{0});
            else if (name == "can_enter_magic_walls")
                QVERIFY(file.spec.as<GridWorldSpec>()->canEnterMagicWalls ==
                        (std::vector<bool>{false, false}));
            else if (isGrid)
                QCOMPARE(differences(file.spec, grid), std::string());
            else
                QCOMPARE(differences(file.spec, bush), std::string());
        }
        QCOMPARE(checked, 16);
    }

    void rangesOfTheTableAreEnforced() {
        int checked = 0;
        for (const auto& [key, isGrid] : allKeys()) {
            const std::string type = key.type;
            if (type != "number" && type != "whole number") continue;
            ++checked;
            const auto errorOf = [&, &key = key, isGrid = isGrid](double value) {
                const std::string line = std::string(key.name) + ": " + numberText(value) + "\n";
                const WorldFile file = isGrid
                                           ? parseWorld(plainMap() + line, "f")
                                           : parseWorld("family: bush\nmap: Hu 1 Ro\n" + line, "f");
                return file.hasErrors ? file.diagnostics[0].code : std::string();
            };
            const bool isChecked =
                std::string(key.name) == "width" || std::string(key.name) == "height";
            const std::string isFine = isChecked ? "E120" : "";
            QVERIFY2(errorOf(key.low) == isFine || std::string(key.name) == "B", key.name);
            if (std::string(key.name) != "fill_density")  // limited by B, too
                QCOMPARE(errorOf(key.high), isFine);
            QCOMPARE(errorOf(key.low - 1), std::string("E113"));
            QCOMPARE(errorOf(key.high + 1), std::string("E113"));
        }
        QCOMPARE(checked, 12);
    }

    void unknownKeysAreWarningsIfLenient() {
        const std::string text = plainMap() + "max_Steps: 5\nmetadata: {autor: me}\nB2: 3\n";
        const WorldFile strict = parseWorld(text, "f");
        QCOMPARE(strict.diagnostics.size(), std::size_t{3});
        QVERIFY(strict.hasErrors);
        const WorldFile lenient = parseWorld(text, "f", {.lenient = true});
        QVERIFY(!lenient.hasErrors);
        QCOMPARE(diagnosticLine(lenient.diagnostics.at(0)),
                 std::string("f:6:1: warning W111: unknown key 'max_Steps'; did you mean "
                             "'max_steps'?"));
        QCOMPARE(diagnosticLine(lenient.diagnostics.at(1)),
                 std::string("f:7:12: warning W111: metadata has no key 'autor'; did you mean "
                             "'author'?"));
        QCOMPARE(lenient.diagnostics.size(), std::size_t{3});
        QCOMPARE(differences(lenient.spec, gridOf("map")), std::string());
    }

    void allMistakesAreReportedAtOnce() {
        const WorldFile file = parseWorld(
            "max_steps: -1\norientations: [e, q]\nmap: |\n  We We We\n  We Zz We\n  We We We\n"
            "seed: x\n",
            "f");
        std::string places;
        for (const orrery::Diagnostic& d : file.diagnostics)
            places += std::to_string(d.line) + ":" + std::to_string(d.column) + " " + d.code + " ";
        QCOMPARE(QString::fromStdString(places), QString("1:12 E113 2:19 E116 5:6 E130 7:7 E115 "));
        try {
            requireSpec(file);
            QFAIL("gave a spec in spite of errors");
        } catch (const orrery::Error& e) {
            QVERIFY(e.kind() == orrery::Error::Kind::BadInput);
            QCOMPARE(std::ranges::count(std::string(e.what()), '\n'), 3);
        }
    }

    void uncoveredCellsAreAWarning() {
        const WorldFile file = parseWorld(plainMap() + "possible_goals: [[1, 1, 3, 1]]\n", "f");
        QVERIFY2(!file.hasErrors, linesOf(file).c_str());
        QCOMPARE(file.diagnostics.size(), std::size_t{1});
        QVERIFY(file.diagnostics[0].severity == orrery::Severity::Warning);
        QCOMPARE(file.diagnostics[0].line, 6);
        QCOMPARE(file.diagnostics[0].column, 17);
        QVERIFY(file.diagnostics[0].message.find("1,2") != std::string::npos);
    }

    void theSameWorldAsJson() {
        const WorldFile json = parseWorld(
            R"({"metadata": {"name": "J", "tags": ["a"]}, "map": "We We We We\nWe Ay Ae We\nWe We We We",
                "max_steps": 7, "orientations": ["n", 2], "stumble_probability": 2.5e-1,
                "possible_goals": ["1,1", [2, 1], {"rect": [[1, 1], [2, 1]]}],
                "see_through_walls": false})",
            "f.json");
        const WorldFile yaml = parseWorld(
            "metadata: {name: J, tags: [a]}\nmap:\n  - WeWeWeWe\n  - We AyAe We\n  - [We, We, We, "
            "We]\n"
            "max_steps: 7\norientations: [n, w]\nstumble_probability: 0.25\n"
            "possible_goals:\n  - 1,1\n  - 2, 1\n  - 2,1,1,1\nsee_through_walls: no\n",
            "f.yaml");
        QVERIFY2(!json.hasErrors, linesOf(json).c_str());
        QVERIFY2(!yaml.hasErrors, linesOf(yaml).c_str());
        QCOMPARE(differences(json.spec, yaml.spec), std::string());
        QCOMPARE(json.spec.as<GridWorldSpec>()->maxSteps, 7);
    }

    void theLocaleChangesNothing() {
        const std::string text = plainMap() + "max_steps: 12345\nstumble_probability: 0.125\n";
        const std::locale before =
            std::locale::global(std::locale(std::locale::classic(), new GermanNumbers));
        const WorldFile file = parseWorld(text, "f");
        const WorldFile wrong = parseWorld(plainMap() + "max_steps: 99999999\n", "f");
        std::locale::global(before);
        QVERIFY2(!file.hasErrors, linesOf(file).c_str());
        QCOMPARE(file.spec.as<GridWorldSpec>()->maxSteps, 12345);
        QCOMPARE(file.spec.as<GridWorldSpec>()->stumbleProbability, 0.125);
        QVERIFY(wrong.diagnostics.at(0).message.find("0 to 1000000, got '99999999'") !=
                std::string::npos);
    }

    void aMapLargerThanTheParsersLimitIsRead() {
        constexpr int kWidth = 4000, kHeight = 1600;
        std::string wall, inside = "  We";
        for (int x = 0; x < kWidth; ++x) wall += x == 0 ? "  We" : " We";
        for (int x = 2; x < kWidth; ++x) inside += " ..";
        inside += " We\n";
        std::string agents = inside;
        agents.replace(5, 5, "Ay Ae");
        std::string text = "metadata: {name: large}\nmap: |  # rows\n" + wall + "\n" + agents;
        for (int y = 3; y < kHeight; ++y) text += inside;
        text += wall + "\nmax_steps: 3\n";
        QVERIFY(text.size() > orrery::kMaxWorldFileBytes / 32 + (4u << 20));
        const WorldFile file = parseWorld(text, "f");
        QVERIFY2(!file.hasErrors, linesOf(file).c_str());
        const auto& spec = *file.spec.as<GridWorldSpec>();
        QCOMPARE(spec.map.size(), std::size_t{kHeight});
        QCOMPARE(spec.map[1].substr(0, 8), std::string("WeAyAe.."));
        QCOMPARE(spec.maxSteps, 3);

        text.replace(text.size() - 13, 12, "max_Steps: 3");
        const WorldFile wrong = parseWorld(text, "f");
        QCOMPARE(wrong.diagnostics.at(0).line, kHeight + 3);
        QCOMPARE(wrong.diagnostics.at(0).column, 1);
    }

    void sizesAreRefusedBeforeAnythingIsAllocated() {
        const double begin = (1e-3 * orrery::threadCpuMs());
        const WorldFile file = parseWorld(
            plainMap() + "width: 1000000\nheight: 1000000\ngrid_size: 99999999999999999999\n", "f");
        QVERIFY((1e-3 * orrery::threadCpuMs()) - begin < 0.05);
        QCOMPARE(file.diagnostics.size(), std::size_t{3});
        QCOMPARE(file.diagnostics[2].line, 8);
    }

    void unreadableFilesAreErrors() {
        QTemporaryDir folder;
        for (const std::string& path :
             {folder.path().toStdString(), (folder.path() + "/none").toStdString(),
              std::string("/dev/zero")})
            QVERIFY_THROWS_EXCEPTION(orrery::Error, orrery::readWorldFile(path));
    }
};

ORRERY_TEST(WorldFileTest)
#include "world_file_test.moc"
