#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <memory>

#include "core/run/jobs/train_job.h"
#include "core/run/run_name.h"
#include "tests/support/small_room.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "widgets/common/number_text.h"
#include "widgets/spec/form_fields.h"
#include "widgets/train/train_form.h"

using namespace orrery;

/// The form of a training by itself, without a window that starts one.
class TrainFormTest : public QObject {
    Q_OBJECT

    std::unique_ptr<TrainForm> m_form;

    template <typename T>
    T* child(const char* name) {
        T* found = m_form->findChild<T*>(QLatin1String(name));
        if (!found) qFatal("no widget %s", name);
        return found;
    }
    static RunSpec training(std::int64_t steps) {
        RunSpec spec;
        TrainJob job = trainingIn({"builtin:first_steps"});
        job.empo.trainingSteps = steps;
        spec.job = std::move(job);
        return spec;
    }
    /// Shown, and answered how fast a run of its kind was.
    void showWithRate(double stepsPerSecond) {
        QSignalSpy asked(m_form.get(), &TrainForm::rateWanted);
        m_form->show();
        QVERIFY(!asked.isEmpty());
        m_form->setRate(asked.last().front().toString(),
                        MeasuredRate{.stepsPerSecond = stepsPerSecond, .run = "a run"});
    }

private Q_SLOTS:
    void init() { m_form = std::make_unique<TrainForm>(); }
    void cleanup() { m_form.reset(); }

    void aForkTakesTheTimeOfTheStepsThatAreLeft() {
        m_form->setSpec(training(10'000));
        showWithRate(1000);
        QVERIFY2(child<QLabel>("trainTime")->text().startsWith("About 10 s"),
                 qPrintable(child<QLabel>("trainTime")->text()));
        m_form->fork({.id = "r00001", .spec = training(10'000), .checkpoints = {8000}});
        QVERIFY2(child<QLabel>("trainTime")->text().startsWith("About 2.0 s"),
                 qPrintable(child<QLabel>("trainTime")->text()));
    }

    void allFieldsEndAtOneLineAndHaveRoomOnATallScreen() {
        m_form->setSpec(training(10'000));
        showWithRate(1000);
        QVERIFY(QTest::qWaitForWindowExposed(m_form.get(), kPatience));
        const auto rightOf = [&](const char* name) {
            auto* field = child<QWidget>(name);
            return field->mapTo(m_form.get(), QPoint(field->width(), 0)).x();
        };
        QTRY_COMPARE_WITH_TIMEOUT(rightOf("trainName"), rightOf("train_batch_size"), kPatience);
        // And they begin at one.
        const auto leftOf = [&](const char* name) {
            return child<QWidget>(name)->mapTo(m_form.get(), QPoint(0, 0)).x();
        };
        for (const char* name : {"trainSeeds", "trainSweepField"}) {
            QTRY_COMPARE_WITH_TIMEOUT(leftOf(name), leftOf("train_batch_size"), kPatience);
            QCOMPARE(rightOf(name), rightOf("train_batch_size"));
        }
        QTRY_COMPARE_WITH_TIMEOUT(child<QScrollArea>("trainArea")->verticalScrollBar()->maximum(),
                                  0, kPatience);
        QVERIFY(m_form->height() < 1000);
    }

    /// The forms of forks of forks once grew wider than the screen.
    void aForkIsNotCalledByTheDescriptionOfItsParent() {
        RunSpec parent = training(400'000);
        parent.name = "Hedge maze · learned · beta_r 5 · num_training_steps 400000 · batch_size 32";
        m_form->setWorld(QString::fromStdString(nameWithoutDescription(parent)));
        m_form->fork({.id = "r00004", .spec = parent, .checkpoints = {8000}});
        const QString name = child<QLineEdit>("trainName")->placeholderText();
        QVERIFY2(name.startsWith("Hedge maze · learned · num_training_steps"), qPrintable(name));
        QCOMPARE(name.count(QStringLiteral("learned")), 1);
        m_form->setWorld(QStringLiteral("a very long name ").repeated(20));
        showWithRate(5803.3686);
        QVERIFY(m_form->minimumSizeHint().width() < 500);
        QVERIFY2(child<QLabel>("trainTime")->text().contains(countText(5803) + " steps/s"),
                 qPrintable(child<QLabel>("trainTime")->text()));
    }

    void aPresetFillsItsFieldsAndIsNamedAsLongAsTheyStay() {
        m_form->setSpec(training(10'000));
        showWithRate(1000);
        auto* preset = child<QComboBox>("trainPreset");
        auto* batch = child<QLineEdit>("train_batch_size");
        QCOMPARE(preset->currentIndex(), -1);  // 10 000 steps are nobody's preset
        preset->setFocus();
        for (int i = 0; i < 4 && preset->currentText() != QLatin1String("exact-tables"); ++i)
            QTest::keyClick(preset, Qt::Key_Down);
        QCOMPARE(preset->currentText(), QStringLiteral("exact-tables"));
        QCOMPARE(batch->text(), QStringLiteral("32"));
        QCOMPARE(child<QComboBox>("trainKind")->currentIndex(), 0);
        QVERIFY(m_form->spec().job.as<TrainJob>().empo.adaptiveTables);
        QCOMPARE(m_form->spec().job.as<TrainJob>().worlds.front(),
                 std::string("builtin:first_steps"));
        batch->selectAll();
        QTest::keyClicks(batch, QStringLiteral("33"));
        QCOMPARE(preset->currentIndex(), -1);
        QTest::mouseClick(child<QPushButton>("trainDefaults"), Qt::LeftButton);
        QCOMPARE(preset->currentText(), QStringLiteral("networks"));
        QCOMPARE(batch->text(), QStringLiteral("64"));
    }

    void aFieldWithoutAnEffectIsGreyAndSaysWhy() {
        m_form->show();
        child<QPushButton>("trainMore")->setChecked(true);
        QTRY_VERIFY_WITH_TIMEOUT(m_form->isComplete(), kPatience);
        m_form->setSpec(training(10'000));
        auto* norm = child<QLineEdit>("train_grad_clip");
        QVERIFY(norm->isEnabled());
        const QString tip = norm->toolTip();
        QVERIFY(!child<QWidget>("train_macro_steps")->isEnabled());
        auto* clips = child<QCheckBox>("train_clip_gradients");
        QTest::mouseClick(clips, Qt::LeftButton, {}, QPoint(8, clips->height() / 2));
        QVERIFY(!clips->isChecked() && !norm->isEnabled());
        QCOMPARE(norm->toolTip(), "No effect: clip_gradients is off.\n" + tip);
        QTest::mouseClick(clips, Qt::LeftButton, {}, QPoint(8, clips->height() / 2));
        QVERIFY(norm->isEnabled());
        QCOMPARE(norm->toolTip(), tip);
        // What is wrong can be mended before it is grey.
        norm->selectAll();
        QTest::keyClicks(norm, QStringLiteral("-1"));
        QTest::mouseClick(clips, Qt::LeftButton, {}, QPoint(8, clips->height() / 2));
        QVERIFY(norm->isEnabled() && !m_form->isValid());
        norm->selectAll();
        QTest::keyClicks(norm, QStringLiteral("10"));
        QVERIFY(!norm->isEnabled() && m_form->isValid());
    }

    void theOptionsComeIntoViewWhenTheyAreAskedFor() {
        m_form->setSpec(training(10'000));
        m_form->resize(m_form->width(), 500);
        m_form->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_form.get(), kPatience));
        QTest::mouseClick(child<QPushButton>("trainMore"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(m_form->focusWidget()->objectName(), QString("trainFilter"),
                                  kPatience);
        const auto isInView = [&](const char* name) {
            auto* port = child<QScrollArea>("trainArea")->viewport();
            auto* part = child<QWidget>(name);
            return port->rect().contains(QRect(part->mapTo(port, QPoint()), part->size()));
        };
        QTRY_VERIFY_WITH_TIMEOUT(m_form->isComplete(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(isInView("trainFilter") && isInView("trainMore"), kPatience);
        const auto* port = child<QScrollArea>("trainArea")->viewport();
        QTRY_VERIFY2_WITH_TIMEOUT(
            child<QPushButton>("trainMore")->mapTo(port, QPoint()).y() < port->height() / 3,
            "the rows of the options are out of view", kPatience);
        QTest::keyClicks(child<QLineEdit>("trainFilter"), QStringLiteral("clip"));
        QTRY_VERIFY_WITH_TIMEOUT(isInView("train_grad_clip"), kPatience);
    }

    void anOptionThatHasNoRowYetIsShownOnceItHasOne() {
        const std::string last = formFields(m_form->spec().job.kind()).back()->name;
        for (const std::string& name : {std::string("grad_clip"), last}) {
            init();
            m_form->show();
            QVERIFY(QTest::qWaitForWindowExposed(m_form.get(), kPatience));
            m_form->showField(QString::fromStdString(name));
            QVERIFY(!m_form->isComplete());  // all rows at once would hold the window
            QTRY_VERIFY_WITH_TIMEOUT(m_form->isComplete(), kPatience);
            const auto* port = child<QScrollArea>("trainArea")->viewport();
            const auto* editor = child<QWidget>(("train_" + name).c_str());
            QCOMPARE(m_form->focusWidget(), editor);
            const auto place = [&] { return QRect(editor->mapTo(port, QPoint()), editor->size()); };
            QTRY_VERIFY2_WITH_TIMEOUT(
                place().height() >= editor->sizeHint().height() && port->rect().contains(place()),
                name.c_str(), kPatience);
        }
    }

    void theFieldThatWasAskedForLastIsShown() {
        m_form->show();
        m_form->showField(QStringLiteral("grad_clip"));
        m_form->showField(QStringLiteral("batch_size"));
        QTRY_VERIFY_WITH_TIMEOUT(m_form->isComplete(), kPatience);
        finishEvents();
        QCOMPARE(m_form->focusWidget()->objectName(), QString("train_batch_size"));
    }

    void whatIsWrongStaysInViewWhateverIsLookedFor() {
        RunSpec spec = training(10'000);
        EmpoSpec& empo = spec.job.as<TrainJob>().empo;
        empo.batchSize = 64;
        empo.bufferCapacity = 10;  // each of them may be so, both may not
        m_form->show();
        child<QPushButton>("trainMore")->setChecked(true);
        QTRY_VERIFY_WITH_TIMEOUT(m_form->isComplete(), kPatience);
        m_form->setSpec(spec);
        QVERIFY(!m_form->isValid());
        auto* filter = child<QLineEdit>("trainFilter");
        auto* hint = child<QLabel>("train_hint_buffer_size");
        QVERIFY(hint->isVisible() && hint->text().contains("buffer_size"));
        for (const char* const words : {"buffer", "curiosity", "no such word"}) {
            filter->setText(QLatin1String(words));
            QVERIFY2(hint->isVisible(), words);
            QVERIFY2(child<QLineEdit>("train_buffer_size")->isVisible(), words);
        }
        QVERIFY(child<QWidget>("trainNoOption")->isVisible());
        // Typed right it is an option as the others.
        auto* edit = child<QLineEdit>("train_buffer_size");
        edit->selectAll();
        QTest::keyClicks(edit, QStringLiteral("100000"));
        QVERIFY(m_form->isValid());
        QVERIFY(!hint->isVisible());
        filter->setText(QStringLiteral("curiosity"));
        QVERIFY(!edit->isVisible());
    }
};

ORRERY_WINDOW_TEST(TrainFormTest)
#include "train_form_test.moc"
