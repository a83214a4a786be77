#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>
#include <memory>

#include "core/base/error.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "widgets/help/callout.h"
#include "widgets/help/tour_guide.h"

using namespace orrery;

class TourGuideTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QMainWindow> m_window;
    QPushButton* m_button = nullptr;
    QLineEdit* m_line = nullptr;
    std::unique_ptr<TourGuide> m_guide;
    int m_clicks = 0;

    Tour tour() const {
        return {"t",
                "A tour",
                1,
                {{"theButton", {}, "Press it.", "click"},
                 {"theLine", {}, "Write something.", "written"},
                 {"notThere", {}, "This one is not shown.", {}}}};
    }
    Callout* callout() { return m_window->findChild<Callout*>(QStringLiteral("tourCallout")); }
    QPushButton* button(const char* name) {
        return m_window->findChild<QPushButton*>(QLatin1String(name));
    }
    /// The arrow's tip is beside the control, within a gap.
    bool pointsAt(const QWidget* control) {
        const QRect rect(control->mapTo(m_window.get(), QPoint()), control->size());
        return rect.adjusted(-6, -6, 6, 6).contains(callout()->tip());
    }

private Q_SLOTS:
    void init() {
        m_window = std::make_unique<QMainWindow>();
        auto* central = new QWidget(m_window.get());
        auto* column = new QVBoxLayout(central);
        m_button = new QPushButton(QStringLiteral("Do"), central);
        m_button->setObjectName(QStringLiteral("theButton"));
        m_line = new QLineEdit(central);
        m_line->setObjectName(QStringLiteral("theLine"));
        column->addWidget(m_button, 0, Qt::AlignLeft);
        column->addStretch(1);
        column->addWidget(m_line);
        m_window->setCentralWidget(central);
        m_window->resize(800, 600);
        m_clicks = 0;
        connect(m_button, &QPushButton::clicked, this, [this] { ++m_clicks; });
        m_guide = std::make_unique<TourGuide>(m_window.get());
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), kPatience));
    }
    void cleanup() {
        m_guide.reset();
        m_window.reset();
    }

    void itPointsAtTheControlAndGoesOnWhenItWasUsed() {
        m_guide->start(tour());
        QVERIFY(callout()->isVisible());
        QCOMPARE(callout()->target(), m_button);
        QVERIFY(pointsAt(m_button));
        QTest::mouseClick(m_button, Qt::LeftButton);
        QCOMPARE(m_clicks, 1);  // the tour takes no click
        QTRY_COMPARE_WITH_TIMEOUT(m_guide->step(), 1, kPatience);
        QVERIFY(pointsAt(m_line));
        m_guide->note(QStringLiteral("something else"));
        finishEvents();  // a step that is done is left in an event of its own
        QCOMPARE(m_guide->step(), 1);
        m_guide->note(QStringLiteral("written"));
        QTRY_COMPARE_WITH_TIMEOUT(m_guide->step(), 2, kPatience);
        QVERIFY(!callout()->target());
        QVERIFY(m_window->rect().contains(callout()->geometry()));
    }

    void aControlOutOfSightIsScrolledIntoView() {
        auto* area = new QScrollArea(m_window.get());
        auto* content = new QWidget(area);
        auto* column = new QVBoxLayout(content);
        column->addSpacing(1500);
        auto* deep = new QPushButton(QStringLiteral("Deep"), content);
        deep->setObjectName(QStringLiteral("deepButton"));
        column->addWidget(deep);
        column->addSpacing(900);
        area->setWidget(content);
        m_window->setCentralWidget(area);
        area->show();
        QVERIFY(deep->visibleRegion().isEmpty());
        m_guide->start({"d", "Deep", 1, {{"deepButton", {}, "Here.", {}}}});
        QTRY_COMPARE_WITH_TIMEOUT(callout()->target(), deep, kPatience);
        QCOMPARE(deep->visibleRegion().boundingRect(), deep->rect());
        QTRY_VERIFY_WITH_TIMEOUT(pointsAt(deep), kPatience);
    }

    void nextDoesNothingToTheControl() {
        m_guide->start(tour());
        QTRY_VERIFY_WITH_TIMEOUT(button("tourNext")->hasFocus(), kPatience);
        QVERIFY(!button("tourBack")->isEnabled());
        QTest::keyClick(button("tourNext"), Qt::Key_Space);
        QCOMPARE(m_guide->step(), 1);
        QCOMPARE(m_clicks, 0);
        QTest::mouseClick(button("tourBack"), Qt::LeftButton);
        QCOMPARE(m_guide->step(), 0);
        QTest::mouseClick(button("tourNext"), Qt::LeftButton);
        QTest::mouseClick(button("tourNext"), Qt::LeftButton);
        QCOMPARE(button("tourNext")->text(), QStringLiteral("Done"));
        const QSignalSpy ended(m_guide.get(), &TourGuide::ended);
        QTest::mouseClick(button("tourNext"), Qt::LeftButton);
        QCOMPARE(ended.size(), 1);
        QVERIFY(!m_guide->isRunning());
    }

    void typingGoesToTheWindowAndEscapeEnds() {
        m_guide->start(tour());
        m_line->setFocus();
        QTest::keyClicks(m_line, QStringLiteral("abc"));
        QCOMPARE(m_line->text(), QStringLiteral("abc"));
        QTest::keyClick(m_button, Qt::Key_Escape);  // no control uses it
        QVERIFY(!m_guide->isRunning());
        m_guide->start(tour());
        QTest::keyClick(button("tourNext"), Qt::Key_Escape);
        QVERIFY(!m_guide->isRunning());
    }

    void itFollowsAResize() {
        m_guide->start(tour());
        QTest::mouseClick(button("tourNext"), Qt::LeftButton);
        QVERIFY(pointsAt(m_line));
        const int before = callout()->tip().y();
        m_window->resize(620, 420);
        QTRY_VERIFY_WITH_TIMEOUT(callout()->tip().y() < before && pointsAt(m_line), kPatience);
        QVERIFY(m_window->rect().contains(callout()->geometry()));
    }

    void aHintIsClosedOnceAndSaysSo() {
        const QSignalSpy closed(m_guide.get(), &TourGuide::hintClosed);
        m_guide->showHint(QStringLiteral("Look here."), m_line);
        QVERIFY(m_guide->isHinting());
        QTest::mouseClick(button("hintClose"), Qt::LeftButton);
        QCOMPARE(closed.size(), 1);
        QVERIFY(!m_guide->isHinting());
    }

    void aClosedHintGivesTheKeyboardBack() {
        m_line->setFocus();
        m_guide->showHint(QStringLiteral("Look here."), m_line);
        QPushButton* close = button("hintClose");
        QTRY_VERIFY_WITH_TIMEOUT(close->isVisible(), kPatience);
        close->setFocus(Qt::MouseFocusReason);  // as a click does
        QTest::mouseClick(close, Qt::LeftButton);
        QVERIFY(!m_guide->isHinting());
        QVERIFY(m_line->hasFocus());
    }

    void wrongToursNameWhatIsWrong() {
        QCOMPARE(toursFromJson("[]").size(), std::size_t{0});
        QVERIFY_THROWS_EXCEPTION(Error, toursFromJson("{"));
        try {
            toursFromJson(R"([{"id": "a", "title": "A", "steps": [{"target": "x"}]}])");
            QFAIL("accepted a step without a text");
        } catch (const Error& error) {
            QVERIFY(QByteArray(error.what()).contains("'a'"));
        }
    }
};

ORRERY_WINDOW_TEST(TourGuideTest)
#include "tour_guide_test.moc"
