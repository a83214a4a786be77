#include "tests/app/acceptance_learning.h"
#include "tests/app/readable.h"
#include "tests/support/test_program.h"

using namespace orrery;

/// Step 20, what is seen: dark and light at 200 %, a palette for colour-blind eyes.
class AcceptanceLooks : public LearningScript {
    Q_OBJECT

public:
    AcceptanceLooks() : LearningScript(2) {}

private:
    QString perspective() const { return ui.dump().value(u"perspective").toString(); }

    bool turnTo(const QString& theme) {
        const auto isThere = [&] { return ui.dump().value(u"theme").toString() == theme; };
        return isThere() || (ui.runCommand(theme) && ui.waitUntil(isThere));
    }
    /// What is shown is in the theme, and every text of it can be read.
    void checkLooks(const QString& theme, const QString& name) {
        ui.moveTo({4, 4});
        SEE(ui.settle());
        QVERIFY(ui.shot("step-20-" + theme + "-" + name));
        const QColor corner = ui.pixel(ui.placeOf(ui.part("statusText")).topLeft() - QPoint(2, 0));
        QVERIFY2(theme == "dark" ? corner.lightness() < 80 : corner.lightness() > 180,
                 corner.name().toUtf8());
        const QStringList found = unreadableTexts(ui);
        QVERIFY2(found.isEmpty(), found.join(u'\n').toUtf8());
    }

private Q_SLOTS:
    void initTestCase() {
        SEE(ui.start({"builtin:first_steps", "--size", "1600x1000"}));
        QCOMPARE(ui.dump().value(u"ratio").toDouble(), 2.0);
        ui.key("F5");
        WAIT(session(ui).value(u"solved").toBool());
        SEE(ui.settle());
    }

    void step20aEverythingIsReadableDarkAndLightAt200Percent_data() {
        QTest::addColumn<QString>("theme");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("name");
        for (const QString theme : {"dark", "light"})
            for (const auto& [key, name] :
                 {std::pair("ctrl+1", "home"), std::pair("ctrl+2", "world"),
                  std::pair("ctrl+3", "plan"), std::pair("ctrl+4", "train"),
                  std::pair("ctrl+5", "compare")})
                QTest::newRow(qPrintable(theme + "-" + name))
                    << theme << QString(key) << QString(name);
    }
    void step20aEverythingIsReadableDarkAndLightAt200Percent() {
        QFETCH(QString, theme);
        QFETCH(QString, key);
        QFETCH(QString, name);
        SEE(turnTo(theme));
        ui.key(key);
        WAIT(perspective() == name);
        checkLooks(theme, name);
    }

    void step20tATrainingIsMade() {
        if (!kHasLearners) QSKIP("This build has no learners.");
        SEE(openForm());
        SEE(fillField("num_training_steps", QString::number(kBriefSteps)));
        SEE(ui.click("trainStart"));
        WAIT(hasTrainedBriefly());
        SEE(ui.settle());
    }

    void step20tATrainingIsReadableDarkAndLightAt200Percent_data() {
        QTest::addColumn<QString>("theme");
        QTest::addColumn<QString>("title");
        QTest::addColumn<QString>("part");
        for (const QString theme : {"light", "dark"})
            for (const auto& [title, part] : trainViews())
                QTest::newRow(qPrintable(theme + "-" + title)) << theme << title << part;
    }
    void step20tATrainingIsReadableDarkAndLightAt200Percent() {
        if (!kHasLearners) QSKIP("This build has no learners.");
        QFETCH(QString, theme);
        QFETCH(QString, title);
        QFETCH(QString, part);
        SEE(turnTo(theme));
        SEE(showTrainView(title, part));
        checkLooks(theme, title.section(u' ', 0, 0).toLower());
    }

    void step20bThePaletteForColourBlindEyesIsTakenEverywhere() {
        ui.key("ctrl+2");
        WAIT(perspective() == "world");
        SEE(ui.settle());
        const auto colors = [&] {
            QStringList names;
            for (const QJsonObject& cell : ui.spots("worldView", "cell "))
                if (cell.contains(u"color")) names << cell.value(u"color").toString();
            return names;
        };
        const QStringList before = colors();
        QVERIFY(!before.isEmpty());
        SEE(ui.runCommand("Settings"));
        WAIT(ui.has("settingsWindow"));
        SEE(ui.click("settingsSearch"));
        ui.type("colour-blind");
        WAIT(ui.has("setting_colorMap") || !ui.partsBeginning("setting_appearance").empty());
        QString box;
        for (const QJsonObject& part : ui.partsBeginning("setting_"))
            if (part.value(u"items").toArray().contains("Cividis (colour-blind)"))
                box = part.value(u"name").toString();
        QVERIFY(!box.isEmpty());
        SEE(ui.chooseInBox(box, "Cividis (colour-blind)"));
        WAIT(colors() != before);
        QVERIFY(ui.shot("step-20-palette"));
        ui.keys({"Escape", "Escape"});
        SEE(ui.click("statusText"));  // the window again, if the settings stay open beside it
    }

    void theProgramEndsCleanly() {
        QCOMPARE(ui.quit(), 0);
        QCOMPARE(ui.console(), QByteArray());
    }
};

ORRERY_WINDOW_TEST(AcceptanceLooks)
#include "acceptance_looks.moc"
