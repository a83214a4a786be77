#include <QRegularExpression>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/app/acceptance.h"
#include "tests/support/test_program.h"

using namespace orrery;

/// Steps 1 to 5: start, run an example, pick a state, walk, search.
class AcceptanceFirstMinutes : public AcceptanceScript {
    Q_OBJECT

private:
    QString m_world;  ///< stem of the first example's name
    ValueRows m_values{QByteArray()};

    qint64 state() const { return session(ui).value(u"state").toInteger(); }
    qint64 step() const { return session(ui).value(u"step").toInteger(); }
    QString stateName() const { return QStringLiteral("state t%1/s%2").arg(step()).arg(state()); }

    /// Empty if world, graph, bands, levels, inspector and breadcrumb all show the session's state.
    QByteArray disagreement() const {
        for (const QJsonObject& card : ui.spots("stateCanvas"))
            if (card.value(u"current").toBool() != (card.value(u"name").toString() == stateName()))
                return "the graph marks another state";
        if (!ui.spot("levelBandsCanvas", QStringLiteral("level %1").arg(step()))
                 .value(u"current")
                 .toBool())
            return "the bands mark another level";
        // "t 6, s 1 023"
        QString digits = ui.text("stateTitle").section(QStringLiteral("s "), -1);
        digits.remove(QRegularExpression("[^0-9]"));
        if (digits.toLongLong() != state()) return "the inspector shows " + digits.toUtf8();
        const QString crumbs = ui.text("breadcrumb");
        if (!crumbs.contains(QStringLiteral("t %1").arg(step())))
            return "the breadcrumb says " + crumbs.toUtf8();
        for (const QJsonObject& cell : ui.spots("worldView", "cell "))
            if (const int agent = cell.value(u"agent").toInt(-1); agent >= 0) {
                const std::string name = agent == 0 ? "human0" : "robot0";
                const QString where = QStringLiteral("cell %1,%2")
                                          .arg(m_values.at(step(), state(), name + ".x"))
                                          .arg(m_values.at(step(), state(), name + ".y"));
                if (cell.value(u"name").toString() != where)
                    return "the world shows an agent elsewhere";
            }
        const double v_r = session(ui).value(u"v_r").toDouble();
        if (v_r != m_values.at(step(), state(), "v_r")) return "V_r is another";
        return {};
    }

private Q_SLOTS:
    void step01TheWindowOpensOnPicturesAndRests() {
        SEE(ui.start({"--size", "1600x1000"}));
        const double first = ui.dump().value(u"firstPaintSeconds").toDouble();
        QVERIFY2(first > 0 && first <= timeLimit(1.5, 20), QByteArray::number(first));
        WAIT(ui.partsBeginning("card_").size() >= 6);
        SEE(ui.settle());
        QCOMPARE(ui.numWindows(), 1);
        QCOMPARE(ui.dump().value(u"perspective").toString(), QString("home"));
        int numPictures = 0;
        const QImage screen = ui.screen();
        for (const QJsonObject& card : ui.partsBeginning("card_")) {
            const QRect place = ui.placeOf(card);
            if (screen.rect().contains(place) && UiDriver::inkIn(screen, place) > 0.2)
                ++numPictures;
        }
        QVERIFY2(numPictures >= 6, QByteArray::number(numPictures));
        // It comes to rest, and stays so.
        const auto limit = static_cast<int>(timeLimit(5'000, UiDriver::kPatience));
        QVERIFY2(QTest::qWaitFor([&] { return ui.cpuShare(1) <= 0.01; }, limit), ui.why());
        constexpr double kKeeping = 5;  // seconds: in these the session is looked at once
        const double share = ui.cpuShare(kKeeping);
        QVERIFY2(share <= timeLimit(0.01, 0.02), QByteArray::number(share));
        QCOMPARE(ui.console(), QByteArray());
        QVERIFY(ui.shot("step-01"));
    }

    void step02TheFirstExampleIsSolvedWithOneClick() {
        QJsonObject first;
        for (const QJsonObject& run : ui.partsBeginning("run_"))
            if (const QPoint place = ui.placeOf(run).topLeft();
                first.isEmpty() || place.y() < ui.placeOf(first).y() ||
                (place.y() == ui.placeOf(first).y() && place.x() < ui.placeOf(first).x()))
                first = run;
        m_world = first.value(u"name").toString().mid(4);
        SEE(ui.click(first.value(u"name").toString()));
        WAIT(session(ui).value(u"solved").toBool());
        SEE(ui.settle());
        const QJsonObject run = ui.dump().value(u"run").toObject();
        QCOMPARE(run.value(u"state").toString(), QString("finished"));
        QVERIFY(run.value(u"seconds").toDouble() <= timeLimit(3, 30));

        const Ended solved = ui.cli({"solve", m_world, "--json", "--no-history"});
        QCOMPARE(solved.status, 0);
        const nlohmann::json told = solved.json();
        const double v_r = told["root"]["v_r"].get<double>();
        const double shown = session(ui).value(u"v_r").toDouble();
        QVERIFY2(std::abs(shown - v_r) <= 1e-12, QByteArray::number(shown - v_r));
        const double drawn = ui.facts("levelBandsCanvas").value(u"currentValue").toDouble();
        QVERIFY2(std::abs(drawn - v_r) <= 1e-12, QByteArray::number(drawn - v_r));
        QCOMPARE(session(ui).value(u"states").toInteger(), told["states"].get<qint64>());
        QCOMPARE(session(ui).value(u"levels").toInt(), told["levels_solved"].get<int>());
        // "Solved", "3 040 states · 11 levels · ..."
        QCOMPARE(ui.text("statusText"), QString("Solved"));
        QString numbers = ui.text("statusNumbers");
        numbers.remove(QRegularExpression("(?<=\\d)\\s(?=\\d)",
                                          QRegularExpression::UseUnicodePropertiesOption));
        QVERIFY2(numbers.startsWith(QStringLiteral("%1 states · %2 levels")
                                        .arg(told["states"].get<qint64>())
                                        .arg(told["levels_solved"].get<int>())),
                 ui.text("statusNumbers").toUtf8());
        // Every level has its bar, and they were solved from the last to the first.
        int numBands = 0;
        for (const QJsonObject& spot : ui.spots("levelBandsCanvas", "level "))
            numBands += !spot.value(u"name").toString().endsWith(u"fullest");
        QCOMPARE(numBands, told["levels_solved"].get<int>());
        const QString id = run.value(u"id").toString();
        const Ended csv = ui.cli({"export", id, "--what", "metrics", "-o", ui.path("metrics.csv")});
        QCOMPARE(csv.status, 0);
        checkSolvedBackwards(Program::read(ui.path("metrics.csv")));
        QCOMPARE(ui.cli({"export", id, "-o", ui.path("values.csv")}).status, 0);
        m_values = ValueRows(Program::read(ui.path("values.csv")));
        QCOMPARE(m_values.size(), static_cast<std::size_t>(told["states"].get<qint64>()));
        QVERIFY(ui.shot("step-02"));
    }

    void step03APickedStateIsShownEverywhere() {
        QString other;
        for (const QJsonObject& card : ui.spots("stateCanvas", "state t1/"))
            if (!card.value(u"current").toBool()) other = card.value(u"name").toString();
        QVERIFY(!other.isEmpty());
        const std::size_t blocksBefore = busyBlocks(ui).size();
        SEE(ui.clickSpot("stateCanvas", other));
        WAIT(stateName() == other);
        SEE(ui.settle());
        QCOMPARE(disagreement(), QByteArray());
        // The policies and the chances are distributions, and the values are the stored ones.
        double policy = 0;
        const auto rows = ui.spots("robotPolicyBars", "row ");
        for (const QJsonObject& row : rows) policy += row.value(u"share").toDouble();
        QVERIFY2(std::abs(policy - 1) < 1e-9, QByteArray::number(policy));
        QCOMPARE(rows.size(), m_values.columnsBeginning("q_r[").size());
        checkShownQ();
        SEE(ui.facts("worldView").value(u"arrows").toBool());
        double chances = 0;
        for (const QJsonValue row : session(ui).value(u"successors").toArray())
            chances += row.toObject().value(u"probability").toDouble();
        QVERIFY2(std::abs(chances - 1) < 1e-12, QByteArray::number(chances));
        checkHeatColors();
        const auto blocks = busyBlocks(ui);
        QVERIFY2(blocks.size() == blocksBefore || !checksTimesStrictly(), textOf(blocks));
        QVERIFY(ui.shot("step-03"));
    }

    void step04TheKeyboardWalksThereAndBack() {
        const QString before = stateName();
        const qint64 fromStep = step();
        ui.key("e");  // opens the successors of the state
        WAIT(!ui.spots("stateCanvas", QStringLiteral("state t%1/").arg(fromStep + 1)).empty());
        SEE(ui.settle());
        ui.key("Right");
        ui.key("Return");
        WAIT(stateName() != before);
        SEE(ui.settle());
        const QString after = stateName();
        QCOMPARE(step(), fromStep + 1);
        QCOMPARE(disagreement(), QByteArray());
        ui.key("alt+Left");
        WAIT(stateName() == before);
        SEE(ui.settle());
        QCOMPARE(disagreement(), QByteArray());
        ui.key("alt+Right");
        WAIT(stateName() == after);
        SEE(ui.settle());
        QCOMPARE(disagreement(), QByteArray());
        // A step of the walk outlines the cells that it changed: where the two states differ.
        qint64 last = state(), lastStep = step();
        for (int tries = 0; tries < 8 && state() == last; ++tries) {
            last = state();
            lastStep = step();
            ui.key("F9");
            WAIT(step() == lastStep + 1);
        }
        SEE(ui.settle());
        QCOMPARE(disagreement(), QByteArray());
        QSet<QString> changed, marked;
        for (const std::string agent : {"human0", "robot0"}) {
            bool moved = false;
            for (const char* variable : {".x", ".y", ".direction"})
                moved = moved || m_values.at(lastStep, last, agent + variable) !=
                                     m_values.at(step(), state(), agent + variable);
            if (!moved) continue;
            for (const auto& [t, s] : {std::pair(lastStep, last), std::pair(step(), state())})
                changed << QStringLiteral("cell %1,%2")
                               .arg(m_values.at(t, s, agent + ".x"))
                               .arg(m_values.at(t, s, agent + ".y"));
        }
        for (const QJsonObject& cell : ui.spots("worldView", "cell "))
            if (cell.value(u"changed").toBool()) marked << cell.value(u"name").toString();
        QCOMPARE(marked, changed);
        QVERIFY(ui.shot("step-04"));
    }

    void step05APredicateFindsItsStatesAndMistakesAreShown() {
        ui.key("ctrl+f");
        WAIT(ui.part("predicateEdit").value(u"focus").toBool());
        const QString question = "human0.at(1,1) and step < 4";
        ui.type(question);
        ui.key("Return");
        WAIT(!ui.text("predicateResult").isEmpty());
        SEE(ui.settle());
        const Ended found = ui.cli({"graph", "find", m_world, question, "--json"});
        QCOMPARE(found.status, 0);
        const qint64 count = ui.dump().value(u"foundStates").toInteger();
        QCOMPARE(count, found.json()["total"].get<qint64>());
        qint64 expected = 0;
        for (qint64 s = 0, t = 0; t < 4; s = 0, ++t)
            for (; s < 20'000; ++s)
                expected += m_values.has(t, s) && m_values.at(t, s, "human0.x") == 1 &&
                            m_values.at(t, s, "human0.y") == 1;
        QCOMPARE(count, expected);
        const QString result = ui.text("predicateResult");  // "84 states · 3 ms"
        const QRegularExpressionMatch parts =
            QRegularExpression(QString::fromUtf8("^(.+) states? · ([\\d.]+) ms$")).match(result);
        QVERIFY2(parts.hasMatch(), result.toUtf8());
        QVERIFY2(parts.captured(2).toDouble() <= timeLimit(300, 10'000), result.toUtf8());
        QCOMPARE(ui.facts("levelBandsCanvas").value(u"found").toInteger(), expected);
        QVERIFY(ui.shot("step-05"));

        ui.key("ctrl+a");
        ui.type("human0.at(1,1) and hamster == 2");
        ui.key("Return");
        WAIT(!ui.text("predicateProblem").isEmpty());
        const QString problem = ui.text("predicateProblem");
        QVERIFY2(problem.contains(u"hamster"), problem.toUtf8());
        QCOMPARE(ui.part("predicateEdit").value(u"cursor").toInt(), 19);
        QVERIFY(ui.part("predicateEdit").value(u"focus").toBool());
        QVERIFY(ui.shot("step-05-mistake"));
    }

    void theProgramEndsCleanly() {
        ui.key("Escape");
        QCOMPARE(ui.quit(), 0);
        QCOMPARE(ui.console(), QByteArray());
        QCOMPARE(ui.cli({"ls", "--json"}).status, 0);
    }

private:
    /// The metrics of the solve came level by level, the last level first.
    void checkSolvedBackwards(const QByteArray& csv) {
        std::map<int, int> stepOf;  // by the order in which they came
        for (const QByteArray& line : csv.split('\n'))
            if (line.startsWith("solve/v_r_mean,"))
                stepOf[line.split(',')[1].toInt()] = line.split(',')[2].toInt();
        int expected = session(ui).value(u"levels").toInt() - 1;
        for (const auto& [order, step] : stepOf) QCOMPARE(step, expected--);
        QCOMPARE(expected, -1);
    }

    /// Q_r of each action beside its policy, as stored.
    void checkShownQ() {
        for (const QJsonObject& row : ui.spots("robotPolicyBars", "row ")) {
            const int number = row.value(u"name").toString().mid(4).toInt();
            const QString action = row.value(u"text").toString();
            const QString shown =
                ui.spot("robotPolicyBars", QStringLiteral("number %1,1").arg(number))
                    .value(u"text")
                    .toString();
            const double stored = m_values.at(step(), state(), "q_r[" + action.toStdString() + "]");
            QString plain = shown;
            plain.replace(QChar(0x2212), QChar(u'-')).remove(QChar(u' '));
            QVERIFY2(
                std::abs(plain.toDouble() - stored) <= 0.00051 * std::max(1.0, std::abs(stored)),
                (action + " " + shown).toUtf8());
        }
    }

    /// The colour of a cell is the one that the colour bar has at the cell's value.
    void checkHeatColors() {
        const QJsonObject bar = ui.spot("worldView", "color bar");
        QVERIFY(!bar.isEmpty());
        const QRect place = ui.placeOf(bar);
        const double low = bar.value(u"low").toDouble(), high = bar.value(u"high").toDouble();
        const QImage screen = ui.screen();
        int numChecked = 0;
        for (const QJsonObject& cell : ui.spots("worldView", "cell ")) {
            if (!cell.contains(u"value") || high <= low) continue;
            const double share = (cell.value(u"value").toDouble() - low) / (high - low);
            const int y =
                static_cast<int>(std::lround(place.bottom() - share * (place.height() - 1)));
            const QColor inBar = screen.pixelColor(
                place.center().x(), std::clamp(y, place.top() + 1, place.bottom() - 1));
            const QColor told(cell.value(u"color").toString());
            const int apart = std::abs(inBar.red() - told.red()) +
                              std::abs(inBar.green() - told.green()) +
                              std::abs(inBar.blue() - told.blue());
            QVERIFY2(
                apart <= 48,
                (cell.value(u"name").toString() + " " + inBar.name() + " " + told.name()).toUtf8());
            // And it is what is seen in the cell, somewhere beside what stands there.
            QVERIFY2(showsColor(screen, ui.placeOf(cell), told),
                     cell.value(u"name").toString().toUtf8());
            ++numChecked;
        }
        QVERIFY(numChecked > 0);
    }

    static bool showsColor(const QImage& screen, const QRect& place, const QColor& color) {
        int same = 0;
        for (int y = place.top(); y <= place.bottom(); ++y)
            for (int x = place.left(); x <= place.right(); ++x)
                if (screen.rect().contains(x, y)) {
                    const QColor there = screen.pixelColor(x, y);
                    same += std::abs(there.red() - color.red()) < 6 &&
                            std::abs(there.green() - color.green()) < 6 &&
                            std::abs(there.blue() - color.blue()) < 6;
                }
        return same >= 20;
    }
};

ORRERY_WINDOW_TEST(AcceptanceFirstMinutes)
#include "acceptance_first_minutes.moc"
