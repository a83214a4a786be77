#include <QDir>
#include <QJsonArray>

#include "tests/app/acceptance.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

/// Its graph takes far longer than a test may, and says so only while it is explored.
const char* const kFairlyLarge = R"(metadata: {name: Long hall}
map: |
  We We We We We We We We We
  We Ay .. .. .. .. .. .. We
  We .. .. .. Ae .. .. .. We
  We .. .. .. .. .. .. Ag We
  We We We We We We We We We
max_steps: 60
possible_goals: ["1,1", "7,1", "7,3", "1,3"]
)";

}  // namespace

/// What is left open is there again: run, walk, form, questions, and edits that are in no file.
/// Nothing is lost unasked.
class AcceptanceSession : public AcceptanceScript {
    Q_OBJECT

private:
    QString m_file;

    QString codeAt(int x, int y) const {
        return ui.spot("editView", QStringLiteral("cell %1,%2").arg(x).arg(y))
            .value(u"code")
            .toString();
    }
    QJsonArray actions(const char* name) const {
        return session(ui).value(QLatin1String(name)).toArray();
    }

private Q_SLOTS:
    void initTestCase() {
        qunsetenv("XDG_STATE_HOME");  // both programs keep it in the home of the test
        // It bears no name: it is called by its file, also when it comes back as a draft.
        m_file = ui.home().write("my_room.yaml",
                                 QByteArray(kMyRoom).replace("metadata: {name: My room}\n", ""));
        SEE(ui.start({m_file, "--size", "1600x1000"}));
    }

    void theRunItsWalkAndTheFormComeBack() {
        ui.key("ctrl+3");
        SEE(ui.enter("field_beta_r", "4"));
        ui.key("F5");
        WAIT(session(ui).value(u"solved").toBool());
        SEE(ui.settle());
        if (ui.has("hintClose")) SEE(ui.click("hintClose"));
        for (int i = 0; i < 4; ++i) ui.key("F9");
        WAIT(session(ui).value(u"step").toInt() == 4);
        ui.key("shift+F7");
        WAIT(session(ui).value(u"step").toInt() == 3);
        SEE(ui.enter("predicateEdit", "step < 4"));
        WAIT(ui.dump().value(u"foundStates").toInteger() > 0);
        SEE(ui.enter("field_gamma_h", "0.95"));  // not solved with
        SEE(ui.chooseInBox("bandQuantity", QString::fromUtf8("Xₕ of A")));
        SEE(ui.settle());
        const QJsonObject before = session(ui);
        const QString place = ui.selection();
        QCOMPARE(ui.quit(), 0);
        SEE(ui.start());
        WAIT(session(ui).value(u"solved").toBool() && session(ui).value(u"moments").toInt() == 5);
        SEE(ui.settle());
        const QJsonObject after = session(ui);
        for (const char* fact : {"world", "worldName", "step", "state", "moments", "moment",
                                 "states", "v_r", "profile", "successors", "initialV_r"})
            QVERIFY2(after.value(QLatin1String(fact)) == before.value(QLatin1String(fact)), fact);
        QCOMPARE(ui.selection(), place);
        QCOMPARE(ui.text("bandQuantity"), QString::fromUtf8("Xₕ of A"));
        QCOMPARE(ui.text("field_beta_r"), QString("4"));
        QCOMPARE(ui.text("field_gamma_h"), QString("0.95"));
        SEE(ui.click("predicateEdit"));
        ui.key("Up");
        WAIT(ui.text("predicateEdit") == "step < 4");
        QVERIFY(ui.shot("session-restored"));
    }

    void editsThatAreInNoFileComeBack() {
        ui.key("ctrl+2");
        WAIT(ui.dump().value(u"perspective").toString() == "world" && ui.has("worldView"));
        ui.key("F4");
        SEE(ui.click("toolPaint"));
        SEE(ui.clickSpot("editView", "cell 2,2"));
        WAIT(codeAt(2, 2) == "We");
        SEE(ui.dump().value(u"title").toString().contains("not saved"));
        QCOMPARE(ui.quit(), 0);
        SEE(ui.start());
        WAIT(codeAt(2, 2) == "We");
        SEE(ui.dump().value(u"title").toString().startsWith("my_room, not saved"));
        SEE(ui.allTexts().contains("are back"));
        QVERIFY(Program::read(m_file).contains("We .. .. .. We"));  // the file is as it was
        QVERIFY(ui.shot("session-draft"));
    }

    void anotherWorldIsOpenedOnlyAfterAsking() {
        ui.key("ctrl+k");
        ui.type("w First");
        WAIT(ui.has("locatorPopup"));
        ui.key("Return");
        WAIT(ui.has("unsavedBox"));
        QVERIFY(ui.shot("session-asked"));
        ui.key("Escape");
        WAIT(!ui.has("unsavedBox"));
        SEE(codeAt(2, 2) == "We");
        // A file that was saved with an error cannot be opened; the world before the error can.
        SEE(ui.click("toolErase"));
        SEE(ui.clickSpot("editView", "cell 0,1"));
        WAIT(codeAt(0, 1) == "..");
        SEE(ui.runCommand("Save world as"));
        WAIT(ui.has("fileNameEdit"));
        ui.type(ui.path("open_room.yaml"));
        ui.key("Return");
        WAIT(ui.allTexts().contains("with an error"));
        QCOMPARE(ui.quit(), 0);
        SEE(ui.start());
        WAIT(codeAt(2, 2) == "We" && codeAt(0, 1) == "We");
        SEE(Program::read(ui.path("open_room.yaml")).contains(".. Ay"));
        // Started with another world, the edits become a file beside the session.
        QCOMPARE(ui.quit(), 0);
        SEE(ui.start({"builtin:first_steps"}));
        WAIT(session(ui).value(u"world").toString() == "First steps");
        WAIT(ui.allTexts().contains("open_room_1.yaml"));
        QCOMPARE(ui.quit(), 0);
    }

    void aSolveMayBeFinishedBeforeTheProgramEnds() {
        const QString file = ui.home().write("hall.yaml", kFairlyLarge);
        SEE(ui.start({file}));
        ui.key("ctrl+3");
        ui.key("F5");
        WAIT(ui.dump().value(u"run").toObject().value(u"live").toBool());
        ui.key("ctrl+q");
        WAIT(ui.has("closeBox"));
        for (const char* button : {"finishThenQuit", "cancelAndQuit"})
            QVERIFY2(!ui.part(button).value(u"cut").toBool(), button);
        QVERIFY(ui.shot("session-close"));
        ui.key("Escape");
        WAIT(!ui.has("closeBox"));
        SEE(ui.dump().value(u"run").toObject().value(u"live").toBool());
        ui.key("shift+F5");
        WAIT(!ui.dump().value(u"run").toObject().value(u"live").toBool());
        QCOMPARE(ui.quit(), 0);
        QCOMPARE(ui.console(), QByteArray());
        // A solve of some seconds is finished, then the program ends by itself. Its levels take
        // long, so that a busy machine meets it at work.
        ui.setVariable("ORRERY_FAULT", "run.level:delay=100@1+");
        SEE(ui.start({"builtin:building_site"}));
        ui.setVariable("ORRERY_FAULT", {});
        ui.key("ctrl+3");
        ui.key("F5");
        // It is live before it is stored, and has its id from there on.
        WAIT(!ui.dump().value(u"run").toObject().value(u"id").toString().isEmpty());
        SEE(ui.dump().value(u"run").toObject().value(u"live").toBool());
        const QString run = ui.dump().value(u"run").toObject().value(u"id").toString();
        ui.key("ctrl+q");
        WAIT(ui.has("closeBox"));
        SEE(ui.click("finishThenQuit"));
        QVERIFY(QTest::qWaitFor([&] { return !ui.isRunning(); }, UiDriver::kPatience));
        const Ended shown = ui.cli({"show", run, "--json"});
        QVERIFY2(shown.status == 0, shown.err);
        QCOMPARE(shown.jsonText("/state"), QStringLiteral("finished"));
    }

    void aSecondStartGoesToTheWindowThatIsOpen() {
        SEE(ui.start({"first_steps"}));
        WAIT(session(ui).value(u"world").toString() == "First steps");
        QCOMPARE(ui.cli({m_file}).status, 0);
        WAIT(session(ui).value(u"world").toString() == "my_room");
        QCOMPARE(ui.numWindows(), 1);
        const QString run = QStringLiteral("orrery:run/r00001/t2");
        QCOMPARE(ui.cli({run}).status, 0);
        WAIT(session(ui).value(u"solved").toBool() && session(ui).value(u"step").toInt() == 2);
        QCOMPARE(ui.cli({}).status, 0);  // comes to the front
        QCOMPARE(ui.quit(), 0);
        QVERIFY(QDir(ui.path("")).entryList({"orrery-*.socket"}, QDir::System).isEmpty());
    }

    void aSearchStartsFromACellAndTheLogHasTheCommandLines() {
        SEE(ui.start({"builtin:first_steps"}));
        ui.key("ctrl+3");
        ui.key("F5");
        WAIT(session(ui).value(u"solved").toBool());
        SEE(ui.runCommand("Copy command line"));
        ui.key("ctrl+2");
        SEE(ui.clickSpot("worldView", "cell 2,1"));
        SEE(ui.runCommand("Find states with this cell"));
        WAIT(ui.dump().value(u"foundText").toString().contains(".at(2,1)"));
        SEE(ui.dump().value(u"foundStates").toInteger() > 0);
        SEE(ui.runCommand("Log of actions"));
        WAIT(ui.has("actionTable"));
        QStringList commands;
        for (const QStringList& row : ui.cells("actionTable")) commands << row.value(2);
        QVERIFY2(commands.contains("orrery solve builtin:first_steps --name 'First steps'"),
                 commands.join(u'\n').toUtf8());
        QVERIFY2(commands.last().startsWith("orrery graph find builtin:first_steps"),
                 commands.join(u'\n').toUtf8());
        QVERIFY(ui.shot("session-log"));
        // A panel is moved without dragging, and undo brings it back.
        SEE(ui.click("actionTable"));
        const QRect below = ui.placeOf(ui.part("actionTable"));
        SEE(ui.runCommand("Move panel to next side"));
        WAIT(ui.has("actionTable") && ui.placeOf(ui.part("actionTable")).right() < below.right());
        ui.key("ctrl+z");
        WAIT(ui.has("actionTable") && ui.placeOf(ui.part("actionTable")) == below);
        QCOMPARE(ui.quit(), 0);
    }
};

ORRERY_WINDOW_TEST(AcceptanceSession)
#include "acceptance_session.moc"
