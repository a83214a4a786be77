#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QTest>
#include <algorithm>
#include <optional>
#include <string>

#include "app/window/main_window.h"
#include "core/history/workspace.h"
#include "core/run/steering.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "tests/widgets/train/train_window_bench.h"
#include "widgets/bridge/archive.h"
#include "widgets/plots/chart.h"
#include "widgets/plots/chart_grid.h"
#include "widgets/spec/field_slider.h"
#include "widgets/train/metric_text.h"
#include "widgets/train/train_session.h"

using namespace orrery;

/// A training whose numbers and stop conditions are changed while it runs.
class TrainSteeringTest : public QObject, private TrainWindowBench {
    Q_OBJECT

private Q_SLOTS:
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }

    void aRateWithoutAnEffectIsDisabledAndSaysWhy() {
        startTraining();
        for (const char* const name : {"steer_slider_lr_v_h_e", "steer_spin_lr_v_h_e"}) {
            QTRY_VERIFY_WITH_TIMEOUT(!child<QWidget>(name)->isEnabled(), kPatience);
            QVERIFY2(child<QWidget>(name)->toolTip().contains(QStringLiteral("No effect")), name);
        }
        QVERIFY(child<QWidget>("steer_slider_beta_r")->isEnabled());
    }

    void aRateOfAnySizeIsShownAsItIs() {
        startTraining(false);
        const QString rate = QStringLiteral("lr_q_r");
        auto* spin = child<FieldSpin>("steer_spin_lr_q_r");
        for (const char* const text : {"1e20", "3e-14"}) {
            trainSession().set(rate, QLatin1String(text));
            QTRY_VERIFY_WITH_TIMEOUT(!training().pending(rate), kPatience);
            QTRY_COMPARE_WITH_TIMEOUT(spin->text(), QLatin1String(text), kPatience);
        }
        // One name where it is changed and where changes are told.
        const QModelIndex newest = child<QAbstractItemView>("steeringLog")->model()->index(0, 0);
        const QString told = newest.data().toString();
        QVERIFY2(told.contains(QStringLiteral("rate of Q_r (lr_q_r)")), qPrintable(told));
        const auto labels = m_window->findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [&](const QLabel* label) {
            return label->buddy() == spin && label->toolTip().contains(rate) &&
                   label->text().startsWith(QStringLiteral("rate of"));
        }));
    }

    void aPausedTrainingIsSteeredWhereItStands() {
        startTraining(false);
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(training().isPaused(), kPatience);
        finishEvents();
        const std::int64_t halted = training().step();
        auto* spin = child<FieldSpin>("steer_spin_lr_q_r");
        spin->setFocus();
        spin->selectAll();
        QTest::keyClicks(spin, QStringLiteral("0.003"));
        QTest::keyClick(spin, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(training().training()->changes.size() == 1, kPatience);
        QVERIFY(training().isPaused());
        QCOMPARE(training().step(), halted);
        QCOMPARE(training().training()->changes.front().change.step, halted);
        QVERIFY(!child<QLabel>("steer_note_lr_q_r")->isVisible());
        for (Chart* each : child<ChartGrid>("trainGrid")->charts()) {
            QTRY_COMPARE_WITH_TIMEOUT(numMarks(each, ChartEventKind::Steering), std::size_t{1},
                                      kPatience);
            const auto& events = each->content().events;
            const auto mark =
                std::ranges::find(events, ChartEventKind::Steering, &ChartEvent::kind);
            QCOMPARE(mark->x, static_cast<double>(halted));
        }
        // Undone in the same pause.
        press(Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(liveEmpo().of(Quantity::Q_r).learningRate, 1e-4, kPatience);
        QCOMPARE(training().step(), halted);
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(training().step() > halted + 10, kPatience);
    }

    void steeringIsMarkedLoggedAndUndone() {
        startTraining(false);
        auto* spin = child<FieldSpin>("steer_spin_lr_q_r");
        QVERIFY(spin->isVisible() && spin->isEnabled());
        QCOMPARE(spin->value(), 1e-4);
        spin->setFocus();
        spin->selectAll();
        QTest::keyClicks(spin, QStringLiteral("0.003"));
        QTest::keyClick(spin, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(training().training()->changes.size() == 1, kPatience);
        const AppliedChange applied = training().training()->changes.front();
        QVERIFY2(applied.problem.empty(), applied.problem.c_str());
        QCOMPARE(applied.change.value, std::string("0.003"));
        QCOMPARE(liveEmpo().of(Quantity::Q_r).learningRate, 0.003);
        QVERIFY(!training().pending(QStringLiteral("lr_q_r")));
        for (Chart* each : child<ChartGrid>("trainGrid")->charts())
            QTRY_COMPARE_WITH_TIMEOUT(numMarks(each, ChartEventKind::Steering), std::size_t{1},
                                      kPatience);
        QCOMPARE(child<QLabel>("steeringCount")->text(), QString("1 change"));
        // A slider by keys: each press is one change.
        auto* slider = child<QSlider>("steer_slider_beta_r");
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_PageUp);
        QTRY_VERIFY_WITH_TIMEOUT(training().training()->changes.size() == 2, kPatience);
        QVERIFY(liveEmpo().beta_r > 10);
        press(Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(liveEmpo().beta_r, 10.0, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(child<FieldSpin>("steer_spin_beta_r")->value(), 10.0, kPatience);
        press(Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(liveEmpo().of(Quantity::Q_r).learningRate, 1e-4, kPatience);
        press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE_WITH_TIMEOUT(liveEmpo().of(Quantity::Q_r).learningRate, 0.003, kPatience);
        QCOMPARE(child<QLabel>("steeringCount")->text(), QString("5 changes"));
        stopTraining();
        QCOMPARE(steeringIn(m_window->archive().workspace()->reader().events("r00001")).size(),
                 std::size_t{5});
    }

    void aStopConditionEndsTheRunAtItsStep() {
        startTraining();
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(training().isPaused(), kPatience);
        const std::int64_t last = training().step() + 500;
        // What cannot be is refused, and the condition is not set.
        typeInto("stop_step_value", "soon");
        click("stop_step");
        auto* note = child<QLabel>("steer_note_stop_step");
        QTRY_VERIFY_WITH_TIMEOUT(note->isVisible() && note->text().contains("stop_step"),
                                 kPatience);
        QVERIFY(!child<QCheckBox>("stop_step")->isChecked());
        typeInto("stop_step_value", QByteArray::number(last));
        click("stop_step");
        QTRY_COMPARE_WITH_TIMEOUT(training().settings().stop.step, std::optional(last), kPatience);
        QVERIFY(child<QCheckBox>("stop_step")->isChecked());
        QVERIFY(!note->isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(numMarks(chart("train/loss"), ChartEventKind::Steering),
                                  std::size_t{1}, kPatience);
        // Undone, and done again.
        press(Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(!training().settings().stop.step, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!child<QCheckBox>("stop_step")->isChecked(), kPatience);
        press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE_WITH_TIMEOUT(training().settings().stop.step, std::optional(last), kPatience);
        press(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(!training().isLive(), kPatience);
        QCOMPARE(training().step(), last);
        QVERIFY(training().summary().contains("is reached"));
        const auto stored = steeringIn(m_window->archive().workspace()->reader().events("r00001"));
        QCOMPARE(stored.size(), std::size_t{3});
        QCOMPARE(stored.back().change.key, std::string("stop_step"));
    }

    void aMetricEndsTheRun() {
        startTraining();
        QTRY_VERIFY_WITH_TIMEOUT(training().curves().contains(QStringLiteral("Loss/x_h")),
                                 kPatience);
        auto* metric = child<QComboBox>("stop_metric_name");
        // It is called as in the charts; its name in files may be typed, too.
        QTRY_VERIFY_WITH_TIMEOUT(metric->findText(QStringLiteral("Loss · Xₕ")) >= 0, kPatience);
        for (int i = 0; i < metric->count(); ++i)
            QCOMPARE(metricTitle(training().kind(),
                                 metricOfTitle(training().kind(), metric->itemText(i))),
                     metric->itemText(i));
        QCOMPARE(metricOfTitle(training().kind(), QStringLiteral("Loss/x_h")), QString("Loss/x_h"));
        metric->setCurrentText(QStringLiteral("Loss · Xₕ"));
        typeInto("stop_at_least_value", "-1");
        click("stop_at_least");
        QTRY_VERIFY_WITH_TIMEOUT(!training().isLive(), kPatience);
        QCOMPARE(training().settings().stop.metric, std::optional<std::string>("Loss/x_h"));
        QVERIFY(training().summary().contains("Loss/x_h is"));
    }
};

ORRERY_WINDOW_TEST(TrainSteeringTest)
#include "train_steering_test.moc"
