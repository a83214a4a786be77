#include "tests/app/acceptance.h"
#include "tests/support/test_program.h"

using namespace orrery;

/// Step 18: three boards as the network gets them, by mouse and keys.
class AcceptanceEntities : public AcceptanceScript {
    Q_OBJECT

    QString textAt(const QString& spot) {
        return ui.spot(QStringLiteral("batchPicture"), spot).value(u"text").toString();
    }
    bool isPicked(const QString& part, const QString& spot) {
        return ui.spot(part, spot).value(u"picked").toBool();
    }

private Q_SLOTS:
    void step18ThreeBoardsBecomeOneBatch() {
        SEE(ui.start({"--size", "1600x1000"}));
        WAIT(ui.has("run_boards"));
        SEE(ui.click("run_boards"));
        WAIT(ui.has("batchPicture"));
        SEE(ui.settle());
        QCOMPARE(ui.dump().value(u"perspective").toString(), QString("entities"));
        const QJsonObject batch = ui.facts("batchPicture");
        QCOMPARE(batch.value(u"frames").toInt(), 3);
        QCOMPARE(batch.value(u"width").toInt(), 6);
        QCOMPARE(batch.value(u"emptyPacked").toInt(), 4);
        QCOMPARE(batch.value(u"emptyPadded").toInt(), 4);
        // Six, three and five things: the padding is where the seed has it.
        int marked = 0;
        for (const QJsonObject& cell : ui.spots("batchPicture", "packed "))
            marked += cell.value(u"empty").toBool() ? 1 : 0;
        QCOMPARE(marked, 4);
        QCOMPARE(textAt("index 1,2"), QString("8"));
        QCOMPARE(textAt("index 2,4"), QString("13"));
        QCOMPARE(textAt("batch 1,3"), QString("nan"));
        QVERIFY(ui.shot("step-18"));
    }

    void step18WhatIsNotAllowedIsStruck() {
        SEE(ui.chooseInBox("entityWhich", "Environment 1"));
        SEE(ui.settle());
        QCOMPARE(ui.facts("actorGrid").value(u"struck").toInt(), 2);
        QVERIFY(!ui.spot("actorGrid", "Move Robot 0 Up").value(u"allowed").toBool(true));
        QVERIFY(ui.spot("actorGrid", "Move Robot 0 Left").value(u"allowed").toBool());
    }

    void step18ARobotIsPickedEverywhere() {
        SEE(ui.clickSpot("entityGame", "Robot 0"));
        SEE(ui.settle());
        QVERIFY(isPicked("entityGame", "Robot 0"));
        QVERIFY(isPicked("batchPicture", "padded 1,1"));
        QVERIFY(isPicked("batchPicture", "packed 1,1"));
        QVERIFY(isPicked("batchPicture", "Move row 1"));
        SEE(ui.clickTab("Things"));
        WAIT(ui.has("entityThings"));
        SEE(ui.settle());
        QCOMPARE(ui.cells("entityThings").size(), std::size_t{3});
        QCOMPARE(ui.console(), QByteArray());
        QCOMPARE(ui.quit(), 0);
    }
};

ORRERY_WINDOW_TEST(AcceptanceEntities)
#include "acceptance_entities.moc"
