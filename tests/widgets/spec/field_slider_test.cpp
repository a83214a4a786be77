#include "widgets/spec/field_slider.h"

#include <QKeyEvent>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <memory>

#include "tests/support/test_program.h"

using namespace orrery;

/// A number with its slider, and how it lies on that.
class FieldSliderTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QWidget> m_panel;
    FieldSlider* m_number = nullptr;

    static constexpr FieldScale kTemperature{.low = 0.1,
                                             .high = 1000,
                                             .way = FieldScale::Way::Log,
                                             .least = 0,
                                             .takesZero = true,
                                             .takesInfinity = true,
                                             .digits = 3};

    FieldSlider& make(const FieldScale& scale) {
        m_panel = std::make_unique<QWidget>();
        m_number = new FieldSlider(*findField("solve", "beta_r"), scale, QStringLiteral("a_"),
                                   QStringLiteral("beta"), m_panel.get());
        m_panel->show();
        return *m_number;
    }
    void type(const char* text) {
        m_number->spin()->setFocus();
        m_number->spin()->selectAll();
        QTest::keyClicks(m_number->spin(), QLatin1String(text));
        QTest::keyClick(m_number->spin(), Qt::Key_Return);
    }

private Q_SLOTS:
    void cleanup() { m_panel.reset(); }

    void everyPlaceHasAValueThatLeadsBackToIt() {
        using Way = FieldScale::Way;
        for (const FieldScale& scale :
             {FieldScale{.low = 0, .high = 2}, FieldScale{.low = 1e-6, .high = 1, .way = Way::Log},
              FieldScale{.low = 1, .high = 1024, .way = Way::Log, .isWhole = true}, kTemperature,
              FieldScale{.low = 0.5, .high = 1, .way = Way::Horizon}}) {
            double before = -1;
            for (int place = 0; place <= FieldScale::kPlaces; ++place) {
                const double value = scale.value(place);
                QVERIFY(value >= before);
                QVERIFY(!scale.isWhole || value == std::round(value));
                before = value;
                // Few digits: neighbours may share a value.
                QVERIFY(std::abs(scale.place(value) - place) <= 1 ||
                        scale.value(scale.place(value)) == value);
            }
            QCOMPARE(scale.place(1e9), FieldScale::kPlaces);
        }
        QCOMPARE(kTemperature.value(0), 0.0);
        QVERIFY(std::isinf(kTemperature.value(FieldScale::kPlaces)));
    }

    void aHandleIsFollowedOrHeardOfWhereItIsLeft() {
        for (const bool tracks : {true, false}) {
            FieldSlider& number = make({.low = 0, .high = 1});
            number.slider()->setTracking(tracks);
            QSignalSpy wished(&number, &FieldSlider::wished);
            number.slider()->setSliderDown(true);
            number.slider()->setSliderPosition(250);
            QCOMPARE(number.spin()->value(), 0.25);
            QCOMPARE(wished.count(), tracks ? 1 : 0);
            number.setValue(0.75);  // it is held
            QCOMPARE(number.spin()->value(), 0.25);
            number.slider()->setSliderDown(false);
            QCOMPARE(wished.count(), 1);
            QCOMPARE(wished.last().front().toDouble(), 0.25);
            number.setValue(0.75);
            QCOMPARE(number.slider()->value(), 750);
            QCOMPARE(wished.count(), 1);
        }
    }

    void aNumberOfAnySizeIsTyped() {
        FieldSlider& number =
            make({.low = 1e-6, .high = 1, .way = FieldScale::Way::Log, .most = 1});
        QSignalSpy wished(&number, &FieldSlider::wished);
        type("3e-14");
        QCOMPARE(wished.last().front().toDouble(), 3e-14);
        QCOMPARE(number.spin()->text(), QStringLiteral("3e-14"));
        number.setValue(0.01);
        number.spin()->stepBy(1);
        QCOMPARE(wished.last().front().toDouble(), 0.011);
    }

    void keystrokesThatWereTakenAreNotItsOwn() {
        FieldSlider& number = make({});
        const auto takesUndo = [&] {
            QKeyEvent event(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier);
            event.ignore();
            QCoreApplication::sendEvent(number.spin(), &event);
            return event.isAccepted();
        };
        QVERIFY(!takesUndo());
        number.spin()->setFocus();
        QTest::keyClicks(number.spin(), QStringLiteral("1"));
        QVERIFY(takesUndo());
        QTest::keyClick(number.spin(), Qt::Key_Return);
        QVERIFY(!takesUndo());
    }
};

ORRERY_WINDOW_TEST(FieldSliderTest)
#include "field_slider_test.moc"
