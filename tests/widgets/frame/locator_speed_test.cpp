#include <QTest>
#include <QVBoxLayout>
#include <algorithm>
#include <vector>

#include "core/base/cpu.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "widgets/common/row_list.h"
#include "widgets/frame/locator.h"

using namespace orrery;

/// The field that finds anything stays quick where there is much to find.
class LocatorSpeedTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aKeyIsAnsweredAtOnceAmongAHundredThousandThings() {
        constexpr int kThings = 100'000;
        QWidget window;
        auto* layout = new QVBoxLayout(&window);
        Locator locator(&window);
        layout->addWidget(&locator);
        layout->addStretch(1);
        QString ran;
        locator.addSource({QStringLiteral("r"), QStringLiteral("runs"),
                           [&ran](const QString&) {
                               std::vector<LocatorItem> items;
                               items.reserve(kThings);
                               for (int i = 0; i < kThings; ++i) {
                                   const QString name = QStringLiteral("r%1 maze %2x%2 beta_r %3")
                                                            .arg(i, 6, 10, QLatin1Char('0'))
                                                            .arg(3 + i % 9)
                                                            .arg(i % 13);
                                   items.push_back(
                                       {name, QStringLiteral("finished"), {}, true, [&ran, name] {
                                            ran = name;
                                        }});
                               }
                               return items;
                           },
                           true, true});
        window.resize(900, 600);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window, kPatience));
        locator.open();
        std::vector<double> times;
        for (const char letter : std::string("maze 7x7 beta_r 12")) {
            const double begin = threadCpuMs();
            QTest::keyClick(&locator, letter);
            times.push_back(threadCpuMs() - begin);
        }
        std::ranges::sort(times);
        qInfo("a key: median %.1f ms of CPU, longest %.1f ms", times[times.size() / 2],
              times.back());
        QVERIFY2(
            times[times.size() / 2] < (qEnvironmentVariableIsSet("ORRERY_STRICT_TIMES") ? 50 : 250),
            qPrintable(QString::number(times[times.size() / 2])));
        QTest::keyClick(&locator, Qt::Key_Return);
        QVERIFY2(ran.contains(QStringLiteral("maze 7x7 beta_r 12")), qPrintable(ran));
        // What was run lately stands first the next time.
        const QString first = ran;
        ran.clear();
        locator.open();
        QTest::keyClicks(&locator, QStringLiteral("maze"));
        QTest::keyClick(&locator, Qt::Key_Return);
        QCOMPARE(ran, first);
    }
};

ORRERY_WINDOW_TEST(LocatorSpeedTest)
#include "locator_speed_test.moc"
