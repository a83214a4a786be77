#include <QRegularExpression>
#include <cmath>

#include "tests/app/acceptance_learning.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

/// Digits of "1 234 of 5 678".
std::vector<qint64> numbersIn(QString text) {
    text.remove(QRegularExpression("(?<=\\d)[^\\d.](?=\\d{3}(?!\\d))"));
    std::vector<qint64> found;
    auto matches = QRegularExpression("\\d+").globalMatch(text);
    while (matches.hasNext()) found.push_back(matches.next().captured().toLongLong());
    return found;
}

double shownNumber(QString text) {
    text.replace(QChar(0x2212), QChar(u'-')).remove(QRegularExpression("[^0-9.eE+-]"));
    return text.toDouble();
}

}  // namespace

/// Step 13: the replay buffer of a training with two actors, by state, term by term.
class AcceptanceReplay : public LearningScript {
    Q_OBJECT

private:
    qint64 m_state = -1;  ///< the selected state's number in the buffer

    QJsonObject picked() const { return ui.facts("transitionPanel"); }
    bool touches(qint64 state) const {
        if (picked().value(u"before").toInteger() == state) return true;
        for (const QJsonValue other : picked().value(u"successors").toArray())
            if (other.toInteger() == state) return true;
        return false;
    }
    /// Every filter here leaves another number of rows.
    bool filter(const QString& text) {
        const QString before = ui.text("replayCount");
        if (!ui.fill("replayFilter", text)) return false;
        ui.key("Return");
        return ui.waitUntil([&] {
            const auto counts = numbersIn(ui.text("replayCount"));
            return !ui.has("replayCancel") && ui.text("replayCount") != before &&
                   counts.size() == 2 &&
                   ui.part("replayTable").value(u"rows").toInteger() == counts[0];
        });
    }
    qint64 numRows() const { return ui.part("replayTable").value(u"rows").toInteger(); }
    /// Rows in sight, by their numbers in the table.
    std::vector<int> rowsInSight() const {
        std::vector<int> rows;
        for (const QJsonValue value : ui.part("replayTable").value(u"cells").toArray())
            if (const int row = value.toObject().value(u"row").toInt();
                rows.empty() || rows.back() != row)
                rows.push_back(row);
        return rows;
    }
    QJsonObject cell(int row, int column) const {
        for (const QJsonValue value : ui.part("replayTable").value(u"cells").toArray())
            if (value.toObject().value(u"row").toInt() == row &&
                value.toObject().value(u"column").toInt() == column)
                return value.toObject();
        return {};
    }
    /// Clicks the n-th row in sight.
    bool pick(std::size_t n) {
        const std::vector<int> rows = rowsInSight();
        if (n >= rows.size()) return false;
        const auto number = numbersIn(cell(rows[n], 0).value(u"text").toString());
        if (number.empty()) return false;
        ui.click(ui.placeOf(cell(rows[n], 2)).center());
        return ui.waitUntil([&] { return picked().value(u"place").toInteger() == number[0]; });
    }
    /// The sum that is shown, from what its terms are.
    void checkSum() {
        WAIT(picked().value(u"hasValues").toBool());
        double sum = 0, mass = 0;
        const QJsonArray terms = picked().value(u"terms").toArray();
        QVERIFY(!terms.isEmpty());
        for (const QJsonValue value : terms) {
            const QJsonObject term = value.toObject();
            const double chance =
                term.value(u"policy").toDouble() * term.value(u"probability").toDouble();
            const double product =
                chance * term.value(u"decay").toDouble() * term.value(u"value").toDouble();
            QVERIFY(std::abs(product - term.value(u"term").toDouble()) < 1e-12);
            mass += chance;
            sum += product;
        }
        QVERIFY2(std::abs(mass - 1) < 1e-5, QByteArray::number(mass, 'g', 12));
        const double target = picked().value(u"target").toDouble();
        QVERIFY2(std::abs(sum - target) < 1e-9 * std::max(1.0, std::abs(target)),
                 QByteArray::number(sum - target));
        // What stands there are these numbers.
        SEE(scrollTo("transitionPanel", "targetNumber"));
        QVERIFY2(std::abs(shownNumber(ui.text("targetNumber")) - target) <=
                     0.00051 * std::max(1.0, std::abs(target)),
                 ui.text("targetNumber").toUtf8());
        SEE(scrollTo("transitionPanel", "termSum"));
        const QString words = ui.text("termSum");  // "Sum of 14 terms: 0.482913"
        QVERIFY2(numbersIn(words).size() > 1, words.toUtf8());
        QCOMPARE(numbersIn(words)[0], static_cast<qint64>(terms.size()));
        QVERIFY2(std::abs(shownNumber(words.section(u':', 1)) - target) <=
                     1e-5 * std::max(1.0, std::abs(target)),
                 words.toUtf8());
    }

private Q_SLOTS:
    void initTestCase() {
        SEE(ui.start({"builtin:first_steps", "--size", "1600x1000"}));
        SEE(openForm());
        SEE(fillField("num_training_steps", "5000000"));
        SEE(scrollTo("trainArea", "train_async_training"));
        SEE(check("train_async_training"));
        SEE(fillField("num_actors", "2"));
        SEE(startForm());
        WAIT(step() > 3000);
        // One step into the world, so that transitions come from it and lead to it.
        ui.key("ctrl+2");
        WAIT(ui.dump().value(u"perspective").toString() == "world");
        ui.key("F7");
        WAIT(session(ui).value(u"step").toInt() == 1);
        ui.key("ctrl+4");
        WAIT(ui.dump().value(u"perspective").toString() == "train");
    }

    void step13aTheThrottleIsVisible() {
        const QString throttle = "steer_spin_max_env_steps_per_training_step";
        SEE(scrollTo("steeringPanel", throttle));
        SEE(ui.enter(throttle, "2"));
        SEE(ui.clickTab("Pipeline"));
        WAIT(ui.facts("pipelineCanvas").value(u"verdict").toString().contains("throttled"));
        bool isHeld = false;
        for (const QJsonObject& actor : ui.spots("pipelineCanvas", "actor "))
            isHeld = isHeld || actor.value(u"state").toString() == "throttled";
        QVERIFY(isHeld);
        QVERIFY2(ui.text("pipelineVerdict").contains("throttled"),
                 ui.text("pipelineVerdict").toUtf8());
    }

    void step13bTheBrowserShowsAFrozenBuffer() {
        SEE(ui.clickTab("Replay buffer"));
        WAIT(numRows() > 1000);
        const QString fill = ui.spot("replayHealth", "Filled").value(u"value").toString();
        QCOMPARE(numbersIn(fill), std::vector<qint64>{numRows()});
        const QString queue = ui.spot("replayHealth", "Queue").value(u"value").toString();
        QVERIFY(!queue.isEmpty());
        const qint64 rows = numRows();
        const QString asOf = ui.text("replayAsOf");
        const qint64 then = step();
        WAIT(step() > then + 500);
        QCOMPARE(numRows(), rows);
        QCOMPARE(ui.text("replayAsOf"), asOf);
        // The states have pictures.
        WAIT(ui.cellPlace("replayTable", 3, 1).has_value());
        const QPoint before = *ui.cellPlace("replayTable", 3, 1);
        QTRY_VERIFY_WITH_TIMEOUT(
            UiDriver::inkIn(ui.screen(), QRect(before - QPoint(30, 14), QSize(60, 28))) > 0.1,
            UiDriver::kPatience);
        QVERIFY(ui.shot("step-13-buffer"));
    }

    void step13cTheFilterFindsTheSelectedState() {
        const qint64 all = numRows();
        SEE(filter("from:current"));
        const qint64 from = numRows();
        QVERIFY(from > 0 && from < all);
        SEE(pick(0));
        m_state = picked().value(u"before").toInteger();
        SEE(filter("touches:current"));
        const qint64 touching = numRows();
        QVERIFY(touching > from);
        bool isReached = false;
        for (std::size_t row = 1; row < 9; ++row) {
            SEE(pick(row));
            QVERIFY2(touches(m_state), QByteArray::number(static_cast<int>(row)));
            isReached = isReached || picked().value(u"before").toInteger() != m_state;
        }
        QVERIFY(isReached);
        QVERIFY(ui.shot("step-13-filter"));
        SEE(filter("not touches:current"));
        QCOMPARE(numRows(), all - touching);
        for (std::size_t row = 1; row < 5; ++row) {
            SEE(pick(row));
            QVERIFY2(!touches(m_state), QByteArray::number(static_cast<int>(row)));
        }
    }

    void step13dATargetIsTheSumThatIsShown() {
        SEE(filter("touches:current"));
        SEE(pick(1));
        WAIT(picked().value(u"hasValues").toBool());
        const QImage screen = ui.screen();
        for (const char* picture : {"pictureBefore", "pictureAfter"})
            QVERIFY2(UiDriver::inkIn(screen, ui.placeOf(ui.part(picture))) > 0.1, picture);
        QVERIFY(ui.shot("step-13"));
        checkSum();
        if (QTest::currentTestFailed()) return;
        QVERIFY(ui.shot("step-13-sum"));
        SEE(scrollTo("transitionPanel", "targetQuantity"));
        SEE(ui.chooseInBox("targetQuantity", "Robot value"));
        WAIT(picked().value(u"terms").toArray()[0].toObject().value(u"policy").toDouble() == 1);
        checkSum();
        if (QTest::currentTestFailed()) return;
        QVERIFY(ui.shot("step-13-robot"));
    }

    void theProgramEndsCleanly() {
        ui.key("shift+F5");
        WAIT(!isLive());
        SEE(ui.settle());
        QCOMPARE(ui.quit(), 0);
        QCOMPARE(ui.console(), QByteArray());
        QCOMPARE(ui.cli({"verify", workspace()}).status, 0);
    }
};

ORRERY_WINDOW_TEST(AcceptanceReplay)
#include "acceptance_replay.moc"
