#include <QSet>

#include "tests/app/acceptance.h"

using namespace orrery;

/// Step 20, what is reached: the keyboard alone, the locator, the layout and its undo.
class AcceptanceKeys : public AcceptanceScript {
    Q_OBJECT

private:
    QString perspective() const { return ui.dump().value(u"perspective").toString(); }
    QStringList views() const {
        QStringList names;
        for (const QJsonValue name : ui.dump().value(u"views").toArray()) names << name.toString();
        names.sort();
        return names;
    }

private Q_SLOTS:
    void initTestCase() {
        SEE(ui.start({"builtin:first_steps", "--size", "1600x1000"}));
        ui.key("F5");
        WAIT(session(ui).value(u"solved").toBool());
        SEE(ui.settle());
    }

    void step20cTheKeyboardReachesEverything() {
        ui.key("ctrl+3");
        WAIT(perspective() == "plan");
        SEE(ui.settle());
        // Tab comes back to where it began, and everything that takes input was on its way.
        QSet<QString> reached;
        QString first, now;
        for (int i = 0; i < 120; ++i) {
            ui.key("Tab");
            ui.look();
            now.clear();
            for (const QJsonValue value : ui.dump().value(u"widgets").toArray())
                if (value.toObject().value(u"focus").toBool())
                    now = value.toObject().value(u"name").toString();
            if (i > 10 && now == first && !first.isEmpty()) break;
            if (first.isEmpty()) first = now;
            reached << now;
        }
        for (const char* name : {"predicateEdit", "stateCanvas", "levelBandsCanvas", "solveButton",
                                 "field_beta_r", "worldView"})
            QVERIFY2(reached.contains(QLatin1String(name)), name);
        // Controls are named for those who do not see them.
        QStringList nameless;
        for (const QJsonValue value : ui.dump().value(u"widgets").toArray()) {
            const QJsonObject part = value.toObject();
            const QString kind = part.value(u"kind").toString();
            const bool isControl = kind == "QPushButton" || kind == "QToolButton" ||
                                   kind == "QComboBox" || kind == "QLineEdit" ||
                                   part.contains(u"spots");
            if (isControl && part.value(u"text").toString().isEmpty() &&
                part.value(u"accessible").toString().isEmpty() &&
                part.value(u"tip").toString().isEmpty() && !part.value(u"hidden").toBool())
                nameless << part.value(u"name").toString();
        }
        QVERIFY2(nameless.isEmpty(), nameless.join(u' ').toUtf8());
    }

    void step20dTheLocatorFindsTheExports() {
        ui.key("ctrl+k");
        WAIT(ui.part("locator").value(u"focus").toBool());
        ui.key("ctrl+a");
        ui.type(">export");
        WAIT(!ui.cells("locatorList").empty());
        for (const QStringList& row : ui.cells("locatorList"))
            QVERIFY2(row.value(0).contains("xport"), row.value(0).toUtf8());
        QVERIFY(ui.shot("step-20-locator"));
        ui.key("Escape");
        ui.key("Escape");
        WAIT(!ui.has("locatorPopup"));
    }

    void step20eTheLayoutIsResetAndComesBack() {
        ui.key("ctrl+3");
        WAIT(perspective() == "plan");
        SEE(ui.settle());
        const QStringList factory = views();
        SEE(ui.click("panelClose_levels"));
        WAIT(!views().contains("levels"));
        SEE(ui.click("panelClose_inspector"));
        WAIT(!views().contains("inspector"));
        const QStringList mine = views();
        SEE(ui.runCommand("Reset layout"));
        WAIT(views() == factory);
        SEE(ui.settle());
        QVERIFY(ui.has("levelTable") && ui.has("inspector"));
        QVERIFY(ui.shot("step-20-reset"));
        ui.key("ctrl+z");
        WAIT(views() == mine);
        QVERIFY(ui.shot("step-20-undone"));
    }

    void theProgramEndsCleanly() {
        QCOMPARE(ui.quit(), 0);
        QCOMPARE(ui.console(), QByteArray());
    }
};

QTEST_MAIN(AcceptanceKeys)
#include "acceptance_keys.moc"
