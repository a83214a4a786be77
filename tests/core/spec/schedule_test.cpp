#include <QTest>
#include <cmath>

#include "core/spec/schedule.h"
#include "tests/support/test_program.h"

using namespace orrery;

/// Numbers that follow the steps of a run.
class ScheduleTest : public QObject {
    Q_OBJECT

private:
    static double at(const char* text, double step, double total = 100) {
        const auto schedule = Schedule::parse(text);
        return schedule ? schedule->at(step, total) : std::nan("");
    }

private Q_SLOTS:
    void itGoesFromPointToPoint_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<double>("step");
        QTest::addColumn<double>("value");
        QTest::newRow("constant") << QByteArray("0.25") << 1e9 << 0.25;
        QTest::newRow("lin, begin") << QByteArray("lin(1, 0)") << 0.0 << 1.0;
        QTest::newRow("lin, quarter") << QByteArray("lin(1, 0)") << 25.0 << 0.75;
        QTest::newRow("lin, behind the end") << QByteArray("lin(1,0)") << 150.0 << 0.0;
        QTest::newRow("cos, quarter") << QByteArray("cos(2, 0)") << 25.0 << 1 + std::sqrt(0.5);
        QTest::newRow("cos, half") << QByteArray("cos(2, 0)") << 50.0 << 1.0;
        const QByteArray steps("step: 0.3@10 lin 0.1@20 step 0.5@30 cos 1.5@50");
        QTest::newRow("before the first") << steps << 0.0 << 0.3;
        QTest::newRow("half way down") << steps << 15.0 << 0.2;
        QTest::newRow("held") << steps << 29.0 << 0.1;
        QTest::newRow("at a point") << steps << 30.0 << 0.5;
        QTest::newRow("half a wave") << steps << 40.0 << 1.0;
        QTest::newRow("behind the last") << steps << 1e12 << 1.5;
    }
    void itGoesFromPointToPoint() {
        QFETCH(QByteArray, text);
        QFETCH(double, step);
        QFETCH(double, value);
        const double got = at(text.constData(), step);
        QVERIFY2(std::abs(got - value) < 1e-12, qPrintable(QString::number(got)));
        const auto schedule = Schedule::parse(text.constData());
        QVERIFY(Schedule::parse(schedule->text()) == schedule);
    }

    void whatIsNoneIsRefused() {
        for (const char* text :
             {"", "lin", "lin(1)", "lin(1, a)", "lin(1, 0", "sin(1, 0)", "step:", "step: 0.3",
              "step: 0.3@0 lin", "step: 0.3@0 0.1@5", "step: 0.3@5 lin 0.1@5", "step: 0.3@-1",
              "step: 0.3@0 sin 0.1@5", "0.3@0", "inf", "lin(inf, 0)"})
            QVERIFY2(!Schedule::parse(text), text);
    }

    void aNumberIsAScheduleToo() {
        QCOMPARE(Schedule(0.5).text(), std::string("0.5"));
        QVERIFY(Schedule(0.5).isConstant() && Schedule(0.5) == Schedule::parse("0.5"));
        QCOMPARE(Schedule::parse("lin(1e-3,0)")->text(), std::string("lin(0.001, 0)"));
    }
};

ORRERY_TEST(ScheduleTest)
#include "schedule_test.moc"
