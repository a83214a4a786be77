#include <QFile>
#include <QSet>
#include <algorithm>

#include "tests/app/acceptance_learning.h"
#include "tests/app/focus_walk.h"
#include "tests/support/test_program.h"

using namespace orrery;

/// Step 20, what is reached: this program has no mouse.
class AcceptanceKeys : public LearningScript {
    Q_OBJECT

private:
    QString perspective() const { return ui.dump().value(u"perspective").toString(); }
    bool hasKeyboard(const QString& part) const { return ui.part(part).value(u"focus").toBool(); }
    QByteArray keyboardIsAt() const {
        for (const QJsonValue value : ui.dump().value(u"widgets").toArray())
            if (value.toObject().value(u"focus").toBool())
                return partText(value.toObject()).toUtf8();
        return "nothing";
    }
    bool turnTo(const QString& name, const QString& keys) {
        ui.key(keys);
        return ui.waitUntil([&] { return perspective() == name; }) && ui.settle();
    }
    /// What the window looks like: which views are open and where they are.
    QStringList layout() const {
        QStringList places;
        for (const QJsonObject& part : ui.partsBeginning("panel_"))
            places << part.value(u"name").toString() + rectText(part);
        for (const QJsonObject& part : ui.partsOfKind("ViewTabBar")) {
            QString tabs;
            for (const QJsonValue tab : part.value(u"tabs").toArray())
                tabs += tab.toObject().value(u"text").toString() + u' ';
            places << tabs + rectText(part);
        }
        places.sort();
        return places;
    }
    static QString rectText(const QJsonObject& part) {
        QStringList numbers;
        for (const QJsonValue number : part.value(u"rect").toArray())
            numbers << QString::number(number.toInt());
        return " (" + numbers.join(u' ') + u')';
    }

    /// Presses Tab until a part has the keyboard: some times at once, and back what was too many.
    bool tabTo(const QString& part, bool isBackwards = false) {
        constexpr int kAtOnce = 10, kMost = 200;
        const QString on = isBackwards ? "shift+Tab" : "Tab",
                      back = isBackwards ? "Tab" : "shift+Tab";
        ui.look();
        for (int pressed = 0; pressed < kMost && !hasKeyboard(part); pressed += kAtOnce) {
            const std::vector<FocusStop> stops = pressAndSee(ui, on, kAtOnce);
            const auto stop = std::ranges::find(stops, part, &FocusStop::name);
            const auto beyond = static_cast<int>(stops.end() - stop) - 1;
            if (beyond > 0) {
                pressAndSee(ui, back, beyond);
                break;
            }
        }
        return hasKeyboard(part);
    }

    /// Tab reaches every control of what is shown, view by view, and Shift+Tab goes the same way
    /// back.
    void walk(const QString& name) {
        const std::vector<FocusStop> forth = focusWalk(ui, "Tab");
        QVERIFY2(forth.size() > 5, keyboardIsAt());
        const QStringList wrong = unreachedControls(ui, forth);
        QVERIFY2(wrong.isEmpty(), wrong.join(u'\n').toUtf8());
        QStringList order = viewsOnTheWay(forth);
        QVERIFY2(order.removeDuplicates() == 0, order.join(u' ').toUtf8());
        qInfo("%s: Tab reaches %d controls in %d stops: %s", qPrintable(name),
              int(focusControls(ui).size()), int(forth.size()), qPrintable(order.join(u' ')));
        const std::vector<FocusStop> back = focusWalk(ui, "shift+Tab");
        QCOMPARE(back.size(), forth.size());
        const auto place = [&](const FocusStop& stop) {
            return std::ranges::find(forth, stop.id, &FocusStop::id) - forth.begin();
        };
        for (std::size_t i = 1; i < back.size(); ++i) {
            QVERIFY2(place(back[i]) < std::ssize(forth), back[i].name.toUtf8());
            QCOMPARE((place(back[i]) + 1) % std::ssize(forth), place(back[i - 1]));
        }
    }

private Q_SLOTS:
    void initTestCase() {
        SEE(ui.start({"builtin:first_steps", "--size", "1600x1000"}));
        ui.key("F5");
        WAIT(session(ui).value(u"solved").toBool());
        SEE(ui.settle());
    }

    void step20cAPerspectiveGetsTheKeyboard_data() {
        QTest::addColumn<QString>("keys");
        QTest::addColumn<QString>("part");
        QTest::newRow("home") << "ctrl+1"
                              << "homeView";
        QTest::newRow("plan") << "ctrl+3"
                              << "levelBandsCanvas";
        QTest::newRow("train") << "ctrl+4"
                               << "trainCharts";
        QTest::newRow("compare") << "ctrl+5"
                                 << "runsTable";
        QTest::newRow("world") << "ctrl+2"
                               << "worldView";
    }
    void step20cAPerspectiveGetsTheKeyboard() {
        QFETCH(QString, keys);
        QFETCH(QString, part);
        const QString name = QTest::currentDataTag();
        SEE(turnTo(name, keys));
        QVERIFY2(hasKeyboard(part), keyboardIsAt());
        // The same from the rail.
        SEE(turnTo(name == "home" ? "world" : "home", name == "home" ? "ctrl+2" : "ctrl+1"));
        SEE(tabTo("rail_" + name, true));
        SEE(turnTo(name, "space"));
        QVERIFY2(hasKeyboard(part), keyboardIsAt());
    }

    void step20dTheWorldTakesKeysAtOnce() {
        SEE(turnTo("plan", "ctrl+3"));
        SEE(turnTo("world", "ctrl+2"));
        ui.key("p");
        WAIT(ui.part("playToggle").value(u"checked").toBool());
        const int step = session(ui).value(u"step").toInt();
        ui.keys({"Up", "Return"});
        WAIT(session(ui).value(u"step").toInt() == step + 1);
        ui.key("BackSpace");
        WAIT(session(ui).value(u"step").toInt() == step);
        ui.key("Escape");
        WAIT(!ui.part("playToggle").value(u"checked").toBool());
    }

    void step20eTabReachesEveryControl_data() {
        QTest::addColumn<QString>("keys");
        QTest::newRow("home") << "ctrl+1";
        QTest::newRow("world") << "ctrl+2";
        QTest::newRow("plan") << "ctrl+3";
        QTest::newRow("train") << "ctrl+4";
        QTest::newRow("compare") << "ctrl+5";
    }
    void step20eTabReachesEveryControl() {
        QFETCH(QString, keys);
        const QString name = QTest::currentDataTag();
        SEE(turnTo(name, keys));
        walk(name);
    }

    void step20fArrowsChooseOneOfSeveral() {
        SEE(turnTo("world", "ctrl+2"));
        const auto chosen = [&] {
            for (const QJsonObject& part : ui.partsBeginning("action_0_"))
                if (part.value(u"checked").toBool()) return part.value(u"name").toString();
            return QString();
        };
        const QString before = chosen();
        SEE(tabTo(before));
        const bool isFirst = before == "action_0_0";
        ui.key(isFirst ? "Right" : "Left");
        WAIT(chosen() != before && hasKeyboard(chosen()));
        ui.key(isFirst ? "Left" : "Right");
        WAIT(chosen() == before && hasKeyboard(before));
    }

    void step20gOneKeyGoesFromPanelToPanel() {
        SEE(turnTo("plan", "ctrl+3"));
        const auto goRound = [&](const QString& keys) {
            QStringList order;
            for (int i = 0; i < 20; ++i) {
                const std::vector<FocusStop> stops = pressAndSee(ui, keys, 1);
                const FocusStop stop = stops.empty() ? FocusStop() : stops.back();
                const QString at = stop.view.isEmpty() ? stop.name : stop.view;
                if (order.contains(at)) return at == order.first() ? order : QStringList();
                order << at;
            }
            return QStringList();
        };
        QStringList forth = goRound("ctrl+F6");
        for (const char* view : {"solver", "levels", "states", "stateGraph", "inspector"})
            QVERIFY2(forth.contains(QLatin1String(view)), forth.join(u' ').toUtf8());
        qInfo("Ctrl+F6: %s", qPrintable(forth.join(u' ')));
        const QStringList back = goRound("ctrl+shift+F6");
        QCOMPARE(QSet<QString>(back.begin(), back.end()),
                 QSet<QString>(forth.begin(), forth.end()));
    }

    void step20hTheLocatorOpensTheExportAndEnterWritesIt() {
        SEE(turnTo("world", "ctrl+2"));
        const auto open = [&] {
            ui.key("ctrl+k");
            WAIT(hasKeyboard("locator"));
            ui.key("ctrl+a");
            ui.type(">export");
            WAIT(ui.text("locator") == ">export" && !ui.cells("locatorList").empty());
            QStringList rows;
            for (const QStringList& row : ui.cells("locatorList")) rows << row.value(0);
            QVERIFY2(rows.filter("Export").size() >= 2 && rows.first() == "Export...",
                     rows.join(u' ').toUtf8());
            QVERIFY(ui.shot("step-20-locator"));
            ui.key("Return");
            WAIT(ui.has("exportForm") && hasKeyboard("exportTarget"));
        };
        open();
        if (QTest::currentTestFailed()) return;
        // The first row is the export itself, with the episode as what there is to export.
        SEE(tabTo("exportFormat", true));
        ui.key("Home");
        for (int i = 0; i < 10 && !ui.text("exportFormat").startsWith("GIF"); ++i) {
            ui.key("Down");
            ui.look();
        }
        QVERIFY2(ui.text("exportFormat").startsWith("GIF"), ui.text("exportFormat").toUtf8());
        SEE(tabTo("exportTarget"));
        const QString file = ui.path("keys.gif");
        ui.key("ctrl+a");
        ui.type(file);
        WAIT(ui.text("exportTarget") == file);
        QVERIFY(ui.shot("step-20-export"));
        ui.key("Return");
        WAIT(!ui.has("exportForm") && QFile::exists(file));
        SEE(ui.settle());
        QVERIFY(Program::read(file).startsWith("GIF8"));
        WAIT(hasKeyboard("worldView"));
        // Escape leaves and writes nothing.
        open();
        if (QTest::currentTestFailed()) return;
        ui.key("ctrl+a");
        ui.type(ui.path("never.gif"));
        ui.key("Escape");
        WAIT(!ui.has("exportForm"));
        QVERIFY(!QFile::exists(ui.path("never.gif")));
        WAIT(hasKeyboard("worldView"));
        // Escape leaves the locator, too, and the keyboard is where it was.
        ui.key("ctrl+k");
        WAIT(hasKeyboard("locator"));
        ui.type("sol");
        ui.key("Escape");
        WAIT(!ui.has("locatorPopup") && hasKeyboard("worldView"));
    }

    void step20iTheLayoutIsResetAndComesBack() {
        SEE(turnTo("plan", "ctrl+3"));
        const QStringList factory = layout();
        for (const char* panel : {"levels", "inspector"}) {
            const QString name = QLatin1String(panel);
            SEE(tabTo("panelClose_" + name));
            ui.key("space");
            WAIT(!ui.has("panel_" + name));
            QVERIFY2(keyboardIsAt() != "nothing", panel);
        }
        // A view of the centre: the one with the keyboard.
        SEE(tabTo("stateCanvas"));
        ui.key("ctrl+w");
        WAIT(!ui.has("stateCanvas"));
        SEE(ui.settle());
        const QStringList mine = layout();
        QVERIFY(mine != factory);
        QVERIFY(ui.shot("step-20-closed"));
        SEE(ui.runCommand("Reset layout"));
        WAIT(ui.has("stateCanvas"));
        SEE(ui.settle());
        QCOMPARE(layout(), factory);
        QVERIFY(ui.shot("step-20-reset"));
        ui.key("ctrl+z");
        WAIT(!ui.has("stateCanvas"));
        SEE(ui.settle());
        QCOMPARE(layout(), mine);
        QVERIFY(ui.shot("step-20-undone"));
        // Three more take back what was closed.
        ui.keys({"ctrl+z", "ctrl+z", "ctrl+z"});
        WAIT(ui.has("panel_levels"));
        SEE(ui.settle());
        QCOMPARE(layout(), factory);
    }

    void step20rATrainingIsStarted() {
        if (!kHasLearners) QSKIP("This build has no learners.");
        SEE(turnTo("world", "ctrl+2"));
        ui.key("ctrl+t");
        WAIT(ui.has("trainForm"));
        SEE(tabTo("trainKind"));
        ui.key("Home");
        WAIT(ui.text("trainKind").startsWith("tables"));
        SEE(tabTo("train_num_training_steps"));
        ui.key("ctrl+a");
        ui.type(QString::number(kBriefSteps));
        ui.key("Return");
        WAIT(hasTrainedBriefly());
        QCOMPARE(perspective(), QString("train"));
        SEE(ui.settle());
    }

    void step20sTabReachesEveryControlOfATraining_data() {
        QTest::addColumn<QString>("title");
        QTest::addColumn<QString>("part");
        for (const auto& [title, part] : trainViews())
            QTest::newRow(qPrintable(title)) << title << part;
    }
    void step20sTabReachesEveryControlOfATraining() {
        if (!kHasLearners) QSKIP("This build has no learners.");
        QFETCH(QString, title);
        QFETCH(QString, part);
        SEE(showTrainView(title, part));
        walk(title);
    }

    void step20tARunIsOpenedByItsName() {
        if (!kHasLearners) QSKIP("This build has no learners.");
        const QString id = trainingId();
        SEE(turnTo("world", "ctrl+2"));
        ui.key("ctrl+k");
        WAIT(hasKeyboard("locator"));
        ui.key("ctrl+a");
        ui.type("r " + id);
        WAIT(!ui.cells("locatorList").empty() &&
             ui.cells("locatorList").front().value(0).startsWith(id));
        ui.key("Return");
        WAIT(perspective() == "train" && trainingId() == id);
        SEE(ui.settle());
    }

    void step20jThemeScaleAndPaletteAreChosen() {
        SEE(turnTo("world", "ctrl+2"));
        for (const char* theme : {"dark", "light"}) {
            SEE(ui.runCommand(theme));
            WAIT(ui.dump().value(u"theme").toString() == QLatin1String(theme));
        }
        const auto colors = [&] {
            QStringList names;
            for (const QJsonObject& cell : ui.spots("worldView", "cell "))
                if (cell.contains(u"color")) names << cell.value(u"color").toString();
            return names;
        };
        const QStringList viridis = colors();
        QVERIFY(!viridis.isEmpty());
        ui.key("ctrl+comma");
        WAIT(ui.has("settingsWindow") && hasKeyboard("settingsSearch"));
        ui.type("colour-blind");
        WAIT(ui.has("setting_appearance_colorMap"));
        SEE(tabTo("setting_appearance_colorMap"));
        ui.key("Down");
        WAIT(ui.text("setting_appearance_colorMap").startsWith("Cividis"));
        WAIT(colors() != viridis);
        SEE(tabTo("settingsSearch", true));
        ui.key("ctrl+a");
        ui.type("scale");
        WAIT(ui.has("setting_appearance_scale"));
        SEE(tabTo("setting_appearance_scale"));
        ui.key("ctrl+a");
        ui.type("200");
        ui.key("Return");
        SEE(tabTo("settingsSearch", true));
        QVERIFY(ui.shot("step-20-settings"));
        ui.key("Escape");  // the words
        ui.key("Escape");  // the window
        WAIT(!ui.has("settingsWindow"));
        QCOMPARE(ui.dump().value(u"ratio").toDouble(), 1.0);
        QCOMPARE(ui.quit(), 0);
        QCOMPARE(ui.console(), QByteArray());
        SEE(ui.start());
        QCOMPARE(ui.dump().value(u"ratio").toDouble(), 2.0);
        QCOMPARE(perspective(), QString("world"));
        QVERIFY(ui.shot("step-20-scale"));
    }

    void theProgramEndsCleanly() {
        QCOMPARE(ui.quit(), 0);
        QCOMPARE(ui.console(), QByteArray());
    }
};

ORRERY_WINDOW_TEST(AcceptanceKeys)
#include "acceptance_keys.moc"
