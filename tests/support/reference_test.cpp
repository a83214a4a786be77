#include <QTest>
#include <cmath>
#include <map>

#include "core/base/error.h"
#include "tests/support/brute_force_solver.h"
#include "tests/support/empo_oracle.h"
#include "tests/support/places.h"
#include "tests/support/reference_graph.h"
#include "tests/support/test_program.h"

using namespace orrery::reference;
using nlohmann::json;

namespace {

bool isClose(double a, double b, double relative = 1e-10, double absolute = 1e-14) {
    return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b)) + absolute;
}

/// One oracle world, explored, with the oracle's table of states looked up in it.
struct Explored {
    EmpoOracle oracle;
    RefWorld world;
    RefGraph graph;
    std::vector<int> stateIndex;  ///< [oracle's table] index in graph.states, -1 = not reachable

    explicit Explored(const std::string& name)
        : oracle(readEmpoOracle(orrery::sourcePath("tests/data/empo"), name)),
          world(oracle.world()),
          graph(exploreAll(world)) {
        std::map<std::string, int> indexOf;
        for (std::size_t s = 0; s < graph.states.size(); ++s)
            indexOf[canonicalText(graph.states[s])] = static_cast<int>(s);
        for (const json& state : oracle.json.at("states")) {
            const auto place = indexOf.find(state.dump());
            stateIndex.push_back(place == indexOf.end() ? -1 : place->second);
        }
    }
};

const Explored& explored(const QByteArray& name) {
    static std::map<QByteArray, Explored> kKnown;
    return kKnown.try_emplace(name, name.toStdString()).first->second;
}

/// Counts comparisons and keeps the first mismatches.
class Comparison {
public:
    void value(const std::string& what, double got, double want, double relative = 1e-10) {
        ++m_count;
        if (isClose(got, want, relative)) return;
        ++m_numBad;
        if (m_numBad > 5) return;
        m_text += what + ": got " + QString::number(got, 'g', 17).toStdString() + ", want " +
                  QString::number(want, 'g', 17).toStdString() + "\n";
    }
    void list(const std::string& what, const std::vector<double>& got, const json& want) {
        value(what + " length", static_cast<double>(got.size()), static_cast<double>(want.size()));
        for (std::size_t k = 0; k < std::min(got.size(), want.size()); ++k)
            value(what + "[" + std::to_string(k) + "]", got[k], want[k].get<double>());
    }
    int count() const { return m_count; }
    bool isGood() const { return m_numBad == 0; }
    const char* text() const { return m_text.c_str(); }

private:
    int m_count = 0, m_numBad = 0;
    std::string m_text;
};

void comparePhase1(const Explored& e, const RefProblem& problem, const RefPhase1& got,
                   const json& setting, Comparison& check) {
    for (const json& entry : setting.at("phase1")) {
        const int s = e.stateIndex[entry.at("state").get<int>()];
        const auto h = static_cast<std::size_t>(
            std::find(problem.humans.begin(), problem.humans.end(), entry.at("human").get<int>()) -
            problem.humans.begin());
        const std::size_t g = entry.at("goal");
        check.value("V", got.v[s][h][g], entry.at("V"));
        check.list("policy", got.pi_h[s][h][g], entry.at("policy"));
    }
}

void comparePhase2(const Explored& e, const RefProblem& problem, const RefPhase1& prior,
                   const RefPhase2& got, const json& setting, Comparison& check) {
    for (const json& entry : setting.at("phase2")) {
        const int s = e.stateIndex[entry.at("state").get<int>()];
        check.list("Q_r", got.q_r[s], entry.at("Q_r"));
        check.list("pi_r", got.pi_r[s], entry.at("pi_r"));
        check.value("V_r", got.v_r[s], entry.at("V_r"));
        check.value("U_r", got.u_r[s], entry.at("U_r"));
        for (std::size_t h = 0; h < problem.humans.size(); ++h) {
            const std::string human = std::to_string(problem.humans[h]);
            check.value("X_h", got.x_h[s][h], entry.at("X_h").at(human));
            check.list("V_h_e", got.v_h_e[s][h], entry.at("V_h_e").at(human));
            check.list("marginal", prior.marginal[s][h], entry.at("human_marginal").at(human));
        }
    }
}

void compareChecksums(const RefPhase1& prior, const RefPhase2& got, const json& setting,
                      Comparison& check) {
    double sumV_r = 0.0, minV_r = 0.0, sumV_h_e = 0.0, sumV = 0.0;
    for (std::size_t s = 0; s < got.v_r.size(); ++s) {
        sumV_r += got.v_r[s];
        minV_r = std::min(minV_r, got.v_r[s]);
        for (std::size_t h = 0; h < got.v_h_e[s].size(); ++h)
            for (std::size_t g = 0; g < got.v_h_e[s][h].size(); ++g) {
                sumV_h_e += got.v_h_e[s][h][g];
                sumV += prior.v[s][h][g];
            }
    }
    const json& sums = setting.at("checksums");
    check.value("sum_V_r", sumV_r, sums.at("sum_V_r"), 1e-9);
    check.value("min_V_r", minV_r, sums.at("min_V_r"));
    check.value("sum_V_h_e", sumV_h_e, sums.at("sum_V_h_e"), 1e-9);
    check.value("sum_V_phase1", sumV, sums.at("sum_V_phase1"), 1e-9);
    check.value("V_r_root", got.v_r[0], sums.at("V_r_root"));
}

/// A corridor of three cells with a human that can only go ahead and one goal at its end.
RefWorld corridor(int maxSteps) {
    RefParameters p;
    p.maxSteps = maxSteps;
    p.actions = {actionSetNamed("SmallActions")};
    return parseWorld({"WeWeWeWeWe", "WeAy....We", "WeAeWeWeWe", "WeWeWeWeWe"}, p);
}

RefProblem corridorProblem() {
    RefProblem problem;
    problem.humans = {0};
    problem.robots = {1};
    problem.humanGoals = {{{{2, 1, 2, 1}, {1, 1, 3, 1}}, {0.5, 0.5}}};
    problem.gamma_h = 0.9;
    problem.gamma_r = 0.9;
    return problem;
}

}  // namespace

/// The plain reference itself is held against everything in the public oracle files.
class ReferenceTest : public QObject {
    Q_OBJECT

    static void addWorlds() {
        QTest::addColumn<QByteArray>("name");
        for (const std::string& name : empoOracleNames())
            QTest::newRow(name.c_str()) << QByteArray::fromStdString(name);
    }

private Q_SLOTS:
    void graphHasTheOraclesStatesAndCounts_data() { addWorlds(); }
    void graphHasTheOraclesStatesAndCounts() {
        QFETCH(QByteArray, name);
        const Explored& e = explored(name);
        const json& dag = e.oracle.json.at("dag");
        QCOMPARE(static_cast<long>(e.graph.states.size()), dag.at("num_states").get<long>());
        QCOMPARE(e.graph.statesPerStep(), dag.at("states_per_level").get<std::vector<long>>());
        QCOMPARE(e.graph.stateHash(), dag.at("state_set_sha256").get<std::string>());
        QCOMPARE(e.graph.numRows(), dag.at("num_action_rows").get<long>());
        QCOMPARE(e.graph.numEntries(), dag.at("num_transition_entries").get<long>());
        QCOMPARE(e.graph.numDistinctEdges(), dag.at("num_distinct_edges").get<long>());
        const double sum = dag.at("row_probability_checksum");
        QVERIFY(isClose(e.graph.sumOfSquares(), sum, 1e-9));
    }

    void sampledRowsAreTheOracles_data() { addWorlds(); }
    void sampledRowsAreTheOracles() {
        QFETCH(QByteArray, name);
        const Explored& e = explored(name);
        int numRows = 0;
        for (const json& sample : e.oracle.json.at("transitions")) {
            const int s = e.stateIndex[sample.at("state").get<int>()];
            QVERIFY(s >= 0);
            for (const json& row : sample.at("rows")) {
                ++numRows;
                const auto ids = row.at("actions").get<std::vector<int>>();
                std::map<std::string, double> got, want;
                for (const auto& [p, next] : transitions(e.world, e.graph.states[s], ids))
                    got[canonicalText(next)] = p;
                for (const json& successor : row.at("succ"))
                    want[e.oracle.json.at("states")[successor[1].get<int>()].dump()] =
                        successor[0].get<double>();
                QCOMPARE(got.size(), want.size());
                for (const auto& [text, p] : want) {
                    QVERIFY2(got.contains(text), text.c_str());
                    QVERIFY2(isClose(got[text], p, 1e-12), text.c_str());
                }
            }
        }
        QVERIFY(numRows >= 96);
    }

    void bothPhasesGiveTheOraclesValues_data() { addWorlds(); }
    void bothPhasesGiveTheOraclesValues() {
        QFETCH(QByteArray, name);
        const Explored& e = explored(name);
        QCOMPARE(e.oracle.json.at("settings").size(), std::size_t(3));
        for (const json& setting : e.oracle.json.at("settings")) {
            const RefProblem problem = e.oracle.problem(e.world, setting);
            const RefPhase1 prior = solvePhase1(e.world, e.graph, problem);
            const RefPhase2 robot = solvePhase2(e.world, e.graph, problem, prior);
            Comparison check;
            comparePhase1(e, problem, prior, setting, check);
            comparePhase2(e, problem, prior, robot, setting, check);
            compareChecksums(prior, robot, setting, check);
            QVERIFY2(check.isGood(), check.text());
            QVERIFY(check.count() > 400);
        }
    }

    void corridorHasThePolicyOfPaperAndPencil() {
        // One step left, facing the goal cell 2,1: Q = 1 for forward, 0 for the other three.
        const RefWorld world = corridor(1);
        const RefGraph graph = exploreAll(world);
        RefProblem problem = corridorProblem();
        problem.beta_h = std::log(3.0);
        const RefPhase1 prior = solvePhase1(world, graph, problem);
        QVERIFY(isClose(prior.pi_h[0][0][0][3], 3.0 / 6.0));
        QVERIFY(isClose(prior.v[0][0][0], 0.5));
        QCOMPARE(prior.v[0][0][1], 0.0);
        QCOMPARE(prior.pi_h[0][0][1], Distribution({1.0, 0.0, 0.0, 0.0}));
        // Marginal: 0.5 * (1/6, 1/6, 1/6, 1/2) + 0.5 * (1, 0, 0, 0).
        QVERIFY(isClose(prior.marginal[0][0][0], 7.0 / 12.0));
        QVERIFY(isClose(prior.marginal[0][0][3], 0.25));
        const RefPhase2 robot = solvePhase2(world, graph, problem, prior);
        // X_h = 0.5 * 0.5^2 + 0.5 * 1 = 0.625; U_r = -1.6^1.1; weight (1 - 0.9) / -ln 0.9.
        QVERIFY(isClose(robot.x_h[0][0], 0.625));
        QVERIFY(isClose(robot.u_r[0], -std::pow(1.6, 1.1)));
        QVERIFY(isClose(robot.v_r[0], 0.1 / -std::log(0.9) * -std::pow(1.6, 1.1) + 0.9 * -1e-10));
    }

    void weightsCountAsGivenButMarginalsAreNormalised() {
        const RefWorld world = corridor(1);
        const RefGraph graph = exploreAll(world);
        RefProblem problem = corridorProblem();
        problem.beta_h = std::log(3.0);
        problem.humanGoals[0].weights = {1.0, 3.0};
        const RefPhase1 prior = solvePhase1(world, graph, problem);
        // (1 * (1/6, 1/6, 1/6, 1/2) + 3 * (1, 0, 0, 0)) / 4.
        QVERIFY(isClose(prior.marginal[0][0][0], 19.0 / 24.0));
        QVERIFY(isClose(prior.marginal[0][0][1], 1.0 / 24.0));
        QVERIFY(isClose(prior.marginal[0][0][3], 0.125));
        // V_h^e: goal 0 by its own policy 0.5, goal 1 always 1: X_h = 0.25 + 3.
        const RefPhase2 robot = solvePhase2(world, graph, problem, prior);
        QVERIFY(isClose(robot.x_h[0][0], 3.25));
        QVERIFY(isClose(robot.u_r[0], -std::pow(1.0 / 3.25, 1.1)));
    }

    void believedActionsOfOthersCountWithTheirProbabilities() {
        // Human 0 and human 1 want the same cell between them; human 0 believes that human 1 goes
        // there with probability 0.2 and otherwise stays: Q(forward) = 0.2 * 0.5 + 0.8 * 1 = 0.9.
        RefParameters p;
        p.maxSteps = 1;
        p.actions = {actionSetNamed("SmallActions")};
        p.orientations = {0, 2};
        const RefWorld world = parseWorld({"WeWeWeWeWe", "WeAy..AyWe", "WeWeWeWeWe"}, p);
        const RefGraph graph = exploreAll(world);
        RefProblem problem;
        problem.humans = {0, 1};
        problem.humanGoals.assign(2, {{{2, 1, 2, 1}, {1, 1, 3, 1}}, {0.5, 0.5}});
        problem.beta_h = std::numeric_limits<double>::infinity();
        problem.beliefs = independentBeliefs(world, {{0.25, 0.25, 0.25, 0.25}, {0.8, 0, 0, 0.2}});
        const RefPhase1 prior = solvePhase1(world, graph, problem);
        QVERIFY(isClose(prior.v[0][0][0], 0.9));
        QVERIFY(isClose(prior.v[0][1][0], 0.25 * 0.5 + 0.75));
        problem.beliefs = nullptr;
        QVERIFY(isClose(solvePhase1(world, graph, problem).v[0][0][0], 0.875));
    }

    void gammaAndItsRateGiveTheSameValues() {
        const RefWorld world = corridor(3);
        const RefGraph graph = exploreAll(world);
        RefProblem problem = corridorProblem();
        const RefPhase1 byGamma = solvePhase1(world, graph, problem);
        problem.rho_h = -std::log(0.9);
        QVERIFY_THROWS_EXCEPTION(orrery::Error, solvePhase1(world, graph, problem));
        problem.gamma_h.reset();
        QCOMPARE(solvePhase1(world, graph, problem).v, byGamma.v);
        QVERIFY(byGamma.v[0][0][0] > 0.9);
    }

    void infiniteBetaOfTheRobotTakesTheBestOnes() {
        const RefWorld world = corridor(2);
        const RefGraph graph = exploreAll(world);
        RefProblem problem = corridorProblem();
        problem.beta_r = std::numeric_limits<double>::infinity();
        const RefPhase1 prior = solvePhase1(world, graph, problem);
        const RefPhase2 robot = solvePhase2(world, graph, problem, prior);
        // The robot is walled in, so that all of its actions are equally good.
        QCOMPARE(robot.pi_r[0], std::vector<double>(4, 0.25));
    }

    void unreachableGoalsAreAnError() {
        const RefWorld world = corridor(1);
        const RefGraph graph = exploreAll(world);
        RefProblem problem = corridorProblem();
        problem.humanGoals = {{{{3, 1, 3, 1}}, {1.0}}};
        const RefPhase1 prior = solvePhase1(world, graph, problem);
        QVERIFY_THROWS_EXCEPTION(orrery::Error, solvePhase2(world, graph, problem, prior));
    }
};

ORRERY_TEST(ReferenceTest)
#include "reference_test.moc"
