#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/app/acceptance.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

/// The example "first_steps" in a file of the person's own; its walls leave a room of 3 x 2 cells.
constexpr int kMoves = 10;

}  // namespace

/// Steps 6 to 8: play by keys, ask what would follow, edit and solve again.
class AcceptancePlayEdit : public AcceptanceScript {
    Q_OBJECT

private:
    QString m_file;
    ValueRows m_values{QByteArray()};

    qint64 state() const { return session(ui).value(u"state").toInteger(); }
    int step() const { return session(ui).value(u"step").toInt(); }
    QJsonObject worldCell(int agent) const {
        for (const QJsonObject& cell : ui.spots("worldView", "cell "))
            if (cell.value(u"agent").toInt(-1) == agent) return cell;
        return {};
    }
    /// The picture shows both agents where the stored state has them.
    bool picturesTheState() const {
        for (const int agent : {0, 1}) {
            const std::string name = agent == 0 ? "human0" : "robot0";
            if (worldCell(agent).value(u"name").toString() !=
                QStringLiteral("cell %1,%2")
                    .arg(m_values.at(step(), state(), name + ".x"))
                    .arg(m_values.at(step(), state(), name + ".y")))
                return false;
        }
        return true;
    }
    QStringList undoNames() const {
        QStringList names;
        for (const QJsonValue name : ui.dump().value(u"undo").toObject().value(u"names").toArray())
            names << name.toString();
        return names;
    }
    QString codeAt(int x, int y) const {
        return ui.spot("editView", QStringLiteral("cell %1,%2").arg(x).arg(y))
            .value(u"code")
            .toString();
    }
    QString findings() const {
        QStringList texts;
        for (const QJsonValue cell : ui.part("findingList").value(u"cells").toArray())
            texts << cell.toObject().value(u"text").toString() + u' ' +
                         cell.toObject().value(u"tip").toString();
        return texts.join(u'\n');
    }
    void paintWall(int x, int y) {
        SEE(ui.clickSpot("editView", QStringLiteral("cell %1,%2").arg(x).arg(y)));
        WAIT(codeAt(x, y) == "We");
    }

private Q_SLOTS:
    void initTestCase() {
        m_file = ui.home().write("my_room.yaml", kMyRoom);
        SEE(ui.start({m_file, "--size", "1600x1000"}));
        QCOMPARE(session(ui).value(u"world").toString(), QString("My room"));
        ui.key("F5");
        WAIT(session(ui).value(u"solved").toBool());
        SEE(ui.settle());
        const QString run = ui.dump().value(u"run").toObject().value(u"id").toString();
        QCOMPARE(ui.cli({"export", run, "-o", ui.path("values.csv")}).status, 0);
        m_values = ValueRows(Program::read(ui.path("values.csv")));
        QVERIFY(!m_values.isEmpty());
    }

    void step06TenMovesArePlayedByKeys() {
        ui.key("ctrl+2");
        SEE(ui.clickSpot("worldView", "cell 2,2"));
        WAIT(ui.part("worldView").value(u"focus").toBool());
        ui.key("p");
        WAIT(ui.facts("worldView").value(u"playing").toBool());
        SEE(ui.has("keyStrip"));
        QStringList legend;
        for (const QJsonValue entry : ui.facts("keyStrip").value(u"keys").toArray())
            legend << entry.toString();
        for (const char* entry : {"Enter commit", "Backspace undo step", "Alt hold: successors"})
            QVERIFY2(legend.contains(QLatin1String(entry)), legend.join(u';').toUtf8());
        const std::size_t blocksBefore = busyBlocks(ui).size();
        const char* const moves[kMoves] = {"Up",    "Right", "Up", "Right", "Up",
                                           "Right", "Up",    "0",  "Left",  "Up"};
        int numMoved = 0;
        for (int move = 0; move < kMoves; ++move) {
            const qint64 before = state();
            ui.key(moves[move]);
            ui.key("Return");
            WAIT(step() == move + 1);
            SEE(picturesTheState());
            numMoved += state() != before;
        }
        QVERIFY2(numMoved >= kMoves / 2, QByteArray::number(numMoved));
        SEE(ui.settle());
        QCOMPARE(ui.facts("episodeStrip").value(u"moments").toInt() - 1, kMoves);
        QVERIFY(ui.shot("step-06"));
        const auto blocks = busyBlocks(ui);
        QVERIFY2(blocks.size() == blocksBefore || !checksTimesStrictly(), textOf(blocks));
        const qint64 last = state();
        ui.key("BackSpace");
        WAIT(step() == kMoves - 1);
        SEE(picturesTheState());
        ui.key("n");
        WAIT(step() == kMoves && state() == last);
    }

    void step07AltShowsWhatWouldFollowAndLeavesNoTrace() {
        ui.key("r");
        WAIT(step() == 0);
        SEE(ui.settle());
        ui.key("0");  // the human rests, so that going forward is another thing
        SEE(ui.settle());
        const QRect world = ui.placeOf(ui.part("worldView"));
        ui.moveTo(world.topLeft() + QPoint(4, 4));
        SEE(ui.settle());
        const QImage before = ui.screen().copy(world);
        const qint64 profile = session(ui).value(u"profile").toInteger();
        ui.holdKey("alt");
        ui.holdKey("Up");
        WAIT(ui.facts("worldView").value(u"trial").toBool() &&
             ui.facts("worldView").value(u"ghosts").toInt() > 0);
        double human = 0;
        for (const QJsonObject& ghost : ui.spots("worldView", "ghost ")) {
            const double probability = ghost.value(u"probability").toDouble();
            QVERIFY(probability > 0 && probability <= 1 + 1e-12);
            if (ghost.value(u"agent").toInt() == 0) human += probability;
        }
        // Going forward always moves the human, by whatever chance.
        QVERIFY2(std::abs(human - 1) < 1e-9, QByteArray::number(human));
        WAIT(ui.screen().copy(world) != before);
        QVERIFY(ui.shot("step-07"));
        ui.releaseKey("Up");
        ui.releaseKey("alt");
        WAIT(!ui.facts("worldView").value(u"trial").toBool());
        SEE(ui.settle());
        QCOMPARE(session(ui).value(u"profile").toInteger(), profile);
        QCOMPARE(step(), 0);
        WAIT(ui.screen().copy(world) == before);

        // The same with the pointer on an action.
        QString button;
        for (const QJsonObject& each : ui.partsBeginning("action_0_"))
            if (each.value(u"text").toString() == "forward")
                button = each.value(u"name").toString();
        QVERIFY(!button.isEmpty());
        ui.moveTo(ui.placeOf(ui.part(button)).center());
        ui.holdKey("alt");
        WAIT(ui.facts("worldView").value(u"trial").toBool() &&
             ui.facts("worldView").value(u"ghosts").toInt() > 0);
        ui.releaseKey("alt");
        WAIT(!ui.facts("worldView").value(u"trial").toBool());
        QCOMPARE(session(ui).value(u"profile").toInteger(), profile);
        ui.key("Escape");
    }

    void step08TheWorldIsEditedSavedAndSolvedAgain() {
        const double before = session(ui).value(u"initialV_r").toDouble();
        ui.key("F4");
        WAIT(ui.has("editView"));
        SEE(ui.settle());
        const QString found = findings();
        QVERIFY2(found.contains("states"), found.toUtf8());
        SEE(ui.clickSpot("palette", "We"));
        paintWall(2, 2);
        SEE(ui.settle());
        QVERIFY2(!undoNames().isEmpty() && undoNames().last().contains("wall"),
                 undoNames().join(u';').toUtf8());
        WAIT(findings() != found && findings().contains("states"));
        QVERIFY2(!findings().contains("Goal 3,1"), findings().toUtf8());
        ui.key("ctrl+z");
        WAIT(codeAt(2, 2) == "..");
        WAIT(findings() == found);
        ui.key("ctrl+shift+z");
        WAIT(codeAt(2, 2) == "We");
        paintWall(2, 1);
        WAIT(findings().contains("Goal 3,1 is enclosed"));
        QVERIFY2(findings().contains("3,1") && findings().contains("3,2"), findings().toUtf8());
        QVERIFY(ui.shot("step-08-enclosed"));
        ui.key("ctrl+z");
        WAIT(codeAt(2, 1) == ".." && !findings().contains("Goal 3,1"));
        // Saved to the file it came from, then solved anew.
        ui.key("ctrl+s");
        WAIT(Program::read(m_file).contains("We .. We .. We"));
        QVERIFY2(!Program::read(m_file).contains("We Ay We"), Program::read(m_file));
        ui.key("F5");
        WAIT(session(ui).value(u"solved").toBool() && !session(ui).value(u"stale").toBool());
        SEE(ui.settle());
        const double after = session(ui).value(u"initialV_r").toDouble();
        QVERIFY(std::abs(after - before) > 1e-6);
        const Ended solved = ui.cli({"solve", m_file, "--json", "--no-history"});
        QCOMPARE(solved.status, 0);
        QVERIFY(std::abs(solved.json()["root"]["v_r"].get<double>() - after) <= 1e-12);
        QVERIFY(ui.shot("step-08"));
    }

    void theProgramEndsCleanly() {
        QCOMPARE(ui.quit(), 0);
        QCOMPARE(ui.console(), QByteArray());
    }
};

ORRERY_WINDOW_TEST(AcceptancePlayEdit)
#include "acceptance_play_edit.moc"
